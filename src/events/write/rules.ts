import { isDeepStrictEqual } from 'node:util'
import type { DateInZone, DateValue } from '../../fields/date.ts'
import type { Reason } from '../../fields/kind.ts'
import { wholeDays } from '../../time/ranges.ts'
import { hasLocal, hasUtc, toLocal, toUtc } from '../../time/zones.ts'

/** When an event takes place, as stored. */
export interface EventTimes {
  readonly start_local: string
  readonly end_local: string
  readonly start_utc: string
  readonly end_utc: string
  readonly timezone: string
  readonly all_day: number
}

/** The values of a write that move an event. */
export interface SentTimes {
  readonly start_date?: DateInZone
  readonly end_date?: DateInZone
  /** '' asks for the zone of the site. */
  readonly timezone?: string
  readonly all_day?: boolean
}

type TimeName = 'start_date' | 'end_date' | 'timezone'

/** Times that hold together, or the parameter that does not fit. */
export type ResolvedTimes =
  | { readonly ok: true; readonly times: EventTimes }
  | { readonly ok: false; readonly name: TimeName; readonly reason: Reason }

/**
 * When an event takes place after a write: what was sent over what is stored. Start or end alone works, whole days are
 * widened, UTC follows from wall clock and zone, and an end before the start is refused (decisions: Partial update,
 * Dates). A write that names no time leaves all of them alone.
 */
export function resolveTimes(stored: EventTimes | undefined, sent: SentTimes, siteZone: string): ResolvedTimes {
  if (stored !== undefined && TIMES.every((name) => sent[name] === undefined))
    return { ok: true, times: timesOf(stored) }
  const timezone = zoneOf(stored, sent, siteZone)
  const dates = { start: sent.start_date?.inZone(timezone), end: sent.end_date?.inZone(timezone) }
  const outside = outsideYears(stored, dates, timezone)
  if (outside !== undefined) return { ok: false, name: outside, reason: 'bad_date' }
  const start = momentOf(dates.start, timezone) ?? storedMoment(stored, 'start', timezone)
  const end = momentOf(dates.end, timezone) ?? storedMoment(stored, 'end', timezone)
  if (start === undefined) return { ok: false, name: 'start_date', reason: 'empty' }
  if (end === undefined) return { ok: false, name: 'end_date', reason: 'empty' }
  const allDay = sent.all_day ?? stored?.all_day === 1
  const [first, last] = allDay ? wholeDaysOf(start, end, timezone) : [start, end]
  if (!hasUtc(first.local, timezone)) return { ok: false, name: 'start_date', reason: 'bad_date' }
  if (!hasUtc(last.local, timezone)) return { ok: false, name: 'end_date', reason: 'bad_date' }
  if (last.utc < first.utc) return { ok: false, name: 'end_date', reason: 'end_before_start' }
  const times = { start_local: first.local, end_local: last.local, start_utc: first.utc, end_utc: last.utc }
  return { ok: true, times: { ...times, timezone, all_day: allDay ? 1 : 0 } }
}

/** What was sent and leads out of the years 1000 to 9999 on the clock of the event or in UTC. */
function outsideYears(
  stored: EventTimes | undefined,
  dates: Readonly<Record<'start' | 'end', DateValue | undefined>>,
  timezone: string,
): TimeName | undefined {
  for (const edge of ['start', 'end'] as const) {
    const date = dates[edge]
    if (date?.kind === 'local' && !hasUtc(date.local, timezone)) return `${edge}_date`
    if (date?.kind === 'instant' && !hasLocal(date.utc, timezone)) return `${edge}_date`
    if (date !== undefined || stored === undefined || timezone === stored.timezone) continue
    if (!hasUtc(stored[`${edge}_local`], timezone)) return 'timezone'
  }
  return undefined
}

/** Whether times that were resolved over stored ones are right over others, too: what was sent is the same. */
export function areSameTimes(one: EventTimes | undefined, other: EventTimes | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return isDeepStrictEqual(timesOf(one), timesOf(other))
}

/** Zone of an event after a write. */
export function zoneOf(stored: EventTimes | undefined, sent: SentTimes, siteZone: string): string {
  return sent.timezone === undefined ? (stored?.timezone ?? siteZone) : sent.timezone || siteZone
}

const TIMES = ['start_date', 'end_date', 'timezone', 'all_day'] as const

function timesOf({ start_local, end_local, start_utc, end_utc, timezone, all_day }: EventTimes): EventTimes {
  return { start_local, end_local, start_utc, end_utc, timezone, all_day }
}

/** A moment on the event's own clock and in UTC. */
interface Moment {
  readonly local: string
  readonly utc: string
}

/** An instant keeps its place even where the clock shows it twice; a wall clock that is skipped is moved forward. */
function momentOf(date: DateValue | undefined, timezone: string): Moment | undefined {
  if (date === undefined) return undefined
  const utc = date.kind === 'local' ? toUtc(date.local, timezone) : date.utc
  return { local: toLocal(utc, timezone), utc }
}

/** A stored moment keeps its UTC; in another zone its wall clock stays and its UTC follows. */
function storedMoment(stored: EventTimes | undefined, edge: 'start' | 'end', timezone: string): Moment | undefined {
  if (stored === undefined) return undefined
  const local = stored[`${edge}_local`]
  return { local, utc: timezone === stored.timezone ? stored[`${edge}_utc`] : toUtc(local, timezone) }
}

/** Whole days keep their midnights on the clock, also where the clock skips them. */
function wholeDaysOf(start: Moment, end: Moment, timezone: string): readonly [Moment, Moment] {
  const days = wholeDays(start.local, end.local)
  return [
    { local: days.start, utc: toUtc(days.start, timezone) },
    { local: days.end, utc: toUtc(days.end, timezone) },
  ]
}

/**
 * The ids that an event refers to after a write: those that were sent, and behind them those that are stored but that
 * the caller cannot see, which only an explicit clearing takes away. Sending what the caller sees changes nothing, not
 * even the places of the others (decisions: Round trip).
 */
export function keepHidden(sent: readonly number[], stored: readonly number[], hidden: ReadonlySet<number>): number[] {
  if (sent.length === 0) return []
  const seen = stored.filter((id) => !hidden.has(id))
  if (sent.length === seen.length && seen.every((id, index) => id === sent[index])) return [...stored]
  const kept = stored.filter((id) => hidden.has(id) && !sent.includes(id))
  return [...new Set([...sent, ...kept])]
}
