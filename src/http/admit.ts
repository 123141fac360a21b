import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { fail } from '../base/errors.ts'
import { turns } from '../base/requester.ts'
import type { MissHandler } from './cache/response-cache.ts'
import { ClientCounts, networksOf } from './request/clients.ts'
import { type RawExchange, REQUEST_ID_HEADER, ServerRequest } from './request/server-request.ts'
import { COMMON_HEADERS, errorReply } from './response/http-response.ts'
import type { ServerDeps } from './server-deps.ts'

/** Where requests come in. */
export interface Admission {
  /** Responds from the cache at once if possible; other requests wait for the turn of their client. */
  admit(exchange: RawExchange): void
  /** How many requests were turned away. */
  readonly refused: number
}

/** Admits requests and passes on to `serve` those that the cache does not respond to, a few in each turn of the event loop. */
export function openAdmission(
  { options, cache }: Pick<ServerDeps, 'options' | 'cache'>,
  serve: (request: ServerRequest) => void,
): Admission {
  const proxies = networksOf(options.trustedProxies)
  const underWay = new RequestsUnderWay(options.bounds.requests)
  const onMiss: MissHandler = {
    admit: (request, step) => {
      if (underWay.enter(request)) turns.take(() => step(request), request.client.key)
    },
    queue: (request, step) => turns.take(step, request.client.key),
    begin: serve,
  }
  return {
    admit: ({ request: raw, response }) => {
      adoptHost(raw)
      const request = new ServerRequest({ request: raw, response }, proxies)
      request.hasSoundHost = hasSoundHost(raw)
      if (cache === undefined || request.isWrite || !request.hasSoundHost) onMiss.admit(request, serve)
      else cache.respond(request, onMiss)
    },
    get refused() {
      return underWay.refused
    },
  }
}

/**
 * Bounds the requests in progress, from their arrival until their response has been made, so that clients that do not read
 * take no places from others. Requests with a body are counted separately: slow uploads take no places from reads.
 */
class RequestsUnderWay {
  readonly #most: number
  readonly #asking = new ClientCounts()
  readonly #sending = new ClientCounts()
  refused = 0

  /** @param most requests under way at a time; one client may have a third as many as places are left: a quarter, when alone */
  constructor(most: number) {
    this.#most = most
  }

  /** Lets a request in, or responds with 503 and ends its connection; whether it is in. */
  enter(request: ServerRequest): boolean {
    const counter = request.hasBody ? this.#sending : this.#asking
    const { key } = request.client
    const left = this.#most - counter.total
    // The more places are taken the fewer each client may have, so that there are some for clients that come later.
    if (left <= 0 || counter.of(key) >= Math.max(1, left / 3)) {
      this.refused += 1
      turnAway(request)
      return false
    }
    counter.add(key, 1)
    const leave = (): void => {
      request.response.off('prefinish', leave).off('close', leave)
      counter.add(key, -1)
    }
    // `prefinish` comes when all has been written, however slowly it is read; `close` when nothing more will be.
    request.response.on('prefinish', leave).on('close', leave)
    return true
  }
}

/** Nothing of the request has been read, so the language and form of its response are unknown. */
function turnAway({ id, response }: ServerRequest): void {
  const { status, body, headers } = errorReply(fail('rest_unavailable'), 'en')
  const bytes = Buffer.from(JSON.stringify(body))
  const own = { ...headers, [REQUEST_ID_HEADER]: id }
  const fields = { ...COMMON_HEADERS, ...own, 'access-control-allow-origin': '*', connection: 'close' }
  response.writeHead(status, { ...fields, 'content-length': bytes.length }).end(bytes)
}

/** The parts of a request that name its host. */
type Naming = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>

/** A host name or IPv4 address, with a port or without. */
const NAMED = /^[a-z\d._~-]{1,255}(?::(\d{0,5}))?$/i

const HIGHEST_PORT = 65_535

/** Most requests name the same host: it is checked once. */
let latest = ''

/** Whether a text is a host with or without a port, as a `Host` header has it (RFC 9112 section 3.2). */
export function isHost(text: string): boolean {
  if (text === latest && text !== '') return true
  const isSound = isHostOrAddress(text)
  if (isSound) latest = text
  return isSound
}

function isHostOrAddress(text: string): boolean {
  const port = NAMED.exec(text)
  if (port !== null) return port[1] === undefined || Number(port[1]) <= HIGHEST_PORT
  const literal = /^\[([\da-f:.]{2,45})\](?::(\d{0,5}))?$/i.exec(text)
  return literal !== null && isIPv6(literal[1] ?? '') && Number(literal[2] ?? 0) <= HIGHEST_PORT
}

/** An address with a scheme names the host itself, and `Host` no longer counts (RFC 9112 section 3.2.2). */
function adoptHost({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): void {
  const named = url.startsWith('/') ? undefined : /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]
  if (named !== undefined) headers.host = named
}

/**
 * Whether a request says in one `Host` line, and a valid one, which host it means. HTTP/1.0 may say nothing. Two lines are
 * refused even when they are equal: a proxy may have judged by the other one.
 */
export function hasSoundHost({ headers, rawHeaders, httpVersion }: Naming): boolean {
  let sent: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    if (sent !== undefined) return false
    sent = rawHeaders[index + 1] ?? ''
  }
  if (sent === undefined ? httpVersion !== '1.0' : !isHost(sent)) return false
  // That of the address, see `adoptHost`.
  return headers.host === undefined || headers.host === sent || isHost(headers.host)
}
