import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import test, * as nodeTest from 'node:test'
import { openTestApp } from './support/app.ts'
import { rowsOf } from './support/storage.ts'

const app = await openTestApp(nodeTest)
const EVENT = JSON.stringify({ title: 'Cut', start_date: '2027-01-01', end_date: '2027-01-02' })

/** Sends bytes, closes our side when they are gone, and waits until the server has closed its own. */
async function sendAndLeave(bytes: string): Promise<void> {
  const socket = connect(Number(new URL(app.origin).port), '127.0.0.1')
  socket.on('error', () => undefined).resume()
  socket.end(bytes)
  await once(socket, 'close')
}

test('a write whose body does not arrive whole leaves nothing, and the next one is served', async () => {
  const head = [
    'POST /cal/events/v1/events HTTP/1.1',
    'Host: x',
    `Authorization: ${app.authorization('editor')}`,
    'Content-Type: application/json',
  ]
  const cut = `${head.join('\r\n')}\r\nContent-Length: ${EVENT.length + 1}\r\n\r\n${EVENT}`
  const chunk = `${EVENT.length.toString(16)}\r\n${EVENT}\r\n`
  const unended = `${head.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`
  for (const bytes of [cut, unended, `${unended}ZZ\r\n`, `${head.join('\r\n')}\r\nContent-Le`])
    await sendAndLeave(bytes)
  assert.deepEqual(await rowsOf(app.app.storage, "select id from journal where resource = 'event'"), [])
  const made = await app.call('editor', 'POST', '/events', { json: JSON.parse(EVENT) })
  assert.equal(made.status, 201)
})
