import cluster from 'node:cluster'
import type { ErrorCode, Slots } from '../../base/errors.ts'
import type { MetricsState } from '../../ops/metrics/open.ts'
import type { Started } from '../started.ts'
import { asFailure } from './operation-messages.ts'

/** A message of a worker to its supervisor. */
export type WorkerMessage =
  | { readonly kind: 'started'; readonly started: Started }
  /** From now on this worker is the one that writes. */
  | { readonly kind: 'writes' }
  /** Its numbers, on request. */
  | { readonly kind: 'metrics'; readonly state: MetricsState }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly slots: Slots }

/** Set in workers that join others which are running already. */
export const JOINS = 'KALENDS_JOINS'

/** Whether this process was started by a supervisor. */
export function isWorker(): boolean {
  return cluster.isWorker
}

/** Sends a message to the supervisor; resolves when it is sent, or there is no supervisor. */
export function tellSupervisor(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) return resolve()
    process.send(message, undefined, undefined, () => resolve())
  })
}

/** Ends a worker: its supervisor reports the reason, and their channel would keep the process alive. */
export async function endWorker(problem?: { readonly error: unknown }): Promise<never> {
  if (problem !== undefined) {
    const { code, slots } = asFailure(problem.error)
    await tellSupervisor({ kind: 'failed', code, slots })
  }
  process.exit(problem === undefined ? 0 : 1)
}
