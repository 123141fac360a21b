import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { draws } from '../../../test/support/draws.ts'
import { knowPassword } from '../../../test/support/known-password.ts'
import { ENGINES, openTestStorage } from '../../../test/support/test-storage.ts'
import { Failure } from '../../base/errors.ts'
import { ROLES, type Role } from '../../http/auth/rights.ts'
import { joinable } from '../../storage/reads.ts'
import { addUser, disableUser, enableUser, findLogin, listUsers, setRole, type UserBook } from '../users/index.ts'
import { waysInOf } from '../ways-in/index.ts'
import { arrive } from './enter.ts'
import { disconnect } from './identities.ts'
import type { Provider } from './providers.ts'
import { identitiesOfUser } from './store.ts'

const PROVIDER: Provider = {
  ...{ id: 'club', label: 'Club', issuer: 'https://club.example', clientId: 'kalends', scopes: 'openid' },
  ...{ roleClaim: 'roles', roles: {}, roleSync: 'always', create: 'yes', defaultRole: 'author', trustEmail: false },
}

const NAMES = ['ann', 'bob', 'cyd'] as const

/** Something that happens to one of them. */
type Step = {
  readonly what: 'arrive' | 'connect' | 'disconnect' | 'disable' | 'enable' | 'lower'
  readonly who: number
  readonly role: Role
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('arrive', 'arrive', 'connect', 'disconnect', 'disable', 'enable', 'lower'),
  who: fc.nat(NAMES.length - 1),
  role: fc.constantFrom(...ROLES),
})

async function take(book: UserBook, { what, who, role }: Step): Promise<unknown> {
  const name = NAMES[who] ?? ''
  const user = await findLogin(book.storage, name)
  if (user === undefined) throw new Error(`there is no ${name}`)
  const arrival = {
    provider: PROVIDER,
    claims: { sub: name },
    role,
    linkId: undefined,
  }
  switch (what) {
    case 'arrive':
    case 'connect':
      return arrive(book, { ...arrival, userId: what === 'connect' ? user.id : undefined })
    case 'disconnect': {
      const [identity] = await identitiesOfUser(book.storage, user.id)
      return disconnect(book, { user, id: identity?.id ?? '', mayBeLast: role === 'editor' })
    }
    case 'disable':
      return disableUser(book, { name })
    case 'enable':
      return enableUser(book, { name })
    case 'lower':
      return setRole(book, { name, role })
  }
}

/** Enabled administrators with a password. */
async function keepers(book: UserBook): Promise<string[]> {
  const administrators = (await listUsers(book)).filter(
    (user) => user.role === 'administrator' && user.disabledAt === null,
  )
  const ways = await Promise.all(
    administrators.map(async ({ id, name }) => ({ name, ...(await waysInOf(book.storage, { id, name }, undefined)) })),
  )
  return ways.filter(({ password }) => password > 0).map(({ name }) => name)
}

for (const engine of ENGINES) {
  test(`${engine}: no sequence of sign-ins, roles, disabling and disconnecting leaves nobody to administer`, async (t) => {
    const storage = joinable(await openTestStorage(engine, t))
    const book: UserBook = { storage, now: () => Date.UTC(2026, 10, 20), secret: 'key' }
    for (const name of NAMES) await addUser(book, { name, email: `${name}@example.org`, role: 'administrator' })
    // The third one has no other way in than the provider.
    for (const name of ['ann', 'bob']) await knowPassword(book, name)
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      for (const one of steps) {
        await take(book, one).catch((error: unknown) => assert.ok(error instanceof Failure, String(error)))
        assert.notDeepEqual(await keepers(book), [], JSON.stringify(one))
      }
    })
    await fc.assert(property, { numRuns: draws(300), seed: 20_261_120 })
  })
}
