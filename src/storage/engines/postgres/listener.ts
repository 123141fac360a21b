import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { ageOf } from '../../../time/age.ts'
import type { Report } from '../../engine.ts'
import { closeQuietly } from './close-quietly.ts'

/** The channel on which writers tell the others that they commit; the payload is the sender's name. */
export const CHANNEL = 'kalends_commit'

/**
 * Milliseconds: between attempts to connect again, between signs of life that are asked for, to wait for one, and for
 * which one proves that everything was heard. The last is the age that an answer from a cache can have at most.
 */
const PATIENCE = { shortest: 100, longest: 1000, heartbeat: 300, answer: 3000, trust: 900 } as const

/** What a listener is made from. */
export interface ListenerParts {
  readonly config: ClientConfig
  /** Name under which this process commits; what it says itself is not counted again. */
  readonly self: string
  readonly report: Report
  /** Milliseconds. */
  readonly now: () => number
}

/**
 * Counts commits: those of this process when it says so, those of others when the database does. While the connection
 * is lost, or silent, every look at the version gives another one, because nobody knows what happens meanwhile.
 */
export class CommitListener {
  readonly #parts: ListenerParts
  #version = 1
  #client: Client | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #isAsking = false
  /** When the last question was asked whose answer is here: what was committed before it has been heard. */
  #heardAt = 0
  readonly #ears = new Set<() => void>()
  readonly #closing = new AbortController()

  constructor(parts: ListenerParts) {
    this.#parts = parts
  }

  /** See `Storage.dataVersion`. */
  get version(): number {
    if (this.#client === undefined || ageOf(this.#heardAt, this.#parts.now()) > PATIENCE.trust) this.#version += 1
    return this.#version
  }

  /** Counts a commit of this process. */
  count(): void {
    this.#version += 1
  }

  /** Something of this process may have been committed and nobody knows: it is looked for like what others wrote. */
  doubt(): void {
    this.#tell()
  }

  /** See `Storage.hear`. */
  hear(listener: () => void): () => void {
    this.#ears.add(listener)
    return () => void this.#ears.delete(listener)
  }

  /** Connects and listens; from then on a lost connection is made again. */
  async start(): Promise<void> {
    const client = new Client({ ...this.#parts.config, query_timeout: PATIENCE.answer })
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, new Error('the server ended the connection')))
    client.on('notification', ({ payload }) => {
      if (payload !== this.#parts.self) this.#tell()
    })
    const askedAt = this.#parts.now()
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      void closeQuietly(client)
      throw error
    }
    if (this.#closing.signal.aborted) return void closeQuietly(client)
    this.#client = client
    this.#heardAt = askedAt
    this.#tell()
    // A machine that vanished says nothing: without asking, the silence would look like a calendar without changes.
    this.#heartbeat = setInterval(() => void this.#ask(client), PATIENCE.heartbeat).unref()
  }

  /** Stops listening for good. */
  async close(): Promise<void> {
    this.#closing.abort()
    const client = this.#client
    this.#drop()
    if (client !== undefined) await closeQuietly(client)
  }

  /** What was committed before a question is heard before its answer: the server keeps the order on a connection. */
  async #ask(client: Client): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    const askedAt = this.#parts.now()
    try {
      await client.query('select 1')
      this.#heardAt = askedAt
    } catch (error) {
      this.#lose(client, error as Error)
    } finally {
      this.#isAsking = false
    }
  }

  #tell(): void {
    this.#version += 1
    for (const listener of this.#ears) listener()
  }

  #drop(): void {
    clearInterval(this.#heartbeat)
    this.#client = undefined
  }

  #lose(client: Client, error: Error): void {
    if (this.#client !== client) return
    this.#drop()
    void closeQuietly(client)
    this.#parts.report(error, 'the connection that hears of changes broke; connecting again')
    void this.#restart()
  }

  async #restart(): Promise<void> {
    for (
      let pause: number = PATIENCE.shortest;
      !this.#closing.signal.aborted;
      pause = Math.min(pause * 2, PATIENCE.longest)
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
