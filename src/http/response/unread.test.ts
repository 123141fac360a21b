import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { UnreadBytes } from '../request/clients.ts'
import type { ServerRequest } from '../request/server-request.ts'

const MB = 1024 ** 2
const TOO_BUSY = { code: 'rest_too_busy' }

/** A response of which a client has left so many bytes unread. */
function sentTo(key: string, writableLength: number, isProxy = false): Pick<ServerRequest, 'client' | 'response'> {
  const response = Object.assign(new EventEmitter(), { writableLength, closed: false })
  return { client: { key, address: key, isProxy }, response: response as unknown as ServerRequest['response'] }
}

async function leave(unread: UnreadBytes, sent: Pick<ServerRequest, 'client' | 'response'>): Promise<void> {
  unread.count(sent, sent.response.writableLength)
  await new Promise(process.nextTick)
}

test('a client that leaves 32 MiB unread gets nothing further until it has read them, and others do', async () => {
  const unread = new UnreadBytes()
  const sent = [1, 2, 3, 4, 5].map(() => sentTo('one', 8 * MB))
  for (const one of sent) {
    unread.requireRoom(one)
    await leave(unread, one)
  }
  assert.throws(() => unread.requireRoom(sentTo('one', 0)), TOO_BUSY)
  unread.requireRoom(sentTo('other', 0))
  sent[0]?.response.emit('close')
  unread.requireRoom(sentTo('one', 0))
})

test('where clients leave very much together, each has to read before it asks again', async () => {
  const unread = new UnreadBytes()
  const sent = Array.from({ length: 12 }, (_, index) => sentTo(`client ${index}`, 24 * MB))
  for (const one of sent) await leave(unread, one)
  assert.throws(() => unread.requireRoom(sentTo('client 0', 0)), TOO_BUSY)
  unread.requireRoom(sentTo('visitor', 0))
  unread.requireRoom(sentTo('client 0', 0, true))
})

test('small bodies are not counted, and those that are produced while they are sent count as one part', async () => {
  const unread = new UnreadBytes()
  for (let index = 0; index < 2_000; index += 1) await leave(unread, sentTo('one', 60_000))
  unread.requireRoom(sentTo('one', 0))
  for (let index = 0; index < 33; index += 1) unread.countPart(sentTo('one', 0))
  assert.throws(() => unread.requireRoom(sentTo('one', 0)), TOO_BUSY)
})
