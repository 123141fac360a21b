import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { talk } from '../../../test/support/http.ts'
import { writeResponse } from './respond.ts'

/** A server whose handler gets the responses. */
async function serve(t: TestContext, handle: (response: ServerResponse) => void): Promise<number> {
  const server = createServer((_request, response) => handle(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const PARTS = { status: 200, headers: { 'X-Own': 'a' }, body: Buffer.from('two parts') }

const ASKED = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

const none = (error: unknown): void => assert.fail(String(error))

test('an answer is sent with names in lower case and its length', async (t) => {
  const port = await serve(t, (response) => writeResponse(response, PARTS, none))
  assert.match(await talk(port, ASKED), /^HTTP\/1\.1 200 OK\r\nx-own: a\r\ncontent-length: 9\r\n.*\r\n\r\ntwo parts$/s)
})

test('an answer that cannot be sent is told of and ends its connection; the others of the turn are sent', async (t) => {
  const told: unknown[] = []
  const waiting: ServerResponse[] = []
  const port = await serve(t, (response) => {
    if (waiting.push(response) < 2) return
    const [first, second] = waiting
    if (first === undefined || second === undefined) return
    writeResponse(first, { ...PARTS, headers: { 'X-Odd': '\u0100' } }, (error) => told.push(error))
    writeResponse(second, PARTS, none)
  })
  const first = talk(port, ASKED)
  while (waiting.length === 0) await new Promise(setImmediate)
  const second = talk(port, ASKED)
  assert.deepEqual([await first, (await second).endsWith('two parts')], ['', true])
  assert.equal((told[0] as { code?: string }).code, 'ERR_INVALID_CHAR')
})

/** Of a list of many events. */
const LENGTH = 60_000

/** A body in pieces that shows whose it is in every byte. */
function bodyOf(letter: string, length: number): Buffer[] {
  const half = Math.floor(length / 2)
  return [Buffer.alloc(1, letter), Buffer.alloc(half, letter), Buffer.alloc(length - half - 1, letter)]
}

test('nobody gets the bytes of another, however slowly a response is read', async (t) => {
  let handled = Promise.withResolvers<boolean>()
  const port = await serve(t, (response) => {
    const [, letter = '', length = ''] = response.req.url?.split('/') ?? []
    writeResponse(response, { status: 200, headers: {}, body: bodyOf(letter, Number(length)) }, none)
    process.nextTick(() => handled.resolve(response.writableLength > 0))
  })
  const ask = (letter: string, length: number): string => `GET /${letter}/${length} HTTP/1.1\r\nHost: x\r\n\r\n`
  const slow = connect(port, '127.0.0.1')
  slow.pause()
  const letters: string[] = []
  const askSlowly = (): void => {
    letters.push(String.fromCharCode(97 + (letters.length % 26)))
    handled = Promise.withResolvers()
    slow.write(ask(letters.at(-1) ?? '', LENGTH))
  }
  // Until the system takes but a part of one; those after it have to wait.
  do askSlowly()
  while (!(await handled.promise))
  for (let more = 0; more < 5; more += 1) askSlowly()
  for (const length of [1, 2, 1_000, 16_384, LENGTH, 65_537, 500_000]) {
    const text = await talk(port, ask('Z', length).replace(/\r\n$/, 'Connection: close\r\n\r\n'))
    assert.equal(text.slice(text.indexOf('\r\n\r\n') + 4), 'Z'.repeat(length))
  }
  let received = ''
  slow.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk
  })
  slow.resume()
  while (received.length < letters.length * LENGTH) await once(slow, 'data')
  slow.end()
  await once(slow, 'close')
  const bodies = received.split(/HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)*\r\n/).slice(1)
  assert.deepEqual(
    bodies.map((body) => [body.length, [...new Set(body)].join('')]),
    letters.map((letter) => [LENGTH, letter]),
  )
})
