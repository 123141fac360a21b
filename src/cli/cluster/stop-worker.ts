import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { STOP } from '../stopping.ts'

/**
 * Milliseconds that a worker may take to stop beside its `--drain-delay`: it cuts off its own requests after half of
 * it.
 */
export const WORKER_END = 120_000

/** Asks a worker to stop and waits for its end; one that does not end within these milliseconds is killed. */
export async function stopWorker(worker: Worker, patience: number): Promise<void> {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  // A message, not a signal: Ctrl-C in a terminal has reached the worker already, and a second one means "at once".
  if (worker.isConnected()) worker.send(STOP)
  else worker.process.kill('SIGTERM')
  const late = setTimeout(() => worker.process.kill('SIGKILL'), patience)
  await ended
  clearTimeout(late)
}
