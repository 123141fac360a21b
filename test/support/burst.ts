import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A request of a burst. */
export interface BurstRequest {
  readonly method: string
  /** Path with query. */
  readonly path: string
  readonly authorization: string
  readonly json: unknown
}

/**
 * Sends requests at the same moment: every connection has carried a request before, because the server takes in one new
 * connection each turn of its event loop. Returns the statuses in the order of the requests.
 */
export async function burst(origin: string, requests: readonly BurstRequest[]): Promise<number[]> {
  const { hostname, port } = new URL(origin)
  const sockets = requests.map(() => connect(Number(port), hostname))
  await Promise.all(sockets.map((socket) => warmUp(socket, hostname)))
  const answers = sockets.map(parsedResponse)
  for (const [index, request] of requests.entries()) sockets[index]?.write(bytesOf(request, hostname))
  return Promise.all(answers)
}

async function warmUp(socket: Socket, host: string): Promise<void> {
  await once(socket, 'connect')
  socket.write(`HEAD /cal/events/v1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await once(socket, 'data')
}

function bytesOf({ method, path, authorization, json }: BurstRequest, host: string): string {
  const body = JSON.stringify(json)
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

async function parsedResponse(socket: Socket): Promise<number> {
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
}
