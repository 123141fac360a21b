import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestScope } from './at-end.ts'

/** A message as a receiver got it. */
export interface ReceivedMessage {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The bytes that are signed. */
  readonly body: string
  // Tests look into bodies of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts
  readonly json: any
}

/** A program that takes messages, on 127.0.0.1. */
export interface Receiver {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** In the order of their arrival. */
  readonly messages: ReceivedMessage[]
  /** Answers each message; 204 until a test says otherwise. */
  answer: (response: ServerResponse, message: ReceivedMessage) => void
}

/** Starts a receiver; it stops after the test. */
export async function openReceiver(t: TestScope): Promise<Receiver> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages: [],
    answer: (response) => void response.writeHead(204).end(),
  }
  server.on('request', (request, response) => {
    const receive = async (): Promise<void> => {
      const body = await text(request)
      const message = { path: request.url ?? '', headers: request.headers, body, json: JSON.parse(body) }
      receiver.messages.push(message)
      receiver.answer(response, message)
    }
    // A sender that is killed breaks its message off.
    receive().catch(() => response.destroy())
  })
  return receiver
}

/** Longest wait of a test for something that happens in the background, milliseconds. */
const PATIENCE = 120_000

/** Waits until something is so. @throws when that takes too long */
export async function eventually(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; !(await isSo()); await sleep(5))
    if (Date.now() > deadline) throw new Error(`${what} has not happened within ${PATIENCE / 1000} s`)
}
