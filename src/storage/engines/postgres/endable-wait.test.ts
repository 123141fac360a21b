import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EndableWait } from './endable-wait.ts'

test('who waits gets the result or the error, and then waits no more', async () => {
  const patience = new EndableWait()
  assert.equal(await patience.wait(Promise.resolve('x')), 'x')
  await assert.rejects(patience.wait(Promise.reject(new Error('no'))), /no/)
  assert.equal(patience.waiting, 0)
})

test('when waiting ends all who wait get nothing, and those who come later wait again', async () => {
  const patience = new EndableWait()
  const never = new Promise<string>(() => undefined)
  const all = [patience.wait(never), patience.wait(never)]
  assert.equal(patience.waiting, 2)
  patience.end()
  assert.deepEqual(await Promise.all(all), [undefined, undefined])
  assert.equal(patience.waiting, 0)
  assert.equal(await patience.wait(Promise.resolve('later')), 'later')
})
