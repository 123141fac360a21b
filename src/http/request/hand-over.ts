import { request as ask, type IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../base/errors.ts'
import { keepReading } from '../connection/linger.ts'
import { type RawExchange, REQUEST_ID_HEADER, type ServerRequest } from './server-request.ts'

/** Where writes are done while another process of this machine does them. */
export interface WritingProcess {
  /** Whether it is this one. */
  isMine(): boolean
  /** Path of its Unix socket; it may not be listening for a while. */
  socketPath(): Promise<string>
}

/** A request to hand over, as the client sent it. */
export interface HandedRequest {
  readonly request: Pick<ServerRequest, 'raw' | 'response' | 'id' | 'sentMethod' | 'target'>
  /** Called before the response is written; returns header fields for a response that has none of their names. */
  readonly extraHeaders: () => Readonly<Record<string, string>>
}

/** The outcome of one attempt. */
type Outcome = 'answered' | 'not begun' | 'uncertain'

/** Address of the client, from which proxies are judged. */
const PEER = 'x-kalends-peer'

/** Header fields that are valid for one connection only (RFC 9110 section 7.6.1), and those that are set here. */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  PEER,
])

/** How long who hands over waits, in milliseconds. */
export interface HandOverTimeouts {
  /** For a process that writes, until no other attempt is made. */
  readonly total: number
  /** Until it accepts one attempt: a process that hangs is not waited for. */
  readonly agreement: number
  /** Between attempts. */
  readonly pause: number
  /** For any byte from a process that has agreed. */
  readonly response: number
}

const TIMEOUTS: HandOverTimeouts = { total: 10_000, agreement: 3_000, pause: 50, response: 60_000 }

/**
 * Forwards a request unchanged to the process that writes, and returns its response (architecture: Growing). The
 * request is sent again until that process accepts it, which it does before it reads the body, so nothing is done
 * twice. False when this process has become the writer, and nothing was sent.
 * @throws rest_unavailable when no process accepted it; rest_write_uncertain when the one that did ends or hangs
 * without a response
 */
export async function handOver(handing: HandedRequest, writing: WritingProcess, patience = TIMEOUTS): Promise<boolean> {
  for (const late = AbortSignal.timeout(patience.total); !late.aborted; await sleep(patience.pause)) {
    if (handing.request.response.destroyed) return true
    if (writing.isMine()) return false
    const outcome = await send(handing, await writing.socketPath(), patience)
    if (outcome === 'answered') return true
    if (outcome === 'uncertain') throw fail('rest_write_uncertain')
  }
  throw fail('rest_unavailable')
}

function send(
  handing: HandedRequest,
  socketPath: string,
  { agreement, response: silence }: HandOverTimeouts,
): Promise<Outcome> {
  const { raw, response, sentMethod: method, target: path } = handing.request
  return new Promise((resolve) => {
    let isTaken = false
    const sent = ask({ socketPath, method, path, headers: sentHeaders(handing.request), agent: false })
    const abandon = (): void => void sent.destroy()
    // A request that was not accepted is incomplete, so it is never started, even if that process recovers.
    const waiting = setTimeout(abandon, agreement)
    response.once('close', abandon)
    sent.once('close', () => clearTimeout(waiting))
    sent.on('continue', () => {
      isTaken = true
      clearTimeout(waiting)
      sent.setTimeout(silence, abandon)
      raw.pipe(sent)
    })
    sent.on('response', (upstream) => {
      clearTimeout(waiting)
      raw.unpipe(sent)
      raw.resume()
      relay(upstream, handing)
      // The rest of a refused body is not sent.
      upstream.once('close', abandon)
      resolve('answered')
    })
    sent.on('error', () => {
      raw.unpipe(sent)
      response.off('close', abandon)
      resolve(isTaken ? 'uncertain' : 'not begun')
    })
    sent.flushHeaders()
  })
}

/**
 * Fields in their order and spelling. The end of the body is always sent after the request was accepted, even if the
 * body is empty: an incomplete request cannot have been started.
 */
function sentHeaders({ raw: { headers, rawHeaders, socket }, id }: HandedRequest['request']): string[] {
  const hasLength = (headers['content-length'] ?? '0') !== '0'
  const replaced = [REQUEST_ID_HEADER, ...(hasLength ? [] : ['content-length'])]
  const kept = fields(rawHeaders).filter(([name]) => !replaced.includes(name.toLowerCase()))
  const host = headers.host === undefined ? [['Host', 'localhost']] : []
  const framing = hasLength ? [] : [['Transfer-Encoding', 'chunked']]
  const own = [
    ['Connection', 'close'],
    ['Expect', '100-continue'],
    [PEER, socket.remoteAddress ?? ''],
    [REQUEST_ID_HEADER, id],
  ]
  return [...kept, ...host, ...framing, ...own].flat()
}

function relay(upstream: IncomingMessage, { request: { raw, response }, extraHeaders }: HandedRequest): void {
  const own = Object.entries(extraHeaders()).filter(([name]) => upstream.headers[name] === undefined)
  // The rest of a refused body is not waited for.
  const end = raw.complete ? [] : [['Connection', 'close']]
  const sent = [...fields(upstream.rawHeaders), ...own, ...end].flat()
  response.writeHead(upstream.statusCode ?? 500, upstream.statusMessage, sent)
  // A response that breaks off breaks off for the client, too.
  pipeline(upstream, response, () => undefined)
}

/** Pairs of name and value without those of the connection. */
function fields(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = raw.slice(index, index + 2)
    if (!OF_CONNECTION.has(name.toLowerCase())) pairs.push([name, value])
  }
  return pairs
}

/** Accepts a request that another process forwards; from here on it is treated as if its client had sent it here. */
export function takeOver({ request, response }: RawExchange): void {
  const { [PEER]: peer, expect: _expect, ...headers } = request.headers
  Object.defineProperty(request, 'headers', { value: headers })
  Object.defineProperty(request.socket, 'remoteAddress', { value: String(peer ?? ''), configurable: true })
  keepReading(request, response)
  response.writeContinue()
}
