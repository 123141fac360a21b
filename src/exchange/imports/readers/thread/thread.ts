import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Failure, fail } from '../../../../base/errors.ts'
import type { ReadingMessage, ReadResult } from './worker.ts'

/** Milliseconds for a job, and jobs that wait. */
const MOST = { time: 300_000, waiting: 32 } as const

/** Bytes of a job after which the thread gives its memory back. */
const LARGE = 1_048_576

/** How files are read in a thread. */
export interface ReadingProgram<Job> {
  /** Module that calls `serveReading`. */
  readonly program: URL
  /** Of the thread, as debuggers show it. */
  readonly name: string
  /** MiB. */
  readonly memory: number
  /** Bytes of a job. */
  sizeOf(job: Job): number
  /** The refusal of a job whose files, the reason continues, take too much. */
  refusal(job: Job, reason: string): Error
}

/**
 * Reads files in a thread of its own: the server answers meanwhile, and what takes too much ends with the thread. One job
 * is done at a time, because a second one would only take more memory; the thread waits for the next one.
 */
export class ReadingThread<Job, Found, Item> {
  readonly #program: ReadingProgram<Job>
  /** The thread that has nothing to do; undefined if there is none. */
  #idle: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(program: ReadingProgram<Job>) {
    this.#program = program
  }

  /** What a job has found. @throws what reading throws, `refusal`, rest_unavailable */
  async read(job: Job): Promise<ReadResult<Found, Item>> {
    if (this.#waiting >= MOST.waiting) throw fail('rest_unavailable')
    this.#waiting += 1
    const mine = this.#last.then(() => this.#readNow(job))
    this.#last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      this.#waiting -= 1
    }
  }

  async #readNow(job: Job): Promise<ReadResult<Found, Item>> {
    const thread = this.#idle ?? this.#start()
    this.#idle = undefined
    thread.ref()
    const ended = setTimeout(() => void thread.terminate(), MOST.time)
    let isDone = false
    try {
      const result = await this.#askAll(thread, job)
      isDone = true
      return result
    } finally {
      clearTimeout(ended)
      thread.unref()
      // After an error nobody knows what it is about to say.
      if (isDone && this.#program.sizeOf(job) < LARGE) this.#idle = thread
      else void thread.terminate()
    }
  }

  #start(): Worker {
    const { program, name, memory } = this.#program
    const limits = { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 32 }
    const thread = new Worker(program, { execArgv: [], name, resourceLimits: limits })
    // What ends an idle one does not matter; whoever waits for its answer hears it, too.
    thread
      .on('error', () => undefined)
      .on('exit', () => {
        if (this.#idle === thread) this.#idle = undefined
      })
    return thread
  }

  async #askAll(thread: Worker, job: Job): Promise<ReadResult<Found, Item>> {
    const first = await this.#ask(thread, job, job)
    if (first.kind !== 'found') throw new Error('a thread says first what it found')
    const items: Item[] = []
    while (items.length < first.count) {
      const message = await this.#ask(thread, job, 'more')
      if (message.kind !== 'items' || message.items.length === 0) throw new Error('a thread says as much as it found')
      for (const item of message.items) items.push(item)
      await setImmediate()
    }
    return { found: first.found, items }
  }

  /** The answer of a thread. @throws `refusal` when it ends instead */
  #ask(thread: Worker, job: Job, message: Job | 'more'): Promise<ReadingMessage<Found, Item>> {
    const { promise, resolve, reject } = Promise.withResolvers<ReadingMessage<Found, Item>>()
    const refused = (reason: string): void => reject(this.#program.refusal(job, reason))
    const answered = (said: ReadingMessage<Found, Item>): void => {
      if (said.kind === 'failed') reject(new Failure(said.code, said.slots, {}))
      else resolve(said)
    }
    const failed = (error: Error & { readonly code?: string }): void => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') refused('takes too much memory to read')
      else reject(error)
    }
    const ended = (): void => refused('takes too long to read')
    thread.once('message', answered).once('error', failed).once('exit', ended)
    // It may have ended since its last answer: then there is none, and nothing says so.
    if (thread.threadId === -1) ended()
    else thread.postMessage(message)
    return promise.finally(() => thread.off('message', answered).off('error', failed).off('exit', ended))
  }
}
