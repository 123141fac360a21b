import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { Request } from './requests.ts'

/** What came back: the status of the last answer's head, its headers in lower case, and all bytes as text. */
export interface Heard {
  /** 0 when the connection ended without an answer. */
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const SILENCE: Heard = { status: 0, headers: new Map(), body: '' }

/** How long to wait for an answer before it counts as none, in milliseconds. */
const PATIENCE = 30_000
/** How long bytes that are no whole request are left to be judged before our side is closed, in milliseconds. */
const LEFT_OPEN = 60

/** Connections that are kept open from one request to the next, as long as the server agrees. */
export class Lane {
  readonly #port: number
  #socket: Socket | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** Sends a request and reads its answer. @throws Error when a whole request is not answered */
  async ask(request: Request): Promise<Heard> {
    const socket = request.isWhole ? await this.#open() : await opened(this.#port)
    const heard = await exchange(socket, request)
    const isOver = !isStream(heard) && heard.headers.get('connection') !== 'close'
    const isKept = request.isWhole && socket.writable && isOver
    if (isKept) {
      this.#socket = socket
      return heard
    }
    socket.destroy()
    this.#socket = request.isWhole ? undefined : this.#socket
    return heard
  }

  close(): void {
    this.#socket?.destroy()
  }

  async #open(): Promise<Socket> {
    const kept = this.#socket
    if (kept?.writable === true && !kept.destroyed) return kept
    return opened(this.#port)
  }
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      socket.on('error', () => socket.destroy())
      resolve(socket)
    })
  })
}

function exchange(socket: Socket, request: Request): Promise<Heard> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const settle = (heard: Heard): void => {
      clearTimeout(timer)
      socket.off('data', read).off('close', closed)
      resolve(heard)
    }
    const read = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk])
      const heard = answerIn(received, request.method === 'HEAD')
      if (heard !== undefined) settle(heard)
    }
    const closed = (): void => settle(SILENCE)
    const late = (): void => {
      if (!request.isWhole) return void socket.end()
      socket.off('data', read).off('close', closed).destroy()
      reject(
        new Error(
          `no answer within ${PATIENCE} ms, received ${JSON.stringify(received.toString('latin1').slice(0, 300))}`,
        ),
      )
    }
    const timer = setTimeout(late, request.isWhole ? PATIENCE : LEFT_OPEN)
    socket.on('data', read).on('close', closed)
    if (socket.destroyed) return closed()
    socket.write(request.bytes)
  })
}

const UNPACKED: ReadonlyMap<string, (packed: Buffer) => Buffer> = new Map([
  ['br', (packed: Buffer): Buffer => brotliDecompressSync(packed)],
  ['gzip', (packed: Buffer): Buffer => gunzipSync(packed)],
  ['zstd', (packed: Buffer): Buffer => zstdDecompressSync(packed)],
])

/** A body as text, without its compression. */
function plainOf(body: Buffer, headers: Heard['headers']): string {
  const unpack = UNPACKED.get(headers.get('content-encoding') ?? '')
  return (unpack === undefined || body.length === 0 ? body : unpack(body)).toString('utf8')
}

/** Whether an answer goes on for as long as somebody listens; its first block is taken for all of it. */
function isStream({ headers }: Pick<Heard, 'headers'>): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

/** The answer at the start of the bytes, interim ones passed over; undefined while it is not complete. */
function answerIn(bytes: Buffer, isHead: boolean): Heard | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 599)
  if (status < 200) return answerIn(bytes.subarray(end + 4), isHead)
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const rest = bytes.subarray(end + 4)
  if (isHead || status === 204 || status === 304) return { status, headers, body: '' }
  const length = headers.get('content-length')
  if (length !== undefined) {
    const size = Number(length)
    return rest.length < size ? undefined : { status, headers, body: plainOf(rest.subarray(0, size), headers) }
  }
  const isWhole = isStream({ headers }) ? rest.includes('\n\n') : rest.toString('latin1').endsWith('0\r\n\r\n')
  return isWhole ? { status, headers, body: rest.toString('utf8') } : undefined
}
