import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { serverParts } from '../../../test/support/http.ts'
import { createServer } from '../server.ts'

test('a file is closed when its client has left before it was open', { timeout: 120_000 }, async (t) => {
  const asked = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<string>()
  const file = {
    ...{ name: 'a.png', mime: 'image/png', size: 3 },
    read: () => Readable.from(['abc']).once('close', () => closed.resolve('after reading')),
    close: async () => closed.resolve('unread'),
  }
  const open = async () => {
    asked.resolve()
    await left.promise
    return file
  }
  const server = createServer({ ...serverParts([]), files: { path: '/media/', open } })
  const http = createHttpServer((request, response) => {
    response.once('close', left.resolve)
    server.handle({ request, response })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.after(() => void http.close())
  const client = connect((http.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET /media/a.png HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await asked.promise
  client.destroy()
  assert.equal(await closed.promise, 'unread')
})
