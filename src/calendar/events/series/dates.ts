import { type DatesWanted, dateSteps, isEndless, type RecurringDates } from '../../../base/time/recurrence/dates.ts'
import { MOST_DATES, type Recurrence, readingSteps } from '../../../base/time/recurrence/lines.ts'
import type { RuleProblem } from '../../../base/time/recurrence/rule.ts'
import type { Steps } from '../../../base/time/recurrence/steps.ts'
import { writingSteps } from '../../../base/time/recurrence/write.ts'
import { localFromMillis } from '../../../base/time/zones.ts'
import type { Transaction } from '../../../storage/engine.ts'
import { nextEntryIds } from '../../../storage/identifiers.ts'
import type { SeriesDateTable } from '../../../storage/schema.ts'
import type { EventState } from '../../event-store/copies.ts'
import { exceptionOf, firstDateOf, type Recurring, type SeriesMoments } from '../../event-store/series/recurring.ts'
import { isOut, shownDate } from '../../event-store/series/shown.ts'
import type { SeriesState } from '../../event-store/series/state.ts'
import { withOwn } from './fields.ts'

/** How far dates are held of a rule without end. */
export interface Holding {
  /** Unix milliseconds. */
  readonly now: number
  /** Years from now on. */
  readonly recurrenceYears: number
}

/** How many dates an event may have. */
export interface DatesRoom {
  /** More are refused. */
  readonly most: number
  /** Of a rule without end, whatever `most` is: later dates are left out for now. Undefined where they are refused. */
  readonly cutAt?: number | undefined
  /** What the rule may look at, see `workSince`; as much as a new one if absent. */
  readonly work?: number | undefined
}

/** The dates of a recurrence, or what is wrong with it. */
export type HeldDates =
  | { readonly ok: true; readonly starts: readonly string[]; readonly recurring: Recurring }
  | { readonly ok: false; readonly problem: RuleProblem }

/**
 * The dates that are stored of an event with a recurrence, undefined for one that recurs no more; 5,000 where no other
 * room is given.
 */
export function* holdingSteps(
  row: SeriesMoments,
  recurrence: Recurrence | undefined,
  { room: { most, cutAt, work } = { most: MOST_DATES }, ...holding }: Holding & { readonly room?: DatesRoom },
): Steps<HeldDates> {
  const first = firstDateOf(row)
  if (recurrence === undefined) return { ok: true, starts: [first.start], recurring: { lines: [] } }
  const lines = yield* writingSteps(recurrence, first)
  const { horizon } = datesHeld(row, recurrence, holding)
  if (horizon === undefined) {
    const found = yield* dateSteps(recurrence, first, { most, work })
    return found.ok ? { ok: true, starts: startsOf(found), recurring: { lines } } : found
  }
  const bounds = cutAt === undefined ? { most } : { limit: cutAt, most: Number.POSITIVE_INFINITY }
  const found = yield* dateSteps(recurrence, first, { horizon, work, ...bounds })
  if (!found.ok) return found
  const starts = startsOf(found)
  // Nobody knows how many further dates there are up to the horizon.
  const isCut = cutAt !== undefined && starts.length >= cutAt
  return { ok: true, starts, recurring: { lines, until: isCut ? (starts.at(-1) ?? horizon) : horizon } }
}

function startsOf({ dates }: Extract<RecurringDates, { ok: true }>): string[] {
  return dates.map(({ recurrenceId }) => recurrenceId)
}

/** Which dates of an event are held. */
export function datesHeld(row: SeriesMoments, recurrence: Recurrence, holding: Holding): Pick<DatesWanted, 'horizon'> {
  return isEndless(recurrence) ? { horizon: horizonOf(row, holding) } : {}
}

/** How far the dates of an event are held, on its own clock. */
function horizonOf({ timezone, start_local }: SeriesMoments, { now, recurrenceYears }: Holding): string {
  const local = localFromMillis(now, timezone)
  const year = Math.min(Number(local.slice(0, 4)) + recurrenceYears, 9999)
  // The 29th of February comes before the 1st of March in any year: as text it is compared all the same.
  const horizon = `${year}${local.slice(4).replace('-02-29', '-02-28')}`
  return horizon > start_local ? horizon : start_local
}

/** Reads the lines that were sent for an event, as far as that needs no database. */
export function* checkingSteps(row: SeriesMoments, lines: readonly string[], holding: Holding): Steps<HeldDates> {
  const reading = yield* readingSteps(lines, firstDateOf(row))
  return reading.ok ? yield* holdingSteps(row, reading.recurrence, holding) : reading
}

/** Dates that were taken out, or dropped by a change of the rule, that are stored for each series. */
const MOST_OUT = MOST_DATES

/**
 * A series with the dates that its event has now. Dates whose start is still among them keep their IDs, new ones get
 * theirs; the others are out, and the oldest of very many of these are forgotten.
 */
export async function withDates(
  tx: Transaction,
  state: SeriesState,
  { starts, recurring }: Extract<HeldDates, { ok: true }>,
): Promise<SeriesState> {
  const { id, start_local } = state.base.row
  const row = { ...state.base.row, recurrence: JSON.stringify(recurring) }
  const others = state.dates.filter((date) => date.id !== id)
  // Of two dates with one start, of which one was dropped, the one that is in stays.
  const known = new Map(
    others.toSorted((one, other) => one.position - other.position).map((date) => [date.recurrence_id, date]),
  )
  const wanted = starts.filter((start) => start !== start_local)
  const ids = await nextEntryIds(tx, 'occurrence', wanted.filter((start) => !known.has(start)).length)
  const places = new DayPlaces(others)
  const { exception_id = null, address = null } = state.dates.find((date) => date.id === id) ?? {}
  const first = { id, series_id: id, recurrence_id: start_local, of_day: 1, exception_id, address }
  const dates = starts.map((recurrence_id, index): SeriesDateTable => {
    const position = index + 1
    if (recurrence_id === start_local) return { ...first, position }
    const date = known.get(recurrence_id)
    if (date !== undefined) return { ...date, series_id: id, position }
    const own = { id: ids.shift() ?? 0, of_day: places.next(recurrence_id.slice(0, 10)) }
    return { ...own, series_id: id, recurrence_id, position, exception_id: null, address: null }
  })
  if (starts[0] !== start_local && !starts.includes(start_local)) dates.push({ ...first, position: 0 })
  const kept = new Set(dates.map((date) => date.id))
  const out = others.filter((date) => !kept.has(date.id)).map((date) => ({ ...date, series_id: id, position: 0 }))
  const left = out.sort((one, other) => other.id - one.id).slice(0, MOST_OUT)
  const all = [...dates, ...left].sort((one, other) =>
    one.recurrence_id < other.recurrence_id ? -1 : one.recurrence_id > other.recurrence_id ? 1 : one.id - other.id,
  )
  return following({ base: { row, links: state.base.links }, dates: all, exceptions: state.exceptions })
}

/** Numbers of dates that start on one day; the event itself has none. */
export class DayPlaces {
  readonly #taken = new Map<string, Set<number>>()

  constructor(dates: readonly SeriesDateTable[]) {
    for (const { recurrence_id, of_day } of dates) this.#on(recurrence_id.slice(0, 10)).add(of_day)
  }

  /** The lowest number that no date of a day `YYYY-MM-DD` has, which is taken from now on. */
  next(day: string): number {
    const taken = this.#on(day)
    let number = 1
    while (taken.has(number)) number += 1
    taken.add(number)
    return number
  }

  #on(day: string): Set<number> {
    const taken = this.#taken.get(day) ?? new Set()
    this.#taken.set(day, taken)
    return taken
  }
}

/** A series whose exceptions are as the event and their dates are now, but for what they have for themselves. */
export function following(state: SeriesState): SeriesState {
  const { base } = state
  const exceptions = state.dates.flatMap((date): [number, EventState][] => {
    const own = state.exceptions.get(date.id)
    const names = own && exceptionOf(own.row)?.fields
    return own === undefined || names === undefined ? [] : [[date.id, exceptionState(base, { date, own, names })]]
  })
  return { ...state, exceptions: new Map(exceptions) }
}

/** The row of an exception: as the series, but for what the date has for itself. */
export function exceptionState(
  base: EventState,
  { date, own, names }: { readonly date: SeriesDateTable; readonly own: EventState; readonly names: readonly string[] },
): EventState {
  const { occasion: _, ...usual } = shownDate({ series: base.row, date })
  const { row, links } = withOwn({ row: usual, links: base.links }, own, names)
  const { id, revision, modified_at } = own.row
  const isGone = isOut(date)
  return {
    links,
    row: {
      ...row,
      id,
      revision,
      modified_at,
      // A row needs a slug that no other has; people know the date by another one.
      slug: names.includes('slug') ? own.row.slug : `__date-${date.id}`,
      recurrence: null,
      exception: JSON.stringify({ series: base.row.id, date: date.id, fields: names }),
      status: isGone ? 'trash' : base.row.status,
      trashed_from: isGone ? (base.row.trashed_from ?? base.row.status) : base.row.trashed_from,
    },
  }
}
