import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import type { Candidate, Report, Storage } from '../../engine.ts'
import type { ConnectionPool } from './connection.ts'

/**
 * Milliseconds: between two attempts; to get a connection, and as many for an answer; for which a lease lasts, which is
 * longer than two attempts can take with what is between them.
 */
const TIMES = { interval: 1000, answer: 1500, lasts: 8000 } as const

/** Key of the row in `meta` that is the lease: it is about processes, and not about the calendar. */
export const LEASE_KEY = 'leader'

const KEY = `'${LEASE_KEY}'`

/** By the clock of the database, which all processes share. */
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

const LEASE = `$1::text || ' ' || (${NOW} + ${TIMES.lasts})`

/** Takes the lease or makes it last, unless another process has it; and tells how far the journal is. */
const ASK = `
  with renewed as (
    update meta set value = ${LEASE} where key = ${KEY}
      and (split_part(value, ' ', 1) = $1::text or split_part(value, ' ', 2)::bigint < ${NOW}) returning 1
  ), made as (
    insert into meta (key, value) select ${KEY}, ${LEASE} where not exists (select 1 from meta where key = ${KEY})
      on conflict do nothing returning 1
  )
  select (select count(*) from renewed) + (select count(*) from made) as taken, seq from journal_head`

const FREE = `delete from meta where key = ${KEY} and split_part(value, ' ', 1) = $1::text`

/** What a lease is asked for with. */
export interface LeaseParts {
  /** Opens a pool of one connection. */
  readonly open: (limits: PoolConfig) => ConnectionPool
  readonly report: Report
  /** Called when something was committed since the last look, by whoever. */
  readonly committed: () => void
}

/**
 * Stands for the role behind a pooler, where no connection belongs to anybody: whoever has written his name into a row
 * has the role until a moment that he puts off every second. When he dies, another has it after `TIMES.lasts`.
 */
export function leasing(parts: LeaseParts): Storage['lead'] {
  return async (candidate) => {
    const lease = new Lease(parts, candidate)
    try {
      await lease.start()
    } catch (error) {
      await lease.resign()
      throw error
    }
    return () => lease.resign()
  }
}

class Lease {
  readonly #parts: LeaseParts
  readonly #candidate: Candidate
  readonly #pool: ConnectionPool
  readonly #name = randomUUID()
  readonly #resigning = new AbortController()
  #resigned: Promise<void> | undefined
  #leads = false
  #seq: number | undefined
  #rounds: Promise<void> = Promise.resolve()

  constructor(parts: LeaseParts, candidate: Candidate) {
    this.#parts = parts
    this.#candidate = candidate
    this.#pool = parts.open({ connectionTimeoutMillis: TIMES.answer, query_timeout: TIMES.answer })
  }

  /** Makes the first attempt, and goes on trying. @throws what `elected` throws */
  async start(): Promise<void> {
    await this.#attempt()
    this.#rounds = this.#goOn()
  }

  /** Gives the lease back, if it is held, and tries no more. */
  resign(): Promise<void> {
    this.#resigned ??= this.#resign()
    return this.#resigned
  }

  async #resign(): Promise<void> {
    this.#resigning.abort()
    await this.#rounds
    if (this.#leads) await this.#free().catch(() => undefined)
    this.#leads = false
    await this.#pool.close()
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#resigning
    while (!signal.aborted) {
      await sleep(TIMES.interval, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted)
        await this.#attempt().catch((error: unknown) => this.#parts.report(error, 'taking over the background'))
    }
  }

  async #attempt(): Promise<void> {
    const isTaken = await this.#ask().catch((error: unknown) => {
      this.#parts.report(error, 'asking who does the work in the background')
      return false
    })
    if (!isTaken) return this.#lose()
    if (this.#leads) return
    this.#leads = true
    try {
      await this.#candidate.elected()
    } catch (error) {
      this.#lose()
      await this.#free().catch(() => undefined)
      throw error
    }
  }

  async #ask(): Promise<boolean> {
    const answer = await this.#pool.use((client) => client.query<{ taken: number; seq: number }>(ASK, [this.#name]))
    const row = answer.rows[0]
    if (row === undefined) throw new Error('the database has no journal_head')
    if (this.#seq !== undefined && row.seq !== this.#seq) this.#parts.committed()
    this.#seq = row.seq
    return row.taken > 0
  }

  #lose(): void {
    const led = this.#leads
    this.#leads = false
    if (led) this.#candidate.lost()
  }

  #free(): Promise<unknown> {
    return this.#pool.use((client) => client.query(FREE, [this.#name]))
  }
}
