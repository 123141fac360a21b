import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../base/config.ts'
import type { Logger } from '../../base/log.ts'
import { keepSharedCounts } from '../../http/limits/shared-counts.ts'
import type { Invocation } from '../command.ts'
import { logOf } from '../logs.ts'
import { offerMetrics } from '../metrics.ts'
import { type Started, welcome } from '../started.ts'
import type { Stopping } from '../stopping.ts'
import { failureOf } from './operation-messages.ts'
import { stopWorker, WORKER_END } from './stop-worker.ts'
import { JOINS, type WorkerMessage } from './worker.ts'
import { WorkerMetrics } from './worker-metrics.ts'

/** Milliseconds: pause before a dead worker is replaced, doubled after each that did not live long enough, up to a limit. */
const BACK_OFF = { first: 100, most: 5000, livedLong: 10_000 } as const

/**
 * Runs `--workers` servers that share a port, replaces those that die, and stops them when asked. The first one prepares
 * data and port; when it cannot start, nothing does.
 * @throws what keeps the first worker from starting
 */
export async function supervise(called: Invocation, stopping: Stopping): Promise<void> {
  const { config, world } = called
  const log = logOf(called)
  const workers = new Workers({ log, now: world.now, patience: WORKER_END + config.drainDelay })
  const metrics = new WorkerMetrics()
  const endMetrics = await offerMetrics(config, () => metrics.text(workers.running), log)
  try {
    // Workers accept connections themselves: one passed to a worker that has just died would hang forever.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ args: [...process.argv.slice(2), ...(await portFlag(config))] })
    await keepSharedCounts()
    const started = await workers.startFirst()
    workers.fill(config.workers - 1)
    called.show(started, welcome)
    log.info({ cause: await stopping.asked }, 'stopping')
  } finally {
    await workers.stop()
    await endMetrics()
  }
  log.info('stopped')
}

/** A free port is picked once: all workers use the same one, even if all others have died. */
async function portFlag({ host, port }: Config): Promise<string[]> {
  if (port !== 0) return []
  const probe = createServer()
  probe.listen(0, host)
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? ['--port', String(address.port)] : []
}

/** The workers of one machine. */
class Workers {
  readonly #log: Logger
  readonly #now: () => number
  readonly #patience: number
  readonly #workers = new Set<Worker>()
  readonly #stopping = new AbortController()
  #writer: Worker | undefined
  #shortLives = 0

  constructor({ log, now, patience }: { log: Logger; now: () => number; patience: number }) {
    this.#log = log
    this.#now = now
    this.#patience = patience
  }

  /** Those that have not ended. */
  get running(): ReadonlySet<Worker> {
    return this.#workers
  }

  /** Starts the worker that prepares everything; returns what it reports when it is ready. */
  startFirst(): Promise<Started> {
    const { promise, resolve, reject } = Promise.withResolvers<Started>()
    const worker = this.#fork({})
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'started') resolve(message.started)
      if (message.kind === 'failed') reject(failureOf(message))
    })
    worker.once('exit', (code, signal) => reject(new Error(`the first worker ended with ${signal ?? code}`)))
    // From the start on it is one of all.
    promise.then(() => this.#watch(worker)).catch(() => undefined)
    return promise
  }

  /** Adds workers. */
  fill(count: number): void {
    for (let number = 0; number < count; number += 1) this.#watch(this.#fork({ [JOINS]: '1' }))
  }

  /** Stops all; the writer last, so that the others can still reach it. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    const writer = this.#writer
    const stop = (worker: Worker): Promise<void> => stopWorker(worker, this.#patience)
    await Promise.all([...this.#workers].filter((worker) => worker !== writer).map(stop))
    await Promise.all([...this.#workers].map(stop))
  }

  #fork(env: Record<string, string>): Worker {
    const worker = cluster.fork(env)
    this.#workers.add(worker)
    this.#log.info({ pid: worker.process.pid }, 'a worker was started')
    worker.once('exit', () => this.#workers.delete(worker))
    // Sending to one that has just died fails; its exit event reports that.
    worker.on('error', () => undefined)
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'started') this.#log.info({ pid: worker.process.pid }, 'a worker answers')
      if (message.kind === 'writes') this.#writer = worker
    })
    return worker
  }

  #watch(worker: Worker): void {
    const bornAt = this.#now()
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'failed')
        this.#log.error({ pid: worker.process.pid, reason: failureOf(message).message }, 'a worker could not go on')
    })
    worker.once('exit', (code, signal) => {
      if (this.#stopping.signal.aborted) return
      this.#log.error({ pid: worker.process.pid, code, signal }, 'a worker ended and is replaced')
      this.#shortLives = this.#now() - bornAt < BACK_OFF.livedLong ? this.#shortLives + 1 : 0
      void this.#replace()
    })
  }

  async #replace(): Promise<void> {
    const { signal } = this.#stopping
    const pause = Math.min(BACK_OFF.first * 2 ** this.#shortLives, BACK_OFF.most)
    await sleep(pause, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) this.#watch(this.#fork({ [JOINS]: '1' }))
  }
}
