import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig, QueryResult } from 'pg'
import { isUnavailable } from '../../../errors.ts'
import { ageOf } from '../../../time/age.ts'
import type { Compilable, Lane, PoolStats, ReplicaState, Report, Statement, Storage } from '../../engine.ts'
import { ReadDropped, type ReadQueueStats, wasPassedOver } from '../../read-queue.ts'
import { type ConnectionPool, openPool } from './connection.ts'
import { EndableWait } from './endable-wait.ts'
import { isConflict, isConnectionLoss, isExhausted, isFull } from './errors.ts'
import { addedStats, BoundedReads, type ReadBounds } from './reads.ts'

/** What a storage that reads from a replica is made from. */
export interface ReplicaParts {
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
 * Milliseconds: how long an answer of the replica about itself is believed, and when it was behind; until one that is
 * away is looked for again; for an answer; for a connection; from when on being behind is worth a line in the log.
 */
const TIMES = { trust: 50, nap: 2, retry: 500, answer: 1000, wait: 1000, behind: 1000 } as const

/** How far a database is: the number of its last change, its last migration, and whether it follows another. */
const HEAD: Statement = {
  sql: `select seq, (select coalesce(max(id), 0) from migration) as level, pg_is_in_recovery() as follows from journal_head`,
  parameters: [],
}

interface Head {
  readonly seq: number
  readonly level: number
  readonly follows: number
}

/**
 * A storage whose reads go to a replica when that has everything which this process has written, read or heard of, and
 * to the primary otherwise (architecture: Growing). What is read inside of writes is read where it is written. While the
 * primary is away, the replica is read as long as it is sure to have everything.
 */
export function withReplica(parts: ReplicaParts): Storage {
  const { primary } = parts
  const replica = new Replica(parts)
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
  readonly #parts: ReplicaParts
  readonly #pool: ConnectionPool
  readonly #reads: BoundedReads
  /** For questions about the replica itself, which must not wait behind what is read. */
  readonly #own: ConnectionPool
  readonly #unhear: () => void
  #state: ReplicaState = 'unknown'
  #applied = { seq: -1, level: -1 }
  #needed = { seq: 0, level: 0 }
  #lookedAt = Number.NEGATIVE_INFINITY
  #behindSince: number | undefined
  #looking: Promise<void> | undefined
  #asking: { readonly key: number; readonly done: Promise<void> } | undefined
  /** Grows whenever the primary was seen and may have shown something that this process has not heard of. */
  #doubts = 0
  #asked = Number.NaN
  /** The doubts that the last answer of the primary has settled. */
  #settled = Number.NaN
  readonly #patience = new EndableWait()

  constructor(parts: ReplicaParts) {
    this.#parts = parts
    const report = (error: unknown): void => this.#turn('away', error)
    const named = !parts.bounds.pooled
    this.#pool = openPool({ config: parts.config, named, report })
    this.#reads = new BoundedReads(this.#pool.read, { ...parts.bounds, patience: TIMES.wait })
    const config = { ...parts.config, max: 1, query_timeout: TIMES.answer }
    this.#own = openPool({ config, named, report })
    this.#unhear = parts.primary.hear(() => {
      this.#doubts += 1
    })
  }

  /** The rows; undefined when they are to be read from the primary. */
  async read(statement: Statement, lane: Lane | undefined): Promise<QueryResult | undefined> {
    if (!(await this.#isFit())) return undefined
    const reading = this.#reads.read(statement, lane)
    reading.catch(() => undefined)
    try {
      // A replica that hangs answers nobody: who waits for it goes to the primary as soon as that is known.
      return await this.#patience.wait(reading)
    } catch (error) {
      if (isConnectionLoss(error)) this.#turn('away', error)
      else if (error instanceof ReadDropped) throw error
      // Who finds no place here has his turn at the primary.
      else if (!wasPassedOver(error) && !isConflict(error) && !isExhausted(error) && !isFull(error)) throw error
      return undefined
    }
  }

  /** Passes on what the primary answers: nothing older may be read after it. What was not answered has shown nothing. */
  async after<T>(asking: Promise<T>): Promise<T> {
    try {
      const answer = await asking
      this.#doubts += 1
      return answer
    } catch (error) {
      if (!isUnavailable(error)) this.#doubts += 1
      throw error
    }
  }

  /** How it stands, its connections, and the reads that wait for one. */
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
      // Nobody waits for one that is away.
      if (ageOf(this.#lookedAt, this.#parts.now()) >= TIMES.retry) void this.#look()
      return false
    }
    if (!(await this.#hasReached())) return false
    return (await this.#isInformed()) && this.#hasReached()
  }

  #isThere(): boolean {
    return this.#state === 'used' || this.#state === 'behind'
  }

  async #hasReached(): Promise<boolean> {
    const age = ageOf(this.#lookedAt, this.#parts.now())
    if (age >= TIMES.trust || (age >= TIMES.nap && !this.#isReached())) await this.#look()
    return this.#isThere() && this.#isReached()
  }

  #isReached(): boolean {
    return this.#applied.seq >= this.#needed.seq && this.#applied.level >= this.#needed.level
  }

  /** Whether it is known what the replica must have: while the primary is away, when nothing was seen since it said so. */
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

  /** Asks the primary how far it is, unless nothing was committed or seen since it was asked. */
  async #ask(): Promise<void> {
    const key = this.#parts.primary.dataVersion() + this.#doubts
    if (key === this.#asked) return
    // Whoever asked before the last commit does not know of it.
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
    const head = await this.#parts.primary.first<Head>({ compile: () => HEAD })
    const { seq = Number.POSITIVE_INFINITY, level = 0 } = head ?? {}
    this.#needed = { seq: Math.max(seq, this.#needed.seq), level: Math.max(level, this.#needed.level) }
    this.#asked = key
    this.#settled = doubts
  }

  /** Asks the replica how far it is; never rejects. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#lookedAt = this.#parts.now()
      this.#looking = undefined
    })
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    const asking = this.#own.read(HEAD)
    asking.catch(() => undefined)
    try {
      const result = await Promise.race([asking, sleep(TIMES.answer, undefined, { ref: false })])
      const head = result?.rows[0] as Head | undefined
      if (head === undefined) throw new Error(result ? 'it holds no calendar' : 'it does not answer')
      this.#applied = head
      this.#turn(head.follows === 1 ? this.#stateOfFollower() : 'promoted')
    } catch (error) {
      this.#turn('away', error)
    }
  }

  /** Every write leaves a replica behind for a moment: only what lasts is told. */
  #stateOfFollower(): ReplicaState {
    if (this.#isReached()) {
      this.#behindSince = undefined
      return 'used'
    }
    const now = this.#parts.now()
    this.#behindSince ??= now
    return ageOf(this.#behindSince, now) >= TIMES.behind || !this.#isThere() ? 'behind' : this.#state
  }

  #turn(state: ReplicaState, error?: unknown): void {
    if (state === this.#state) return
    const { location, report, notice } = this.#parts
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
