import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { freePort } from './support/free-port.ts'
import { skipWithout } from './support/missing.ts'
import { hasNginx, NGINX, startNginx } from './support/nginx.ts'
import { testFolder } from './support/test-storage.ts'

const skip = skipWithout(hasNginx(), NGINX)
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE']
const READS = ['GET', 'HEAD']

type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** A process that was asked, which says with 200 that it was. */
const well: Answering = (_request, response) => response.end('well')

async function listen(t: TestContext, answering: Answering): Promise<number> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answering(request, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Status of a request that nginx gives to a first process and, if it may, to a second one that is well. */
async function statusOf(t: TestContext, method: string, first: number): Promise<number> {
  const nginx = await startNginx(testFolder(t), [first, await listen(t, well)])
  const body = READS.includes(method) || method === 'DELETE' ? {} : { body: '{"title":"Talk"}' }
  const { status } = await fetch(nginx.origin, { method, ...body })
  await nginx.stop()
  return status
}

async function statusesOf(t: TestContext, methods: readonly string[], first: () => Promise<number>): Promise<number[]> {
  const statuses: number[] = []
  for (const method of methods) statuses.push(await statusOf(t, method, await first()))
  return statuses
}

test('every request goes to another process when one takes no connection', { skip }, async (t) => {
  assert.deepEqual(await statusesOf(t, [...READS, ...WRITES], freePort), [200, 200, 200, 200, 200, 200])
})

test('every request goes to another process when one says with 503 that it has not begun', { skip }, async (t) => {
  const refusing = await listen(t, (_request, response) => response.writeHead(503).end())
  assert.deepEqual(await statusesOf(t, [...READS, ...WRITES], async () => refusing), [200, 200, 200, 200, 200, 200])
})

test('a write goes nowhere else when a process has received it and does not answer, a read does', {
  skip,
}, async (t) => {
  const dying = await listen(t, (request) => request.socket.destroy())
  assert.deepEqual(await statusesOf(t, [...READS, ...WRITES], async () => dying), [200, 200, 502, 502, 502, 502])
})

test('what a process itself says of a write of unknown outcome is what the client gets', { skip }, async (t) => {
  let comings = 0
  const uncertain = await listen(t, (_request, response) => {
    comings += 1
    response.writeHead(502).end()
  })
  assert.deepEqual(await statusesOf(t, WRITES, async () => uncertain), [502, 502, 502, 502])
  assert.equal(comings, WRITES.length)
})
