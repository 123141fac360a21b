import type { Worker } from 'node:cluster'
import type { MetricsState } from '../../ops/metrics/open.ts'
import { ASK } from '../metrics.ts'
import type { WorkerMessage } from './worker.ts'

/** Longest wait for the numbers of a worker, milliseconds: one that is just starting, or hangs, is left out. */
const PATIENCE = 1000

/**
 * The metrics of all workers of a supervisor. The counts of ended workers stay in the sums: a sum that falls would look
 * like a restart.
 */
export class WorkerMetrics {
  readonly #known = new Map<Worker, MetricsState>()
  #ended: MetricsState = []
  #asking: Promise<string> | undefined

  /** The metrics of these workers, and of those before them, as those of one process. */
  text(workers: Iterable<Worker>): Promise<string> {
    this.#asking ??= this.#ask([...workers]).finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(workers: readonly Worker[]): Promise<string> {
    // Loaded only where metrics are on: it takes 20 MB.
    const { countersOf, sumOf, textOfAll } = await import('../../ops/metrics/open.ts')
    const told = await Promise.all(
      workers.map(async (worker) => {
        const state = await stateOf(worker)
        if (state !== undefined) this.#known.set(worker, state)
        return state ?? countersOf(this.#known.get(worker) ?? [])
      }),
    )
    const gone = [...this.#known.keys()].filter((worker) => !workers.includes(worker))
    const left = gone.map((worker) => countersOf(this.#known.get(worker) ?? []))
    for (const worker of gone) this.#known.delete(worker)
    if (left.length > 0) this.#ended = await sumOf([this.#ended, ...left])
    return textOfAll([this.#ended, ...told])
  }
}

/** The numbers of a worker; undefined when it does not send them. */
async function stateOf(worker: Worker): Promise<MetricsState | undefined> {
  const { promise, resolve } = Promise.withResolvers<MetricsState | undefined>()
  const onMessage = (message: WorkerMessage): void => {
    if (message.kind === 'metrics') resolve(message.state)
  }
  const giveUp = (): void => resolve(undefined)
  const timer = setTimeout(giveUp, PATIENCE)
  worker.on('message', onMessage).once('exit', giveUp)
  if (worker.isConnected()) worker.send(ASK, (error) => error !== null && giveUp())
  else giveUp()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    worker.off('message', onMessage).off('exit', giveUp)
  }
}
