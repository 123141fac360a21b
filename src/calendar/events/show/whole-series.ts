import { occursTwice } from '../../../base/time/zones.ts'
import type { PasswordTries } from '../../../http/limits/guesses.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { exceptionIdsOf, lastStartsOf, startsOf } from '../../event-store/series/file-parts.ts'
import { storedRecurrence } from '../../event-store/series/recurring.ts'
import { shownDates, storedEvents } from '../../event-store/series/rows.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { type Lookups, openedBy } from './load.ts'
import { type EventWithRelations, loadWithRelations } from './with-relations.ts'

/** A recurring event with what some of its dates have for themselves, as far as a viewer sees it. */
export interface WholeSeries {
  /** What all dates have in common; its row says the rule and has no `occasion`. */
  readonly base: EventWithRelations
  /**
   * The dates that differ from the others, and those whose original start the clock shows twice: few programs take it for
   * the first one. Those that were taken out or that lists hide are left out.
   */
  readonly exceptions: readonly EventWithRelations[]
  /** Original starts of dates that lists hide although they show the others. */
  readonly hidden: readonly string[]
  /** The last original start of all; that of the event itself before it recurs. */
  readonly last: string
}

/** Who reads whole recurring events. */
export interface SeriesAudience {
  readonly viewer: Viewer & { readonly tries?: PasswordTries | undefined }
  /** Password that was sent. */
  readonly password: string | undefined
}

/** Recurring events with their exceptions, in the order of their IDs; IDs without an event are left out. */
export async function wholeSeries(
  { reader, lookups }: { readonly reader: Reader; readonly lookups: Lookups },
  ids: readonly number[],
  { viewer, password }: SeriesAudience,
): Promise<WholeSeries[]> {
  const rows: readonly EventRow[] = await storedEvents(reader, ids)
  const dates = [...new Set([...(await exceptionIdsOf(reader, ids)), ...(await ambiguousDates(reader, rows))])]
  const shown = await shownDates(reader, dates, rows)
  const exceptions = dates.flatMap((id) => shown.get(id) ?? [])
  const openSeries = await openedBy(password, rows, viewer.tries)
  const opened = new Set([
    ...openSeries,
    ...exceptions.filter((row) => openSeries.has(seriesIdOf(row))).map(({ id }) => id),
  ])
  const bases = await loadWithRelations(reader, lookups, { rows, viewer, opened })
  const bySeries = Map.groupBy(
    await loadWithRelations(reader, lookups, { rows: exceptions, viewer, opened }),
    ({ row }) => seriesIdOf(row),
  )
  const last = await lastStartsOf(reader, ids)
  const byId = new Map(bases.map((base) => [base.row.id, base]))
  return ids.flatMap((id) => {
    const base = byId.get(id)
    return base === undefined ? [] : [withExceptions(base, bySeries.get(id) ?? [], last.get(id))]
  })
}

/** Dates whose original start the clock of their event shows twice. */
async function ambiguousDates(reader: Reader, rows: readonly EventRow[]): Promise<number[]> {
  const zones = new Map(rows.filter(mayBeAmbiguous).map(({ id, timezone }) => [id, timezone]))
  const starts = await startsOf(reader, [...zones.keys()])
  return starts.flatMap(({ id, series_id, recurrence_id }) =>
    occursTwice(recurrence_id, zones.get(series_id) ?? 'UTC') ? id : [],
  )
}

/** Clocks are put back between ten in the evening and four in the morning. */
function mayBeAmbiguous(row: EventRow): boolean {
  const recurrence = row.all_day === 1 ? undefined : storedRecurrence(row)
  if (recurrence === undefined) return false
  const { rule, added } = recurrence
  const hour = Number(row.start_local.slice(11, 13))
  if (hour >= 22 || hour < 4 || added.length > 0) return true
  return rule !== undefined && (rule.byHour.length > 0 || ['HOURLY', 'MINUTELY', 'SECONDLY'].includes(rule.frequency))
}

function withExceptions(
  base: EventWithRelations,
  exceptions: readonly EventWithRelations[],
  last: string | null | undefined,
): WholeSeries {
  const isHidden = ({ row }: EventWithRelations): boolean =>
    row.hide_from_listings === 1 && base.row.hide_from_listings === 0
  return {
    base,
    exceptions: exceptions.filter((one) => !isHidden(one)),
    hidden: exceptions.filter(isHidden).flatMap(({ row }) => row.occasion?.date.recurrence_id ?? []),
    last: last ?? base.row.start_local,
  }
}

function seriesIdOf({ id, occasion }: EventRow): number {
  return occasion?.series.id ?? id
}
