import type { Selector } from '../../../http/resource.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { EventTable, SeriesDateTable } from '../../../storage/schema.ts'
import { idsTemplate, inList } from '../../../storage/statement-template.ts'
import { EVENT_SELECTION, type EventRow } from '../event-row.ts'
import { exceptionOf } from './recurring.ts'
import { addressText, type DateAddress, shownDate } from './shown.ts'

/** The rows of `event` with these IDs as they are stored, in any order. */
export function storedEvents(reader: Reader, ids: readonly number[]): Promise<EventTable[]> {
  return ids.length === 0 ? Promise.resolve([]) : reader.all(eventsWith(reader, ids))
}

const eventsWith = idsTemplate((reader, hasId) =>
  reader.db.selectFrom('event').select(EVENT_SELECTION).where(hasId('event.id')),
)

const datesWith = idsTemplate((reader, hasId) =>
  reader.db.selectFrom('series_date').selectAll().where(hasId('series_date.id')),
)

const datesOfSeriesWith = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('series_date')
    .selectAll()
    .where(hasId('series_date.series_id'))
    .orderBy('recurrence_id')
    .orderBy('id'),
)

/** All dates of a recurring event with those that were taken out, by their start. */
export function datesOfSeries(reader: Reader, id: number): Promise<SeriesDateTable[]> {
  return reader.all(datesOfSeriesWith(reader, [id]))
}

/** How many dates of a recurring event are stored, with those that were taken out. */
export async function countDates(reader: Reader, id: number): Promise<number> {
  const query = reader.db
    .selectFrom('series_date')
    .select((date) => date.fn.countAll<number>().as('count'))
    .where('series_id', '=', id)
  return Number((await reader.first(query))?.count ?? 0)
}

/** How many dates of a recurring event have started by a wall clock reading; those that were taken out are none. */
export async function countBegun(reader: Reader, id: number, local: string): Promise<number> {
  const query = reader.db
    .selectFrom('series_date')
    .select((date) => date.fn.countAll<number>().as('count'))
    .where('series_id', '=', id)
    .where('position', '>', 0)
    .where('recurrence_id', '<=', local)
  return Number((await reader.first(query))?.count ?? 0)
}

/** The dates with these IDs as if they were events, by ID; `known` are rows of events that were read already. */
export async function shownDates(
  reader: Reader,
  ids: readonly number[],
  known: readonly EventTable[] = [],
): Promise<ReadonlyMap<number, EventRow>> {
  if (ids.length === 0) return new Map()
  const dates = await reader.all(datesWith(reader, ids))
  const rows = new Map(known.map((row) => [row.id, row]))
  const wanted = new Set(dates.flatMap(({ series_id, exception_id }) => [series_id, exception_id ?? series_id]))
  for (const row of await storedEvents(
    reader,
    [...wanted].filter((id) => !rows.has(id)),
  ))
    rows.set(row.id, row)
  const shown = dates.flatMap((date) => {
    const series = rows.get(date.series_id)
    const exception = date.exception_id === null ? undefined : rows.get(date.exception_id)
    return series === undefined ? [] : [shownDate({ series, date, exception })]
  })
  return new Map(shown.map((row) => [row.id, row]))
}

/** The date that a path names; `found` is the row of `event` with that ID or slug, which is no plain event. */
export async function findDate(
  reader: Reader,
  selector: Selector,
  found: EventTable | undefined,
): Promise<EventRow | undefined> {
  const id = await dateIdOf(reader, selector, found)
  if (id === undefined) return undefined
  return (await shownDates(reader, [id], found === undefined ? [] : [found])).get(id)
}

async function dateIdOf(
  reader: Reader,
  selector: Selector,
  found: EventTable | undefined,
): Promise<number | undefined> {
  if (selector.by === 'id') return found?.exception == null ? selector.id : undefined
  if (found === undefined) return dateIdBySlug(reader, selector.slug)
  const exception = exceptionOf(found)
  if (exception === undefined) return found.id
  return exception.fields.includes('slug') ? exception.date : undefined
}

/** The ID of the date of a recurring event that a slug names, `{slug}-{day}`; undefined when none does. */
export async function dateIdBySlug(reader: Reader, slug: string): Promise<number | undefined> {
  const asked = readDateSlug(slug)
  if (asked === undefined) return undefined
  const kept = await dateKeeping(reader, asked)
  if (kept !== undefined) return kept.id
  const query = reader.db
    .selectFrom('event')
    .innerJoin('series_date', 'series_date.series_id', 'event.id')
    .select('series_date.id')
    .where('event.slug', '=', asked.slug)
    .where('series_date.recurrence_id', '>=', `${asked.day} 00:00:00`)
    .where('series_date.recurrence_id', '<=', `${asked.day} 23:59:59`)
    .where('series_date.of_day', '=', asked.of_day)
    .where((is) => is.or([is('series_date.address', 'is', null), is('event.status', '=', 'trash')]))
    .orderBy('series_date.id', 'desc')
  return (await reader.first(query))?.id
}

/** The date that keeps an address, and whether it takes place; undefined where none does. */
export function dateKeeping(
  reader: Reader,
  { slug, day, of_day }: DateAddress,
): Promise<Pick<SeriesDateTable, 'id' | 'position'> | undefined> {
  const query = reader.db
    .selectFrom('series_date')
    .innerJoin('event', 'event.id', 'series_date.series_id')
    .select(['series_date.id', 'series_date.position'])
    .where('series_date.address', '=', addressText(slug, { recurrence_id: day, of_day }))
    .where('event.status', '!=', 'trash')
    .orderBy('series_date.id', 'desc')
  return reader.first(query)
}

/** The dates of a series that take place and have something for themselves. */
export async function changedDatesOf(reader: Reader, series: number): Promise<readonly number[]> {
  const query = reader.db
    .selectFrom('series_date')
    .select('id')
    .where('series_id', '=', series)
    .where('position', '>', 0)
    .where('exception_id', 'is not', null)
  return (await reader.all(query)).map(({ id }) => id)
}

/** How many of these dates take place. */
export async function countDatesIn(reader: Reader, ids: readonly number[]): Promise<number> {
  const query = reader.db
    .selectFrom('series_date')
    .select((is) => is.fn.countAll().as('count'))
    .where(inList(reader.engine, 'series_date.id', ids))
    .where('position', '>', 0)
  return Number((await reader.first(query))?.count ?? 0)
}

/** What the slug of a further date is made of; undefined for a slug that is none. */
function readDateSlug(slug: string): DateAddress | undefined {
  const [, series, day, number = '1'] = /^(.+)-(\d{4}-\d\d-\d\d)(?:-(\d{1,5}))?(?:__trashed)?$/.exec(slug) ?? []
  return series === undefined || day === undefined ? undefined : { slug: series, day, of_day: Number(number) }
}
