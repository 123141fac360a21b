import assert from 'node:assert/strict'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import test, { type TestContext } from 'node:test'
import { openRemoteSite } from '../../../test/support/images.ts'
import { addressGate } from './addresses.ts'
import { sendRequest } from './request.ts'

/** Has every name lead to these addresses, to the next of them with each question; how many were asked. */
function answering(t: TestContext, ...answers: readonly (readonly string[])[]): () => number {
  let asked = 0
  t.mock.method(dns, 'lookup', () => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    return Promise.resolve(answer.map((address) => ({ address, family: 4 })))
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return () => asked
}

/** A site at a name, of which only 127.0.0.1 may be connected to. */
async function open(t: TestContext) {
  const got: string[] = []
  const site = await openRemoteSite(t, {
    '/first': (response) => {
      got.push('first')
      response.end('first')
    },
    '/again': (response) => {
      got.push('again')
      response.writeHead(307, { location: '/first' }).end()
    },
  })
  const { port } = new URL(site.origin)
  const gate = addressGate(['127.0.0.1'])
  const send = (path: string) =>
    sendRequest(`http://rebinding.example:${port}${path}`, { gate, limit: 1000, patience: 60_000 })
  return { got, send }
}

const CLOSED = { ok: false, reason: 'closed_address' }

test('what a name led to when it was checked is connected to, whatever it leads to next', async (t) => {
  const { got, send } = await open(t)
  const asked = answering(t, ['127.0.0.1'], ['10.0.0.1'])
  const sent = await send('/first')
  assert.ok(sent.ok)
  assert.deepEqual([String(sent.response.bytes), asked(), got], ['first', 1, ['first']])
  assert.deepEqual(await send('/first'), CLOSED)
  assert.deepEqual([asked(), got], [2, ['first']])
})

test('a name that leads elsewhere when a redirect comes back to it is refused', async (t) => {
  const { got, send } = await open(t)
  const asked = answering(t, ['127.0.0.1'], ['169.254.169.254'])
  assert.deepEqual(await send('/again'), CLOSED)
  assert.deepEqual([asked(), got], [2, ['again']])
})

test('a name with one closed address among others is refused', async (t) => {
  const { got, send } = await open(t)
  answering(t, ['127.0.0.1', '192.168.0.1'])
  assert.deepEqual([await send('/first'), got], [CLOSED, []])
})
