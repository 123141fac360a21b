import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { Report } from '../../engine.ts'
import { closeQuietly } from './close-quietly.ts'
import { isConnectionLoss, isFull, isSilence } from './errors.ts'

/** What watching a database needs. */
export interface PresenceDeps {
  readonly config: ClientConfig
  /** For messages. */
  readonly location: string
  /** Milliseconds without a response after which the database is probed, and then considered away. */
  readonly silence: number
  readonly report: Report
  readonly notice: (sentence: string) => void
}

/**
 * Milliseconds before each probe, so that a restarting server is waited for; between later probes. A server that
 * accepts no more connections is probed less often.
 */
const PAUSES = { first: [0, 100, 300, 600], later: 500, roundsWhenFull: 20 } as const

/**
 * Whether the database is reachable. It is probed with a new connection when one broke or is silent: requests wait for
 * that response instead of the time limit of their own statement. While it is away requests are refused at once, and it
 * is probed until it is back; the log reports both once.
 */
export class Presence {
  readonly #deps: PresenceDeps
  #state: 'there' | 'full' | 'away' = 'there'
  #looking: Promise<boolean> | undefined
  #reporting: Promise<void> | undefined
  #replies = 0
  readonly #drops = new Set<() => void>()
  readonly #closing = new AbortController()

  constructor(deps: PresenceDeps) {
    this.#deps = deps
  }

  /** Milliseconds after which a caller that waits for a response should call `look`. */
  get silence(): number {
    return this.#deps.silence
  }

  /** Whether nothing need be tried. */
  get isAway(): boolean {
    return this.#state === 'away'
  }

  /** Registers a call for the moment when the database is found to be away. */
  onAway(drop: () => void): void {
    this.#drops.add(drop)
  }

  /** The database has responded to some statement. */
  responded(): void {
    this.#replies += 1
  }

  /** Probes the database, for up to a second if it is away. Never rejects. */
  look(): Promise<boolean> {
    if (this.isAway || this.#closing.signal.aborted) return Promise.resolve(false)
    this.#looking ??= this.#find().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** Reports failures of idle connections; of those that break with the database only the first. */
  readonly onConnectionError: Report = (error, circumstance) => {
    const { report } = this.#deps
    if (!isConnectionLoss(error) && !isFull(error)) report(error, circumstance)
    else if (this.#state === 'there') this.#reportUnlessAway(error, circumstance)
  }

  #reportUnlessAway(error: unknown, circumstance: string): void {
    this.#reporting ??= this.look()
      .then((isThere) => {
        if (isThere) this.#deps.report(error, circumstance)
      })
      .finally(() => {
        this.#reporting = undefined
      })
  }

  /** Asks no more. */
  close(): void {
    this.#closing.abort()
  }

  async #find(): Promise<boolean> {
    let failure: unknown
    for (const pause of PAUSES.first) {
      await this.#sleep(pause)
      const before = this.#replies
      failure = await this.#ask()
      // A busy server may be slow to accept a connection and yet respond to others.
      if (!isConnectionLoss(failure) && !isFull(failure)) return true
      if (isSilence(failure) && before !== this.#replies) return true
      if (isSilence(failure) || this.#closing.signal.aborted) break
    }
    if (!this.#closing.signal.aborted) this.#turn(isFull(failure) ? 'full' : 'away', failure)
    return false
  }

  async #ask(): Promise<unknown> {
    const { config, silence } = this.#deps
    const client = new Client({ ...config, connectionTimeoutMillis: silence, query_timeout: silence })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('select 1')
      return undefined
    } catch (error) {
      return error
    } finally {
      void closeQuietly(client)
    }
  }

  #turn(state: 'there' | 'full' | 'away', failure?: unknown): void {
    const before = this.#state
    if (state === before) return
    this.#state = state
    const { report, notice, location } = this.#deps
    if (state === 'there') notice(`the database ${location} is back`)
    else if (state === 'full') report(failure, `the database ${location} takes no more connections`)
    else {
      report(failure, `the database ${location} is away; requests are refused until it is back`)
      for (const drop of this.#drops) drop()
    }
    if (before === 'there') void this.#await()
  }

  async #await(): Promise<void> {
    for (let round = 1; this.#state !== 'there'; round += 1) {
      await this.#sleep(PAUSES.later)
      if (this.#state === 'full' && round % PAUSES.roundsWhenFull !== 0) continue
      const failure = this.#closing.signal.aborted ? undefined : await this.#ask()
      if (this.#closing.signal.aborted) return
      if (failure === undefined) this.#turn('there')
      else if (isFull(failure)) this.#turn('full', failure)
      else if (isConnectionLoss(failure)) this.#turn('away', failure)
    }
  }

  async #sleep(milliseconds: number): Promise<void> {
    const { signal } = this.#closing
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
