import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import test from 'node:test'
import { assertError, parsedResponse, routeFor, serverParts, talk } from '../../test/support/http.ts'
import { createLog } from '../base/log.ts'
import { createServer } from './server.ts'

const SLOW = '/cal/events/v1/slow'

test('a server that refuses keeps its port open, ends connections with 503, and finishes what is under way', async (t) => {
  const arrived = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  let begun = 0
  const handle = async () => {
    begun += 1
    arrived.resolve()
    await go.promise
    return { status: 200, body: {} }
  }
  const logged: string[] = []
  const stream = { write: (line: string) => void logged.push(line) }
  const routes = [routeFor('GET', '/slow', { handle }), routeFor('POST', '/slow', { handle })]
  const server = createServer({ ...serverParts(routes), log: createLog({ level: 'info', now: () => 0, stream }) })
  t.after(() => server.close())
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const kept = connect(port, '127.0.0.1')
  kept.write('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(kept, 'data')
  const first = talk(port, `GET ${SLOW} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  await arrived.promise

  server.refuse()
  const closed = once(kept, 'close')
  kept.write(`GET ${SLOW} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const text = String((await once(kept, 'data'))[0])
  assertError(parsedResponse(text), 503, 'rest_unavailable')
  assert.match(text, /^connection: close\r$/im)
  assert.match(text, /^retry-after: 1\r$/im)
  await closed
  // A body that is on its way is taken in to the end: with a part unread the refusal would be lost.
  const body = 'x'.repeat(5_000_000)
  const large = await talk(port, `POST ${SLOW} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  assertError(parsedResponse(large), 503, 'rest_unavailable')
  go.resolve()
  assert.equal(parsedResponse(await first).status, 200)
  assert.deepEqual([begun, logged], [1, []])
})
