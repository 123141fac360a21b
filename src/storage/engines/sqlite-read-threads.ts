import { Worker } from 'node:worker_threads'
import type { Statement } from '../engine.ts'
import { programFile } from '../program-file.ts'
import { bindable, type RowTable } from './sqlite-connection.ts'
import { type FileIdentity, identityOf } from './sqlite-files.ts'
import type { ReadAnswer } from './sqlite-read-worker.ts'

/** Megabytes for young objects of a thread: it hands over rows and keeps nothing, and V8 would take up to 130. */
const YOUNG_GENERATION = 16

interface Pending {
  readonly statement: Statement
  readonly resolve: (table: RowTable) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  /** What the thread works on; `undefined` while it is idle. */
  pending: Pending | undefined
  /** Why it died, when it said so before its end. */
  cause: unknown
}

/**
 * The offloaded lane of a SQLite file: a few threads with a connection each, one statement at a time, the rest waiting
 * in order. A thread is started when first needed and keeps the process alive only while it works. When a thread
 * dies, the query it worked on rejects and the next query gets a new thread.
 */
export class ReadThreads {
  readonly #path: string
  readonly #identity: FileIdentity
  readonly #limit: number
  readonly #threads = new Set<Thread>()
  #waiting: Pending[] = []
  #idle: (() => void)[] = []

  constructor(path: string, limit: number) {
    this.#path = path
    this.#identity = identityOf(path)
    this.#limit = limit
  }

  /** Statements that wait for a thread. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Rows of the statement; rejects with an error that carries SQLite's text and `errcode`. */
  read(statement: Statement): Promise<RowTable> {
    return new Promise((resolve, reject) => {
      const parameters = bindable(statement.parameters)
      this.#waiting.push({ statement: { sql: statement.sql, parameters }, resolve, reject })
      this.#assign()
    })
  }

  /** Waits for accepted queries, then ends the threads. */
  async close(): Promise<void> {
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#idle.push(resolve))
    await Promise.all([...this.#threads].map((thread) => thread.worker.terminate()))
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#freeThread()
      if (!thread) return
      thread.pending = this.#waiting.shift()
      thread.worker.ref()
      thread.worker.postMessage(thread.pending?.statement)
    }
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #freeThread(): Thread | undefined {
    for (const thread of this.#threads) if (!thread.pending) return thread
    return this.#threads.size < this.#limit ? this.#start() : undefined
  }

  #isIdle(): boolean {
    return this.#waiting.length === 0 && ![...this.#threads].some((thread) => thread.pending)
  }

  #start(): Thread {
    const file = programFile('./sqlite-read-worker', import.meta.url)
    const options = {
      execArgv: [],
      name: 'kalends-read',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
    }
    const worker = new Worker(file, { ...options, workerData: { path: this.#path, identity: this.#identity } })
    const thread: Thread = { worker, pending: undefined, cause: undefined }
    this.#threads.add(thread)
    worker.on('message', (answer: ReadAnswer) => this.#answered(thread, answer))
    worker.on('error', (error) => {
      thread.cause = error
    })
    worker.on('exit', (code) => this.#died(thread, code))
    worker.unref()
    return thread
  }

  #answered(thread: Thread, answer: ReadAnswer): void {
    const pending = thread.pending
    thread.pending = undefined
    thread.worker.unref()
    this.#assign()
    if (answer.ok) pending?.resolve(answer.table)
    else pending?.reject(Object.assign(new Error(answer.message), { errcode: answer.errcode }))
  }

  #died(thread: Thread, code: number): void {
    this.#threads.delete(thread)
    const error = new Error(`the reading thread ended while it worked on this query (exit code ${code})`)
    thread.pending?.reject(thread.cause === undefined ? error : Object.assign(error, { cause: thread.cause }))
    thread.pending = undefined
    this.#assign()
  }
}
