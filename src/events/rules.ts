import type { DateInZone } from '../fields/date.ts'
import type { Reason } from '../fields/kind.ts'
import { wholeDays } from '../time/ranges.ts'
import { toLocal, toUtc } from '../time/zones.ts'

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

/** Times that hold together, or the parameter that does not fit. */
export type SettledTimes =
  | { readonly ok: true; readonly times: EventTimes }
  | { readonly ok: false; readonly name: 'start_date' | 'end_date'; readonly reason: Reason }

/**
 * When an event takes place after a write: what was sent over what is stored. Start or end alone works, whole days are
 * widened, UTC follows from wall clock and zone, and an end before the start is refused (decisions: Partial update, Dates).
 */
export function settleTimes(stored: EventTimes | undefined, sent: SentTimes, siteZone: string): SettledTimes {
  const timezone = sent.timezone === undefined ? (stored?.timezone ?? siteZone) : sent.timezone || siteZone
  const start = momentOf(sent.start_date, timezone) ?? stored?.start_local
  const end = momentOf(sent.end_date, timezone) ?? stored?.end_local
  if (start === undefined) return { ok: false, name: 'start_date', reason: 'empty' }
  if (end === undefined) return { ok: false, name: 'end_date', reason: 'empty' }
  const allDay = sent.all_day ?? stored?.all_day === 1
  const days = allDay ? wholeDays(start, end) : { start, end }
  if (days.end < days.start) return { ok: false, name: 'end_date', reason: 'end_before_start' }
  const utc = { start: toUtc(days.start, timezone), end: toUtc(days.end, timezone) }
  // A start that a change of the clocks skips is moved forward, perhaps past an end of the hour that it came from.
  if (utc.end < utc.start) return { ok: false, name: 'end_date', reason: 'end_before_start' }
  const times = {
    // A wall clock that a change of the clocks skips is moved forward with its instant; whole days keep their midnights.
    start_local: allDay ? days.start : toLocal(utc.start, timezone),
    end_local: allDay ? days.end : toLocal(utc.end, timezone),
    start_utc: utc.start,
    end_utc: utc.end,
    timezone,
    all_day: allDay ? 1 : 0,
  }
  return { ok: true, times }
}

function momentOf(sent: DateInZone | undefined, timezone: string): string | undefined {
  const date = sent?.inZone(timezone)
  if (date === undefined) return undefined
  return date.kind === 'local' ? date.local : toLocal(date.utc, timezone)
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
