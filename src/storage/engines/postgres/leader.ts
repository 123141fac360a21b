import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { Candidate, Report, Storage } from '../../engine.ts'
import { sayGoodbye } from './goodbye.ts'

/** Key of the lock that the leader holds; any number that nobody else uses. */
const LEADER_LOCK = 0x6b616c656e65

/** Milliseconds between two attempts to become the leader, or two signs of life of the one who is. */
const INTERVAL = 1000

/** Milliseconds to wait for an answer. */
const ANSWER = 3000

/** Seconds after which the server begins to ask whether a silent leader is still there, between questions, and their number. */
const KEEPALIVE = 'set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 3'

/** What a candidacy is made from. */
interface CandidacyParts {
  readonly config: ClientConfig
  readonly candidate: Candidate
  readonly report: Report
}

/**
 * Tries to get, and keeps, the lock of the leader: it belongs to a connection, so the database frees it when the process
 * ends in whatever way, and the next attempt of another process succeeds (architecture: Growing).
 */
class Candidacy {
  readonly #parts: CandidacyParts
  readonly #resigning = new AbortController()
  #client: Client | undefined
  #leads = false
  #rounds: Promise<void> = Promise.resolve()

  constructor(parts: CandidacyParts) {
    this.#parts = parts
  }

  /** Makes the first attempt, and goes on trying. @throws what `elected` throws */
  async start(): Promise<void> {
    await this.#attempt()
    this.#rounds = this.#goOn()
  }

  /** Gives the lock back, if it is held, and tries no more. */
  async resign(): Promise<void> {
    this.#resigning.abort()
    await this.#rounds
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) await sayGoodbye(client)
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#resigning
    while (!signal.aborted) {
      await sleep(INTERVAL, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted)
        await this.#attempt().catch((error) => this.#parts.report(error, 'taking over the background'))
    }
  }

  async #attempt(): Promise<void> {
    const client = this.#client ?? (await this.#connect())
    if (client === undefined) return
    const wasElected = await this.#ask(client).catch((error: Error) => this.#lose(client, error))
    if (wasElected !== true || client !== this.#client) return
    this.#leads = true
    try {
      await this.#parts.candidate.elected()
    } catch (error) {
      this.#giveUp(client)
      throw error
    }
  }

  /** Whether this very question made this process the leader. */
  async #ask(client: Client): Promise<boolean> {
    if (!this.#leads) return (await client.query<{ taken: number }>(TRY_LOCK)).rows[0]?.taken === 1
    await client.query('select 1')
    return false
  }

  async #connect(): Promise<Client | undefined> {
    const client = new Client({ ...this.#parts.config, query_timeout: ANSWER })
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, new Error('the server ended the connection')))
    try {
      await client.connect()
      await client.query(KEEPALIVE)
    } catch (error) {
      void sayGoodbye(client)
      this.#parts.report(error, 'asking who does the work in the background')
      return undefined
    }
    this.#client = client
    return client
  }

  #lose(client: Client, error: Error): void {
    if (this.#client !== client) return
    if (this.#leads) this.#parts.report(error, 'the connection of the one who works in the background broke')
    this.#giveUp(client)
  }

  #giveUp(client: Client): void {
    const led = this.#leads
    this.#client = undefined
    this.#leads = false
    void sayGoodbye(client)
    if (led) this.#parts.candidate.lost()
  }
}

const TRY_LOCK = `select pg_try_advisory_lock(${LEADER_LOCK})::int as taken`

/** How a process of a storage stands for the role, see `Storage.lead`. */
export type Stand = Storage['lead']

/** Each candidate has a connection of its own. */
export function standing(config: ClientConfig, report: Report): Stand {
  return async (candidate) => {
    const candidacy = new Candidacy({ config, candidate, report })
    try {
      await candidacy.start()
    } catch (error) {
      await candidacy.resign()
      throw error
    }
    return () => candidacy.resign()
  }
}
