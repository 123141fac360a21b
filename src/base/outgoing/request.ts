import { lookup as resolveName } from 'node:dns/promises'
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isHttpUrl } from '../text/http-url.ts'
import type { AddressGate } from './addresses.ts'
import { mayGoTo } from './credentials.ts'

/** A request to another server, and its bounds. */
export interface OutgoingRequest {
  /** Which addresses may be connected to; asked for each connection, redirects included. */
  readonly gate: AddressGate
  /** Most bytes of the body of the response. */
  readonly limit: number
  /** Milliseconds for everything together, redirects included. */
  readonly patience: number
  /** Ends it earlier. */
  readonly signal?: AbortSignal | undefined
  /** GET if absent. */
  readonly method?: string
  /** Names in lower case; `authorization` and `cookie` go along only to the same host, see `mayGoTo`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** Most redirects that are followed; 4 if absent. With 0 the redirect itself is the response. */
  readonly redirects?: number
  /** Keeps connections open for further requests; each has one of its own if absent. */
  readonly agents?: { readonly http: Agent; readonly https: Agent }
}

/** A response of any status, whole. */
export interface OutgoingResponse {
  /** Address that it came from, after redirects. */
  readonly url: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Why there is no response; `broken_off` ended before its end. */
export type Unanswered =
  | 'closed_address'
  | 'unreachable'
  | 'too_late'
  | 'broken_off'
  | 'too_many_bytes'
  | 'too_many_redirects'
  | 'bad_redirect'

/** What became of a request. */
export type Outgoing =
  | { readonly ok: true; readonly response: OutgoingResponse }
  | { readonly ok: false; readonly reason: Unanswered }

const REDIRECTS = [301, 302, 303, 307, 308]
const REDIRECT_LIMIT = 4

/** The address without its fragment; undefined for one that is not http(s) or has credentials in it. */
export function plainAddress(address: string): string | undefined {
  if (!isHttpUrl(address)) return undefined
  const url = new URL(address)
  url.hash = ''
  return isHttpUrl(url.href) && url.username === '' && url.password === '' ? url.href : undefined
}

/**
 * Sends a request to an http(s) address. The addresses that its name leads to are checked when the connection is made,
 * so no name can change its mind in between; nothing of this server's own is sent along. Never rejects.
 */
export async function sendRequest(address: string, outgoing: OutgoingRequest): Promise<Outgoing> {
  const late = AbortSignal.timeout(outgoing.patience)
  const signal = outgoing.signal === undefined ? late : AbortSignal.any([late, outgoing.signal])
  try {
    return await follow(address, { ...outgoing, signal, entered: address }, 0)
  } catch (error) {
    if (error === CLOSED) return { ok: false, reason: 'closed_address' }
    return { ok: false, reason: signal.aborted ? 'too_late' : 'unreachable' }
  }
}

type Sending = OutgoingRequest & {
  readonly signal: AbortSignal
  /** Where its headers were meant to go. */
  readonly entered: string
}

const CLOSED = new Error('the address is closed')

async function follow(address: string, sending: Sending, redirects: number): Promise<Outgoing> {
  const source = plainAddress(address)
  if (source === undefined) return { ok: false, reason: redirects === 0 ? 'unreachable' : 'bad_redirect' }
  const { redirects: limit = REDIRECT_LIMIT } = sending
  const response = await connect(new URL(source), sending)
  try {
    const { location } = response.headers
    if (limit > 0 && REDIRECTS.includes(response.statusCode ?? 0) && location !== undefined) {
      const next = URL.parse(location, source)
      if (next === null) return { ok: false, reason: 'bad_redirect' }
      if (redirects === limit) return { ok: false, reason: 'too_many_redirects' }
      return await follow(next.href, mayGoTo(next.href, sending.entered) ? sending : elsewhere(sending), redirects + 1)
    }
    return await readAll(response, { url: source, sending })
  } finally {
    // A response that was read to its end has given its connection back.
    if (!response.complete || sending.agents === undefined) response.destroy()
  }
}

function elsewhere(sending: Sending): Sending {
  const { authorization: _own, cookie: _kept, ...headers } = sending.headers ?? {}
  return { ...sending, headers }
}

function connect(url: URL, { gate, signal, method, headers, body, agents }: Sending): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !gate(host)) return Promise.reject(CLOSED)
  const isSecure = url.protocol === 'https:'
  const options = {
    agent: (isSecure ? agents?.https : agents?.http) ?? (false as const),
    signal,
    lookup: gatedLookup(gate),
    method: method ?? 'GET',
    headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Kalends', ...headers },
  }
  return new Promise((resolve, reject) => {
    const request = isSecure ? secureRequest(url, options, resolve) : plainRequest(url, options, resolve)
    request.on('error', reject)
    request.end(body)
  })
}

/** Resolves a name for the connection that is about to be made; a name that has one closed address is closed. */
function gatedLookup(gate: AddressGate): LookupFunction {
  return (host, options, done) => {
    resolveName(host, { all: true, ...(options.family !== undefined && { family: Number(options.family) || 0 }) })
      .then((found) => {
        const [first] = found
        if (first === undefined || !found.every(({ address }) => gate(address))) throw CLOSED
        if (options.all === true) done(null, found)
        else done(null, first.address, first.family)
      })
      .catch((error: NodeJS.ErrnoException) => done(error, []))
  }
}

async function readAll(
  response: IncomingMessage,
  { url, sending: { limit, signal } }: { readonly url: string; readonly sending: Sending },
): Promise<Outgoing> {
  if (Number(response.headers['content-length'] ?? 0) > limit) return { ok: false, reason: 'too_many_bytes' }
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      if (!(chunk instanceof Buffer)) continue
      size += chunk.length
      if (size > limit) return { ok: false, reason: 'too_many_bytes' }
      chunks.push(chunk)
    }
  } catch {
    // A connection that ends early ends the loop with an error.
    return { ok: false, reason: signal.aborted ? 'too_late' : 'broken_off' }
  }
  const { statusCode: status = 0, headers } = response
  return { ok: true, response: { url, status, headers, bytes: Buffer.concat(chunks) } }
}
