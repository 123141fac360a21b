import { realpathSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Report } from '../../engine.ts'
import { programFile } from '../../program-file.ts'
import type { CheckpointOrder, CheckpointPass } from './checkpoint-thread.ts'
import type { Connection } from './connection.ts'

/** What checkpoints need. */
export interface CheckpointDeps extends CheckpointOrder {
  /** The connection that writes. */
  readonly connection: Connection
  readonly report: Report
  /** Whether the files are those that were opened; others are left alone. */
  readonly areFilesThere: () => boolean
}

/** Pages of the write-ahead log (4 KiB each) from which on they are moved into the database. */
const PAGES = 1000

/** Pages at which a commit copies them itself: the thread cannot keep up, or failed. */
const MOST_PAGES = 48 * PAGES

/**
 * Pages of the log, moved or not, from which on writes wait for the thread: SQLite restarts the log with the first
 * write that finds all of it in the database and nobody reading from it, which never happens while writes follow each
 * other.
 */
const HELD_PAGES = 8 * PAGES

/** Pages at which the thread also waits for those who read from the log, and after which it does so again. */
const FORCED_PAGES = 16 * PAGES

/** How long it waits for them, milliseconds: longer than most reads may take. */
const READERS_END = 1000

/** Tells how many pages the log has and how many of them are in the database, and does nothing. */
const LOOK = { sql: 'pragma wal_checkpoint(noop)', parameters: [] }

/**
 * Copies what was committed from the write-ahead log into the database, in a thread: copying thousands of pages and
 * waiting for the disk takes a tenth of a second, in which this thread would not respond. Readers and writers continue
 * meanwhile. The thread is started when it is first needed.
 */
export class Checkpoints {
  readonly #deps: CheckpointDeps
  #thread: Worker | undefined
  /** The log, which is never replaced while this storage may write. */
  #log: Promise<FileHandle> | undefined
  /** What waits for the passes of the thread, in their order. */
  #asked: (() => void)[] = []
  /** Pages of the log after the last commit. */
  #size = 0
  /** Pages of the log at which writes wait again, and at which the thread waits for readers. */
  #next = { held: HELD_PAGES, forced: FORCED_PAGES }
  #isClosed = false

  constructor(deps: CheckpointDeps) {
    this.#deps = deps
    deps.connection.pragma('wal_autocheckpoint = 0')
  }

  /** To be called after each commit; never throws. */
  afterCommit(): void {
    if (this.#isClosed) return
    try {
      const pages = this.#pagesToMove()
      if (this.#size < HELD_PAGES) this.#next = { held: HELD_PAGES, forced: FORCED_PAGES }
      if (pages < PAGES) return
      if (pages >= MOST_PAGES) this.#deps.connection.pragma('wal_checkpoint(passive)')
      else if (this.#asked.length === 0 && this.#deps.areFilesThere()) void this.#ask({ readersEnd: 0 })
    } catch (error) {
      this.#deps.report(error, 'moving commits from the write-ahead log into the database')
    }
  }

  /**
   * To be awaited before a write starts: undefined, or resolves when all of a long log was moved, so that this write can
   * restart it. Never rejects.
   */
  room(): Promise<void> | undefined {
    const [size, next] = [this.#size, this.#next]
    if (this.#isClosed || size < next.held || !this.#deps.areFilesThere()) return undefined
    const isForced = size >= next.forced
    this.#next = { held: size + PAGES, forced: isForced ? size + FORCED_PAGES : next.forced }
    return this.#ask({ readersEnd: isForced ? READERS_END : 0 })
  }

  /**
   * Flushes what is in the log so far to the disk, without blocking this thread, so that little of a long transaction
   * is left for the commit. The commit itself ensures that all of it is written.
   */
  async syncLog(): Promise<void> {
    this.#log ??= open(`${realpathSync(this.#deps.path)}-wal`, 'r')
    await (await this.#log).datasync()
  }

  /** Ends the thread; afterwards nothing is moved any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.terminate()
    await (await this.#log)?.close()
  }

  #pagesToMove(): number {
    const { log = 0, checkpointed = 0 } = this.#deps.connection.first(LOOK) ?? {}
    this.#size = Number(log)
    return this.#size - Number(checkpointed)
  }

  /** Has the thread move what is in the log; resolves when it has, or has failed. */
  #ask(pass: CheckpointPass): Promise<void> {
    this.#thread ??= this.#start()
    this.#thread.postMessage(pass)
    return new Promise((resolve) => this.#asked.push(resolve))
  }

  #start(): Worker {
    const { path, synchronous } = this.#deps
    const order: CheckpointOrder = { path, synchronous }
    const thread = new Worker(programFile('./checkpoint-thread', import.meta.url), { workerData: order })
    thread.unref()
    const failed = (problem: unknown): void => this.#deps.report(problem, 'the thread for the write-ahead log')
    thread.on('message', (problem: string | undefined) => {
      this.#asked.shift()?.()
      if (problem !== undefined) failed(new Error(problem))
    })
    thread.on('error', failed)
    thread.on('exit', () => {
      this.#thread = undefined
      for (const resolve of this.#asked.splice(0)) resolve()
    })
    return thread
  }
}
