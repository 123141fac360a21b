import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openPool } from './connection.ts'
import { isConnectionGone } from './errors.ts'

/** A message of the server: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

/** All in one piece: signed in, ready, and ended by an administrator. */
const READY_AND_ENDED = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')),
])

async function listening(t: TestContext, onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer(onConnection)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('a connection that the server ends as it is made fails what it is used for, and nothing else', async (t) => {
  const port = await listening(t, (socket) => socket.once('data', () => socket.end(READY_AND_ENDED)))
  const reports: unknown[] = []
  const report = (error: unknown): void => void reports.push(error)
  const config = { host: '127.0.0.1', port, user: 'ann', database: 'calendar' }
  const pool = openPool({ config, report })
  await assert.rejects(pool.read({ sql: 'select 1', parameters: [] }), isConnectionGone)
  assert.deepEqual(pool.stats(), { open: 0, idle: 0 })
  await pool.close()
  assert.deepEqual(reports, [])
})
