import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import fc from 'fast-check'
import { draws, SEED } from '../../../test/support/draws.ts'
import { knowPassword } from '../../../test/support/known-password.ts'
import { ENGINES, openTestStorage } from '../../../test/support/test-storage.ts'
import { type ErrorCode, Failure } from '../../base/errors.ts'
import type { EngineName } from '../../storage/engine.ts'
import { removePasskey } from '../passkeys/index.ts'
import { insertPasskey, passkeysOf } from '../passkeys/store.ts'
import { removePassword } from '../sessions/index.ts'
import { disconnect } from '../single-sign-on/index.ts'
import { identitiesOfUser, insertIdentity } from '../single-sign-on/store.ts'
import { addUser, disableUser, enableUser, listUsers, setRole, type User, type UserBook } from '../users/index.ts'
import { openWaysOf, waysInOf } from './index.ts'

const NAMES = ['ada', 'bob', 'cyd'] as const

/** What administrators take from others, the last way in as well. */
const OF_OTHERS = ['take passkey', 'take account'] as const

/** What is done to somebody, one step after another. */
const STEPS = [
  'administrator',
  'editor',
  'disable',
  'enable',
  'set password',
  'remove password',
  'add passkey',
  'remove passkey',
  'connect',
  'disconnect',
  ...OF_OTHERS,
] as const

type Step = (typeof STEPS)[number]

let made = 0

const ISSUER = 'https://id.example.org'

/** All ways in, and those of a site where only one person may type a password and one of two providers is set up. */
const POLICIES = {
  'with all ways in': undefined,
  'with passwords off': openWaysOf({ passwordSignIn: false, breakGlass: ['Ada'] }, [ISSUER]),
}

/** What each step does; those that are refused throw. */
async function take(book: UserBook, step: Step, user: User): Promise<unknown> {
  const { name, id } = user
  if (step === 'administrator' || step === 'editor') return setRole(book, { name, role: step })
  if (step === 'disable') return disableUser(book, { name })
  if (step === 'enable') return enableUser(book, { name })
  if (step === 'set password') return knowPassword(book, name)
  if (step === 'remove password') return removePassword(book, user)
  const mayBeLast = OF_OTHERS.some((one) => one === step)
  if (step === 'remove passkey' || step === 'take passkey')
    return removePasskey(book, user, { id: (await passkeysOf(book.storage, id))[0]?.id ?? '', mayBeLast })
  if (step === 'disconnect' || step === 'take account')
    return disconnect(book, { user, id: (await identitiesOfUser(book.storage, id))[0]?.id ?? '', mayBeLast })
  made += 1
  if (step === 'connect') return connectAccount(book, id)
  const text = { user_handle: 'handle', public_key: '', name: 'Key', created_at: '2026-05-01 10:30:00', used_at: null }
  return book.storage.write((tx) => insertPasskey(tx, { id: `key ${made}`, user_id: id, counter: 0, ...text }))
}

/** An account at a provider, as after single sign-on. */
function connectAccount({ storage }: UserBook, userId: number): Promise<void> {
  const issuer = made % 2 === 0 ? ISSUER : 'https://gone.example.org'
  const key = { id: `identity ${made}`, user_id: userId, issuer, subject: String(made) }
  const about = { name: '', created_at: '2026-05-01 10:30:00', used_at: null }
  return storage.write((tx) => insertIdentity(tx, { ...key, ...about }))
}

/** How many enabled administrators can sign in by themselves, and who can sign in at all. */
async function state(
  book: UserBook,
): Promise<{ readonly administrators: number; readonly withWay: readonly string[] }> {
  const users = await Promise.all(
    (await listUsers(book)).map(async (user) => {
      const { password, passkey, identity } = await waysInOf(book.storage, user, book.openWays)
      return { ...user, isLocal: password + passkey > 0, hasWay: password + passkey + identity > 0 }
    }),
  )
  const withWay = users.filter(({ hasWay }) => hasWay)
  const administrators = withWay.filter(
    (one) => one.isLocal && one.role === 'administrator' && one.disabledAt === null,
  ).length
  return { administrators, withWay: withWay.map(({ name }) => name) }
}

function failsWith(code: ErrorCode) {
  return (error: unknown) => error instanceof Failure && error.code === code
}

async function open(engine: EngineName, t: TestContext, policy: keyof typeof POLICIES): Promise<UserBook> {
  const storage = await openTestStorage(engine, t)
  const openWays = POLICIES[policy]
  const book = { storage, now: () => Date.UTC(2026, 4, 1, 10, 30), secret: 'key', ...(openWays && { openWays }) }
  for (const name of NAMES) await addUser(book, { name, email: `${name}@example.org`, role: 'administrator' })
  await knowPassword(book, 'ada')
  return book
}

for (const engine of ENGINES) {
  for (const policy of ['with all ways in', 'with passwords off'] as const)
    test(`${engine}: ${policy}, no sequence of changes locks out the last administrator, or anybody who changes a way in`, async (t) => {
      const book = await open(engine, t, policy)
      const step = fc.record({ name: fc.constantFrom(...NAMES), step: fc.constantFrom(...STEPS) })
      const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        for (const { name, step: wanted } of steps) {
          const before = await state(book)
          const user = (await listUsers(book)).find((one) => one.name === name)
          assert.ok(user)
          try {
            await take(book, wanted, user)
          } catch (error) {
            assert.ok(error instanceof Failure, String(error))
            assert.deepEqual(await state(book), before, `${wanted} of ${name} was refused`)
          }
          const after = await state(book)
          assert.ok(after.administrators > 0, `${wanted} of ${name}`)
          const isTaken = OF_OTHERS.some((one) => one === wanted)
          for (const one of before.withWay)
            assert.ok(after.withWay.includes(one) || (isTaken && one === name), `${wanted} of ${name}`)
        }
      })
      await fc.assert(property, { numRuns: draws(100, 5), seed: SEED })
    })

  test(`${engine}: where passwords are off, one that is left is no way in, and the last administrator signs in elsewhere`, async (t) => {
    const book = await open(engine, t, 'with passwords off')
    const [ada, bob, cyd] = await listUsers(book)
    assert.ok(ada && bob && cyd)
    await knowPassword(book, 'bob')
    await setRole(book, { name: 'cyd', role: 'editor' })
    await assert.rejects(setRole(book, { name: 'ada', role: 'editor' }), failsWith('last_administrator'))
    // One at the provider that is set up, and one at the other.
    for (let count = 1; count <= 2; count++) {
      made += 1
      await connectAccount(book, bob.id)
    }
    const identities = await identitiesOfUser(book.storage, bob.id)
    assert.equal(identities.length, 2)
    const used = identities.find(({ issuer }) => issuer === ISSUER)
    await assert.rejects(disconnect(book, { user: bob, id: used?.id ?? '' }), failsWith('last_way_in'))
    // Nobody has a way in of one's own once the password of Ada is gone, too.
    await book.storage.write((tx) => tx.run(tx.db.deleteFrom('user_password').where('user_id', '=', ada.id)))
    await setRole(book, { name: 'ada', role: 'editor' })
    await assert.rejects(disableUser(book, { name: 'bob' }), failsWith('last_administrator'))
    const taken = disconnect(book, { user: bob, id: used?.id ?? '', mayBeLast: true })
    await assert.rejects(taken, failsWith('last_administrator'))
  })
}
