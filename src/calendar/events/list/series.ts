import { type Expression, type SqlBool, sql } from 'kysely'
import { mayRead } from '../../../http/auth/rights.ts'
import { idsTemplate } from '../../../storage/statement-template.ts'
import { findEvent } from '../../event-store/rows.ts'
import type { Condition } from '../../shared/filters.ts'
import type { Visibility } from '../../shared/listing.ts'
import type { Dates } from './dates.ts'
import type { EventFilterContext } from './named.ts'

/** Events and dates that a list names, and the series that these dates belong to. */
export interface NamedDates {
  readonly ids: readonly number[]
  readonly series: readonly number[]
  /** Whether some of them are nothing yet: a series may come to have a date with that ID. */
  readonly hasUnknown?: boolean
}

const namedWith = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('occurrence')
    .leftJoin('series_date', 'series_date.id', 'occurrence.id')
    .select(['occurrence.id', 'series_id'])
    .where(hasId('occurrence.id')),
)

/** The IDs with the series of those that are dates: whatever happens to a date is reported for its series. */
export async function withSeries(ids: readonly number[], { reader }: EventFilterContext): Promise<NamedDates> {
  const possible = [...new Set(ids.filter((id) => id < 2 ** 31))]
  if (possible.length === 0) return { ids, series: [] }
  const found = await reader.all(namedWith(reader, possible))
  const series = new Set(found.flatMap(({ series_id }) => series_id ?? []))
  return { ids, series: [...series], hasUnknown: found.length < possible.length }
}

/** The series that an ID names by itself or by one of its dates; the caller must be able to read it. */
export async function readableSeries(id: number, { reader, caller, refusals }: EventFilterContext): Promise<number> {
  const row = await findEvent(reader, { by: 'id', id })
  const isReadable = row !== undefined && mayRead(caller, { authorId: row.author_id, status: row.status })
  if (!isReadable) refusals.push({ name: 'series', code: 'rest_invalid_param', reason: 'unknown_id' })
  return row?.occasion?.series.id ?? id
}

/** Whether a row of `occurrence` is a date of a series, or the event itself. */
export function isOfSeries(id: number): Condition {
  return sql<SqlBool>`(occurrence.id = ${id}
    or exists (select 1 from series_date where series_date.id = occurrence.id and series_date.series_id = ${id}))`
}

/** The rows of `event` that the dates of a series show. */
export function rowsOfSeries(id: number): Expression<{ id: number }> {
  return sql`(select event.id from event where event.id = ${id}
    union select series_date.exception_id from series_date
      where series_date.series_id = ${id} and series_date.exception_id is not null)`
}

/** Whether a row of `occurrence` is a further date of an event that is like the others. */
export function isFurtherDate(id: number): Condition {
  return sql<SqlBool>`(occurrence.event_id = ${id} and occurrence.id <> ${id})`
}

/** What a list asks for, where it shows of each series only the first date that meets all of that. */
export interface FirstOnly {
  /** Added when it is known who asks. */
  readonly listing?: {
    readonly filters: Readonly<Record<string, unknown>>
    readonly bounds: Dates
    readonly visibility: Visibility
  }
}

/** Whether a row of `occurrence` is the first date of its series of those that meet the conditions, or no such date. */
export function isFirstOfSeries(conditions: readonly Condition[]): Condition {
  return sql<SqlBool>`(not exists (select 1 from series_date where series_date.id = occurrence.id)
    or occurrence.id in (select ranked.id from (
      select occurrence.id as id, row_number() over (partition by series_date.series_id
        order by occurrence.start_local, occurrence.published_at, occurrence.id) as place
      from series_date inner join occurrence on occurrence.id = series_date.id
      where occurrence.listed = 1 and ${sql.join(conditions, sql` and `)}) as ranked where ranked.place = 1))`
}
