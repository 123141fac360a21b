import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { Report } from '../../engine.ts'
import { closeQuietly } from './close-quietly.ts'
import { isConnectionLoss, isFull, isSilence } from './errors.ts'

/** What the presence of a database is watched with. */
export interface PresenceParts {
  readonly config: ClientConfig
  /** For messages. */
  readonly location: string
  /** Milliseconds without an answer after which the database is asked, and then taken for absent. */
  readonly silence: number
  readonly report: Report
  readonly notice: (sentence: string) => void
}

/**
 * Milliseconds before each question, so that a server which restarts is waited for; between later questions. One that
 * takes no more connections is not asked for one that often.
 */
const PAUSES = { first: [0, 100, 300, 600], later: 500, roundsWhenFull: 20 } as const

/**
 * Whether the database is there. It is asked, with a connection made for that, when one broke or is silent: whoever
 * wants something meanwhile waits for that answer and not for the time limit of his own statement. While it is away
 * requests are refused at once, and it is asked until it is back; the log says both once.
 */
export class Presence {
  readonly #parts: PresenceParts
  #state: 'there' | 'full' | 'away' = 'there'
  #looking: Promise<boolean> | undefined
  #reporting: Promise<void> | undefined
  #answers = 0
  readonly #drops = new Set<() => void>()
  readonly #closing = new AbortController()

  constructor(parts: PresenceParts) {
    this.#parts = parts
  }

  /** Milliseconds after which somebody who waits for an answer should `look`. */
  get silence(): number {
    return this.#parts.silence
  }

  /** Whether nothing need be tried. */
  get isAway(): boolean {
    return this.#state === 'away'
  }

  /** Registers a call for the moment when the database is found to be away. */
  onAway(drop: () => void): void {
    this.#drops.add(drop)
  }

  /** The database has answered somebody. */
  answered(): void {
    this.#answers += 1
  }

  /** Asks whether the database is there, again for a second when it is not. Never rejects. */
  look(): Promise<boolean> {
    if (this.isAway || this.#closing.signal.aborted) return Promise.resolve(false)
    this.#looking ??= this.#find().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** Passes on what goes wrong on connections that nobody waits for; of those that break with the database only the first. */
  readonly onConnectionError: Report = (error, circumstance) => {
    const { report } = this.#parts
    if (!isConnectionLoss(error) && !isFull(error)) report(error, circumstance)
    else if (this.#state === 'there') this.#reportUnlessAway(error, circumstance)
  }

  #reportUnlessAway(error: unknown, circumstance: string): void {
    this.#reporting ??= this.look()
      .then((isThere) => {
        if (isThere) this.#parts.report(error, circumstance)
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
      const before = this.#answers
      failure = await this.#ask()
      // A server under load may take long to let somebody in and yet answer others.
      if (!isConnectionLoss(failure) && !isFull(failure)) return true
      if (isSilence(failure) && before !== this.#answers) return true
      if (isSilence(failure) || this.#closing.signal.aborted) break
    }
    if (!this.#closing.signal.aborted) this.#turn(isFull(failure) ? 'full' : 'away', failure)
    return false
  }

  async #ask(): Promise<unknown> {
    const { config, silence } = this.#parts
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
    const { report, notice, location } = this.#parts
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
