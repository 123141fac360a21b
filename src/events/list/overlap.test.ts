import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANONYMOUS } from '../../auth/caller.ts'
import { visibilityOf } from '../../entries/listing.ts'
import { openTestStorage, planOf } from '../../storage/testing.ts'
import { EVERYTHING } from './filters.ts'
import { pageStatement } from './store.ts'

const AFTER = { ends_after: '2027-03-01 10:00:00' }

test('an overlap query asks each length class with its own bound, from an index and without sorting', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  for (const bounds of [AFTER, { ...AFTER, starts_before: '2027-03-02 00:00:00' }]) {
    const query = { ...EVERYTHING, bounds }
    const listing = { query, visibility: visibilityOf(ANONYMOUS, undefined), limit: 10, offset: 0 }
    const statement = pageStatement(storage, listing)
    const { parameters } = statement.compile()
    for (const [span, start] of [
      [1, '2027-02-28 10:00:00'],
      [7, '2027-02-22 10:00:00'],
      [31, '2027-01-29 10:00:00'],
      [366, '2026-02-28 10:00:00'],
    ] as const) {
      const at = parameters.indexOf(span)
      assert.ok(at >= 0 && parameters.indexOf(start) > at, `class ${span} starts after ${start}: ${parameters}`)
    }
    const lines = await planOf(storage, statement)
    const reads = lines.filter((line) => /SEARCH|SCAN|TEMP/.test(line))
    assert.equal(reads.length, 5, lines.join(' | '))
    for (const line of reads)
      assert.match(line, /^SEARCH occurrence USING INDEX occurrence_span \(listed=\? AND status=\? AND span=\?/)
  }
})
