import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ItemTexts } from './item-texts.ts'

const MB = 1024 ** 2

/** Until nothing more happens by itself. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate)
}

/** Streams that send texts of a size and stop reading in the midst of it. */
function openReaders(bytes = MB) {
  const texts = new ItemTexts()
  const seen = { made: 0, sending: 0 }
  const reading: (() => void)[] = []
  const { signal } = new AbortController()
  const send = (key: string, client: string, until: AbortSignal = signal): Promise<void> =>
    texts.send(
      { key: () => key, client, signal: until },
      async () => {
        seen.made += 1
        return Buffer.alloc(bytes)
      },
      () => {
        seen.sending += 1
        return new Promise((resolve) => reading.push(resolve))
      },
    )
  return { texts, seen, reading, send, settle }
}

test('streams that send the same share one text, and it is gone when all have read it', async () => {
  const { texts, seen, reading, send, settle } = openReaders()
  const all = Array.from({ length: 300 }, (_, index) => send('event 1', `client ${index}`))
  await settle()
  assert.deepEqual([seen.made, seen.sending, texts.bytes], [1, 300, MB])
  for (const read of reading) read()
  await Promise.all(all)
  assert.equal(texts.bytes, 0)
})

test('a text is counted before it is made: however many streams ask, few are in memory, and the others wait', async () => {
  const { texts, seen, reading, send, settle } = openReaders()
  const all = Array.from({ length: 400 }, (_, index) => send(`event ${index}`, `client ${index}`))
  await settle()
  assert.ok(texts.bytes <= 64 * MB, `${texts.bytes} bytes`)
  assert.ok(seen.made > 50 && seen.made < 65, `${seen.made} made`)
  while (seen.sending > 0 && reading.length > 0) {
    for (const read of reading.splice(0)) read()
    await settle()
  }
  await Promise.all(all)
  assert.deepEqual([seen.made, texts.bytes], [400, 0])
})

test('one client has a quarter, so that others go on', async () => {
  const { seen, send, settle } = openReaders()
  for (let index = 0; index < 50; index += 1) void send(`event ${index}`, 'one')
  await settle()
  assert.ok(seen.made <= 16, `${seen.made} made`)
  void send('event 60', 'another')
  await settle()
  assert.equal(seen.sending, seen.made)
})

test('what cannot be made, and a stream that ends while it waits, leave nothing behind', async () => {
  const { texts, reading, send, settle } = openReaders(32 * MB)
  const signal = new AbortController()
  const failing = texts.send(
    { key: () => 'broken', client: 'one', signal: signal.signal },
    async () => assert.fail('the database is away'),
    async () => assert.fail('nothing is sent'),
  )
  await assert.rejects(failing, /away/)
  const first = send('event 1', 'one')
  const ending = new AbortController()
  await settle()
  const second = send('event 2', 'one', ending.signal)
  ending.abort(new Error('gone'))
  await assert.rejects(second, /gone/)
  reading[0]?.()
  await first
  assert.equal(texts.bytes, 0)
})

test('what was sent is not made again for those who come to it later, as long as there is not too much of it', async () => {
  const { seen, reading, send, settle } = openReaders()
  for (const key of ['event 1', 'event 2', 'event 1', 'event 2']) {
    const sent = send(key, 'one')
    await settle()
    reading.shift()?.()
    await sent
    await settle()
  }
  assert.equal(seen.made, 2)
  for (let index = 0; index < 9; index += 1) {
    const sent = send(`other ${index}`, 'one')
    await settle()
    reading.shift()?.()
    await sent
    await settle()
  }
  void send('event 1', 'one')
  await settle()
  assert.equal(seen.made, 12)
})

test('something else comes between two items, however fast clients read', async () => {
  const texts = new ItemTexts()
  const { signal } = new AbortController()
  let turns = 0
  let most = 0
  let sent = 0
  const count = (): void => {
    most = Math.max(most, sent)
    sent = 0
    turns += 1
    if (turns < 400) setImmediate(count)
  }
  setImmediate(count)
  const asked = { key: () => 'event 1', client: 'one', signal }
  const send = async (): Promise<void> => {
    sent += 1
  }
  await Promise.all(Array.from({ length: 200 }, () => texts.send(asked, async () => Buffer.alloc(MB), send)))
  assert.ok(most <= 2, `${most} items in a turn`)
})
