import type { Statement } from '../../engine.ts'
import { MOST_WAITING, ReadQueue, type ReadQueueStats, type ReadTurn } from '../../read-queue.ts'
import { bindable, type RowTable } from './connection.ts'
import { identityOf } from './files.ts'
import { type OpenedFile, ReadProcess } from './read-process.ts'

/**
 * Milliseconds: for which an abandoned statement may continue, several times the cost of replacing its process; after
 * which a surplus process is ended.
 */
const PATIENCE = { abandoned: 500, surplus: 30_000 } as const

/** What the offloaded lane of a SQLite file needs. */
export interface ReadLaneDeps {
  readonly path: string
  /** Statements that run at the same time. */
  readonly readers: number
  /** Milliseconds that a statement may wait, and that it may take. */
  readonly timeout: number
  /** Statements that may wait; `MOST_WAITING.long` by default. */
  readonly waiting?: number
}

/**
 * The offloaded lane of a SQLite file: a few processes, one statement at a time in each. At its deadline, or some time
 * after it was abandoned, a statement is ended with its process, which another one replaces, started when half of that
 * time had passed: most statements end before. Processes are started when they are first needed.
 */
export class ReadLane {
  readonly #file: OpenedFile
  readonly #readers: number
  readonly #timeout: number
  readonly #queue: ReadQueue
  readonly #all = new Set<ReadProcess>()
  /** Idle processes; the most recently used is used first. */
  #idle: ReadProcess[] = []

  constructor({ path, readers, timeout, waiting = MOST_WAITING.long }: ReadLaneDeps) {
    this.#file = { path, identity: identityOf(path) }
    this.#readers = readers
    this.#timeout = timeout
    this.#queue = new ReadQueue({ slots: readers, spared: 1, timeout, waiting })
  }

  /** Counters since the beginning. */
  get stats(): ReadQueueStats {
    return this.#queue.stats
  }

  /** Numbers of its processes now. */
  get pids(): readonly number[] {
    return [...this.#all].flatMap(({ pid }) => pid ?? [])
  }

  /**
   * Rows of the statement.
   * @throws an error that carries SQLite's text and `errcode`; rest_query_too_costly beyond the deadline; rest_too_busy
   * when the queue is full, or it waited too long; ReadDropped
   */
  async read({ sql, parameters }: Statement): Promise<RowTable> {
    const statement = { sql, parameters: bindable(parameters) }
    return this.#queue.run((turn) => this.#readOn(this.#take(), statement, turn), { isDropped: true })
  }

  /** Waits for accepted statements, then ends the processes. */
  async close(): Promise<void> {
    await this.#queue.idle()
    await Promise.all([...this.#all].map((reader) => reader.kill()))
  }

  async #readOn(reader: ReadProcess, statement: Statement, turn: ReadTurn): Promise<RowTable> {
    let end = (): Error | undefined => undefined
    try {
      // A busy machine may be slow to start a process, which is not charged to the statement.
      if (!reader.isReady) {
        await reader.ready()
        if (turn.requester?.isGone) throw this.#queue.dropped()
      }
      end = this.#watch(reader, turn)
      const table = await reader.ask(statement)
      end()
      return table
    } catch (error) {
      throw end() ?? error
    } finally {
      this.#putBack(reader)
    }
  }

  /**
   * Ends the process at the deadline or when its result is not needed any more; the returned function stops watching
   * and returns the reason.
   */
  #watch(reader: ReadProcess, { requester, isUnlimited }: ReadTurn): () => Error | undefined {
    let why: Error | undefined
    const kill = (reason: () => Error): void => {
      why = reason()
      void reader.kill()
    }
    let timer: NodeJS.Timeout | undefined
    const endAfter = (time: number, reason: () => Error): void => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        this.#prepare()
        timer = setTimeout(() => kill(reason), time / 2)
      }, time / 2)
    }
    if (!isUnlimited) endAfter(this.#timeout, () => this.#queue.tooCostly())
    const stay = requester?.onGone(() => endAfter(PATIENCE.abandoned, () => this.#queue.dropped()))
    return () => {
      clearTimeout(timer)
      stay?.()
      return why
    }
  }

  #take(): ReadProcess {
    return this.#idle.pop() ?? this.#start()
  }

  /** Has a process ready for the one that may have to be ended. */
  #prepare(): void {
    if (this.#idle.length === 0) this.#idle.push(this.#start())
  }

  #putBack(reader: ReadProcess): void {
    // One that has ended is forgotten already.
    if (!this.#all.has(reader)) return
    this.#idle.push(reader)
    if (this.#all.size > this.#readers) setTimeout(() => this.#trim(), PATIENCE.surplus).unref()
  }

  #trim(): void {
    while (this.#all.size > this.#readers) {
      const reader = this.#idle.shift()
      if (reader === undefined) return
      this.#all.delete(reader)
      void reader.kill()
    }
  }

  #start(): ReadProcess {
    const reader = new ReadProcess(this.#file, () => {
      this.#all.delete(reader)
      this.#idle = this.#idle.filter((one) => one !== reader)
    })
    this.#all.add(reader)
    return reader
  }
}
