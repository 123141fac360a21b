import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lasting, onBehalfOf } from '../../base/requester.ts'
import { isPersonPassword } from './person-password.ts'

test('wrong passwords from one address wait in turn, a few of them, and hold up nobody else', async () => {
  const ended: string[] = []
  const check = (client: string): Promise<void> =>
    onBehalfOf(lasting(client), async () => {
      await isPersonPassword('wrong', undefined)
      ended.push(client)
    })
  const flood = Promise.allSettled(Array.from({ length: 400 }, () => check('attacker')))
  const rightful = [check('ann'), check('bob')]
  await Promise.all(rightful)
  assert.ok(ended.length <= 5, `${ended.length} ended before`)
  const outcomes = await flood
  const refused = outcomes.filter((one) => one.status === 'rejected')
  assert.equal(refused.length, 400 - 1 - 16)
  assert.ok(refused.every(({ reason }) => reason.code === 'rest_too_busy'))
})
