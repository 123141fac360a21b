import { realpathSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Report } from '../../engine.ts'
import { programFile } from '../../program-file.ts'
import type { CheckpointOrder } from './checkpoint-thread.ts'
import type { Connection } from './connection.ts'

/** What checkpoints need. */
export interface CheckpointParts extends CheckpointOrder {
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

/** Tells how many pages the log has and how many of them are in the database, and does nothing. */
const LOOK = { sql: 'pragma wal_checkpoint(noop)', parameters: [] }

/**
 * Copies what was committed from the write-ahead log into the database, in a thread: copying thousands of pages and
 * waiting for the disk takes a tenth of a second, in which this thread would not respond. Readers and writers continue
 * meanwhile. The thread is started when it is first needed.
 */
export class Checkpoints {
  readonly #parts: CheckpointParts
  #thread: Worker | undefined
  /** The log, which is never replaced while this storage may write. */
  #log: Promise<FileHandle> | undefined
  #isAsked = false
  #isClosed = false

  constructor(parts: CheckpointParts) {
    this.#parts = parts
    parts.connection.pragma('wal_autocheckpoint = 0')
  }

  /** To be called after each commit; never throws. */
  afterCommit(): void {
    if (this.#isClosed) return
    try {
      const pages = this.#pagesToMove()
      if (pages < PAGES) return
      if (pages >= MOST_PAGES) this.#parts.connection.pragma('wal_checkpoint(passive)')
      else if (!this.#isAsked && this.#parts.areFilesThere()) this.#ask()
    } catch (error) {
      this.#parts.report(error, 'moving what was committed from the write-ahead log into the database')
    }
  }

  /**
   * Flushes what is in the log so far to the disk, without blocking this thread, so that little of a long transaction
   * is left for the commit. The commit itself ensures that all of it is there.
   */
  async syncLog(): Promise<void> {
    this.#log ??= open(`${realpathSync(this.#parts.path)}-wal`, 'r')
    await (await this.#log).datasync()
  }

  /** Ends the thread; afterwards nothing is moved any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.terminate()
    await (await this.#log)?.close()
  }

  #pagesToMove(): number {
    const { log = 0, checkpointed = 0 } = this.#parts.connection.first(LOOK) ?? {}
    return Number(log) - Number(checkpointed)
  }

  #ask(): void {
    this.#thread ??= this.#start()
    this.#isAsked = true
    this.#thread.postMessage(null)
  }

  #start(): Worker {
    const { path, synchronous } = this.#parts
    const order: CheckpointOrder = { path, synchronous }
    const thread = new Worker(programFile('./checkpoint-thread', import.meta.url), { workerData: order })
    thread.unref()
    const failed = (problem: unknown): void => this.#parts.report(problem, 'the thread for the write-ahead log')
    thread.on('message', (problem: string | undefined) => {
      this.#isAsked = false
      if (problem !== undefined) failed(new Error(problem))
    })
    thread.on('error', failed)
    thread.on('exit', () => {
      this.#thread = undefined
      this.#isAsked = false
    })
    return thread
  }
}
