import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANONYMOUS } from '../auth/caller.ts'
import { visibilityOf } from '../entries/listing.ts'
import { openTestStorage } from '../storage/testing.ts'
import { EVERYTHING, type EventQuery } from './filters.ts'
import { pageStatement } from './store.ts'

const BOUNDS = { start_date: '2027-03-01 00:00:00', end_date: '2029-03-01 23:59:59' }
const VISIBLE = visibilityOf(ANONYMOUS, undefined)

test('what names few events is read from these, each found by its id', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const queries: readonly (readonly [Partial<EventQuery>, RegExp])[] = [
    [{ search: { words: ['jazz'], excluded: [] } }, /^SCAN entry_text_fts VIRTUAL TABLE/],
    [{ search: { words: ['ab', 'evening'], excluded: ['jazz'] } }, /^SCAN entry_text_fts VIRTUAL TABLE/],
    [{ search: { words: ['jazz'], excluded: [] }, categories: [3] }, /^SCAN entry_text_fts VIRTUAL TABLE/],
    [{ post_parent: 5 }, /^SEARCH event USING COVERING INDEX event_parent/],
    [{ venue: Array.from({ length: 30 }, (_none, id) => id) }, /occurrence_link USING PRIMARY KEY/],
    [{ near: { circle: { lat: 52, lng: 13, radius: 10 }, venues: VISIBLE } }, /venue/],
  ]
  for (const [part, first] of queries) {
    const query = { ...EVERYTHING, bounds: BOUNDS, ...part }
    const statement = pageStatement(storage, { query, visibility: VISIBLE, limit: 10, offset: 0 }).compile()
    const plan = await storage.all<{ detail: string }>({
      compile: () => ({ sql: `explain query plan ${statement.sql}`, parameters: statement.parameters }),
    })
    const lines = plan.map((row) => row.detail)
    const shown = `${JSON.stringify(part)}: ${lines.join(' | ')}`
    assert.ok(
      lines.some((line) => first.test(line)),
      shown,
    )
    assert.ok(lines.includes('SEARCH place USING COVERING INDEX occurrence_event (event_id=?)'), shown)
    assert.ok(lines.includes('SEARCH occurrence USING INTEGER PRIMARY KEY (rowid=?)'), shown)
  }
})

test('a page by a trait of events is read in order from its index', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const traits: readonly Partial<EventQuery>[] = [{ featured: true }, { ticketed: true }]
  for (const trait of traits) {
    const query = { ...EVERYTHING, bounds: BOUNDS, ...trait }
    const statement = pageStatement(storage, { query, visibility: VISIBLE, limit: 10, offset: 0 }).compile()
    const plan = await storage.all<{ detail: string }>({
      compile: () => ({ sql: `explain query plan ${statement.sql}`, parameters: statement.parameters }),
    })
    const [first = '', ...others] = plan.map((row) => row.detail)
    assert.match(first, /^SEARCH occurrence_link USING (COVERING INDEX|PRIMARY KEY)/)
    assert.deepEqual(others, ['SEARCH occurrence USING INTEGER PRIMARY KEY (rowid=?)'])
  }
})

test('a page of the featured events to come is read from the length classes', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const query = { ...EVERYTHING, bounds: { ends_after: '2027-03-01 00:00:00' }, featured: true }
  const statement = pageStatement(storage, { query, visibility: VISIBLE, limit: 10, offset: 0 }).compile()
  const plan = await storage.all<{ detail: string }>({
    compile: () => ({ sql: `explain query plan ${statement.sql}`, parameters: statement.parameters }),
  })
  const lines = plan.map((row) => row.detail)
  assert.equal(lines.filter((line) => /^SEARCH occurrence USING INDEX occurrence_span/.test(line)).length, 5)
  assert.ok(!lines.some((line) => /occurrence_link|TEMP B-TREE|SCAN/.test(line)), lines.join(' | '))
})

test('a page of several categories is merged from theirs, each read in order from its index', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const query = { ...EVERYTHING, bounds: BOUNDS, categories: [1, 2, 3] }
  const statement = pageStatement(storage, { query, visibility: VISIBLE, limit: 10, offset: 0 }).compile()
  const plan = await storage.all<{ detail: string }>({
    compile: () => ({ sql: `explain query plan ${statement.sql}`, parameters: statement.parameters }),
  })
  const lines = plan.map((row) => row.detail)
  assert.equal(
    lines.filter((line) => /^SEARCH occurrence_link USING (COVERING INDEX|PRIMARY KEY)/.test(line)).length,
    3,
  )
  assert.ok(!lines.some((line) => /TEMP B-TREE|SCAN/.test(line)), lines.join(' | '))
})
