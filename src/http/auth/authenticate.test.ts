import assert from 'node:assert/strict'
import test from 'node:test'
import { Failure } from '../../base/errors.ts'
import { type Account, authenticate, hashPassword, type UserLookup } from './authenticate.ts'
import { ANONYMOUS } from './rights.ts'

const hash = (password: string) => hashPassword('key', password)
const stored = (id: number, password: string) => ({ id, hash: hash(password), usedAt: null })
const ANN: Account = { id: 3, name: 'Ann', role: 'editor', passwords: [stored(1, 'first:one'), stored(2, 'abcdefgh')] }
const USERS: UserLookup = {
  hash,
  findAccount: async (login) => (['ann', 'ann@example.org'].includes(login.toLowerCase()) ? ANN : undefined),
}

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`

async function codeOf(header: string, users: UserLookup): Promise<string> {
  const error = await authenticate(header, users).then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(error instanceof Failure)
  assert.equal(error.status, 401)
  return error.code
}

const ANONYMOUS_HEADERS = [undefined, '', 'Bearer abc', 'Basically x', 'Digest username="ann"', 'x Basic abc']

for (const header of ANONYMOUS_HEADERS) {
  test(`the header ${JSON.stringify(header)} leaves the caller anonymous`, async () => {
    assert.equal(await authenticate(header, USERS), ANONYMOUS)
  })
}

const GOOD = [
  basic('ann:abcdefgh'),
  basic('ANN:abcd efgh'),
  basic(' Ann :abcdefgh'),
  basic('Ann@Example.org:abcdefgh'),
  basic('ann:first:one'),
  basic('ann:abcdefgh').replace('Basic', 'bAsIc'),
  basic('ann:abcdefgh').replace('Basic', '  Basic  '),
  basic('ann:abcdefgh').replace(/=+$/, ''),
]

for (const header of GOOD) {
  test(`${header} is Ann`, async () => {
    assert.deepEqual(await authenticate(header, USERS), { id: 3, role: 'editor', name: 'Ann' })
  })
}

const BAD = [
  'Basic',
  'Basic ???',
  'Basic abcde',
  basic('no colon'),
  basic(':abcdefgh'),
  basic(':'),
  basic('ann:'),
  basic('ann:   '),
  basic('ann:ABCDEFGH'),
  basic('bob:abcdefgh'),
  basic('bob@example.org:abcdefgh'),
  `${basic('ann:abcdefgh')} x`,
]

for (const header of BAD) {
  test(`${header} is refused with the same code and the same work as everything that is wrong`, async () => {
    const work = { looked: 0, hashed: 0 }
    const users: UserLookup = {
      findAccount: (login) => {
        work.looked += 1
        return USERS.findAccount(login)
      },
      hash: (password) => {
        work.hashed += 1
        return hash(password)
      },
    }
    assert.equal(await codeOf(header, users), 'incorrect_password')
    assert.deepEqual(work, { looked: 1, hashed: 1 })
  })
}

test('a user without passwords is not let in by an empty one', async () => {
  const users: UserLookup = { hash: () => '0'.repeat(64), findAccount: async () => ({ ...ANN, passwords: [] }) }
  assert.equal(await codeOf(basic('ann:'), users), 'incorrect_password')
})
