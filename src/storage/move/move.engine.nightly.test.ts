import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_ENGINE } from '../../../test/support/test-engine.ts'
import { openTestStorage, type TestScope } from '../../../test/support/test-storage.ts'
import type { EngineName, Storage } from '../engine.ts'
import { containsText } from '../expressions.ts'
import { nextUserId } from '../identifiers.ts'
import { written } from '../statement-builder.ts'
import { assertWhole } from './marker.ts'
import { type MoveReport, moveCalendar } from './move.ts'
import { insertRows, pagesOf } from './rows.ts'
import { type Row, TABLES, type TableName } from './tables.ts'

/** From and to. */
const DIRECTIONS: readonly (readonly [EngineName, EngineName])[] =
  TEST_ENGINE === 'sqlite'
    ? [['sqlite', 'sqlite']]
    : [
        ['sqlite', 'postgres'],
        ['postgres', 'sqlite'],
      ]

const NAMES = [
  'Łódź',
  'Ελλάδα',
  'Москва',
  '東京 ジャズ',
  'بغداد',
  '👩‍👩‍👧',
  'e\u0301tude',
  '"quoted" \\back',
  "rock'n'roll",
  '',
]

/** Rows of several pages in tables of every sort of column and key. */
async function fill(storage: Storage): Promise<void> {
  const many = Array.from({ length: 450 }, (_, index) => index + 1)
  const name = (n: number): string => `${NAMES[n % NAMES.length]} ${n}`
  const rows: Partial<Record<TableName, Row[]>> = {
    meta: [{ key: 'site_host', value: 'calendar.example' }],
    entry: many.map((id) => ({ id, kind: 'venue' })),
    term: many.map((id) => ({ id, taxonomy: 'tag' })),
    entry_lineage: many.flatMap((n) => [1, 0].map((position) => ({ entry_id: n, position, global_id: `x?id=${n}` }))),
    venue: many.map((id) => ({
      ...{
        id,
        author_id: 1,
        status: 'publish',
        trashed_from: null,
        slug: `v-${id}`,
        published_at: '',
        modified_at: '',
      },
      ...{ description: name(id), excerpt: '', image_id: id % 2 ? null : id, image_recorded: null, extra: null },
      ...{ revision: 1, name: name(id), name_folded: name(id), phone: '', website: '', address: '', city: '' },
      ...{ country: '', province: '', state: '', zip: '', stateprovince: '', show_map: 0, show_map_link: 1 },
      ...{ geo_lat: id / 7, geo_lng: id % 3 === 0 ? null : -179.99999999999997 + id / 3 },
    })),
    entry_text: many.map((id) => ({ id, body: name(id) })),
    event_count: many.map((n) => ({
      ...{
        kind: n % 4,
        target_id: n,
        status: n % 2 ? 'publish' : 'draft',
        level: 2,
        period: `20${n}`,
        starts: n,
        ends: 0,
      },
    })),
    journal: many.map((seq) => ({
      ...{ seq, at: '', actor: null, resource: 'venue', id: seq, revision: 1, action: 'create', snapshot: name(seq) },
    })),
  }
  await storage.write(async (tx) => {
    for (const [table, added] of Object.entries(rows)) await insertRows(tx, table as TableName, added)
    await tx.run(tx.db.updateTable('counter').set({ value: 450 }))
    await tx.run(tx.db.updateTable('journal_head').set({ seq: 450 }))
  })
}

async function allRows(storage: Storage, table: TableName): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of pagesOf(storage, table)) rows.push(...page)
  return rows
}

async function open(t: TestScope, [from, to]: readonly [EngineName, EngineName]) {
  const source = await openTestStorage(from, t)
  const target = await openTestStorage(to, t)
  await fill(source)
  const move = (): Promise<MoveReport> => moveCalendar({ from: source, to: target, onProgress: () => undefined })
  /** Stops after so many rows as a process that is killed would. */
  const moveUntil = (rows: number): Promise<MoveReport> =>
    moveCalendar({
      from: source,
      to: target,
      onProgress: ({ done }) => assert.ok(done < rows, 'interrupted'),
    })
  return { source, target, move, moveUntil }
}

for (const direction of DIRECTIONS) {
  const way = direction.join(' to ')

  test(`${way}: every row arrives, the next id is the next one, and texts are found`, async (t) => {
    const { source, target, move } = await open(t, direction)
    const { began, rows, tables } = await move()
    assert.deepEqual([began, rows, tables.map((one) => one.table)], ['first', 3606, TABLES])
    for (const { table, rows: count, checksum } of tables) {
      const [ours, theirs] = await Promise.all([source, target].map((one) => allRows(one, table as TableName)))
      assert.deepEqual(theirs, ours, table)
      assert.equal(count, ours?.length)
      assert.match(checksum, /^[0-9a-f]{64}$/)
    }
    if (target.engine === 'postgres') {
      const counted = written<{ reltuples: number }>(
        "select reltuples from pg_class where relname = 'venue' and pg_table_is_visible(oid)",
      )
      assert.equal((await target.first(counted))?.reltuples, 450, 'what plans need is known')
    }
    assert.equal(await target.write(nextUserId), 451)
    const found = target.db
      .selectFrom('venue')
      .select('id')
      .where(containsText(target.engine, 'venue.id', 'ελλάδα 11'))
    assert.deepEqual(await target.all(found), [])
    const exact = target.db
      .selectFrom('venue')
      .select('id')
      .where(containsText(target.engine, 'venue.id', 'Ελλάδα 11'))
    assert.deepEqual(await target.all(exact.orderBy('id')), [{ id: 11 }, { id: 111 }])
    await assertWhole(target)
  })

  test(`${way}: a database with a calendar in it takes no other, whichever table it has rows in`, async (t) => {
    const { target, move } = await open(t, direction)
    await target.write((tx) => insertRows(tx, 'journal', [{ ...JOURNAL }]))
    await assert.rejects(move(), { code: 'move_target_in_use', message: /its table journal has rows/ })
    assert.equal((await allRows(target, 'journal')).length, 1)
  })

  test(`${way}: who does the work in the background is not moved, and makes no calendar of the target`, async (t) => {
    const { source, target, move } = await open(t, direction)
    for (const [storage, value] of [[source, 'a 1'] as const, [target, 'b 2'] as const]) {
      await storage.write((tx) => tx.run(tx.db.insertInto('meta').values({ key: 'leader', value })))
    }
    assert.equal((await move()).rows, 3606)
    const rows = await target.all(target.db.selectFrom('meta').select(['key', 'value']).orderBy('key'))
    assert.deepEqual(rows, [
      { key: 'leader', value: 'b 2' },
      { key: 'site_host', value: 'calendar.example' },
    ])
  })

  test(`${way}: an interrupted move goes on where it stopped, and until then is no calendar`, async (t) => {
    const { source, target, move, moveUntil } = await open(t, direction)
    for (const rows of [1, 700, 1900, 3800]) {
      await assert.rejects(moveUntil(rows), /interrupted/)
      await assert.rejects(assertWhole(target), { code: 'move_unfinished' })
      await assert.rejects(moveCalendar({ from: target, to: source, onProgress: () => undefined }), {
        code: 'move_unfinished',
      })
    }
    assert.deepEqual(await allRows(target, 'venue'), await allRows(source, 'venue'))
    const { began, rows } = await move()
    assert.deepEqual([began, rows], ['continued', 3606])
    await assertWhole(target)
  })

  test(`${way}: when the calendar was written after the interruption, the move begins anew`, async (t) => {
    const { source, target, move, moveUntil } = await open(t, direction)
    await assert.rejects(moveUntil(2500), /interrupted/)
    await source.write(async (tx) => {
      await tx.run(tx.db.updateTable('venue').set({ name: 'changed' }).where('id', '=', 7))
      await tx.run(tx.db.updateTable('journal_head').set({ seq: 451 }))
    })
    assert.equal((await move()).began, 'anew')
    assert.deepEqual(await allRows(target, 'venue'), await allRows(source, 'venue'))
  })

  test(`${way}: a row that something else has changed is found by the checksum, and the next move mends it`, async (t) => {
    const { source, target, move, moveUntil } = await open(t, direction)
    await assert.rejects(moveUntil(3500), /interrupted/)
    await target.write((tx) => tx.run(tx.db.updateTable('venue').set({ geo_lat: 1.5 }).where('id', '=', 300)))
    await assert.rejects(move(), { code: 'move_differs', message: /table venue .* 450 rows, and 450 in/ })
    await assert.rejects(assertWhole(target), { code: 'move_unfinished' })
    assert.equal((await move()).began, 'anew')
    assert.deepEqual(await allRows(target, 'venue'), await allRows(source, 'venue'))
  })

  test(`${way}: a row too few and a row too many are found by their number`, async (t) => {
    const { target, move, moveUntil } = await open(t, direction)
    await assert.rejects(moveUntil(3605), /interrupted/)
    await target.write((tx) => tx.run(tx.db.deleteFrom('entry_text').where('id', '=', 3)))
    await assert.rejects(move(), { code: 'move_differs', message: /table entry_text .* 450 rows, and 449 in/ })
    await assert.rejects(moveUntil(3605), /interrupted/)
    await target.write((tx) => insertRows(tx, 'journal', [{ ...JOURNAL, seq: 900 }]))
    await assert.rejects(move(), { code: 'move_differs', message: /table journal .* 450 rows, and 451 in/ })
  })

  test(`${way}: what was begun from one calendar is not continued from another`, async (t) => {
    const { target, moveUntil } = await open(t, direction)
    await assert.rejects(moveUntil(2500), /interrupted/)
    const other = await openTestStorage(direction[0], t)
    const moving = moveCalendar({ from: other, to: target, onProgress: () => undefined })
    await assert.rejects(moving, { code: 'move_target_in_use', message: /a move from .* has not ended/ })
  })
}

const JOURNAL = { seq: 1, at: '', actor: null, resource: 'venue', id: 1, revision: 1, action: 'create', snapshot: null }
