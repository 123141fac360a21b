import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { createServer } from './server.ts'
import { routeFor, serverParts } from './testing.ts'

test('a request that came another way is answered before the server listens', async (t) => {
  const server = createServer(serverParts([routeFor('GET', '/x', { handle: async () => ({ status: 200, body: {} }) })]))
  t.after(() => server.close())
  const way = createHttpServer((request, response) => void server.answer({ request, response }))
  t.after(() => way.close())
  way.listen(0)
  await once(way, 'listening')
  const { port } = way.address() as AddressInfo
  for (const path of ['x', 'nothing']) {
    const answer = await fetch(`http://127.0.0.1:${port}/cal/events/v1/${path}`)
    assert.deepEqual([path, answer.status], [path, path === 'x' ? 200 : 404])
  }
})
