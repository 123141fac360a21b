import { test } from 'node:test'
import type { LinkedQuery } from '../src/entries/linked/filters.ts'
import { pageOf } from '../src/entries/linked/store.ts'
import { DATE_FILTERS, EVERYTHING, type EventQuery } from '../src/events/list/filters.ts'
import { countEvents, listEventIds } from '../src/events/list/store.ts'
import { pageOfEvents } from '../src/events/list/store-pages.ts'
import type { Compilable, EngineName, Reader } from '../src/storage/engine.ts'
import { statementBuilder } from '../src/storage/statement-builder.ts'
import type { Sought } from '../src/terms/filters.ts'
import { pageOfTerms } from '../src/terms/store.ts'

// The SQL of every filter, as it was reviewed. After a change: npm test -- test/sql.test.ts --test-update-snapshots

const READERS = { ofAll: ['publish'], ofOwn: [], ownerId: 0 } as const
const AUTHORS = { ofAll: ['publish'], ofOwn: ['draft', 'private'], ownerId: 7 } as const
const CIRCLE = { lat: 46.95, lng: 7.44, radius: 40 }
const MOMENT = '2027-03-01 10:00:00'

/** A value of each part of a query: the compiler refuses a filter that is missing here. */
const EVENT_SAMPLES: { readonly [Name in keyof Omit<EventQuery, 'bounds'>]: NonNullable<EventQuery[Name]> } = {
  search: { words: ['museum', 'ab'], excluded: ['jazz'] },
  categories: [1, 2],
  tags: [3],
  venue: [4, 5],
  organizer: [6, 7],
  featured: true,
  located: { wanted: false, venues: READERS },
  near: { circle: CIRCLE, venues: READERS },
  include: [8, 9],
  post_parent: 10,
  ticketed: true,
}

const LINKED: LinkedQuery = {
  visibility: READERS,
  countedEvents: READERS,
  search: undefined,
  event: undefined,
  has_events: undefined,
  upcomingAfter: undefined,
  near: undefined,
}
const LINKED_SAMPLES: { readonly [Name in keyof Omit<LinkedQuery, 'countedEvents'>]: NonNullable<LinkedQuery[Name]> } =
  {
    visibility: AUTHORS,
    search: { words: ['hall', 'ab'], excluded: ['barn'] },
    event: 11,
    has_events: false,
    upcomingAfter: MOMENT,
    near: CIRCLE,
  }

const TERMS: Sought = { words: [], excluded: [], exclude: [], onlyUsed: false, order: 'asc', orderBy: 'name' }
const TERM_SAMPLES: { readonly [Name in keyof Required<Sought>]: Sought[Name] } = {
  words: ['jazz'],
  excluded: ['50%'],
  include: [1, 2],
  exclude: [3],
  parent: 4,
  event: 5,
  slug: 'jazz',
  onlyUsed: true,
  seenBy: { ownerId: 1 },
  order: 'desc',
  orderBy: 'count',
}

/** Keeps what it is asked and finds something, so that nothing that follows is left out. */
function recorder(engine: EngineName): { readonly reader: Reader; readonly asked: string[] } {
  const asked: string[] = []
  const ask = (query: Compilable<unknown>): void => {
    const { sql, parameters } = query.compile()
    asked.push(`${inLines(sql)};\n-- ${JSON.stringify(parameters)}`)
  }
  const reader: Reader = {
    engine,
    db: statementBuilder(engine),
    all: async <Row>(query: Compilable<Row>) => {
      ask(query)
      return /^select count\(\*\) as "total" /.test(query.compile().sql) ? [{ total: 1000 } as Row] : []
    },
    first: async <Row>(query: Compilable<Row>) => {
      ask(query)
      return { total: 1000 } as Row
    },
  }
  return { reader, asked }
}

/** A clause in each line, so that a review sees what has changed. */
function inLines(sql: string): string {
  return sql.replace(/\s+/g, ' ').replace(/ (?=(from|where|union all|order by|limit) )| (?=and )/g, '\n  ')
}

async function eventFilters(reader: Reader, note: (title: string) => void): Promise<void> {
  const listing = { visibility: READERS, limit: 10, offset: 20, query: EVERYTHING }
  note('events: without a filter')
  await listEventIds(reader, listing)
  await countEvents(reader, listing)
  note('events: of an author')
  await listEventIds(reader, { ...listing, visibility: AUTHORS })
  for (const name of DATE_FILTERS) {
    note(`events: ${name}`)
    await listEventIds(reader, { ...listing, query: { ...EVERYTHING, bounds: { [name]: MOMENT } } })
    await countEvents(reader, { ...listing, query: { ...EVERYTHING, bounds: { [name]: MOMENT } } })
  }
  for (const [name, value] of Object.entries(EVENT_SAMPLES)) {
    note(`events: ${name}`)
    await listEventIds(reader, { ...listing, query: { ...EVERYTHING, [name]: value } })
    await countEvents(reader, { ...listing, query: { ...EVERYTHING, [name]: value } })
  }
  note('events: search, page with its total')
  await pageOfEvents(reader, { ...listing, query: { ...EVERYTHING, search: EVENT_SAMPLES.search } })
}

async function linkedFilters(reader: Reader, note: (title: string) => void): Promise<void> {
  const paging = { page: 3, perPage: 10, offset: 20 }
  for (const [name, value] of Object.entries(LINKED_SAMPLES)) {
    note(`venues: ${name}`)
    await pageOf(reader, 'venue', { query: { ...LINKED, [name]: value }, paging })
  }
}

async function termFilters(reader: Reader, note: (title: string) => void): Promise<void> {
  for (const [name, value] of Object.entries(TERM_SAMPLES)) {
    note(`categories: ${name}`)
    await pageOfTerms(reader, 'category', { sought: { ...TERMS, [name]: value }, offset: 20, limit: 10 })
  }
}

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`${engine}: the statements of every filter are those that were reviewed`, async (t) => {
    const { reader, asked } = recorder(engine)
    const note = (title: string): void => void asked.push(`\n-- ${title}`)
    await eventFilters(reader, note)
    await linkedFilters(reader, note)
    await termFilters(reader, note)
    const file = new URL(`fixtures/sql/${engine}.sql`, import.meta.url).pathname
    t.assert.fileSnapshot(`${asked.join('\n').trimStart()}\n`, file, { serializers: [(value) => String(value)] })
  })
}
