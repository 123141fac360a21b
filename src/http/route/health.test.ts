import assert from 'node:assert/strict'
import test from 'node:test'
import { Health, type HealthDeps } from './health.ts'

/** A health whose database answers as told; the clock is set by hand. */
function healthFor(ask: HealthDeps['ask']) {
  const state = { now: 0, asked: 0 }
  const counted = () => {
    state.asked += 1
    return ask()
  }
  return { state, health: new Health({ ask: counted, now: () => state.now, patience: 5 }) }
}

const unavailable = { code: 'rest_unavailable' }

test('checks within a second share one question, also those that come while it is open', async () => {
  const { state, health } = healthFor(async () => undefined)
  await Promise.all([health.check(), health.check()])
  state.now = 999
  await health.check()
  assert.equal(state.asked, 1)
  state.now = 1000
  await health.check()
  assert.equal(state.asked, 2)
})

test('a clock that is set back makes no answer stand for longer', async () => {
  const { state, health } = healthFor(async () => undefined)
  await health.check()
  state.now = -1000
  await health.check()
  assert.equal(state.asked, 2)
})

test('a database that refuses is rest_unavailable until it answers again', async () => {
  let isAway = true
  const { state, health } = healthFor(async () => {
    if (isAway) throw new Error('away')
  })
  await assert.rejects(health.check(), unavailable)
  isAway = false
  await assert.rejects(health.check(), unavailable)
  state.now = 1000
  await health.check()
})

test('a database that says nothing is given up, and the next check asks anew', async () => {
  const answers = [Promise.withResolvers<void>().promise, Promise.resolve()]
  const { state, health } = healthFor(() => answers[state.asked - 1] ?? assert.fail('asked again'))
  await assert.rejects(health.check(), unavailable)
  state.now = 1000
  await health.check()
})

test('a process that is about to end is rest_unavailable without a question, also to who asked before', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { state, health } = healthFor(() => promise)
  const early = health.check()
  health.drain()
  resolve()
  await assert.rejects(early, unavailable)
  await assert.rejects(health.check(), unavailable)
  assert.equal(state.asked, 1)
})
