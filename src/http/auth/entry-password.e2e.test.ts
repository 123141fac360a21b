import assert from 'node:assert/strict'
import test from 'node:test'
import { testClient } from '../../../test/support/test-storage.ts'
import { onBehalfOf } from '../../base/requester.ts'
import { entryPasswordSalt, entryPasswordTrial, hashEntryPassword } from './entry-password.ts'

const SALT = entryPasswordSalt('secret')

test('the password that was hashed opens, and no other does', async () => {
  const stored = await hashEntryPassword('Spélling', SALT)
  assert.ok(await entryPasswordTrial('Spélling')(stored))
  assert.ok(await entryPasswordTrial('Spe\u0301lling')(stored), 'the same letters written otherwise')
  for (const wrong of ['spélling', 'Spélling ', '', 'Spelling']) assert.ok(!(await entryPasswordTrial(wrong)(stored)))
})

test('equal passwords have different hashes, and a hash says nothing of the password', async () => {
  const hashes = await Promise.all([hashEntryPassword('open', SALT), hashEntryPassword('open', SALT)])
  assert.equal(new Set(hashes).size, 2)
  for (const stored of hashes) assert.match(stored, /^scrypt(:[\w-]{22}){2}:[\w-]{43}$/)
})

test('all hashes of a site have one salt to stretch with, and are told apart in one trial', async () => {
  const hashes = await Promise.all(Array.from({ length: 8 }, (_none, n) => hashEntryPassword(`word ${n % 2}`, SALT)))
  assert.equal(new Set(hashes.map((stored) => stored.split(':')[1])).size, 1)
  const right = await Promise.all(hashes.map(entryPasswordTrial('word 1')))
  assert.deepEqual(right, [false, true, false, true, false, true, false, true])
})

test('a hash that was made before the secret changed still opens', async () => {
  const former = await hashEntryPassword('open', entryPasswordSalt('former secret'))
  const isRight = entryPasswordTrial('open')
  assert.deepEqual(await Promise.all([former, await hashEntryPassword('open', SALT)].map(isRight)), [true, true])
})

test('what is no hash opens with nothing', async () => {
  for (const stored of ['', 'scrypt', 'scrypt:::']) assert.ok(!(await entryPasswordTrial('')(stored)), stored)
})

test('passwords that were set before sites had one salt still open', async () => {
  // Computed with the scrypt of Python's hashlib: 'open', salt 'sixteen bytes :)', n=16384, r=8, p=1.
  const stored = 'scrypt:c2l4dGVlbiBieXRlcyA6KQ:VYRoVNaMnO_vkB_T9Vi4CzzQ_1GD-i3O6yeQHNyTnEo'
  assert.ok(await entryPasswordTrial('open')(stored))
  assert.ok(!(await entryPasswordTrial('shut')(stored)))
})

test('clients take turns with passwords that take long to try, and one client may have so many waiting', async () => {
  const stored = await hashEntryPassword('open', SALT)
  let tried = 0
  const tryFor = (client: string): Promise<void> =>
    onBehalfOf(testClient(client), async () => {
      assert.ok(await entryPasswordTrial('open')(stored))
      tried += 1
    })
  const many = Promise.allSettled(Array.from({ length: 100 }, () => tryFor('a')))
  await tryFor('b')
  assert.ok(tried < 30, `${tried} when the other client has had its turn`)
  const refused = (await many).filter(({ status }) => status === 'rejected')
  assert.ok(refused.length >= 35 && refused.length < 100, `${refused.length} refused`)
  for (const one of refused) assert.equal(one.status === 'rejected' && one.reason.code, 'rest_too_busy')
})

test('a password is set while guesses of many clients wait', async () => {
  const stored = await hashEntryPassword('open', SALT)
  let tried = 0
  const guessFrom = (client: string): Promise<void> =>
    onBehalfOf(testClient(client), async () => {
      assert.ok(!(await entryPasswordTrial('shut')(stored)))
      tried += 1
    })
  const guesses = Array.from({ length: 80 }, (_none, n) => guessFrom(`guesser ${n}`))
  const hash = await onBehalfOf(testClient('editor'), () => hashEntryPassword('new', SALT))
  assert.ok(tried < 40, `${tried} guesses came first`)
  await Promise.allSettled(guesses)
  assert.ok(await entryPasswordTrial('new')(hash))
})
