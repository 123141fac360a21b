import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { fail } from '../../base/errors.ts'
import { ClientCounts } from '../request/clients.ts'

/** What a stream writes to. */
export interface StreamSink {
  /** Aborted when the stream ends, for whatever reason. */
  readonly signal: AbortSignal
  /** See `clientKey`. */
  readonly client: string
  /**
   * Sends texts one after the other; resolves when the client has read so much that there is room for more, rejects at
   * the end.
   */
  send(...texts: readonly (string | Buffer)[]): Promise<void>
  /**
   * Whether the credentials of the request still identify the same user, with the same role; to be asked before
   * anything is sent that not everybody may see.
   * @throws rest_unavailable, rest_too_busy where that cannot be read now
   */
  isSameCaller(): Promise<boolean>
}

/** Writes a stream until it is at its end, or its sink is; it may reject to end it. */
export type StreamSource = (sink: StreamSink) => Promise<void>

/** Streams of this process at a time: of all clients, and of one. */
const MOST = { all: 1000, client: 50 } as const

/**
 * Milliseconds: between two comments, which show that a silent stream is alive; until a stream ends whose client does not
 * read; and until any stream ends, so that its client comes again and shows its credentials.
 */
const TIMES = { comment: 25_000, patience: 60_000, life: 15 * 60_000 } as const

/** A stream that is about to start. */
interface StreamRequest {
  readonly response: ServerResponse
  readonly client: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether the head is all that is sent. */
  readonly isHead: boolean
  /** See `StreamSink`. */
  isSameCaller(): Promise<boolean>
}

/** Responses that continue until someone ends them (Server-Sent Events), bounded in number. */
export class EventStreams {
  readonly #open = new Set<AbortController>()
  readonly #counts = new ClientCounts()
  #isClosed = false

  /** Sends the head and starts to send. @throws rest_too_busy above the bounds, rest_unavailable after `close` */
  begin({ response, client, headers, isHead, isSameCaller }: StreamRequest, source: StreamSource): void {
    if (this.#isClosed) throw fail('rest_unavailable')
    if (this.#counts.total >= MOST.all || this.#counts.of(client) >= MOST.client) throw fail('rest_too_busy')
    // The client has disconnected, and no event will follow.
    if (response.closed || response.destroyed) return
    response.writeHead(200, { ...headers })
    if (isHead) return void response.end()
    response.flushHeaders()
    const ending = new AbortController()
    this.#open.add(ending)
    this.#counts.add(client, 1)
    const life = setTimeout(() => ending.abort(), TIMES.life).unref()
    const comments = setInterval(() => response.writableNeedDrain || response.write(':\n\n'), TIMES.comment).unref()
    response.once('close', () => {
      clearTimeout(life)
      clearInterval(comments)
      this.#open.delete(ending)
      this.#counts.add(client, -1)
      ending.abort()
    })
    ending.signal.addEventListener('abort', () => {
      // Until its client has read the rest the response is open, and a comment after its end would be an error.
      clearInterval(comments)
      response.end()
    })
    const send: StreamSink['send'] = (...texts) => sendAll(response, ending.signal, texts)
    const sink = { signal: ending.signal, client, send, isSameCaller }
    source(sink).then(
      () => ending.abort(),
      () => ending.abort(),
    )
  }

  /** Ends all streams; there are no further ones. */
  close(): void {
    this.#isClosed = true
    for (const ending of this.#open) ending.abort()
  }
}

async function sendAll(
  response: ServerResponse,
  signal: AbortSignal,
  texts: readonly (string | Buffer)[],
): Promise<void> {
  for (const text of texts) {
    signal.throwIfAborted()
    if (!response.write(text)) await drained(response, signal)
  }
}

async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  const late = setTimeout(() => response.destroy(), TIMES.patience).unref()
  try {
    await once(response, 'drain', { signal })
  } finally {
    clearTimeout(late)
  }
}
