import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { talk } from '../../../test/support/http.ts'
import { ERRORS, Failure } from '../../base/errors.ts'
import { errorReply } from '../response/http-response.ts'
import { networksOf } from './client-of.ts'
import { type HandOverTimeouts, handOver, takeOver } from './hand-over.ts'
import { ServerRequest } from './server-request.ts'

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

async function listen(t: TestContext, server: Server, at: string | number): Promise<Server> {
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  server.listen(at)
  await once(server, 'listening')
  return server
}

type Agreeing = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** The process that writes, as it behaves in a test. */
function writing(t: TestContext, socketPath: string, agree: Agreeing): Promise<Server> {
  const server = createServer()
  server.on('checkContinue', (request, response) => void agree(request, response))
  return listen(t, server, socketPath)
}

/** A process that hands all requests over; what it answers when that fails is the code of the error. */
async function openReader(
  t: TestContext,
  patience?: HandOverTimeouts,
): Promise<{ url: string; socketPath: string; seat: { isMine: boolean } }> {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const socketPath = join(folder, 'writer.sock')
  const seat = { isMine: false }
  const elsewhere = { isMine: () => seat.isMine, socketPath: async () => socketPath }
  const server = createServer((request, response) => {
    const handed = new ServerRequest({ request, response }, { proxies: networksOf([]) })
    handOver({ request: handed, extraHeaders: () => ({}) }, elsewhere, patience).then(
      (isAnswered) => isAnswered || response.end('done here'),
      (error: unknown) => response.writeHead(503).end(error instanceof Failure ? error.code : String(error)),
    )
  })
  await listen(t, server, 0)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/path?a=%20b`, socketPath, seat }
}

test('a request is handed over as it came, and the answer comes back as it was made', async (t) => {
  const { url, socketPath } = await openReader(t)
  await writing(t, socketPath, async (request, response) => {
    takeOver({ request, response })
    const { method, url: target, headers, socket } = request
    const body = await textOf(request)
    response.writeHead(207, 'Made', { 'X-Own': ['a', 'b'] })
    response.end(JSON.stringify({ method, target, headers, peer: socket.remoteAddress, body }))
  })
  const answer = await fetch(url, { method: 'PATCH', body: 'ä body', headers: { 'X-Some': 'thing' } })
  assert.deepEqual([answer.status, answer.statusText, answer.headers.get('x-own')], [207, 'Made', 'a, b'])
  const { headers, ...told } = (await answer.json()) as { headers: Record<string, string> }
  const peer = '127.0.0.1'
  assert.deepEqual(
    { ...told, peer: String((told as { peer?: string }).peer).replace('::ffff:', '') },
    { method: 'PATCH', target: '/some/path?a=%20b', peer, body: 'ä body' },
  )
  assert.deepEqual([headers['x-some'], headers['host'], headers['content-length']], ['thing', new URL(url).host, '7'])
  assert.deepEqual([headers['expect'], headers['x-kalends-peer']], [undefined, undefined])
})

test('a request waits for the process that writes, and is sent again when that ends before it has agreed', async (t) => {
  const { url, socketPath } = await openReader(t)
  let comings = 0
  const bodies: string[] = []
  const answering = fetch(url, { method: 'POST', body: 'once' })
  await writing(t, socketPath, async (request, response) => {
    comings += 1
    if (comings < 3) return void request.socket.destroy()
    takeOver({ request, response })
    bodies.push(await textOf(request))
    response.end('made')
  })
  assert.equal(await (await answering).text(), 'made')
  assert.deepEqual([comings, bodies], [3, ['once']])
})

test('a request is not sent again when the process that writes ends after it has agreed', async (t) => {
  const { url, socketPath } = await openReader(t)
  let comings = 0
  await writing(t, socketPath, async (request, response) => {
    comings += 1
    takeOver({ request, response })
    await textOf(request)
    request.socket.destroy()
  })
  for (const method of ['POST', 'DELETE']) {
    const answer = await fetch(url, { method })
    assert.deepEqual([answer.status, await answer.text()], [503, 'rest_write_uncertain'])
  }
  assert.equal(comings, 2)
  // 503 and Retry-After would say that nothing was done: proxies and programs would send it again.
  const { headers } = errorReply(new Failure('rest_write_uncertain', {}, {}), 'en')
  assert.equal(ERRORS.rest_write_uncertain.status, 502)
  assert.equal(headers?.['retry-after'], undefined)
})

test('a process that writes and stands still is not waited for: nothing is begun before it agrees', async (t) => {
  const { url, socketPath } = await openReader(t, { total: 300, agreement: 50, pause: 5, response: 60_000 })
  let comings = 0
  let isStanding = true
  const begun: string[] = []
  await writing(t, socketPath, async (request, response) => {
    comings += 1
    // Agrees when nobody is there any more.
    if (isStanding) await once(request, 'close').catch(() => undefined)
    takeOver({ request, response })
    const body = await textOf(request).catch(() => undefined)
    if (body !== undefined) begun.push(body)
    response.end('made')
  })
  const refused = await fetch(url, { method: 'POST', body: 'never' })
  assert.deepEqual([refused.status, await refused.text()], [503, 'rest_unavailable'])
  assert.ok(comings > 1)
  isStanding = false
  assert.equal(await (await fetch(url, { method: 'POST', body: 'once' })).text(), 'made')
  assert.deepEqual(begun, ['once'])
})

test('a process that writes and stands still after it has agreed leaves the outcome open', async (t) => {
  const { url, socketPath } = await openReader(t, { total: 300, agreement: 50, pause: 5, response: 50 })
  await writing(t, socketPath, (request, response) => {
    takeOver({ request, response })
    request.resume()
  })
  const answer = await fetch(url, { method: 'POST', body: 'x' })
  assert.deepEqual([answer.status, await answer.text()], [503, 'rest_write_uncertain'])
})

test('a request without a body is begun only after the process that writes has agreed', async (t) => {
  const { url, socketPath } = await openReader(t)
  await writing(t, socketPath, (request, response) => {
    // Its end has not come: it is sent when this process has agreed.
    assert.equal(request.complete, false)
    takeOver({ request, response })
    request.resume().once('end', () => response.end('gone'))
  })
  assert.equal(await (await fetch(url, { method: 'DELETE' })).text(), 'gone')
})

test('a request that waits is done here when this process becomes the one that writes', async (t) => {
  const { url, seat } = await openReader(t)
  const answering = fetch(url, { method: 'POST', body: 'x' })
  seat.isMine = true
  assert.equal(await (await answering).text(), 'done here')
})

test('a refusal arrives although the body is not read', async (t) => {
  const { url, socketPath } = await openReader(t)
  await writing(t, socketPath, (request, response) => {
    takeOver({ request, response })
    response.writeHead(413, { connection: 'close' }).end('too large')
  })
  const answer = await fetch(url, { method: 'POST', body: 'x'.repeat(5_000_000) })
  assert.deepEqual([answer.status, await answer.text()], [413, 'too large'])
})

test('a refusal ends the connection of a client that has not sent all of its body', async (t) => {
  const { url, socketPath } = await openReader(t)
  await writing(t, socketPath, (request, response) => {
    takeOver({ request, response })
    response.writeHead(413, { connection: 'close' }).end('too large')
  })
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nbeginning`
  const heard = await talk(Number(new URL(url).port), head)
  assert.match(heard, /^HTTP\/1.1 413 .*^connection: close\r$/ims)
})
