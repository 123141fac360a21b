import assert from 'node:assert/strict'
import test from 'node:test'
import { Failure } from '../errors.ts'
import { type Account, authenticate, type UserLookup } from './authenticate.ts'
import { ANONYMOUS } from './caller.ts'
import { hashPassword } from './passwords.ts'

const hash = (password: string) => hashPassword('key', password)
const ANN: Account = { id: 3, name: 'Ann', role: 'editor', hashes: [hash('first:one'), hash('abcdefgh')] }
const USERS: UserLookup = {
  hash,
  findAccount: async (login) => (['ann', 'ann@example.org'].includes(login.toLowerCase()) ? ANN : undefined),
}

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`

async function codeOf(header: string): Promise<string> {
  const error = await authenticate(header, USERS).then(
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

const BAD: readonly [header: string, code: string][] = [
  ['Basic', 'invalid_username'],
  ['Basic ???', 'invalid_username'],
  ['Basic abcde', 'invalid_username'],
  [basic('no colon'), 'invalid_username'],
  [basic(':abcdefgh'), 'invalid_username'],
  [basic(':'), 'invalid_username'],
  [basic('ann:'), 'incorrect_password'],
  [basic('ann:   '), 'incorrect_password'],
  [basic('ann:ABCDEFGH'), 'incorrect_password'],
  [basic('bob:abcdefgh'), 'invalid_username'],
  [basic('bob@example.org:abcdefgh'), 'invalid_email'],
  [`${basic('ann:abcdefgh')} x`, 'invalid_username'],
]

for (const [header, code] of BAD) {
  test(`${header} is refused with ${code}`, async () => {
    assert.equal(await codeOf(header), code)
  })
}
