import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { ask, assertError, parsedResponse, routeFor, serverParts, talk } from '../../../test/support/http.ts'
import { createServer, type Server } from '../server.ts'

const URL_OF_FILES = '/cal/events/v1/files'

function serverFor(t: TestContext): Server {
  const route = routeFor('POST', '/files', {
    uploadLimit: 5000,
    open: (role) => role !== 'anonymous',
    handle: async ({ upload, sent }) => {
      const { bytes, ...rest } = upload ?? { bytes: [] }
      return { status: 201, body: { ...rest, size: bytes.length, title: sent['title'] ?? null } }
    },
  })
  const server = createServer(serverParts([route], { bodyLimit: 1000 }))
  t.after(() => server.close())
  return server
}

test('a route that takes a file gets the body as it is, with a limit of its own', async (t) => {
  const server = serverFor(t)
  const headers = {
    authorization: 'Basic ok',
    'content-type': 'application/json',
    'content-disposition': 'x; filename=a',
  }
  const sent = { method: 'POST', url: `${URL_OF_FILES}?title=t`, headers } as const
  const answer = await ask(server, { ...sent, payload: `{${'x'.repeat(3000)}` })
  assert.deepEqual(JSON.parse(answer.text), { type: 'application/json', name: 'a', size: 3001, title: 't' })
  const large = await ask(server, { ...sent, payload: 'x'.repeat(5001) })
  assert.match(assertError(large, 413, 'rest_body_too_large').message, /5,000/)
  assert.match((await ask(server, sent)).text, /"size":0/)
})

test('callers who may not send files are refused before the body arrives', async (t) => {
  const server = serverFor(t)
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const head = `POST ${URL_OF_FILES} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4000\r\n\r\n`
  assertError(parsedResponse(await talk(port, head)), 401, 'rest_forbidden')
})
