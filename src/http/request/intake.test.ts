import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { atEnd } from '../../../test/support/at-end.ts'
import {
  assertError,
  callerOf,
  parsedResponse,
  routeFor,
  serverParts,
  TEST_BOUNDS,
  talk,
} from '../../../test/support/http.ts'
import { fail } from '../../base/errors.ts'
import { ANONYMOUS } from '../auth/rights.ts'
import { createServer } from '../server.ts'
import type { ServerOptions } from '../server-deps.ts'
import { Intake } from './intake.ts'

const KIB = 1024

interface Made {
  readonly port: number
  /** How often credentials were looked up. */
  readonly lookedUp: () => number
}

async function openServer(t: TestContext, options: Partial<ServerOptions> = {}): Promise<Made> {
  let lookedUp = 0
  const handle = async ({ sent }: { readonly sent: Readonly<Record<string, unknown>> }) => ({
    status: 200,
    body: String(sent['text'] ?? '').length,
  })
  const server = createServer({
    ...serverParts([routeFor('POST', '/x', { handle })], { bodyLimit: 300 * KIB, ...options }),
    authenticate: async (header) => {
      lookedUp += 1
      if (header === 'Basic bad') throw fail('incorrect_password')
      return header === undefined ? ANONYMOUS : callerOf('author')
    },
  })
  atEnd(t, () => server.close())
  return { port: await server.listen({ host: '127.0.0.1', port: 0 }), lookedUp: () => lookedUp }
}

const KNOWN = 'Authorization: Basic ok\r\n'

const headOf = (own: string): string =>
  `POST /cal/events/v1/x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${own}\r\n`

const bodyOf = (length: number): string => `{"text":"${'x'.repeat(length - 11)}"}`

const chunked = (text: string, size: number): string => {
  const chunks = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
  return `${chunks.map((one) => `${one.length.toString(16)}\r\n${one}\r\n`).join('')}0\r\n\r\n`
}

/** Sends the beginning of a request and returns what is answered. */
async function begin(t: TestContext, port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  atEnd(t, async () => socket.destroy())
  socket.write(text)
  return String((await once(socket, 'data'))[0])
}

test('callers without credentials may send 64 KiB, and are told so before their body arrives', async (t) => {
  const { port } = await openServer(t)
  const last = 64 * KIB
  const fits = await talk(port, headOf(`Connection: close\r\nContent-Length: ${last}\r\n`) + bodyOf(last))
  assert.equal(parsedResponse(fits).text, String(last - 11))
  const refused = await begin(t, port, headOf(`Content-Length: ${last + 1}\r\n`))
  assert.match(assertError(parsedResponse(refused), 413, 'rest_body_too_large').message, /65,536/)
  const split = headOf('Connection: close\r\nTransfer-Encoding: chunked\r\n') + chunked(bodyOf(last + 1), 1000)
  assertError(parsedResponse(await talk(port, split)), 413, 'rest_body_too_large')
})

test('callers with credentials may send what is configured, in pieces of any size, and are looked up once', async (t) => {
  const { port, lookedUp } = await openServer(t)
  const length = 300 * KIB
  const text = bodyOf(length)
  const whole = await talk(port, headOf(`${KNOWN}Connection: close\r\nContent-Length: ${length}\r\n`) + text)
  assert.equal(parsedResponse(whole).text, String(length - 11))
  for (const size of [7, 4 * KIB, 100_000]) {
    const head = headOf(`${KNOWN}Connection: close\r\nTransfer-Encoding: chunked\r\n`)
    assert.equal(parsedResponse(await talk(port, head + chunked(text, size))).text, String(length - 11))
  }
  assert.equal(lookedUp(), 4)
  const large = await begin(t, port, headOf(`${KNOWN}Content-Length: ${length + 1}\r\n`))
  assert.match(assertError(parsedResponse(large), 413, 'rest_body_too_large').message, /307,200/)
})

test('wrong credentials are told before the body arrives', async (t) => {
  const { port } = await openServer(t)
  const text = headOf('Authorization: Basic bad\r\nContent-Length: 100000\r\n')
  assertError(parsedResponse(await begin(t, port, text)), 401, 'incorrect_password')
})

test('who sends far too much on a connection that is to close gets the refusal', async (t) => {
  const { port } = await openServer(t)
  const body = 'x'.repeat(10_000_000)
  const text = headOf(`Connection: close\r\nContent-Length: ${body.length}\r\n`) + body
  for (let turn = 0; turn < 3; turn += 1)
    assertError(parsedResponse(await talk(port, text)), 413, 'rest_body_too_large')
})

/** Sends a part of a body and keeps the rest back. */
async function hold(t: TestContext, port: number, own: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  atEnd(t, async () => socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`${headOf(`${own}Content-Length: ${64 * KIB}\r\n`)}${'x'.repeat(60 * KIB)}`)
  return socket
}

async function post(port: number, own: string): Promise<ReturnType<typeof parsedResponse>> {
  return parsedResponse(
    await talk(port, `${headOf(`${own}Connection: close\r\nContent-Length: ${20 * KIB}\r\n`)}${bodyOf(20 * KIB)}`),
  )
}

test('bodies that are held back are bounded for each client, take nothing from those with credentials, and are given up', async (t) => {
  const bounds = { ...TEST_BOUNDS, bodyBytes: 1024 * KIB }
  const { port } = await openServer(t, { bounds })
  const held: Socket[] = []
  // A quarter of all has room for four of them.
  for (let count = 0; count < 5; count += 1) held.push(await hold(t, port, ''))
  const refused = await Promise.any(held.map((socket) => once(socket, 'data')))
  assertError(parsedResponse(String(refused[0])), 503, 'rest_unavailable')
  assert.match(String(refused[0]), /^retry-after: \d+\r$/im)
  assert.equal((await post(port, KNOWN)).status, 200)
  for (const socket of held) socket.destroy()
  for (;;) if ((await post(port, '')).status === 200) break
})

test('forms with pictures of visitors leave room for what everybody else sends', async () => {
  const intake = new Intake(1024 * KIB)
  const take = (length: number, limit: number): Promise<Buffer> => {
    const raw = new IncomingMessage(new Socket())
    raw.headers['content-length'] = String(length)
    const client = { key: 'one', address: 'one', isProxy: false }
    const taking = intake.take({
      request: { raw, response: new ServerResponse(raw), client },
      limit,
      isKnown: false,
    })
    raw.push(Buffer.alloc(length))
    raw.push(null)
    return taking
  }
  await take(200 * KIB, 200 * KIB)
  await assert.rejects(take(100 * KIB, 200 * KIB), { code: 'rest_unavailable' })
  assert.equal((await take(50 * KIB, 64 * KIB)).length, 50 * KIB)
})

test('a client that has gone before its body is taken in ends the wait for it', async () => {
  const raw = new IncomingMessage(new Socket())
  raw.destroy()
  await once(raw, 'close')
  const response = new ServerResponse(raw)
  const intake = new Intake(KIB)
  const client = { key: 'one', address: 'one', isProxy: false }
  const taking = intake.take({ request: { raw, response, client }, limit: KIB, isKnown: true })
  await assert.rejects(taking, { code: 'rest_bad_request' })
  assert.equal(intake.held, 0)
})
