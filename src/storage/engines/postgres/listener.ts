import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { elapsedSince } from '../../../base/time/elapsed.ts'
import type { Report } from '../../engine.ts'
import { closeQuietly } from './close-quietly.ts'

/** The channel on which writers announce their commits; the payload is the sender's name. */
export const CHANNEL = 'kalends_commit'

/**
 * Milliseconds: between attempts to reconnect, between heartbeats, to wait for one, and for how long one proves that no
 * notification was missed. The last is the maximum age of a cached response.
 */
const TIMEOUTS = { shortest: 100, longest: 1000, heartbeat: 300, response: 3000, trust: 900 } as const

/** What a listener needs. */
export interface ListenerDeps {
  readonly config: ClientConfig
  /** Name under which this process commits; its own notifications are not counted again. */
  readonly self: string
  readonly report: Report
  /** Milliseconds. */
  readonly now: () => number
}

/**
 * Counts commits: those of this process when it commits, those of others when the database notifies. While the
 * connection is lost or silent, the version differs at every call, because anything may have been committed.
 */
export class CommitListener {
  readonly #deps: ListenerDeps
  #version = 1
  #client: Client | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #isAsking = false
  /** When the last question was sent that has been answered: all earlier commits have been notified. */
  #notifiedUntil = 0
  readonly #listeners = new Set<() => void>()
  readonly #closing = new AbortController()

  constructor(deps: ListenerDeps) {
    this.#deps = deps
  }

  /** See `Storage.dataVersion`. */
  get version(): number {
    if (this.#client === undefined || elapsedSince(this.#notifiedUntil, this.#deps.now()) > TIMEOUTS.trust)
      this.#version += 1
    return this.#version
  }

  /** Counts a commit of this process. */
  count(): void {
    this.#version += 1
  }

  /** Something of this process may or may not have been committed: it is looked for like commits of others. */
  doubt(): void {
    this.#tell()
  }

  /** See `Storage.onExternalCommit`. */
  onExternalCommit(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Connects and listens; from then on a lost connection is re-established. */
  async start(): Promise<void> {
    const client = new Client({ ...this.#deps.config, query_timeout: TIMEOUTS.response })
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, new Error('the server ended the connection')))
    client.on('notification', ({ payload }) => {
      if (payload !== this.#deps.self) this.#tell()
    })
    const askedAt = this.#deps.now()
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      void closeQuietly(client)
      throw error
    }
    if (this.#closing.signal.aborted) return void closeQuietly(client)
    this.#client = client
    this.#notifiedUntil = askedAt
    this.#tell()
    // A machine that vanished sends nothing: without heartbeats, silence would look like a calendar without changes.
    this.#heartbeat = setInterval(() => void this.#ask(client), TIMEOUTS.heartbeat).unref()
  }

  /** Stops listening permanently. */
  async close(): Promise<void> {
    this.#closing.abort()
    const client = this.#client
    this.#drop()
    if (client !== undefined) await closeQuietly(client)
  }

  /** Commits before a question are notified before its response: the server keeps the order on a connection. */
  async #ask(client: Client): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    const askedAt = this.#deps.now()
    try {
      await client.query('select 1')
      this.#notifiedUntil = askedAt
    } catch (error) {
      this.#lose(client, error as Error)
    } finally {
      this.#isAsking = false
    }
  }

  #tell(): void {
    this.#version += 1
    for (const listener of this.#listeners) listener()
  }

  #drop(): void {
    clearInterval(this.#heartbeat)
    this.#client = undefined
  }

  #lose(client: Client, error: Error): void {
    if (this.#client !== client) return
    this.#drop()
    void closeQuietly(client)
    this.#deps.report(error, 'the connection for changes broke; reconnecting')
    void this.#restart()
  }

  async #restart(): Promise<void> {
    for (
      let pause: number = TIMEOUTS.shortest;
      !this.#closing.signal.aborted;
      pause = Math.min(pause * 2, TIMEOUTS.longest)
    ) {
      const began = await this.start().then(
        () => true,
        () => false,
      )
      if (began) return
      await sleep(pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined)
    }
  }
}
