import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig, QueryResult } from 'pg'
import { isUnavailable } from '../../../base/errors.ts'
import { elapsedSince } from '../../../base/time/elapsed.ts'
import type { Compilable, Lane, PoolStats, ReplicaState, Report, Statement, Storage } from '../../engine.ts'
import { ReadDropped, type ReadQueueStats, wasPassedOver } from '../../read-queue.ts'
import { written } from '../../statement-builder.ts'
import { type ConnectionPool, openPool } from './connection.ts'
import { EndableWait } from './endable-wait.ts'
import { isConflict, isConnectionLoss, isExhausted, isFull } from './errors.ts'
import { addedStats, BoundedReads, type ReadBounds } from './reads.ts'

/** What a storage with a replica needs. */
export interface ReplicaDeps {
  /** Everything is written here, and read when the replica cannot be used. */
  readonly primary: Storage
  /** Connections to the replica. */
  readonly config: PoolConfig
  readonly bounds: Omit<ReadBounds, 'patience'>
  /** Address of the replica for messages. */
  readonly location: string
  readonly report: Report
  /** Takes a sentence whenever it changes where is read, and why. */
  readonly notice: (sentence: string) => void
  /** Milliseconds. */
  readonly now: () => number
}

/**
 * Milliseconds: how long a response of the replica about itself is believed, and when it was behind; until one that is
 * away is looked for again; for a response; for a connection; from when on being behind is worth a line in the log.
 */
const TIMES = { trust: 50, nap: 2, retry: 500, response: 1000, wait: 1000, behind: 1000 } as const

/**
 * How far a database is: the number of its last change, its last migration, how many numbers were taken (`takeNumbers`),
 * which sessions and other things without a journal do, and whether it follows another.
 */
const HEAD: Statement = {
  sql: `select seq, (select coalesce(max(id), 0) from migration) as level,
    (select coalesce(sum(value::float8), 0) from meta where key like '%.last') as taken,
    pg_is_in_recovery() as follows from journal_head`,
  parameters: [],
}

interface Head {
  readonly seq: number
  readonly level: number
  readonly taken: number
  readonly follows: number
}

/**
 * A storage whose reads go to a replica if that has everything that this process has written, read or heard of, and to
 * the primary otherwise (architecture: Growing). Reads inside of writes go to the primary. While the primary is away,
 * the replica is read as long as it is known to be complete.
 */
export function withReplica(deps: ReplicaDeps): Storage {
  const { primary } = deps
  const replica = new Replica(deps)
  const reads = { readsInline: 0, readsOffloaded: 0 }
  let closing: Promise<void> | undefined

  async function readHere(query: Compilable<unknown>, lane: Lane | undefined): Promise<QueryResult | undefined> {
    const found = closing ? undefined : await replica.read(query.compile(), lane)
    if (found !== undefined) reads[lane === 'offloaded' ? 'readsOffloaded' : 'readsInline'] += 1
    return found
  }

  async function read<T>(query: Compilable<unknown>, lane: Lane | undefined, elsewhere: () => Promise<T>) {
    const found = await readHere(query, lane)
    if (found !== undefined) return { found }
    try {
      return { read: await replica.after(elsewhere()) }
    } catch (error) {
      const instead = isUnavailable(error) ? await readHere(query, lane) : undefined
      if (instead === undefined) throw error
      return { found: instead }
    }
  }

  return {
    ...primary,
    all: async <Row>(query: Compilable<Row>, lane?: Lane) => {
      const { found, read: other } = await read(query, lane, () => primary.all(query, lane))
      return found === undefined ? (other ?? []) : (found.rows as Row[])
    },
    first: async <Row>(query: Compilable<Row>, lane?: Lane) => {
      const { found, read: other } = await read(query, lane, () => primary.first(query, lane))
      return found === undefined ? other : (found.rows[0] as Row | undefined)
    },
    write: (job, pace) => replica.after(primary.write(job, pace)),
    stats: () => {
      const own = primary.stats()
      const { waits, pool, state } = replica.stats()
      return {
        ...own,
        ...addedStats(own, waits),
        readsInline: own.readsInline + reads.readsInline,
        readsOffloaded: own.readsOffloaded + reads.readsOffloaded,
        pools: [...own.pools, pool],
        replica: state,
      }
    },
    close: () => {
      closing ??= Promise.all([replica.close(), primary.close()]).then(() => undefined)
      return closing
    },
  }
}

/** Knows whether the replica may be read. */
class Replica {
  readonly #deps: ReplicaDeps
  readonly #pool: ConnectionPool
  readonly #reads: BoundedReads
  /** For probing the replica itself, which must not wait behind reads. */
  readonly #own: ConnectionPool
  readonly #unhear: () => void
  #state: ReplicaState = 'unknown'
  #applied: Omit<Head, 'follows'> = { seq: -1, level: -1, taken: -1 }
  #needed: Omit<Head, 'follows'> = { seq: 0, level: 0, taken: 0 }
  #lookedAt = Number.NEGATIVE_INFINITY
  #behindSince: number | undefined
  #looking: Promise<void> | undefined
  #asking: { readonly key: number; readonly done: Promise<void> } | undefined
  /** Incremented whenever the primary was read and may have shown something that this process has not heard of. */
  #doubts = 0
  #asked = Number.NaN
  /** The doubts that the last response of the primary has resolved. */
  #settled = Number.NaN
  readonly #patience = new EndableWait()

  constructor(deps: ReplicaDeps) {
    this.#deps = deps
    const report = (error: unknown): void => this.#turn('away', error)
    this.#pool = openPool({ config: deps.config, report })
    this.#reads = new BoundedReads(this.#pool.read, { ...deps.bounds, patience: TIMES.wait })
    const config = { ...deps.config, max: 1, query_timeout: TIMES.response }
    this.#own = openPool({ config, report })
    this.#unhear = deps.primary.onExternalCommit(() => {
      this.#doubts += 1
    })
  }

  /** The rows; undefined when they have to be read from the primary. */
  async read(statement: Statement, lane: Lane | undefined): Promise<QueryResult | undefined> {
    if (!(await this.#isFit())) return undefined
    const reading = this.#reads.read(statement, lane)
    reading.catch(() => undefined)
    try {
      // A replica may hang: its reads move to the primary as soon as that is known.
      return await this.#patience.wait(reading)
    } catch (error) {
      if (isConnectionLoss(error)) this.#turn('away', error)
      else if (error instanceof ReadDropped) throw error
      // A read that finds no place here is queued at the primary.
      else if (!wasPassedOver(error) && !isConflict(error) && !isExhausted(error) && !isFull(error)) throw error
      return undefined
    }
  }

  /** Returns what the primary responds: nothing older may be read after it. Without a response nothing was shown. */
  async after<T>(asking: Promise<T>): Promise<T> {
    try {
      const reply = await asking
      this.#doubts += 1
      return reply
    } catch (error) {
      if (!isUnavailable(error)) this.#doubts += 1
      throw error
    }
  }

  /** Its state, its connections, and the reads that wait for one. */
  stats(): { readonly state: ReplicaState; readonly pool: PoolStats; readonly waits: ReadQueueStats } {
    return {
      state: this.#state,
      pool: { name: 'replica', ...this.#pool.stats() },
      waits: { ...this.#reads.stats, readsRefused: 0 },
    }
  }

  /** Waits for accepted reads and closes the connections. */
  async close(): Promise<void> {
    this.#unhear()
    await this.#looking
    await Promise.all([this.#pool.close(), this.#own.close()])
  }

  async #isFit(): Promise<boolean> {
    if (!this.#isThere()) {
      // One that is away is not waited for.
      if (elapsedSince(this.#lookedAt, this.#deps.now()) >= TIMES.retry) void this.#look()
      return false
    }
    if (!(await this.#hasReached())) return false
    return (await this.#isInformed()) && this.#hasReached()
  }

  #isThere(): boolean {
    return this.#state === 'used' || this.#state === 'behind'
  }

  async #hasReached(): Promise<boolean> {
    const age = elapsedSince(this.#lookedAt, this.#deps.now())
    if (age >= TIMES.trust || (age >= TIMES.nap && !this.#isReached())) await this.#look()
    return this.#isThere() && this.#isReached()
  }

  #isReached(): boolean {
    const [applied, needed] = [this.#applied, this.#needed]
    return applied.seq >= needed.seq && applied.level >= needed.level && applied.taken >= needed.taken
  }

  /**
   * Whether it is known what the replica must have: while the primary is away, if nothing was read since its last
   * number.
   */
  async #isInformed(): Promise<boolean> {
    const doubts = this.#doubts
    try {
      await this.#ask()
      return true
    } catch (error) {
      if (!isUnavailable(error)) throw error
      return doubts === this.#settled
    }
  }

  /** Asks the primary for its journal number, unless nothing was committed or read since the last time. */
  async #ask(): Promise<void> {
    const key = this.#deps.primary.dataVersion() + this.#doubts
    if (key === this.#asked) return
    // A question sent before the last commit does not cover it.
    if (this.#asking?.key !== key) {
      const done = this.#askFor(key).finally(() => {
        if (this.#asking?.done === done) this.#asking = undefined
      })
      this.#asking = { key, done }
    }
    await this.#asking.done
  }

  async #askFor(key: number): Promise<void> {
    const doubts = this.#doubts
    const head = await this.#deps.primary.first<Head>(written(HEAD.sql))
    const { seq = Number.POSITIVE_INFINITY, level = 0, taken = 0 } = head ?? {}
    const before = this.#needed
    this.#needed = {
      seq: Math.max(seq, before.seq),
      level: Math.max(level, before.level),
      taken: Math.max(taken, before.taken),
    }
    this.#asked = key
    this.#settled = doubts
  }

  /** Asks the replica for its journal number; never rejects. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#lookedAt = this.#deps.now()
      this.#looking = undefined
    })
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    const asking = this.#own.read(HEAD)
    asking.catch(() => undefined)
    try {
      const result = await Promise.race([asking, sleep(TIMES.response, undefined, { ref: false })])
      const head = result?.rows[0] as Head | undefined
      if (head === undefined) throw new Error(result ? 'it holds no calendar' : 'it does not answer')
      this.#applied = head
      this.#turn(head.follows === 1 ? this.#stateOfFollower() : 'promoted')
    } catch (error) {
      this.#turn('away', error)
    }
  }

  /** Every write leaves a replica behind for a moment: only a lasting lag is reported. */
  #stateOfFollower(): ReplicaState {
    if (this.#isReached()) {
      this.#behindSince = undefined
      return 'used'
    }
    const now = this.#deps.now()
    this.#behindSince ??= now
    return elapsedSince(this.#behindSince, now) >= TIMES.behind || !this.#isThere() ? 'behind' : this.#state
  }

  #turn(state: ReplicaState, error?: unknown): void {
    if (state === this.#state) return
    const { location, report, notice } = this.#deps
    const again = this.#state === 'unknown' ? '' : ' again'
    this.#state = state
    const elsewhere = 'reading from the primary'
    if (state === 'used') notice(`reading from the replica ${location}${again}`)
    if (state === 'behind') notice(`the replica ${location} is behind; ${elsewhere}`)
    if (state === 'promoted') notice(`${location} follows no other database and is no replica; ${elsewhere}`)
    if (state !== 'away') return
    report(error, `the replica ${location} is away; ${elsewhere}`)
    this.#patience.end()
  }
}
