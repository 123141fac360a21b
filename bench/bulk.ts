import type { Occurrences } from '../src/calendar/event-store/copies.ts'
import { occurrencesOfDate } from '../src/calendar/event-store/series/occurrences.ts'
import { shownDate } from '../src/calendar/event-store/series/shown.ts'
import {
  type EventLinks,
  type EventRow,
  type EventState,
  occurrencesOf,
  searchTextOf,
  snapshotOfEvent,
} from '../src/calendar/events/index.ts'
import type { Compilable, Storage, Transaction } from '../src/storage/engine.ts'
import { partsOfText, rowOfPart } from '../src/storage/entry-texts.ts'
import { fillEventCounts } from '../src/storage/event-counts.ts'
import type { SeriesDateTable } from '../src/storage/schema.ts'
import { fillWords, listUnderAncestors } from './derived.ts'

/** An event to store; its ID is the next one. */
export interface NewEvent {
  readonly row: Omit<EventRow, 'id'>
  readonly links: EventLinks
  /** Original starts of all dates of one that recurs, on its clock, the own start first; `[]` for others. */
  readonly starts: readonly string[]
}

/** An event that has its ID. */
interface BulkEvent {
  readonly state: EventState
  readonly dates: readonly SeriesDateTable[]
}

/** Who stores events, and when (UTC text), for the journal. */
interface Agent {
  readonly actor: number
  readonly at: string
}

/**
 * Stores events in one transaction, with all that the ordinary write path (`insertEvent`) stores of them, but many rows
 * a statement. Counts of terms and search index follow in `withoutIndexes`.
 */
export async function insertBulk(storage: Storage, events: readonly NewEvent[], { actor, at }: Agent): Promise<void> {
  await storage.write(async (tx) => {
    const ids = events.reduce((sum, { starts }) => sum + Math.max(1, starts.length), 0)
    const last = await advance(tx, { table: 'counter', column: 'value', where: `name = 'entry'` }, ids)
    const seq =
      (await advance(tx, { table: 'journal_head', column: 'seq', where: '1 = 1' }, events.length)) - events.length
    const stored = withIds(events, last - ids + 1)
    await insertEvents(tx, stored)
    await insertRows(
      tx,
      'journal',
      stored.map(({ state }, index) => journalEntry(state, { seq: seq + index + 1, at, actor })),
    )
  })
}

/** The events with IDs from one on; those of further dates follow that of their event. */
function withIds(events: readonly NewEvent[], first: number): BulkEvent[] {
  let id = first
  return events.map(({ row, links, starts }): BulkEvent => {
    const series_id = id
    const dates = starts.map((recurrence_id, index) => {
      const place = { recurrence_id, position: index + 1, of_day: 1 }
      return { id: series_id + index, series_id, ...place, exception_id: null, address: null }
    })
    id += Math.max(1, starts.length)
    return { state: { row: { ...row, id: series_id }, links }, dates }
  })
}

/** What lists read of an event, or of all its dates. */
function copiesOf({ state, dates }: BulkEvent): Occurrences[] {
  const { row: series, links } = state
  if (dates.length === 0) return [occurrencesOf(state, links.category)]
  return dates.map((date) =>
    occurrencesOfDate({ row: shownDate({ series, date }), links }, { date, categories: links.category }),
  )
}

async function insertEvents(tx: Transaction, events: readonly BulkEvent[]): Promise<void> {
  const states = events.map(({ state }) => state)
  const rows = states.map((state) => state.row)
  const dates = events.flatMap((one) => one.dates)
  const copies = events.flatMap(copiesOf)
  await insertRows(tx, 'entry', [
    ...rows.map(({ id }) => ({ id, kind: 'event' })),
    ...dates.filter(({ id, series_id }) => id !== series_id).map(({ id }) => ({ id, kind: 'occurrence' })),
  ])
  await insertRows(tx, 'event', rows)
  await insertRows(tx, 'series_date', dates)
  for (const kind of ['venue', 'organizer', 'category', 'tag'] as const) {
    const relations = states.flatMap(({ row, links }) =>
      links[kind].map((target, position) => ({ event_id: row.id, [`${kind}_id`]: target, position })),
    )
    await insertRows(tx, `event_${kind}`, relations)
  }
  await insertRows(
    tx,
    'occurrence',
    copies.map((one) => one.occurrence),
  )
  await insertRows(
    tx,
    STAGED,
    copies.flatMap((one) => one.occurrenceLinks),
  )
  await insertRows(
    tx,
    'entry_text',
    rows.flatMap((row) => partsOfText({ id: row.id, body: searchTextOf(row) }).map(rowOfPart)),
  )
}

function journalEntry({ row, links }: EventState, entry: Agent & { readonly seq: number }): object {
  const { id, revision } = row
  const snapshot = JSON.stringify(snapshotOfEvent(row, links))
  return { ...entry, resource: 'event', id, revision, action: 'create', snapshot }
}

async function advance(
  tx: Transaction,
  { table, column, where }: { readonly table: string; readonly column: string; readonly where: string },
  count: number,
): Promise<number> {
  const set = `update ${table} set ${column} = ${column} + ${count} where ${where} returning ${column} as reached`
  const row = await tx.first(text<{ reached: number }>(set))
  if (row === undefined) throw new Error(`${table} has no row`)
  return row.reached
}

/** Values of one statement at most; SQLite takes 32,766. */
const VALUES = 8_000

async function insertRows(tx: Transaction, table: string, rows: readonly object[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  const size = Math.floor(VALUES / columns.length)
  const places = `(${columns.map(() => '?').join(', ')})`
  for (let start = 0; start < rows.length; start += size) {
    const part = rows.slice(start, start + size)
    const sql = `insert into ${table} (${columns.join(', ')}) values ${part.map(() => places).join(', ')}`
    const parameters = part.flatMap((row) => Object.values(row) as unknown[])
    await tx.run({ compile: () => ({ sql, parameters }) })
  }
}

/** Tables whose indexes are rebuilt after bulk inserts. */
const INDEXED = [
  'event',
  'event_venue',
  'event_organizer',
  'event_category',
  'event_tag',
  'occurrence',
  'occurrence_link',
  'journal',
]

/** Where rows of `occurrence_link`, whose only order is its key, wait until all are there and can be sorted. */
const STAGED = 'staged_occurrence_link'

/** Pages of the connection that writes while it inserts much, and then again, in KiB as SQLite's negative numbers say it. */
const CACHE = { large: -1024 * 1024, usual: -32 * 1024 }

/** Memory of the search index while it is made, in bytes; then the default of SQLite again. */
const HASH = { large: 32 * 1024 * 1024, usual: 1024 * 1024 }

/** Runs a step that inserts much into a SQLite file: without indexes, which are rebuilt at the end, as are counts. */
export async function withoutIndexes(storage: Storage, step: () => Promise<void>): Promise<void> {
  const list = INDEXED.map((table) => `'${table}'`).join(', ')
  const indexes = await storage.all(
    text<Named>(
      `select name, sql from sqlite_schema where type = 'index' and sql is not null and tbl_name in (${list})`,
    ),
  )
  const triggers = await storage.all(
    text<Named>(`select name, sql from sqlite_schema where type = 'trigger' and tbl_name = 'entry_text'`),
  )
  await runAll(storage, [
    `pragma cache_size = ${CACHE.large}`,
    `create table ${STAGED} as select * from occurrence_link where false`,
    ...indexes.map(({ name }) => `drop index ${name}`),
    ...triggers.map(({ name }) => `drop trigger ${name}`),
  ])
  await step()
  await runAll(storage, [
    `insert into occurrence_link select * from ${STAGED}
      order by kind, target_id, listed, status, start_local, published_at, occurrence_id`,
    `drop table ${STAGED}`,
    listUnderAncestors(),
  ])
  for (const { sql } of indexes) await runAll(storage, [sql])
  await runAll(storage, fillEventCounts())
  await runAll(storage, [
    ...['category', 'tag'].map(
      (term) => `update ${term} set count = (select count(*) from event_${term} inner join event on event.id = event_id
        where ${term}_id = ${term}.id and event.status = 'publish')`,
    ),
    `insert into entry_text_fts (entry_text_fts, rank) values ('hashsize', ${HASH.large})`,
    `insert into entry_text_fts (entry_text_fts) values ('rebuild')`,
    `insert into entry_text_fts (entry_text_fts, rank) values ('hashsize', ${HASH.usual})`,
  ])
  await settleIndex(storage)
  await runAll(storage, [...fillWords(), ...triggers.map(({ sql }) => sql), `pragma cache_size = ${CACHE.usual}`])
}

/**
 * Moves all of the index of texts below what is new: otherwise the sixteenth write after this would merge the whole of it
 * with the little that those have added, seconds at once. `optimize` leaves a single segment where it is, so each commit
 * here adds one, which in the end holds nothing.
 */
async function settleIndex(storage: Storage): Promise<void> {
  await runAll(storage, [`insert into entry_text_fts (rowid, body) values (0, 'nothing')`])
  await runAll(storage, [`insert into entry_text_fts (entry_text_fts, rowid, body) values ('delete', 0, 'nothing')`])
  await runAll(storage, [`insert into entry_text_fts (entry_text_fts) values ('optimize')`])
}

interface Named {
  readonly name: string
  readonly sql: string
}

async function runAll(storage: Storage, statements: readonly string[]): Promise<void> {
  await storage.write(async (tx) => {
    for (const statement of statements) await tx.run(text(statement))
  })
}

function text<Row>(sql: string): Compilable<Row> {
  return { compile: () => ({ sql, parameters: [] }) }
}
