import assert from 'node:assert/strict'
import * as file from 'node:test'
import { test } from 'node:test'
import type { NewEvent } from '../bench/bulk.ts'
import { planFor, seed } from '../bench/seed.ts'
import { insertEvent, takeEventId } from '../src/calendar/events/index.ts'
import { openOrganizers } from '../src/calendar/organizers/index.ts'
import { NO_IMAGES } from '../src/calendar/shared/image.ts'
import { openTerms } from '../src/calendar/terms/index.ts'
import { openVenues } from '../src/calendar/venues/index.ts'
import type { Role } from '../src/http/auth/rights.ts'
import { openTestApp } from './support/app.ts'
import { runStatement } from './support/storage.ts'
import { CAN_MEASURE, statementsDuring, type Work, workOf } from './support/work.ts'

// What a list of events reads in a calendar of some size: how much, and by which index. Whatever way a list is read, it
// must not read the whole calendar where an index leads to its events.

const { app, call, clock } = await openTestApp(file, { cacheSize: '0' })
const { storage } = app
const isSqlite = storage.engine === 'sqlite'
await fillCalendar()
const everything = await workOf(storage, [{ sql: 'select * from occurrence', parameters: [] }])

/** A list: its query, indexes that its statements must use, and who asks; with SQLite, the share of the calendar that it reads at most. */
interface ListCase {
  readonly query: string
  readonly uses: readonly string[]
  readonly most: number
  readonly as?: Role
}

const DAYS = 'start_date=2027-03-01&end_date=2029-03-01'
const NEAR = 'geoloc=true&geoloc_lat=52&geoloc_lng=13&geoloc_radius=300'

const IN_ORDER: readonly ListCase[] = [
  { query: DAYS, uses: ['occurrence_page'], most: 0.3 },
  { query: 'starts_after=2029-01-01', uses: ['occurrence_page'], most: 0.3 },
  { query: `${DAYS}&tags=100`, uses: ['occurrence_link_pkey'], most: 0.3 },
  { query: `${DAYS}&featured=true`, uses: ['occurrence_link_pkey'], most: 0.3 },
  { query: DAYS, uses: ['occurrence_any'], most: 1, as: 'author' },
]

const SQLITE_ONLY: readonly ListCase[] = [
  { query: `${DAYS}&categories=3`, uses: ['occurrence_link_pkey'], most: 0.3 },
  { query: `${DAYS}&categories=5,6,7`, uses: ['occurrence_link_pkey'], most: 0.8 },
  { query: `${DAYS}&venue=2`, uses: ['occurrence_link_pkey'], most: 0.3 },
  { query: `${DAYS}&organizer=35`, uses: ['occurrence_link_pkey'], most: 0.3 },
  // Each length class has its own bound: one long event makes no list read what ended years ago.
  { query: 'ends_after=2029-06-01', uses: ['occurrence_span'], most: 0.5 },
  { query: 'featured=true&ends_after=2027-03-01', uses: ['occurrence_span'], most: 1.2 },
  // What names few events is read from these, each found by its id in an index that has all that is sorted by.
  { query: `${DAYS}&search=jazz`, uses: ['entry_text_fts', 'occurrence_brief'], most: 0.7 },
  { query: `${DAYS}&search=jazz&featured=true`, uses: ['entry_text_fts', 'occurrence_brief'], most: 0.7 },
  { query: `${DAYS}&search=jazz -evening`, uses: ['entry_text_fts', 'occurrence_brief'], most: 0.8 },
  { query: `${DAYS}&search=jazz&post_parent=100`, uses: ['event_parent', 'occurrence_brief'], most: 0.2 },
  { query: `${DAYS}&search=jazz&${NEAR}`, uses: ['entry_text_fts', 'occurrence_brief'], most: 1 },
  { query: `${DAYS}&post_parent=100`, uses: ['event_parent', 'occurrence_brief'], most: 0.1 },
  { query: `${DAYS}&updated_since=2026-11-20`, uses: ['journal_changed', 'occurrence_brief'], most: 0.7 },
  { query: `${DAYS}&cost=free`, uses: ['event_cost', 'occurrence_brief'], most: 1 },
  { query: `${DAYS}&event_status=canceled,moved_online`, uses: ['event_status', 'occurrence_brief'], most: 0.5 },
  { query: `${DAYS}&is_virtual=true`, uses: ['event_virtual', 'occurrence_brief'], most: 0.5 },
  { query: `${DAYS}&language=de`, uses: ['event_language', 'occurrence_brief'], most: 0.5 },
  { query: `${DAYS}&language=de&venue=2`, uses: ['occurrence_link_pkey'], most: 1.5 },
  { query: `${DAYS}&order=desc`, uses: ['occurrence_page'], most: 0.3 },
  { query: `${DAYS}&venue=2&order=desc`, uses: ['occurrence_link_pkey'], most: 0.3 },
  { query: `${DAYS}&venue=2&orderby=title`, uses: ['occurrence_link_pkey', 'occurrence_brief'], most: 1 },
  { query: `${DAYS}&search=jazz&orderby=relevance`, uses: ['entry_text_fts', 'occurrence_brief'], most: 4 },
  { query: `${DAYS}&${NEAR}`, uses: ['venue_page', 'occurrence_brief'], most: 0.8 },
  ...(['administrator', 'editor', 'author', 'contributor'] as const).flatMap((as) => [
    { query: `${DAYS}&search=jazz`, uses: ['entry_text_fts', 'occurrence_brief'], most: 0.7, as },
    { query: `${DAYS}&search=jazz&status=draft`, uses: ['entry_text_fts', 'occurrence_brief'], most: 0.7, as },
  ]),
]

for (const { query, uses, most, as } of [...IN_ORDER, ...(isSqlite ? SQLITE_ONLY : [])]) {
  test(`a list of ${query}${as ? `, asked by the ${as},` : ''} is read by ${uses.join(' and ')}`, async (t) => {
    if (!CAN_MEASURE) return t.skip('needs Linux')
    const work = await listWork(query, as)
    assert.deepEqual(
      uses.filter((name) => !work.indexes.includes(name)),
      [],
      work.indexes.join(),
    )
    if (isSqlite) assert.ok(work.amount <= most * everything.amount, `${work.amount} of ${everything.amount} pages`)
  })
}

// On the thread that responds nothing ends a statement: whatever is asked for, it reads little more than its page.
const FEW_IDS = Array.from({ length: 30 }, (_none, index) => index + 1).join()
const NEVER = 'start_date=1000-01-01&end_date=1001-01-01'
const BACKWARDS = `${NEVER}&starts_before=9999-12-31&order=desc`
for (const query of [
  'include=1',
  'include=2147483647',
  `include=${FEW_IDS}`,
  `include=${FEW_IDS}&order=desc&orderby=start`,
  NEVER,
  BACKWARDS,
  `${NEVER}&starts_after=1000-01-01`,
  'start_date=9999-01-01&starts_after=1000-01-01',
  `${NEVER}&venue=2`,
  `${BACKWARDS}&venue=2`,
  'start_date=9999-01-01&starts_after=1000-01-01&venue=2',
  `${NEVER}&featured=true`,
  `${BACKWARDS}&featured=true`,
  'starts_after=9999-01-01&featured=true',
])
  test(`a list of ${query.replace(FEW_IDS, '30 ids')} reads few pages`, async (t) => {
    if (!CAN_MEASURE || !isSqlite) return t.skip('needs SQLite and Linux')
    const inline = (await listStatements(query)).filter(({ lane }) => lane === 'inline')
    assert.ok(inline.length > 0)
    const { amount } = await workOf(storage, inline)
    assert.ok(amount <= 0.15 * everything.amount, `${amount} of ${everything.amount} pages`)
  })

// Where nearly all events have it, or none does, all of them are read: beside the thread that responds.
for (const query of [
  'event_status=canceled',
  'event_status=scheduled',
  'is_virtual=true',
  'is_virtual=false',
  'language=de',
])
  test(`a list of ${query} is read beside the thread that responds`, async () => {
    const before = storage.stats()
    assert.equal((await call('anonymous', 'GET', `/events?${DAYS}&${query}`)).status, 200)
    assert.ok(storage.stats().readsOffloaded > before.readsOffloaded)
  })

test('the first page by days reads its rows and hardly others', async (t) => {
  if (!CAN_MEASURE) return t.skip('needs Linux')
  const [page] = await listStatements(DAYS)
  assert.ok(page)
  const { amount } = await workOf(storage, [page])
  assert.ok(amount <= (isSqlite ? 20 : 15), String(amount))
})

test('the measure sees a list that reads everything', async (t) => {
  if (!CAN_MEASURE) return t.skip('needs Linux')
  assert.ok(everything.amount >= (isSqlite ? 50 : 400), String(everything.amount))
  assert.deepEqual(everything.indexes, [])
  const sorted = await workOf(storage, [
    { sql: 'select * from occurrence order by published_at limit 1', parameters: [] },
  ])
  assert.ok(sorted.amount >= everything.amount, `${sorted.amount} of ${everything.amount}`)
})

async function listWork(query: string, as: Role | undefined): Promise<Work> {
  return workOf(storage, await listStatements(query, as))
}

/** What is read to know which events a list has, and how many: their texts follow. */
async function listStatements(query: string, as: Role | 'anonymous' = 'anonymous') {
  const statements = await statementsDuring(storage, async () => {
    const { status, body } = await call(as, 'GET', `/events?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
  })
  return statements.filter(({ sql }) => sql.includes('occurrence'))
}

/** Statements of PostgreSQL are planned by statistics, which need fewer events. */
async function fillCalendar(): Promise<void> {
  const site = { name: 'Work', zone: 'UTC', host: 'work.example', perPageMax: 50 } as const
  const parts = {
    storage,
    site: { ...site, currencySymbol: '$', currencyPosition: 'prefix' } as const,
    isUser: async (): Promise<boolean> => true,
    pictures: NO_IMAGES,
  }
  const { category, tag } = openTerms(parts)
  const lookups = { venue: openVenues(parts).lookup, organizer: openOrganizers(parts).lookup, category, tag }
  const owner = { id: 1, role: 'administrator', name: 'administrator' } as const
  const target = { storage, lookups, owner, siteZone: site.zone, now: clock.now }
  const plan = planFor(isSqlite ? 3_000 : 400, '2026-11-20 00:00:00')
  if (isSqlite) {
    await seed(target, plan)
    return markSome()
  }
  const events: NewEvent[] = []
  await seed(target, plan, { store: async (_storage, drafts) => void events.push(...drafts) })
  await storage.write(async (tx) => {
    for (const { row, links } of events) {
      const id = await takeEventId(tx)
      await insertEvent(tx, { row: { ...row, id }, links }, { actor: 1, action: 'create' })
    }
  })
  await markSome()
  await runStatement(storage, 'analyze')
}

/** One event in a hundred is canceled, another one online, a third one written in German. */
async function markSome(): Promise<void> {
  const marks = ["event_status = 'canceled'", 'is_virtual = 1', "language = 'de-AT'"]
  for (const [place, mark] of marks.entries())
    await runStatement(storage, `update event set ${mark} where id % 100 = ${place}`)
}
