import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, testDatabase } from '../../test/support/test-storage.ts'
import type { Compilable } from './engine.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { openStorage } from './open.ts'

for (const engine of ENGINES) {
  test(`${engine}: what was stored under a category is listed and counted under those above it, once`, async (t) => {
    const storage = await openStorage({ database: await testDatabase(engine, t), synchronous: 'NORMAL' })
    t.after(() => storage.close())
    const now = (): number => 0
    await migrate(storage, { now, migrations: MIGRATIONS.slice(0, 3) })
    // 3 stands below 2 and that below 1; 4 stands alone. The first event has 3 and 1, the second one 2 and is a draft.
    await storage.write(async (tx) => {
      for (const statement of [
        ...[1, 2, 3, 4].map((id) => term(id, { 1: 0, 2: 1, 3: 2, 4: 0 }[id] ?? 0)),
        ...[7, 8].map((id) => event(id)),
        `insert into occurrence values (7, 7, ${WHEN}, 1, '', 'publish', 1, 1, 0), (8, 8, ${WHEN}, 1, '', 'draft', 1, 1, 0)`,
        `insert into occurrence_link values ${link(3, 7, 'publish')}, ${link(1, 7, 'publish')}, ${link(2, 8, 'draft')}`,
        `insert into event_count values (3, 1, 'publish', 1, '2027-01', 1, 0), (3, 3, 'publish', 1, '2027-01', 1, 0)`,
      ])
        await tx.run(text(statement))
    })
    await migrate(storage, { now })
    const listed = await storage.all(
      text('select target_id, event_id from occurrence_link order by target_id, event_id'),
    )
    const pairs = [
      [1, 7],
      [1, 8],
      [2, 7],
      [2, 8],
      [3, 7],
    ]
    assert.deepEqual(
      listed,
      pairs.map(([target_id, event_id]) => ({ target_id, event_id })),
    )
    const counted = await storage.all(
      text(`select target_id, status, period, starts, ends from event_count where level = 1
        order by target_id, status, period`),
    )
    const of = (target_id: number, status: string): object[] => [
      { target_id, status, period: '2027-01', starts: 1, ends: 0 },
      { target_id, status, period: '2027-02', starts: 0, ends: 1 },
    ]
    const one = [{ target_id: 3, status: 'publish', period: '2027-01', starts: 1, ends: 0 }]
    assert.deepEqual(counted, [...of(1, 'draft'), ...of(1, 'publish'), ...of(2, 'draft'), ...of(2, 'publish'), ...one])
  })
}

for (const engine of ENGINES) {
  test(`${engine}: what was stored is listed and counted under its traits`, async (t) => {
    const storage = await openStorage({ database: await testDatabase(engine, t), synchronous: 'NORMAL' })
    t.after(() => storage.close())
    const now = (): number => 0
    await migrate(storage, { now, migrations: MIGRATIONS.slice(0, 4) })
    await storage.write(async (tx) => {
      for (const statement of [
        ...[7, 8, 9].map((id) => event(id)),
        `update event set tickets = '[]' where id = 8`,
        `insert into occurrence values ${[7, 8, 9].map((id) => `(${id}, ${id}, ${WHEN}, 1, '', 'publish', ${id === 8 ? 0 : 1}, 1, ${id === 7 ? 1 : 0})`).join(', ')}`,
      ])
        await tx.run(text(statement))
    })
    await migrate(storage, { now })
    const listed = await storage.all(
      text('select kind, target_id, listed, event_id from occurrence_link order by target_id'),
    )
    assert.deepEqual(listed, [
      { kind: 5, target_id: 1, listed: 1, event_id: 7 },
      { kind: 5, target_id: 2, listed: 0, event_id: 8 },
    ])
    const counted = await storage.all(
      text('select target_id, sum(starts) as starts, sum(ends) as ends from event_count group by 1 order by 1'),
    )
    assert.deepEqual(
      counted.map((row) => Object.values(row).map(Number)),
      [[1, 2, 2]],
    )
  })
}

const WHEN = `'2027-01-31 22:00:00', '2027-02-01 01:00:00', '', ''`

function term(id: number, parent: number): string {
  return `insert into category (id, name, name_folded, name_key, slug, description, parent, count, search_text, revision)
    values (${id}, '', '', '', 'term-${id}', '', ${parent}, 0, '', 1)`
}

function event(id: number): string {
  return `insert into event (id, author_id, status, slug, published_at, modified_at, description, excerpt, revision, title,
      all_day, start_local, end_local, start_utc, end_utc, timezone, cost, cost_symbol, cost_position, show_map,
      show_map_link, hide_from_listings, sticky, featured, post_parent)
    values (${id}, 1, 'publish', 'event-${id}', '', '', '', '', 1, '', 0, ${WHEN}, '', '', '', '', 0, 0, 0, 0, 0, 0)`
}

function link(category: number, id: number, status: string): string {
  return `(3, ${category}, 1, '${status}', '2027-01-31 22:00:00', '', ${id}, ${id})`
}

function text(sql: string): Compilable<object> {
  return { compile: () => ({ sql, parameters: [] }) }
}
