import { isDeepStrictEqual } from 'node:util'
import {
  areDatesBroken,
  type EventState,
  hiddenTextOf,
  isPlain,
  isSeriesBroken,
  linksOf,
  NO_LINKS,
  occurrencesOf,
  repairDates,
  searchTextOf,
  storeDates,
  storedEvents,
} from '../../calendar/events/index.ts'
import { ORGANIZERS, type OrganizerContent } from '../../calendar/organizers/index.ts'
import { searchTextOf as linkedTextOf } from '../../calendar/shared/linked/rules.ts'
import { VENUES, type VenueContent } from '../../calendar/venues/index.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { hiddenId, partsOfText, setSearchText } from '../../storage/entry-texts.ts'
import { fillEventCounts } from '../../storage/event-counts.ts'
import { deleteRows, insertRow, putRows } from '../../storage/row-writes.ts'
import type { OccurrenceLinkTable, OrganizerTable, VenueTable } from '../../storage/schema.ts'
import { written } from '../../storage/statement-builder.ts'
import { type Finding, finding, namesFrom } from './finding.ts'

/** Rows that are looked at together. */
const PAGE = 200

/** Derived values that differ from their source rows, with the right ones. */
export interface Broken {
  readonly events: Map<number, ReturnType<typeof occurrencesOf>>
  /** Recurring events. */
  readonly series: Set<number>
  /** Recurring events whose dates are not those of their rule. */
  readonly dates: Set<number>
  readonly texts: Map<number, string>
}

/** Copies for lists, totals and searches, compared with their sources. */
export async function examineCopies(reader: Reader): Promise<{ findings: Finding[]; broken: Broken }> {
  const broken: Broken = { events: new Map(), series: new Set(), dates: new Set(), texts: new Map() }
  const above = await categoriesAbove(reader)
  for await (const ids of pagesOf(reader, 'event')) await examineEvents(reader, { ids, above, broken })
  const rooms = [
    ['venue', (row: VenueTable) => linkedTextOf<VenueContent>(VENUES, row)],
    ['organizer', (row: OrganizerTable) => linkedTextOf<OrganizerContent>(ORGANIZERS, row)],
  ] as const
  for (const [table, textOf] of rooms) {
    for await (const ids of pagesOf(reader, table)) {
      const rows = await reader.all(
        written<never>(`select * from ${table} where id between ${ids[0]} and ${ids.at(-1)} order by id`),
      )
      await compareTexts(reader, new Map(rows.map((row: { id: number }) => [row.id, textOf(row as never)])), broken)
    }
  }
  const findings = [
    finding(
      'lists',
      [...broken.events.keys(), ...broken.series].map((id) => `event ${id}`),
      true,
    ),
    finding(
      'dates of rules',
      [...broken.dates].map((id) => `event ${id}`),
      true,
    ),
    finding('search texts', [...broken.texts.keys()].map(String), true),
    finding('search texts of nothing', await namesFrom(reader, LEFT_OVER), true),
    finding('totals', await namesFrom(reader, totals()), true),
    finding('counts of terms', await namesFrom(reader, termCounts()), true),
  ]
  return { findings, broken }
}

/** The entry of a row of texts; below zero where only those who may edit it find it by that. */
const OWNER = '(((entry_text.id + 2147483648) & 4294967295) - 2147483648)'
const LEFT_OVER = `select id as name from entry_text where ${['event', 'venue', 'organizer']
  .map((table) => `not exists (select 1 from ${table} where ${table}.id = ${OWNER})`)
  .join(' and ')} and not exists (select 1 from event where -event.id = ${OWNER} and password_hash is not null)`

async function* pagesOf(reader: Reader, table: string): AsyncGenerator<number[]> {
  for (let last = 0; ; ) {
    const rows = await reader.all(
      written<{ id: number }>(`select id from ${table} where id > ${last} order by id limit ${PAGE}`),
    )
    if (rows.length === 0) return
    yield rows.map(({ id }) => id)
    last = rows.at(-1)?.id ?? last
  }
}

/** Each category with all above it. */
async function categoriesAbove(reader: Reader): Promise<(ids: readonly number[]) => number[]> {
  const rows = await reader.all(written<{ id: number; parent: number }>('select id, parent from category'))
  const parents = new Map(rows.map(({ id, parent }) => [id, parent]))
  return (ids) => {
    const found = new Set<number>()
    for (const id of ids)
      for (let at: number | undefined = id; at !== undefined && parents.has(at) && !found.has(at); at = parents.get(at))
        found.add(at)
    return [...found].sort((one, other) => one - other)
  }
}

interface Examining {
  readonly ids: readonly number[]
  readonly above: (ids: readonly number[]) => number[]
  readonly broken: Broken
}

async function examineEvents(reader: Reader, { ids, above, broken }: Examining): Promise<void> {
  const range = `between ${ids[0]} and ${ids.at(-1)}`
  const links = await linksOf(reader, ids)
  const states: EventState[] = (await storedEvents(reader, ids)).map((row) => ({
    row,
    links: links.get(row.id) ?? NO_LINKS,
  }))
  const occurrences = await reader.all(
    written<{ event_id: number }>(`select * from occurrence where event_id ${range}`),
  )
  const linked = await reader.all(
    written<OccurrenceLinkTable>(`select kind, target_id, listed, status, start_local, published_at, occurrence_id, event_id
      from occurrence_link where event_id ${range}`),
  )
  const [stored, storedLinks] = [occurrences, linked].map((rows) => Map.groupBy(rows, ({ event_id }) => event_id))
  for (const { row } of states.filter((one) => one.row.recurrence !== null)) {
    if (await isSeriesBroken(reader, row)) broken.series.add(row.id)
    if (await areDatesBroken(reader, row)) broken.dates.add(row.id)
  }
  for (const state of states.filter(({ row }) => isPlain(row))) {
    const wanted = occurrencesOf(state, above(state.links.category))
    const { id } = state.row
    const isSame =
      isDeepStrictEqual(stored?.get(id), [wanted.occurrence]) &&
      isDeepStrictEqual(inOrder(storedLinks?.get(id) ?? []), inOrder(wanted.occurrenceLinks))
    if (!isSame) broken.events.set(id, wanted)
  }
  const texts = states.flatMap(({ row }): [number, string][] => {
    const hidden = hiddenTextOf(row)
    const open: [number, string] = [row.id, searchTextOf(row)]
    return hidden === undefined ? [open] : [open, [hiddenId(row.id), hidden]]
  })
  await compareTexts(reader, new Map(texts), broken)
}

function inOrder(rows: readonly object[]): string[] {
  return rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
}

/** A text of a calendar of an older version may be stored whole. */
async function compareTexts(reader: Reader, wanted: ReadonlyMap<number, string>, broken: Broken): Promise<void> {
  const expected = [...wanted].map(([id, body]) => ({ id, body, parts: partsOfText({ id, body }) }))
  const ids = expected.flatMap(({ id, parts }) => [id, ...parts.map((part) => part.id)])
  const stored = await reader.all(
    written<{ id: number; body: string }>(`select id, body from entry_text where id in (${ids.join()})`),
  )
  const bodies = new Map(stored.map((row) => [row.id, row.body]))
  for (const { id, body, parts } of expected) {
    const isSame = bodies.get(id) === body || parts.every((part) => bodies.get(part.id) === part.body)
    if (!isSame) broken.texts.set(id, body)
  }
}

/** Counters that differ from what is counted, in either direction. */
function totals(): string {
  const [, days = '', months = ''] = fillEventCounts()
  const counted = `with event_counted (kind, target_id, status, level, period, starts, ends) as (${days.slice(days.indexOf('select'))})`
  const named = (rows: string): string => `select kind, target_id, status, level, period, starts, ends from ${rows}`
  const all = `${named('event_counted')} union all ${months.slice(months.indexOf('select')).replace('from event_count ', 'from event_counted ')}`
  const stored = named('event_count where starts <> 0 or ends <> 0')
  const name = `kind || ' ' || target_id || ' ' || status || ' ' || period as name`
  const columns = '(kind, target_id, status, level, period, starts, ends)'
  return `${counted}, wanted ${columns} as (${all}), kept ${columns} as (${stored})
    select ${name} from (select * from wanted except select * from kept) as lacking
    union select ${name} from (select * from kept except select * from wanted) as surplus`
}

/** A recurring event counts once with all its exceptions, which name it. */
const USES = (table: string): string => `(select count(distinct case when event.exception is null then event.id
    else (select series_date.series_id from series_date where series_date.exception_id = event.id) end)
  from event_${table} inner join event on event.id = event_id
  where event_${table}.${table}_id = ${table}.id and event.status = 'publish')`

function termCounts(): string {
  const one = (table: string): string => `select '${table} ' || id as name from ${table} where count <> ${USES(table)}`
  return `${one('category')} union all ${one('tag')}`
}

/** Rebuilds derived data; its sources are only read. */
export async function repairCopies(tx: Transaction, { events, series, dates, texts }: Broken): Promise<void> {
  for (const [id, { occurrence, occurrenceLinks }] of events) {
    await deleteRows(tx, 'occurrence_link', { column: 'event_id', value: id })
    await deleteRows(tx, 'occurrence', { column: 'event_id', value: id })
    await putRows(tx, 'occurrence', [occurrence])
    for (const link of occurrenceLinks) await insertRow(tx, 'occurrence_link', link)
  }
  for (const row of await storedEvents(tx, [...dates])) await repairDates(tx, row)
  for (const id of series) await storeDates(tx, id)
  await tx.run(written(`delete from entry_text where id in (${LEFT_OVER})`))
  for (const statement of fillEventCounts()) await tx.run(written(statement))
  for (const table of ['category', 'tag']) {
    await tx.run(written(`update ${table} set count = ${USES(table)} where count <> ${USES(table)}`))
  }
  for (const [id, body] of texts) await setSearchText(tx, { id, body })
}
