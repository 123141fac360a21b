import { sql } from 'kysely'
import type { Reader } from '../../../storage/engine.ts'
import { idsTemplate } from '../../../storage/statement-template.ts'

/** What a file of events is made of: a whole recurring event, or an event or single date by itself. */
export interface FilePart {
  readonly kind: 'series' | 'event'
  readonly id: number
  /** The recurring event that a single date belongs to, if no date has been listed yet that would include it whole. */
  readonly series?: number
}

/** Most exceptions of all recurring events that are written whole in one file. */
const MOST_EXCEPTIONS = 5_000

/** What a file has of recurring events, while its list is looked through page by page. */
export interface FileSeries {
  /** Those that are in it whole. */
  readonly whole: Set<number>
  /** Those of which it has single dates, whatever follows. */
  readonly apart: Set<number>
  /** Exceptions of recurring events for which there is room. */
  left: number
}

/** What a file has before anything is in it. */
export function newFileSeries(): FileSeries {
  return { whole: new Set(), apart: new Set(), left: MOST_EXCEPTIONS }
}

const datesWith = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('series_date')
    .select(['series_date.id', 'series_id', 'exception_id'])
    .where(hasId('series_date.id')),
)

const exceptionCounts = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('series_date')
    .select(['series_id', (date) => date.fn.countAll<number>().as('count')])
    .where(hasId('series_date.series_id'))
    .where('exception_id', 'is not', null)
    .groupBy('series_id'),
)

const exceptionsWith = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('series_date')
    .select('series_date.id')
    .where(hasId('series_date.series_id'))
    .where('exception_id', 'is not', null)
    .where('position', '>', 0)
    .orderBy('series_id')
    .orderBy('recurrence_id'),
)

const dateCounts = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('event')
    .select([
      'event.id',
      sql<number | null>`(
        select series_date.id from series_date
        where series_id = event.id and position > 0 and exception_id is null limit 1
      )`.as('ordinary'),
      sql<number>`(select count(*) from series_date where series_id = event.id and position > 0)`.as('count'),
    ])
    .where(hasId('event.id')),
)

const lastStarts = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('event')
    .select([
      'event.id',
      sql<string | null>`(select max(recurrence_id) from series_date where series_id = event.id)`.as('last'),
    ])
    .where(hasId('event.id')),
)

/**
 * How a file shows listed events, in their order: a recurring event whole and once where a date is listed that is like
 * the others, or where all of its dates are; a date that differs by itself where only some such ones are listed. The same
 * holds for all dates of recurring events that would take the file beyond 5,000 exceptions.
 */
export async function filePartsOf(
  reader: Reader,
  ids: readonly number[],
  known: FileSeries = newFileSeries(),
): Promise<FilePart[]> {
  const dates = ids.length === 0 ? [] : await reader.all(datesWith(reader, ids))
  const seriesOf = new Map(dates.map(({ id, series_id }) => [id, series_id]))
  const ordinary = new Set(dates.flatMap(({ exception_id, series_id }) => (exception_id === null ? series_id : [])))
  const due = await brought(reader, [...ordinary, ...(await allDiffering(reader, dates, ordinary))], known)
  return ids.flatMap((id): FilePart[] => {
    const series = seriesOf.get(id)
    if (series === undefined) return [{ kind: 'event', id }]
    if (due.delete(series)) return [{ kind: 'series', id: series }]
    if (known.whole.has(series)) return []
    return known.apart.has(series) ? [{ kind: 'event', id }] : [{ kind: 'event', id, series }]
  })
}

/** The recurring events that have no date like the others and of which all dates are among the listed ones. */
async function allDiffering(
  reader: Reader,
  listed: readonly { readonly series_id: number }[],
  ordinary: ReadonlySet<number>,
): Promise<number[]> {
  const others = Map.groupBy(
    listed.filter(({ series_id }) => !ordinary.has(series_id)),
    ({ series_id }) => series_id,
  )
  const rows = others.size === 0 ? [] : await reader.all(dateCounts(reader, [...others.keys()]))
  return rows.flatMap((row) =>
    row.ordinary === null && Number(row.count) === others.get(row.id)?.length ? row.id : [],
  )
}

/** The recurring events that a file gets whole now: those whose exceptions fit into it, the first ones first. */
async function brought(reader: Reader, wanted: readonly number[], known: FileSeries): Promise<Set<number>> {
  const fresh = wanted.filter((id) => !known.whole.has(id) && !known.apart.has(id))
  const rows = fresh.length === 0 ? [] : await reader.all(exceptionCounts(reader, fresh))
  const counts = new Map(rows.map(({ series_id, count }) => [series_id, Number(count)]))
  for (const id of fresh) {
    known.left -= counts.get(id) ?? 0
    const decided = known.left >= 0 ? known.whole : known.apart
    decided.add(id)
  }
  return new Set(fresh.filter((id) => known.whole.has(id)))
}

/** IDs of the dates that differ from their recurring events, without those that were taken out, by original start. */
export async function exceptionIdsOf(reader: Reader, series: readonly number[]): Promise<number[]> {
  const dates = series.length === 0 ? [] : await reader.all(exceptionsWith(reader, series))
  return dates.map(({ id }) => id)
}

/** Dates of recurring events that are looked through for one file. */
const MOST_LOOKED_THROUGH = 20_000

const startsWith = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('series_date')
    .select(['series_date.id', 'series_id', 'recurrence_id'])
    .where(hasId('series_date.series_id'))
    .where('position', '>', 0)
    .orderBy('series_id')
    .orderBy('recurrence_id')
    .limit(MOST_LOOKED_THROUGH),
)

/** The original starts of the dates of recurring events, 20,000 at most. */
export async function startsOf(
  reader: Reader,
  series: readonly number[],
): Promise<{ readonly id: number; readonly series_id: number; readonly recurrence_id: string }[]> {
  return series.length === 0 ? [] : reader.all(startsWith(reader, series))
}

/** The last original start of recurring events, by ID; null before they recur. */
export async function lastStartsOf(
  reader: Reader,
  series: readonly number[],
): Promise<ReadonlyMap<number, string | null>> {
  const rows = series.length === 0 ? [] : await reader.all(lastStarts(reader, series))
  return new Map(rows.map(({ id, last }) => [id, last]))
}
