import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANONYMOUS } from '../../auth/caller.ts'
import { visibilityOf } from '../../entries/listing.ts'
import type { Reader } from '../../storage/engine.ts'
import { explained, openTestStorage, planOf } from '../../storage/testing.ts'
import { EVERYTHING, type EventQuery } from './filters.ts'
import { type EventListing, pageStatement } from './store.ts'

const BOUNDS = { start_date: '2027-03-01 00:00:00', end_date: '2029-03-01 23:59:59' }
const VISIBLE = visibilityOf(ANONYMOUS, undefined)

test('what names few events is read from these, each found by its id in the narrow copy', async (t) => {
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
    const lines = await pagePlan(storage, { query, visibility: VISIBLE, limit: 10, offset: 0 })
    assert.ok(
      lines.some((line) => first.test(line)),
      lines.join(' | '),
    )
    assertFoundByEvent(lines)
  }
})

test('whoever asks, what names few events is read from these', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const query = { ...EVERYTHING, bounds: BOUNDS, search: { words: ['jazz'], excluded: [] } }
  for (const role of ['administrator', 'editor', 'author', 'contributor'] as const)
    for (const status of [undefined, ['draft' as const], ['publish' as const, 'private' as const]]) {
      const visibility = visibilityOf({ id: 3, name: 'somebody', role }, status)
      assertFoundByEvent(await pagePlan(storage, { query, visibility, limit: 10, offset: 0 }))
    }
})

test('where two parts of a query name few events, those of one are not looked for among those of the other', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const search = { words: ['jazz'], excluded: [] }
  const near = { circle: { lat: 52, lng: 13, radius: 300 }, venues: VISIBLE }
  for (const part of [
    { search, near },
    { search, post_parent: 5 },
    { post_parent: 5, near },
  ]) {
    const query = { ...EVERYTHING, bounds: BOUNDS, ...part }
    const lines = await pagePlan(storage, { query, visibility: VISIBLE, limit: 10, offset: 0 })
    assertFoundByEvent(lines)
    // SQLite makes such a filter for a list that it looks into, and none for one that it walks.
    const counted = (name: string): number => lines.filter((line) => line.startsWith(name)).length
    assert.equal(counted('CREATE BLOOM FILTER'), counted('LIST SUBQUERY'), lines.join(' | '))
    assert.equal(counted('LIST SUBQUERY'), 1)
  }
})

test('a search sorts and counts what the narrow copy has, and reads no row', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const query = { ...EVERYTHING, bounds: BOUNDS, search: { words: ['jazz'], excluded: [] } }
  const table = await storage.first<{ rootpage: number }>({
    compile: () => ({ sql: `select rootpage from sqlite_schema where name = 'occurrence'`, parameters: [] }),
  })
  const readsOfTable = async (part: Partial<EventQuery>, visibility = VISIBLE): Promise<number> => {
    const listing = { query: { ...query, ...part }, visibility, limit: 10, offset: 0 }
    const steps = await explained<{ opcode: string; p1: number; p2: number }>(storage, pageStatement(storage, listing))
    const cursors = steps.filter((step) => step.opcode === 'OpenRead' && step.p2 === table?.rootpage)
    assert.ok(cursors.length > 0)
    return steps.filter((step) => step.opcode === 'Column' && cursors.some((cursor) => cursor.p1 === step.p1)).length
  }
  assert.equal(await readsOfTable({}), 0)
  assert.equal(await readsOfTable({ featured: true }), 0)
  assert.equal(await readsOfTable({}, visibilityOf({ id: 3, name: 'somebody', role: 'author' }, undefined)), 0)
  // What it does not have is read from the row.
  assert.ok((await readsOfTable({ categories: [3] })) > 0)
})

function assertFoundByEvent(lines: readonly string[]): void {
  const reads = lines.filter((line) => line.startsWith('SEARCH occurrence '))
  const found = 'INDEX occurrence_brief (event_id=? AND listed=?)'
  assert.ok(reads.length > 0 && reads.every((line) => line.endsWith(found)), lines.join(' | '))
}

function pagePlan(storage: Reader, listing: EventListing): Promise<string[]> {
  return planOf(storage, pageStatement(storage, listing))
}

test('a page by a trait of events is read in order from its index', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const traits: readonly Partial<EventQuery>[] = [{ featured: true }, { ticketed: true }]
  for (const trait of traits) {
    const query = { ...EVERYTHING, bounds: BOUNDS, ...trait }
    const [first = '', ...others] = await pagePlan(storage, { query, visibility: VISIBLE, limit: 10, offset: 0 })
    assert.match(first, /^SEARCH occurrence_link USING (COVERING INDEX|PRIMARY KEY)/)
    assert.deepEqual(others, ['SEARCH occurrence USING INTEGER PRIMARY KEY (rowid=?)'])
  }
})

test('a page of the featured events to come is read from the length classes', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const query = { ...EVERYTHING, bounds: { ends_after: '2027-03-01 00:00:00' }, featured: true }
  const lines = await pagePlan(storage, { query, visibility: VISIBLE, limit: 10, offset: 0 })
  assert.equal(lines.filter((line) => /^SEARCH occurrence USING INDEX occurrence_span/.test(line)).length, 5)
  assert.ok(!lines.some((line) => /occurrence_link|TEMP B-TREE|SCAN/.test(line)), lines.join(' | '))
})

test('a page of several categories is merged from theirs, each read in order from its index', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const query = { ...EVERYTHING, bounds: BOUNDS, categories: [1, 2, 3] }
  const lines = await pagePlan(storage, { query, visibility: VISIBLE, limit: 10, offset: 0 })
  assert.equal(
    lines.filter((line) => /^SEARCH occurrence_link USING (COVERING INDEX|PRIMARY KEY)/.test(line)).length,
    3,
  )
  assert.ok(!lines.some((line) => /TEMP B-TREE|SCAN/.test(line)), lines.join(' | '))
})
