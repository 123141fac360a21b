import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { askedPause, pauseAfter } from './retries.ts'
import { attempt } from './send.ts'

const NOW = Date.UTC(2026, 10, 20, 18, 0, 0)

function hookAt(url: string) {
  return {
    ...{ id: 1, url, description: '', events: '[]', audience: 'public', active: 1, secret: 'whsec_AAAA', seq: 0 },
    ...{
      former_secret: '',
      former_until: null,
      failures: 0,
      problem: '',
      succeeded_at: null,
      modified_at: null,
      created_at: '',
    },
  }
}

const MESSAGE = { delivery: { message: 'msg_1' }, body: '{"type":"webhook.test"}' }
const gate = (): boolean => true

test('a receiver that never answers, or never ends its answer, is left at the deadline', async (t) => {
  const receiver = await openReceiver(t)
  receiver.answer = () => undefined
  const silent = await attempt({ gate, now: NOW, patience: 300 }, hookAt(receiver.origin), MESSAGE)
  assert.deepEqual([silent.isDelivered, silent.problem], [false, 'too late'])
  receiver.answer = (response) => void response.writeHead(200).write('a')
  const endless = await attempt({ gate, now: NOW, patience: 300 }, hookAt(receiver.origin), MESSAGE)
  assert.deepEqual([endless.isDelivered, endless.problem], [false, 'too late'])
})

test('a receiver that breaks off, or is not there, fails the attempt and nothing else', async (t) => {
  const receiver = await openReceiver(t)
  receiver.answer = (response) => void response.destroy()
  assert.equal((await attempt({ gate, now: NOW }, hookAt(receiver.origin), MESSAGE)).problem, 'unreachable')
  receiver.answer = (response) => {
    response.writeHead(200, { 'content-length': '10' })
    response.write('a', () => response.destroy())
  }
  assert.equal((await attempt({ gate, now: NOW }, hookAt(receiver.origin), MESSAGE)).problem, 'broken off')
  const nowhere = hookAt('http://127.0.0.1:1/')
  assert.equal((await attempt({ gate, now: NOW }, nowhere, MESSAGE)).problem, 'unreachable')
})

test('an attempt that is broken off by the sender ends at once', async (t) => {
  const receiver = await openReceiver(t)
  const pause = new AbortController()
  receiver.answer = () => pause.abort()
  const { isDelivered } = await attempt({ gate, now: NOW, signal: pause.signal }, hookAt(receiver.origin), MESSAGE)
  assert.equal(isDelivered, false)
})

test('Retry-After is at most a day', () => {
  const asked = ['120', '999999999', '0', 'soon']
  assert.deepEqual(
    asked.map((header) => askedPause({ 'retry-after': header }, NOW) / 1000),
    [120, 86_400, 0, 0],
  )
})

test('pauses grow to six hours, and are not the same for all messages', () => {
  for (let attempts = 1; attempts < 40; attempts += 1) {
    const usual = Math.min(5000 * 3 ** (attempts - 1), 21_600_000)
    const drawn = Array.from({ length: 20 }, (_none, index) => pauseAfter(attempts, `msg_${index}`))
    for (const pause of drawn) assert.ok(pause >= usual * 0.8 && pause <= usual * 1.2, `${attempts}: ${pause}`)
    assert.ok(new Set(drawn).size > 10)
  }
})
