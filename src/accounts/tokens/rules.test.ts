import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideToken } from './rules.ts'

const NOW = Date.UTC(2027, 2, 1, 12)
const OWNER = { role: 'author', now: NOW } as const

/** Why a token may not be made; 'made' if it may. */
function problemOf(wanted: Partial<Parameters<typeof decideToken>[0]>, terms: object = {}): string {
  try {
    decideToken({ name: 'Search', ...wanted }, { ...OWNER, ...terms })
    return 'made'
  } catch (error) {
    const { code, slots } = error as { readonly code: string; readonly slots: Readonly<Record<string, unknown>> }
    return `${code} ${slots['reason'] ?? slots['scope']}`
  }
}

test('a token reads for 90 days unless someone says otherwise', () => {
  const expiresAt = '2027-05-30 12:00:00'
  assert.deepEqual(decideToken({ name: ' Search ' }, OWNER), { name: 'Search', scopes: ['read'], expiresAt })
})

test('names, scopes and expiries have their bounds', () => {
  for (const name of ['', '   ', 'x'.repeat(101), 'a\u0000b'])
    assert.equal(problemOf({ name }), 'bad_token tokens.problem.name')
  assert.equal(problemOf({ name: 'x'.repeat(100) }), 'made')
  for (const scopes of [[], ['write'], ['read', 'events']])
    assert.equal(problemOf({ scopes }), 'bad_token tokens.problem.scopes')
  for (const expiresAt of ['2027-03-01 12:00:00', '2028-03-01 12:00:01'])
    assert.equal(problemOf({ expiresAt }), 'bad_token tokens.problem.expiry')
  assert.equal(problemOf({ expiresAt: '2028-03-01 12:00:00' }), 'made')
  assert.equal(problemOf({ expiresAt: null }), 'bad_token tokens.problem.endless')
  assert.equal(problemOf({ expiresAt: null }, { role: 'administrator' }), 'made')
})

test('a token makes none with more scopes or a later expiry than its own', () => {
  const by = { scopes: ['read', 'terms:write'], expiresAt: '2027-03-10 00:00:00' } as const
  assert.equal(decideToken({ name: 'x' }, { ...OWNER, by }).expiresAt, by.expiresAt)
  assert.equal(problemOf({ scopes: ['terms:write'], expiresAt: '2027-03-09 00:00:00' }, { by }), 'made')
  assert.equal(problemOf({ scopes: ['events:write'] }, { by }), 'insufficient_scope events:write')
  assert.equal(problemOf({ scopes: ['admin'] }, { by }), 'insufficient_scope admin')
  for (const expiresAt of ['2027-03-10 00:00:01', null])
    assert.equal(problemOf({ expiresAt }, { by, role: 'administrator' }), 'bad_token tokens.problem.later')
  const all = { scopes: ['admin'], expiresAt: null } as const
  assert.equal(
    problemOf({ scopes: ['media:write', 'admin'], expiresAt: null }, { by: all, role: 'administrator' }),
    'made',
  )
})
