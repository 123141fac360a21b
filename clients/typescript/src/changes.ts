import { errorOf, failNetwork, isTransient } from './errors.ts'
import type { Feed } from './internal.ts'
import { pause } from './request.ts'
import type { Connection } from './site.ts'
import type { Change, ChangesOptions } from './types.ts'

/** Failed attempts to stream, after which changes are polled. */
const ATTEMPTS = 3
/** Milliseconds between polls. */
const POLL = 30_000
/** Milliseconds without a sign of life of a stream; the server sends a comment every 25 seconds. */
const SILENCE = 60_000

type Followed = AsyncGenerator<Change, void>

/** @throws CursorExpired */
export async function* changesOf(connection: Connection, options: ChangesOptions): Followed {
  const { signal, stream = true, since, ...query } = options
  const url = (path: string) => connection.url(`kalends/v1/${path}`, { ...query, since: feed.cursor }, signal)
  const feed: Feed = { cursor: since, wasHeard: false, signal, url }
  try {
    await connection.require('changes', signal)
    if (!stream) return yield* read(connection, feed)
    for (let failures = 0; failures < ATTEMPTS; failures = feed.wasHeard ? 1 : failures + 1) {
      if (failures > 0) await pause(1000 * 2 ** failures, signal)
      yield* untilInterrupted(streamed(connection, feed))
    }
    for (;;) {
      yield* untilInterrupted(read(connection, feed))
      await pause(POLL, signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

async function* untilInterrupted(changes: Followed): Followed {
  try {
    yield* changes
  } catch (error) {
    if (!isTransient(error)) throw error
  }
}

/** Changes until now. A page has one cursor: that of its last change. Before that, the page would be read again. */
async function* read({ sender }: Connection, feed: Feed): Followed {
  for (let hasMore = true; hasMore; ) {
    const { body } = await sender.send({ url: await feed.url('changes'), signal: feed.signal })
    const last = body.changes.at(-1)
    for (const change of body.changes) yield { ...change, cursor: change === last ? body.cursor : feed.cursor }
    feed.cursor = body.cursor
    hasMore = body.more
  }
}

/** Changes as they happen, until the stream ends or is silent. Events without a change only move the cursor. */
async function* streamed({ sender }: Connection, feed: Feed): Followed {
  feed.wasHeard = false
  const ending = new AbortController()
  const signal = AbortSignal.any([feed.signal ?? ending.signal, ending.signal])
  let silence = setTimeout(() => ending.abort(), SILENCE)
  try {
    const headers = { Accept: 'text/event-stream' }
    const response = await sender.open(await feed.url('changes/stream'), { headers, signal })
    if (!response.ok) throw await errorOf(response)
    for await (const event of eventsOf(response)) {
      clearTimeout(silence)
      silence = setTimeout(() => ending.abort(), SILENCE)
      feed.wasHeard = true
      feed.cursor = /^id: (.*)$/m.exec(event)?.[1] ?? feed.cursor
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield { ...JSON.parse(data), cursor: feed.cursor }
    }
  } catch (error) {
    failNetwork(error)
  } finally {
    clearTimeout(silence)
    ending.abort()
  }
}

/** The texts of Server-Sent Events. */
async function* eventsOf({ body }: Response): AsyncGenerator<string, void> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) {
    const events = (text + chunk.value).split('\n\n')
    text = events.pop() ?? ''
    yield* events
  }
}
