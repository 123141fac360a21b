import type { QueryResult } from 'pg'
import type { Lane, Statement } from '../../engine.ts'
import { MOST_WAITING, ReadQueue, type ReadQueueStats, type ReadTurn } from '../../read-queue.ts'
import type { ConnectionPool } from './connection.ts'
import { isCancelled, isConnectionLoss, isExhausted, isFull, isSilence, unavailable } from './errors.ts'
import type { Presence } from './presence.ts'

/** How often a read, which changes nothing, is sent at most when its connection breaks. */
const ATTEMPTS = 3

/**
 * Reads of a database that may go away: a read whose connection broke is retried when the database is back, which is
 * probed first, so that nothing retries in a tight loop.
 * @throws rest_unavailable when it is away, or has no connection to spare
 */
export function patientReads(pool: ConnectionPool, presence: Presence): ConnectionPool['read'] {
  return async (statement, isUnlimited) => {
    for (let attempt = 1; ; attempt += 1) {
      if (presence.isAway) throw unavailable()
      try {
        return await pool.read(statement, isUnlimited)
      } catch (error) {
        if (isExhausted(error)) throw unavailable(error)
        if (!isConnectionLoss(error) && !isFull(error)) throw error
        const isThere = await presence.look()
        // A read that has used up its time limit is not retried.
        if (!isThere || isSilence(error) || attempt === ATTEMPTS) throw unavailable(error)
      }
    }
  }
}

/** What reads of one database are bounded by. */
export interface ReadBounds {
  /** Connections that read. */
  readonly connections: number
  /** Milliseconds that a read may take, and that it may wait for a connection unless `patience` is set. */
  readonly readTimeout: number
  readonly patience?: number
}

/**
 * Reads that wait for the connections of a pool, by client. Long ones get half of them, so that short ones find one.
 * Short ones may be shared by independent requests, so they run even if their requester disconnects; long ones that still
 * wait are then dropped.
 */
export class BoundedReads {
  readonly #read: ConnectionPool['read']
  readonly #all: ReadQueue
  readonly #long: ReadQueue

  constructor(read: ConnectionPool['read'], { connections, readTimeout, patience: timeout = readTimeout }: ReadBounds) {
    this.#read = read
    this.#all = new ReadQueue({ slots: connections, spared: 0, timeout, waiting: MOST_WAITING.short })
    const slots = Math.max(1, Math.floor(connections / 2))
    this.#long = new ReadQueue({ slots, spared: 1, timeout, waiting: MOST_WAITING.long })
  }

  /** Counters since the beginning. */
  get stats(): ReadQueueStats {
    return addedStats(this.#all.stats, this.#long.stats)
  }

  /** @throws rest_query_too_costly, rest_too_busy, ReadDropped, and what the pool throws */
  read(statement: Statement, lane: Lane | undefined): Promise<QueryResult> {
    if (lane !== 'offloaded') return this.#next(statement, undefined)
    return this.#long.run(({ requester }) => this.#next(statement, requester), { isDropped: true })
  }

  #next(statement: Statement, requester: ReadTurn['requester']): Promise<QueryResult> {
    const work = async (isUnlimited: boolean): Promise<QueryResult> => {
      if (requester?.isGone) throw this.#long.dropped()
      try {
        return await this.#read(statement, isUnlimited)
      } catch (error) {
        if (!isCancelled(error)) throw error
        throw Object.assign(this.#all.tooCostly(), { cause: error })
      }
    }
    return this.#all.run(({ isUnlimited }) => work(isUnlimited), { isDropped: false })
  }
}

/** The counters of two queues together. */
export function addedStats(one: ReadQueueStats, other: ReadQueueStats): ReadQueueStats {
  return {
    readsWaiting: one.readsWaiting + other.readsWaiting,
    readsRefused: one.readsRefused + other.readsRefused,
    readsTimedOut: one.readsTimedOut + other.readsTimedOut,
    readsDropped: one.readsDropped + other.readsDropped,
  }
}
