import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { atEnd, type TestScope } from './at-end.ts'

/** A request that a relay has got. */
export interface Relayed {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** What becomes of a request instead of being passed on: an answer, or a connection that breaks before or after the server has answered. */
export type Mishap = 'break' | 'break after' | { readonly status: number; readonly headers?: Record<string, string> }

/** A way to a server that may fail, with an address that stays when the server gets another one. */
export interface Relay {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** Where requests go. */
  target: string
  /** In the order of their arrival. */
  readonly requests: Relayed[]
  /** Of the answers that were passed on. */
  readonly statuses: number[]
  /** Asked for each request; nothing goes wrong until a test says otherwise. */
  mishap: (asked: Relayed) => Mishap | undefined | Promise<Mishap | undefined>
}

/** Opens a relay to the server at an origin; it stops after the test. Answers pass as they are, streams as they come. */
export async function openRelay(t: TestScope, target: string): Promise<Relay> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const relay: Relay = { origin, target, requests: [], statuses: [], mishap: () => undefined }
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // A server that is killed breaks its answers off.
    pass(relay, incoming, outgoing).catch(() => outgoing.destroy())
  })
  return relay
}

async function pass(relay: Relay, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = 'GET', url: path = '/', headers, rawHeaders } = incoming
  const asked = { method, path, headers }
  relay.requests.push(asked)
  const body = await buffer(incoming)
  const mishap = await relay.mishap(asked)
  if (mishap === 'break') return void outgoing.destroy()
  if (typeof mishap === 'object') {
    outgoing.writeHead(mishap.status, { 'content-type': 'application/json', ...mishap.headers }).end('{}')
    return
  }
  const passed = request(new URL(path, relay.target), { method, headers: rawHeaders, agent: false })
  outgoing.on('close', () => passed.destroy())
  passed.end(body)
  const [answer] = (await once(passed, 'response')) as [IncomingMessage]
  if (mishap === 'break after') {
    await buffer(answer)
    return void outgoing.destroy()
  }
  relay.statuses.push(answer.statusCode ?? 0)
  outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
  outgoing.flushHeaders()
  for await (const chunk of answer) outgoing.write(chunk)
  outgoing.end()
}
