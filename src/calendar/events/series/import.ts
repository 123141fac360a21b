import type { Transaction } from '../../../storage/engine.ts'
import { claimEntryId } from '../../../storage/identifiers.ts'
import type { EventTable, SeriesDateTable } from '../../../storage/schema.ts'
import type { EventState } from '../../event-store/copies.ts'
import { exceptionOf } from '../../event-store/series/recurring.ts'
import { shownDate } from '../../event-store/series/shown.ts'
import { type SeriesState, seriesState } from '../../event-store/series/state.ts'
import { NO_DATES, type SeriesCause, writeSeries } from '../../event-store/series/write.ts'
import { takeEventId } from '../../event-store/write.ts'
import { type TakenVenue, venueTaken } from '../conflicts/on-import.ts'
import { readLines } from './change-all.ts'
import { exceptionState, type Holding } from './dates.ts'
import { differingParts, ownValues } from './fields.ts'
import { settled } from './single.ts'
import { recurringBy } from './state.ts'

/** A date of a series that comes from elsewhere. */
export interface ImportedDate {
  /** Its start as the rule gives it, on the clock of the series. */
  readonly recurrenceId: string
  /** The ID that it is to have if that is free; any when undefined. */
  readonly wishedId?: number | undefined
  /** The address that it keeps, as `series_date` has it; absent where it is called by its series and day. */
  readonly address?: string
  /** What it is by itself, whole; absent where it is like the others. A slug of '' is the usual one. */
  readonly own?: EventState
}

/** A series that comes from elsewhere. */
export interface ImportedSeries {
  /** Its event; `recurrence` of the row does not matter. */
  readonly base: EventState
  /** RRULE, RDATE and EXDATE. */
  readonly lines: readonly string[]
  /** The dates of which something is known. Exceptions of others end. */
  readonly dates: readonly ImportedDate[]
  /** Whether a date stays as it is here, by what it has for itself (`ownText`; undefined where it has nothing). */
  keepsDate?(recurrenceId: string, own: string | undefined): boolean
  /** Told what a date has for itself as it came. */
  tellDate?(recurrenceId: string, own: string): void
}

/**
 * Stores a series that comes from elsewhere; `stored` is the row that its event has already. Whether anything changed;
 * what takes its venue, where that refuses it, and nothing is stored.
 * @throws rest_invalid_param when the lines cannot be read, or give no date, or too many
 */
export async function importSeries(
  tx: Transaction,
  { stored, series }: { readonly stored: EventTable | undefined; readonly series: ImportedSeries },
  { cause, holding }: { readonly cause: SeriesCause; readonly holding: Holding },
): Promise<boolean | TakenVenue> {
  const before = stored === undefined ? undefined : await seriesState(tx, stored)
  const { base } = series
  const known = before?.dates ?? []
  const dates = [...known, ...(await withWishedIds(tx, series, known))]
  const open: SeriesState = { base, dates, exceptions: before?.exceptions ?? new Map() }
  // Another Kalends may have kept very many.
  const { lines } = series
  const recurrence = lines.length === 0 ? undefined : await readLines(tx, base.row, { lines, source: 'kept' })
  const held = await recurringBy(tx, open, { recurrence, holding, mayBeEmpty: true, isCounted: true })
  const after = await settled(tx, await withOwnDates(tx, held, series), holding)
  const taken = await venueTaken(tx, { before, after })
  if (taken !== undefined) return taken
  return (await writeSeries(tx, { before: before ?? NO_DATES, after, cause })) !== after
}

/** The dates that are new here and whose wished IDs are free. */
async function withWishedIds(
  tx: Transaction,
  { base, dates }: ImportedSeries,
  known: readonly SeriesDateTable[],
): Promise<SeriesDateTable[]> {
  const taken = new Set([base.row.start_local, ...known.map((date) => date.recurrence_id)])
  const series_id = base.row.id
  const claimed: SeriesDateTable[] = []
  for (const { recurrenceId: recurrence_id, wishedId: id } of dates) {
    if (id === undefined || taken.has(recurrence_id) || !(await claimEntryId(tx, 'occurrence', id))) continue
    taken.add(recurrence_id)
    const day = recurrence_id.slice(0, 10)
    const of_day = 1 + [...known, ...claimed].filter((one) => one.recurrence_id.startsWith(day)).length
    claimed.push({ id, series_id, recurrence_id, position: 1, of_day, exception_id: null, address: null })
  }
  return claimed
}

/** A series whose exceptions are those that came with it, and no others. */
async function withOwnDates(
  tx: Transaction,
  state: SeriesState,
  { dates: imported, keepsDate, tellDate }: ImportedSeries,
): Promise<SeriesState> {
  const owns = new Map(imported.map((date) => [date.recurrenceId, date.own]))
  const addresses = new Map(imported.map((date) => [date.recurrenceId, date.address]))
  const exceptions = new Map<number, EventState>()
  const dates: SeriesDateTable[] = []
  for (const stored of state.dates) {
    const date = { ...stored, address: addresses.get(stored.recurrence_id) ?? stored.address }
    const own = date.position === 0 && date.id !== state.base.row.id ? undefined : owns.get(date.recurrence_id)
    const was = state.exceptions.get(date.id)
    const came = own && (await exceptionFor(tx, state, { date, own }))
    if (came !== undefined) tellDate?.(date.recurrence_id, ownText(came))
    const exception = keepsDate?.(date.recurrence_id, was && ownText(was)) === true ? was : came
    if (exception !== undefined) exceptions.set(date.id, exception)
    dates.push({ ...date, exception_id: exception?.row.id ?? null })
  }
  return { ...state, dates, exceptions }
}

/** The exception that a date is by what it has for itself; undefined when it is like the others. */
async function exceptionFor(
  tx: Transaction,
  { base, exceptions }: SeriesState,
  { date, own }: { readonly date: SeriesDateTable; readonly own: EventState },
): Promise<EventState | undefined> {
  const { occasion: _, ...usual } = shownDate({ series: base.row, date })
  const was = exceptions.get(date.id)
  const slug = own.row.slug === '' ? usual.slug : own.row.slug
  const names = differingParts({ row: { ...own.row, slug }, links: own.links }, { row: usual, links: base.links })
  if (names.length === 0) return undefined
  const id = date.exception_id ?? (await takeEventId(tx))
  const revision = was?.row.revision ?? 1
  const row = { ...own.row, id, slug, revision }
  return exceptionState(base, { date, own: { row, links: own.links }, names })
}

/** What a date has for itself, as a text to be compared. */
function ownText({ row, links }: EventState): string {
  const names = exceptionOf(row)?.fields ?? []
  return JSON.stringify([names, ownValues({ row, links }, names)])
}
