import assert from 'node:assert/strict'
import test from 'node:test'
import { rowsOf } from '../../../test/support/storage.ts'
import { TEST_ENGINE } from '../../../test/support/test-engine.ts'
import { openTestStorage } from '../../../test/support/test-storage.ts'
import type { ChallengeTable } from '../../storage/schema.ts'
import { insertChallenge, takeChallenge } from './store.ts'

const NOW = '2026-11-20 18:00:00'

function challenge(id: string, given: Partial<ChallengeTable> = {}): ChallengeTable {
  const about = { kind: 'get', bound_to: 'browser', user_id: null, user_handle: '' } as const
  return { id, ...about, expires_at: '2026-11-20 18:02:00', ...given }
}

test('a flood of people who are not signed in has a thousand challenges, and locks nobody out', async (t) => {
  const storage = await openTestStorage(TEST_ENGINE, t)
  const flood = Array.from({ length: 997 }, (_, index) => challenge(`flood ${index}`))
  const oldest = ['first', 'second'].map((id) => challenge(id, { expires_at: '2026-11-20 18:01:00' }))
  const own = challenge('of somebody', { user_id: 1, expires_at: '2026-11-20 18:00:30' })
  await storage.write((tx) => tx.run(tx.db.insertInto('challenge').values([...flood, ...oldest, own])))
  const idsWith = async (row: ChallengeTable): Promise<readonly unknown[]> => {
    await storage.write((tx) => insertChallenge(tx, row, NOW))
    return (await rowsOf(storage, 'select id from challenge')).map(({ id }) => id)
  }
  assert.equal((await idsWith(challenge('new'))).length, 1001)
  const ids = await idsWith(challenge('newer', { expires_at: '2026-11-20 18:05:00' }))
  assert.equal(ids.length, 1001)
  for (const id of ['of somebody', 'new', 'newer']) assert.ok(ids.includes(id), id)
  assert.equal(['first', 'second'].filter((id) => ids.includes(id)).length, 1)
  assert.ok((await idsWith(challenge('of another', { user_id: 2 }))).includes('newer'))
  const taken = await storage.write((tx) => takeChallenge(tx, challenge('newer'), NOW))
  assert.equal(taken?.id, 'newer')
})

test('challenges that have expired are found by an index', async (t) => {
  const storage = await openTestStorage(TEST_ENGINE, t)
  const indexes = await rowsOf(
    storage,
    storage.engine === 'sqlite'
      ? `select sql as made from sqlite_master where type = 'index' and tbl_name = 'challenge'`
      : `select indexdef as made from pg_indexes where schemaname = current_schema() and tablename = 'challenge'`,
  )
  assert.ok(indexes.some(({ made }) => String(made).endsWith('(expires_at)')))
})
