import type { Connection } from './connection.ts'

// Prepared once: they stand around the reads of each turn.
const BEGIN = { sql: 'begin', parameters: [] }
const COMMIT = { sql: 'commit', parameters: [] }

/**
 * Lets the reads of one turn of the event loop share a transaction of a connection. Around a read that stands alone
 * SQLite locks the log and looks whether it has grown, which takes as long as finding a row by its key. What a turn
 * reads is the state at its first read: a request that has arrived before misses nothing, because the turn ends before
 * anything else arrives, and `renew` ends it when this process commits.
 */
export class ReadSnapshot {
  readonly #connection: Connection
  #isOpen = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The connection, in the transaction of this turn. */
  get connection(): Connection {
    if (!this.#isOpen) this.#begin()
    return this.#connection
  }

  /** What is read from now on sees everything that was committed until now. */
  renew(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    // SQLite itself ends a transaction when the disk fails.
    if (this.#connection.inTransaction) this.#connection.run(COMMIT)
  }

  #begin(): void {
    this.#connection.run(BEGIN)
    this.#isOpen = true
    // After the promises that are settled in this turn, and before the loop looks for what has arrived.
    queueMicrotask(() => process.nextTick(() => this.renew()))
  }
}
