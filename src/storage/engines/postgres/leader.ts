import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig, type QueryResult } from 'pg'
import type { Candidate, Report, Storage } from '../../engine.ts'
import { closeQuietly } from './close-quietly.ts'

/** Key of the lock that the leader holds; any number that nothing else uses. */
const LEADER_LOCK = 0x6b616c656e65

/** Milliseconds between two attempts to become the leader, or two signs of life of the one who is. */
const INTERVAL = 1000

/** Milliseconds to wait for a response. */
const ANSWER = 3000

/**
 * Requests the lock, which belongs to the connection. The server notices within seconds that the leader's machine has
 * vanished, and ends a transaction whose process hangs.
 */
const LOCK = [
  'set tcp_keepalives_idle = 2',
  'set tcp_keepalives_interval = 1',
  'set tcp_keepalives_count = 3',
  `set idle_in_transaction_session_timeout = ${30 * INTERVAL}`,
  `select pg_try_advisory_lock(${LEADER_LOCK})::int as taken`,
].join('; ')

/** A sign of life. */
const ALIVE = 'select 1'

/** What a candidacy needs. */
export interface CandidacyDeps {
  readonly config: ClientConfig
  readonly report: Report
}

/**
 * Tries to acquire the lock of the leader and holds it: the database releases it when the process ends in whatever way,
 * and the next attempt of another process succeeds.
 */
class Candidacy {
  readonly #deps: CandidacyDeps
  readonly #candidate: Candidate
  readonly #resigning = new AbortController()
  #client: Client | undefined
  #leads = false
  #rounds: Promise<void> = Promise.resolve()

  constructor(deps: CandidacyDeps, candidate: Candidate) {
    this.#deps = deps
    this.#candidate = candidate
  }

  /** Makes the first attempt, and keeps trying. @throws what `elected` throws */
  async start(): Promise<void> {
    await this.#attempt()
    this.#rounds = this.#goOn()
  }

  /** Releases the lock if it is held, and stops trying. */
  async resign(): Promise<void> {
    this.#resigning.abort()
    await this.#rounds
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) await closeQuietly(client)
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#resigning
    while (!signal.aborted) {
      await sleep(INTERVAL, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted)
        await this.#attempt().catch((error) => {
          // A storage that closes meanwhile is nobody's trouble.
          if (!signal.aborted) this.#deps.report(error, 'taking over background work')
        })
    }
  }

  async #attempt(): Promise<void> {
    const client = this.#client ?? (await this.#connect())
    if (client === undefined) return
    const wasElected = await this.#ask(client).catch((error: Error) => this.#lose(client, error))
    if (wasElected !== true || client !== this.#client) return
    this.#leads = true
    try {
      await this.#candidate.elected()
    } catch (error) {
      this.#giveUp(client)
      throw error
    }
  }

  /** Whether this very attempt made this process the leader. */
  async #ask(client: Client): Promise<boolean> {
    if (this.#leads) {
      await client.query(ALIVE)
      return false
    }
    // A text of several statements has as many results.
    const results = (await client.query(LOCK)) as unknown as QueryResult<{
      taken: number
    }>[]
    return results.at(-1)?.rows[0]?.taken === 1
  }

  async #connect(): Promise<Client | undefined> {
    const client = new Client({ ...this.#deps.config, query_timeout: ANSWER })
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, new Error('the server ended the connection')))
    try {
      await client.connect()
    } catch (error) {
      void closeQuietly(client)
      this.#deps.report(error, 'electing a leader for background work')
      return undefined
    }
    this.#client = client
    return client
  }

  #lose(client: Client, error: Error): void {
    if (this.#client !== client) return
    if (this.#leads) this.#deps.report(error, 'the connection of the leader broke')
    this.#giveUp(client)
  }

  #giveUp(client: Client): void {
    const led = this.#leads
    this.#client = undefined
    this.#leads = false
    void closeQuietly(client)
    if (led) this.#candidate.lost()
  }
}

/** The candidacies of a process, see `Storage.lead`; each candidate has its own connection. */
export function candidacies(deps: CandidacyDeps): Storage['lead'] {
  return async (candidate) => {
    const candidacy = new Candidacy(deps, candidate)
    try {
      await candidacy.start()
    } catch (error) {
      await candidacy.resign()
      throw error
    }
    return () => candidacy.resign()
  }
}
