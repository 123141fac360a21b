import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importSeries, insertEvent, recurringOf, takeEventId } from '../src/calendar/events/index.ts'
import { openOrganizers } from '../src/calendar/organizers/index.ts'
import { NO_IMAGES } from '../src/calendar/shared/image.ts'
import { openTerms } from '../src/calendar/terms/index.ts'
import { openVenues } from '../src/calendar/venues/index.ts'
import type { Compilable } from '../src/storage/engine.ts'
import { openTestStorage, type TestScope } from '../test/support/test-storage.ts'
import type { NewEvent } from './bulk.ts'
import { planFor, type SeedPlan, type SeedTarget, seed } from './seed.ts'

const SITE = {
  name: 'Bench',
  zone: 'America/New_York',
  host: 'bench.example',
  currencySymbol: '$',
  currencyPosition: 'prefix',
  perPageMax: 50,
} as const

async function openCalendar(t: TestScope): Promise<SeedTarget> {
  const storage = await openTestStorage('sqlite', t)
  const isUser = async (): Promise<boolean> => true
  const terms = openTerms({ storage, site: SITE })
  const lookups = {
    venue: openVenues({ pictures: NO_IMAGES, storage, site: SITE, isUser }).lookup,
    organizer: openOrganizers({ pictures: NO_IMAGES, storage, site: SITE, isUser }).lookup,
    category: terms.category,
    tag: terms.tag,
  }
  const owner = { id: 1, role: 'administrator', name: 'bench' } as const
  return { storage, lookups, owner, siteZone: SITE.zone, now: Date.UTC(2026, 10, 20) }
}

for (const dates of [1, 3])
  test(`what is seeded in bulk is what the ordinary write path stores, in every table, ${dates} dates each`, (t) =>
    compareTables(t, { ...planFor(40, '2026-11-20 00:00:00'), days: 60, isShort: dates > 1, dates }))

async function compareTables(t: TestScope, plan: SeedPlan): Promise<void> {
  const [bulk, plain] = [await openCalendar(t), await openCalendar(t)]
  await seed(bulk, plan)
  const events: NewEvent[] = []
  await seed(plain, plan, { store: async (_storage, states) => void events.push(...states) })
  await plain.storage.write(async (tx) => {
    for (const { row, links } of events) {
      const base = { row: { ...row, id: await takeEventId(tx) }, links }
      const cause = { actor: 1, action: 'create', at: row.modified_at } as const
      if (plan.dates === 1) await insertEvent(tx, base, cause)
      else
        await importSeries(
          tx,
          { stored: undefined, series: { base, lines: linesOf(row), dates: [] } },
          { cause, holding },
        )
    }
  })
  const schema = await bulk.storage.all(text<{ name: string; sql: string }>(SCHEMA))
  assert.deepEqual(await plain.storage.all(text(SCHEMA)), schema)
  const tables = schema.filter(({ sql }) => /^create table/i.test(sql)).map(({ name }) => name)
  // What the search indexes have of their own; words have numbers in the order in which they were learned.
  const own = /_fts|^known_word$/
  const all = tables.filter((name) => !own.test(name)).map((name) => [name, `select * from "${name}"`] as const)
  assert.ok(all.length > 10)
  for (const [table, select] of [...all, ['known_word', 'select word, 0 from known_word'] as const]) {
    const rows = text(`${select} order by 1, 2`)
    assert.deepEqual(await bulk.storage.all(rows), await plain.storage.all(rows), table)
  }
  const found = text(`select rowid from entry_text_fts where entry_text_fts match '"music"' order by 1`)
  const hits = await bulk.storage.all(found)
  assert.deepEqual(hits, await plain.storage.all(found))
  assert.ok(hits.length > 0)
}

const holding = { now: Date.UTC(2026, 10, 20), recurrenceYears: 5 }

function linesOf(row: NewEvent['row']): readonly string[] {
  return recurringOf(row)?.lines ?? []
}

const SCHEMA = 'select name, sql from sqlite_schema where sql is not null order by name'

function text<Row>(sql: string): Compilable<Row> {
  return { compile: () => ({ sql, parameters: [] }) }
}
