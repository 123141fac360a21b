import { request as ask, type IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../errors.ts'
import { keepReading } from '../connection/linger.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'
import type { RawExchange, ServerRequest } from './server-request.ts'

/** Where writes are done while another process of this machine does them. */
export interface WritingProcess {
  /** Whether it is this one. */
  isMine(): boolean
  /** Path of its Unix socket; nobody may be listening there for a while. */
  socketPath(): Promise<string>
}

/** A request to hand over, as the client sent it. */
export interface Handing {
  readonly request: Pick<ServerRequest, 'raw' | 'response' | 'id' | 'sentMethod' | 'target'>
  /** Called before the answer is written; returns header fields for an answer that has none of their names. */
  readonly answering: () => Readonly<Record<string, string>>
}

/** What became of one attempt. */
type Outcome = 'answered' | 'not begun' | 'uncertain'

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Whether a request that was sent with this method may change something. */
export function isWrite(method: string): boolean {
  return WRITES.includes(method)
}

/** Address of the client, from which proxies are judged. */
const PEER = 'x-kalends-peer'

/** Header fields of one connection, which mean nothing on the next (RFC 9110 section 7.6.1), and what is set here. */
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
export interface Patience {
  /** For a process that writes, until no other attempt is made. */
  readonly all: number
  /** For its agreement in one attempt: one that stands still is not waited for. */
  readonly agreement: number
  /** Between attempts. */
  readonly pause: number
  /** For any byte from a process that has agreed. */
  readonly answer: number
}

const PATIENCE: Patience = { all: 10_000, agreement: 3_000, pause: 50, answer: 60_000 }

/**
 * Hands a request over as it is to the process that writes, and its answer back (architecture: Growing). A request is
 * sent again until that process has agreed to take it, which it does before it reads the body: so nothing is done
 * twice. False when this process has become the one that writes, and nothing was sent.
 * @throws rest_unavailable when nobody has taken it; rest_write_uncertain when who took it ends, or stands still,
 *   without an answer
 */
export async function handOver(handing: Handing, writing: WritingProcess, patience = PATIENCE): Promise<boolean> {
  for (const late = AbortSignal.timeout(patience.all); !late.aborted; await sleep(patience.pause)) {
    if (handing.request.response.destroyed) return true
    if (writing.isMine()) return false
    const outcome = await send(handing, await writing.socketPath(), patience)
    if (outcome === 'answered') return true
    if (outcome === 'uncertain') throw fail('rest_write_uncertain')
  }
  throw fail('rest_unavailable')
}

function send(handing: Handing, socketPath: string, { agreement, answer: silence }: Patience): Promise<Outcome> {
  const { raw, response, sentMethod: method, target: path } = handing.request
  return new Promise((resolve) => {
    let isTaken = false
    const sent = ask({ socketPath, method, path, headers: sentHeaders(handing.request), agent: false })
    const abandon = (): void => void sent.destroy()
    // What has not been agreed to has no end yet, so it is never begun, also when that process goes on.
    const waiting = setTimeout(abandon, agreement)
    response.once('close', abandon)
    sent.once('close', () => clearTimeout(waiting))
    sent.on('continue', () => {
      isTaken = true
      clearTimeout(waiting)
      sent.setTimeout(silence, abandon)
      raw.pipe(sent)
    })
    sent.on('response', (answer) => {
      clearTimeout(waiting)
      raw.unpipe(sent)
      raw.resume()
      relay(answer, handing)
      // What is left of a body that was refused is not sent.
      answer.once('close', abandon)
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
 * Fields in their order and spelling. The body has always an end that is sent after the request was taken, also when
 * there is none: what has no end cannot have been begun.
 */
function sentHeaders({ raw: { headers, rawHeaders, socket }, id }: Handing['request']): string[] {
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

function relay(answer: IncomingMessage, { request: { raw, response }, answering }: Handing): void {
  const own = Object.entries(answering()).filter(([name]) => answer.headers[name] === undefined)
  // What is left of a body that was refused is not waited for.
  const end = raw.complete ? [] : [['Connection', 'close']]
  const sent = [...fields(answer.rawHeaders), ...own, ...end].flat()
  response.writeHead(answer.statusCode ?? 500, answer.statusMessage, sent)
  // An answer that breaks off breaks off for the client, too.
  pipeline(answer, response, () => undefined)
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

/** Agrees to take a request that another process hands over; from here on it is as if its client had sent it here. */
export function takeOver({ request, response }: RawExchange): void {
  const { [PEER]: peer, expect: _expect, ...headers } = request.headers
  Object.defineProperty(request, 'headers', { value: headers })
  Object.defineProperty(request.socket, 'remoteAddress', { value: String(peer ?? ''), configurable: true })
  keepReading(request)
  response.writeContinue()
}
