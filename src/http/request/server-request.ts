import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LANGUAGES } from '../../base/i18n/languages.ts'
import { firstWeekday } from '../../base/i18n/week.ts'
import type { Requester } from '../../base/requester.ts'
import type { Mount } from '../address.ts'
import type { Caller } from '../auth/rights.ts'
import type { CacheTicket } from '../cache/ticket.ts'
import type { Draw } from '../limits/budget.ts'
import { NOTHING, type RawInput } from './body.ts'
import { type Client, clientOf, type Networks } from './clients.ts'

/** The header that names a request: in the request itself, its response, and every log line about it. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** The header in which the response to a write states the journal number, and a read demands at least that one. */
export const SEQ_HEADER = 'x-kalends-seq'

/** The header in which a list states the cursor from which its changes can be followed. */
export const CURSOR_HEADER = 'x-kalends-cursor'

/** Methods of requests that may change something. */
export const WRITE_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** IDs that proxies and clients make, such as UUIDs and trace IDs; nothing that could break a header or a log line. */
const SANE_ID = /^[\w.:/+=@~-]{1,128}$/

/** Distinguishes the processes that make IDs, also after a restart. */
const PROCESS = randomBytes(6).toString('hex')

let made = 0

/** A new ID, unique among all processes: `9f86d081884c-1z`. */
export function newRequestId(): string {
  made += 1
  return `${PROCESS}-${made.toString(36)}`
}

/** Name of the cookie with the ID of a session; over secure connections `__Host-` precedes it. */
export const SESSION_COOKIE = 'kalends_session'

/** The headers that may identify a caller. */
type Credentials = Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>

/** Whether a request has a session cookie, which is ignored beside an Authorization header. */
export function hasSessionCookie({ authorization, cookie }: Credentials): boolean {
  return cookie !== undefined && authorization === undefined && cookie.includes(`${SESSION_COOKIE}=`)
}

/** Whether a request has anything that may identify its caller. */
export function hasCredentials(headers: Credentials): boolean {
  return headers.authorization !== undefined || hasSessionCookie(headers)
}

/** A request as Node hands it over, with what its response is written to. */
export interface RawExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** One request from its arrival to its response: whatever is found out about it on the way, once. */
export class ServerRequest {
  readonly raw: IncomingMessage
  readonly response: ServerResponse
  readonly headers: IncomingHttpHeaders
  /** The one that it was sent with if that is short and plain, or else a new one. */
  readonly id: string
  /** The address as the client wrote it. */
  readonly target: string
  /** The method that the client sent: it decides how a body may be written. */
  readonly sentMethod: string
  /** Whether it may change something, as it was sent. */
  readonly isWrite: boolean
  /** Whether it has a body, however long. */
  readonly hasBody: boolean
  /** Who sent it, by its address. */
  readonly client: Client
  /** Whether it names its host exactly once (RFC 9112 section 3.2). */
  hasSoundHost = false
  /** The intended method, which may have been sent as POST. */
  method: string
  /** Undefined where the address is no API address. */
  mount: Mount | undefined
  /** Language segment of the address, in lower case; '' when none. */
  language = ''
  /** Undefined where the response may not be cached. */
  ticket: CacheTicket | undefined
  /** Path parameters, percent-decoded. */
  path: Readonly<Record<string, string>> = {}
  /** Query parameters as `readForm` reads them. */
  query: RawInput = NOTHING
  /** Undefined if there is none, and until it has been read. */
  body: Buffer | undefined
  /** What was taken from budgets of its client. */
  readonly draws: Draw[] = []
  /** Who sent it, once that is known; anonymous if the credentials are wrong. */
  caller: Promise<Caller> | undefined
  user: Caller | undefined
  /** ID of its session, once that is known to be valid. */
  session: string | undefined
  readonly #proxies: Networks

  /** `proxies`: those whose X-Forwarded headers are trusted. */
  constructor({ request, response }: RawExchange, proxies: Networks) {
    this.raw = request
    this.response = response
    this.headers = request.headers
    const sent = this.headers[REQUEST_ID_HEADER]
    this.id = typeof sent === 'string' && SANE_ID.test(sent) ? sent : newRequestId()
    this.target = request.url ?? '/'
    this.sentMethod = request.method ?? 'GET'
    this.method = this.sentMethod
    this.isWrite = WRITE_METHODS.has(this.sentMethod)
    this.hasBody = this.headers['transfer-encoding'] !== undefined || (this.headers['content-length'] ?? '0') !== '0'
    this.client = clientOf(request, proxies)
    this.#proxies = proxies
  }

  /** For whom storage reads. */
  get requester(): Requester {
    return new RequestingClient(this.raw.socket, this.client.key)
  }

  /** The host that was called, as a believed proxy says it. */
  get host(): string {
    return this.#forwarded('x-forwarded-host') ?? this.headers.host ?? ''
  }

  /** `http` or `https`, or whatever a believed proxy says. */
  get protocol(): string {
    return this.#forwarded('x-forwarded-proto') ?? 'http'
  }

  /** The last value of a header that only proxies are believed. */
  #forwarded(name: string): string | undefined {
    const value = this.headers[name]
    if (typeof value !== 'string' || value === '' || !this.#proxies.has(this.raw.socket.remoteAddress)) return undefined
    return value.slice(value.lastIndexOf(',') + 1).trim()
  }
}

/**
 * The client of a request for storage: disconnected with the connection. It does not refer to the request, because what
 * that starts may last longer.
 */
class RequestingClient implements Requester {
  readonly client: string
  readonly #socket: Socket

  constructor(socket: Socket, client: string) {
    this.#socket = socket
    this.client = client
  }

  get isGone(): boolean {
    return this.#socket.destroyed
  }

  onGone(listener: () => void): () => void {
    return onClose(this.#socket, listener)
  }
}

/** One listener for each connection: it may carry many requests at a time, and each may wait for several reads. */
const listeners = new WeakMap<Socket, Set<() => void>>()

function onClose(socket: Socket, listener: () => void): () => void {
  const own = listeners.get(socket) ?? new Set()
  if (!listeners.has(socket)) {
    listeners.set(socket, own)
    socket.once('close', () => {
      for (const each of [...own]) each()
    })
  }
  own.add(listener)
  return () => void own.delete(listener)
}

/** Longest Accept-Language header that is looked at, in characters. */
const HEADER_LIMIT = 500

/** The language that a tag names, whatever its region: `de` for `DE_at`; '' for one that we do not have. */
export function knownLanguage(tag: string): string {
  const language = tag.trim().toLowerCase().split(/[-_]/, 1)[0]
  return LANGUAGES.find((one) => one === language) ?? ''
}

/** The language that an Accept-Language header prefers among those we have; '' if there is none. */
export function acceptedLanguage(header: string | undefined): string {
  if (header === undefined) return ''
  for (const tag of acceptedTags(header)) {
    const language = knownLanguage(tag)
    if (language !== '') return language
  }
  return ''
}

/**
 * On which day weeks start for a client by the region that its language has in an Accept-Language header, 0 for Sunday; undefined
 * where it names no region.
 */
export function acceptedWeekday(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const tag = acceptedTags(header).find((one) => knownLanguage(one) !== '')
  const region = tag === undefined ? undefined : /^\s*[a-z]{2}(?:[-_][a-z]{4})?[-_]([a-z]{2})\s*$/i.exec(tag)?.[1]
  return region === undefined ? undefined : firstWeekday(`und-${region.toUpperCase()}`)
}

/** Language tags of an Accept-Language header, best first (RFC 9110 section 12.5.4). */
export function acceptedTags(header: string): string[] {
  const ranges = header
    .slice(0, HEADER_LIMIT)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';')
      const weight = parameters.map((one) => /^\s*q=([\d.]+)\s*$/i.exec(one)?.[1]).find((one) => one !== undefined)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
  return ranges
    .filter((one) => one.weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map((one) => one.tag)
}
