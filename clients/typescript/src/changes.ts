import { errorOf, isTransient, networkError } from './errors.ts'
import { pause } from './request.ts'
import type { Connection, Query } from './site.ts'
import type { Change, ChangesOptions } from './types.ts'

/** Failed attempts to stream, after which changes are polled. */
const ATTEMPTS = 3
/** Milliseconds between polls. */
const POLL = 30_000
/** Milliseconds without a sign of life of a stream; the server sends a comment every 25 seconds. */
const SILENCE = 60_000

/** Changes in order, each with the cursor after it. @throws CursorExpired */
export async function* changesOf(connection: Connection, options: ChangesOptions): AsyncGenerator<Change, void> {
  const { signal, stream = true, since, ...query } = options
  await connection.require('changes')
  const feed = new Feed(connection, { cursor: since, query, signal })
  try {
    yield* stream ? follow(feed, signal) : feed.read()
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

async function* follow(feed: Feed, signal: AbortSignal | undefined): AsyncGenerator<Change, void> {
  for (let failures = 0; failures < ATTEMPTS; failures = feed.wasHeard ? 1 : failures + 1) {
    if (failures > 0) await pause(1000 * 2 ** failures, signal)
    yield* untilInterrupted(feed.stream())
  }
  for (;;) {
    yield* untilInterrupted(feed.read())
    await pause(POLL, signal)
  }
}

async function* untilInterrupted(changes: AsyncIterable<Change>): AsyncGenerator<Change, void> {
  try {
    yield* changes
  } catch (error) {
    if (!isTransient(error)) throw error
  }
}

interface Start {
  readonly cursor: string | undefined
  readonly query: Query
  readonly signal: AbortSignal | undefined
}

/** A place among the changes, which moves on while they are read. */
class Feed {
  /** Whether the latest stream has sent anything. */
  wasHeard = false
  readonly #connection: Connection
  readonly #start: Start
  #cursor: string | undefined

  constructor(connection: Connection, start: Start) {
    this.#connection = connection
    this.#start = start
    this.#cursor = start.cursor
  }

  /** Changes until now. A page has one cursor: that of its last change. Before that, the page would be read again. */
  async *read(): AsyncGenerator<Change, void> {
    for (let hasMore = true; hasMore; ) {
      const url = await this.#url('changes')
      const { body } = await this.#connection.sender.send({ url, signal: this.#start.signal })
      const last = body.changes.at(-1)
      for (const change of body.changes) yield { ...change, cursor: change === last ? body.cursor : this.#cursor }
      this.#cursor = body.cursor
      hasMore = body.more
    }
  }

  /** Changes as they happen, until the stream ends or is silent. */
  async *stream(): AsyncGenerator<Change, void> {
    this.wasHeard = false
    const ending = new AbortController()
    const { signal = ending.signal } = this.#start
    const init = { headers: { Accept: 'text/event-stream' }, signal: AbortSignal.any([signal, ending.signal]) }
    const isAlive = (): ReturnType<typeof setTimeout> => setTimeout(() => ending.abort(), SILENCE)
    let silence = isAlive()
    try {
      const response = await this.#connection.sender.open(await this.#url('changes/stream'), init)
      if (!response.ok) throw errorOf(response, await response.text().catch(() => ''))
      for await (const text of eventsOf(response)) {
        clearTimeout(silence)
        silence = isAlive()
        yield* this.#changesIn(text)
      }
    } finally {
      clearTimeout(silence)
      ending.abort()
    }
  }

  /** The change of an event; others only move the cursor, and comments do nothing. */
  *#changesIn(event: string): Generator<Change, void> {
    this.wasHeard = true
    const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1]
    const cursor = field('id')
    const data = field('data')
    if (data !== undefined) yield { ...JSON.parse(data), cursor: cursor ?? this.#cursor }
    this.#cursor = cursor ?? this.#cursor
  }

  #url(path: string): Promise<URL> {
    return this.#connection.url(`kalends/v1/${path}`, { ...this.#start.query, since: this.#cursor })
  }
}

/** The texts of Server-Sent Events. @throws network */
async function* eventsOf({ body }: Response): AsyncGenerator<string, void> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const chunk = await reader?.read().catch((error) => Promise.reject(networkError(error)))
    if (chunk === undefined || chunk.done) return
    text += decoder.decode(chunk.value, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    yield* events
  }
}
