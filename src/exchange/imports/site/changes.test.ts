import assert from 'node:assert/strict'
import test from 'node:test'
import { findChanges, keepCursor, type SiteChangesParts } from './changes.ts'

test('a Kalends that does not get our credentials is not asked for changes, and the next import asks from where it would have', async () => {
  const asked = {
    api: { isKalends: true },
    access: { isEditor: false, problem: 'the credentials did not arrive', areLost: true },
    input: { dryRun: false },
  } as SiteChangesParts
  const { ids, cursor, notes } = await findChanges(asked)
  assert.deepEqual([ids, notes, await keepCursor(asked, cursor, true)], [undefined, [], false])
})
