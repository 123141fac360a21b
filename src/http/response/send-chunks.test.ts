import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { talk } from '../../../test/support/http.ts'
import type { ServerRequest } from '../request/server-request.ts'
import { sendChunks } from './send-chunks.ts'

/** Parts of each response. */
const PARTS = 20

/** A server that has every part of its responses at hand; the client of each request is its path. */
async function serve(t: TestContext) {
  /** Who got a part, and in which turn of the event loop. */
  const made: { readonly client: string; readonly part: number; readonly turn: number }[] = []
  let turn = 0
  const count = (): void => {
    turn += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const server = createServer((request, response) => {
    const client = request.url ?? ''
    const chunks = (async function* () {
      for (let part = 0; part < PARTS; part += 1) {
        made.push({ client, part, turn })
        yield Buffer.from(`${part},`)
      }
    })()
    const asked = { response, sentMethod: 'GET', client: { key: client } } as unknown as ServerRequest
    sendChunks(asked, { status: 200, headers: {}, chunks }).catch(assert.fail)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    clearImmediate(counting)
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const ask = (client: string): Promise<string> =>
    talk(port, `GET ${client} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  return { made, ask }
}

test('each part of a response that is made while it is sent has a turn of the event loop', async (t) => {
  const { made, ask } = await serve(t)
  assert.match(await ask('/a'), /0,.*19,/s)
  assert.equal(new Set(made.map(({ turn }) => turn)).size, PARTS)
})

test('of many such responses one has a part made in a turn, and their clients take turns', async (t) => {
  const { made, ask } = await serve(t)
  await Promise.all(['/a', '/a', '/a', '/a', '/b'].map(ask))
  // The first part of a response is made as soon as its request is admitted.
  const later = made.filter(({ part }) => part > 0)
  assert.equal(new Set(later.map(({ turn }) => turn)).size, later.length)
  const ofFew = later.flatMap(({ client }, place) => (client === '/b' ? [place] : []))
  const between = ofFew.slice(1).map((place, index) => place - (ofFew[index] ?? 0))
  assert.ok(Math.max(...between) <= 3, between.join())
})
