import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { talk } from '../testing.ts'
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
