import { isDeepStrictEqual } from 'node:util'
import { storedJson } from '../../../base/text/stored-json.ts'
import { wholeDays } from '../../../base/time/ranges.ts'
import { hasLocal, hasUtc, momentIn, toLocal } from '../../../base/time/zones.ts'
import { ATTENDANCE_FIELDS } from '../../../model/attendance.ts'
import type { EventValues } from '../../../model/event.ts'
import type { DateInZone } from '../../../model/kinds/date.ts'
import type { Reason } from '../../../model/kinds/kind.ts'
import type { EventRow } from '../../event-store/event-row.ts'

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
  /** '' means the zone of the site. */
  readonly timezone?: string
  readonly all_day?: boolean
}

type TimeName = 'start_date' | 'end_date' | 'timezone'

/** Consistent times, or the parameter that conflicts. */
export type ResolvedTimes =
  | { readonly ok: true; readonly times: EventTimes }
  | { readonly ok: false; readonly name: TimeName; readonly reason: Reason }

/**
 * The times of an event after a write: sent values replace stored ones. Start or end alone works, whole days are
 * widened, UTC follows from wall clock and zone, and an end before the start is refused (decisions: Partial update,
 * Dates). A write without times changes none of them.
 */
export function resolveTimes(stored: EventTimes | undefined, sent: SentTimes, siteZone: string): ResolvedTimes {
  if (stored !== undefined && TIMES.every((name) => sent[name] === undefined))
    return { ok: true, times: timesOf(stored) }
  const timezone = zoneOf(stored, sent, siteZone)
  const start = momentAfter(stored, 'start', { sent, timezone })
  if (typeof start === 'string') return { ok: false, name: start, reason: 'bad_date' }
  const end = momentAfter(stored, 'end', { sent, timezone })
  if (typeof end === 'string') return { ok: false, name: end, reason: 'bad_date' }
  if (start === undefined) return { ok: false, name: 'start_date', reason: 'empty' }
  if (end === undefined) return { ok: false, name: 'end_date', reason: 'empty' }
  const allDay = sent.all_day ?? stored?.all_day === 1
  const [first, last] = allDay ? wholeDaysOf(start, end, timezone) : [start, end]
  if (first === undefined) return { ok: false, name: 'start_date', reason: 'bad_date' }
  if (last === undefined) return { ok: false, name: 'end_date', reason: 'bad_date' }
  if (last.utc < first.utc) return { ok: false, name: 'end_date', reason: 'end_before_start' }
  const times = { start_local: first.local, end_local: last.local, start_utc: first.utc, end_utc: last.utc }
  return { ok: true, times: { ...times, timezone, all_day: allDay ? 1 : 0 } }
}

/**
 * A start or end after a write: as it was sent, else as it is stored. What leads out of the years 1000 to 9999, on the clock
 * of the event or in UTC, is the name of the parameter that does.
 */
function momentAfter(
  stored: EventTimes | undefined,
  edge: 'start' | 'end',
  { sent, timezone }: { readonly sent: SentTimes; readonly timezone: string },
): Moment | TimeName | undefined {
  const date = sent[`${edge}_date`]?.inZone(timezone)
  if (date?.kind === 'local') return momentIn(date.local, timezone) ?? `${edge}_date`
  if (date?.kind === 'instant') {
    // An instant keeps its place even where the clock shows it twice.
    const local = hasLocal(date.utc, timezone) ? toLocal(date.utc, timezone) : undefined
    return local !== undefined && hasUtc(local, timezone) ? { local, utc: date.utc } : `${edge}_date`
  }
  if (stored === undefined) return undefined
  const local = stored[`${edge}_local`]
  if (timezone === stored.timezone) return { local, utc: stored[`${edge}_utc`] }
  // In another zone its wall clock stays and its UTC follows.
  const moved = momentIn(local, timezone)
  return moved === undefined ? 'timezone' : { local, utc: moved.utc }
}

/** Whether times resolved over one stored state also hold over another: what was sent is the same. */
export function areSameTimes(one: EventTimes | undefined, other: EventTimes | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return isDeepStrictEqual(timesOf(one), timesOf(other))
}

/** Zone of an event after a write. */
export function zoneOf(stored: EventTimes | undefined, sent: SentTimes, siteZone: string): string {
  return sent.timezone === undefined ? (stored?.timezone ?? siteZone) : sent.timezone || siteZone
}

const TIMES = ['start_date', 'end_date', 'timezone', 'all_day'] as const

/** When an event takes place, of its row. */
export function timesOf({ start_local, end_local, start_utc, end_utc, timezone, all_day }: EventTimes): EventTimes {
  return { start_local, end_local, start_utc, end_utc, timezone, all_day }
}

/** A moment on the event's own clock and in UTC. */
interface Moment {
  readonly local: string
  readonly utc: string
}

/** Whole days keep their midnights on the clock, also where the clock skips them; undefined outside of the years. */
function wholeDaysOf(start: Moment, end: Moment, timezone: string): readonly (Moment | undefined)[] {
  const days = wholeDays(start.local, end.local)
  return [days.start, days.end].map((local) => {
    const moment = momentIn(local, timezone)
    return moment && { local, utc: moment.utc }
  })
}

/**
 * The IDs that an event links to after a write: those that were sent, followed by stored ones that the caller cannot
 * see, which only an explicit clearing removes. Sending what the caller sees changes nothing, not even the positions of
 * the others (decisions: Round trip).
 */
export function keepHidden(sent: readonly number[], stored: readonly number[], hidden: ReadonlySet<number>): number[] {
  if (sent.length === 0) return []
  const seen = stored.filter((id) => !hidden.has(id))
  if (sent.length === seen.length && seen.every((id, index) => id === sent[index])) return [...stored]
  const kept = stored.filter((id) => hidden.has(id) && !sent.includes(id))
  return [...new Set([...sent, ...kept])]
}

/**
 * The columns that say what has become of an event and whether it takes place online, after a write. The start that an
 * event had when it was first moved is stored until the event is scheduled again.
 */
export function attendanceAfter(
  stored: EventRow | undefined,
  values: EventValues,
  times: Pick<EventRow, 'start_local'>,
): Partial<EventRow> {
  return {
    ...(values.event_status !== undefined && { event_status: values.event_status }),
    ...(values.event_status_reason !== undefined && { event_status_reason: values.event_status_reason }),
    ...(values.is_virtual !== undefined && { is_virtual: values.is_virtual ? 1 : 0 }),
    ...(values.virtual_url !== undefined && { virtual_url: values.virtual_url }),
    ...(values.virtual_type !== undefined && { virtual_type: values.virtual_type }),
    ...(values.custom_fields !== undefined && { custom_fields: jsonOf(values.custom_fields) }),
    ...(stored !== undefined && {
      previous_start: previousStart(stored, values, times),
      extra: unsent(stored, values),
    }),
  }
}

const UNPUBLISHED: ReadonlySet<string> = new Set(['draft', 'pending', 'trash'])

function previousStart(
  stored: EventRow,
  values: EventValues,
  { start_local: start }: Pick<EventRow, 'start_local'>,
): string | null {
  const { previous_start: kept, start_local: before } = stored
  if (isScheduledAgain(stored, values)) return null
  return kept ?? (before === start || UNPUBLISHED.has(stored.status) ? null : before)
}

function isScheduledAgain({ event_status: was }: EventRow, { event_status: sent }: EventValues): boolean {
  return sent === 'scheduled' && was !== 'scheduled'
}

/** What an import recorded gives way to what is sent. */
function unsent({ extra }: EventRow, values: EventValues): string | null {
  const names = ATTENDANCE_FIELDS.filter((name) => values[name] !== undefined)
  if (extra === null || names.length === 0) return extra
  const recorded = { ...storedJson<Record<string, unknown>>(extra) }
  for (const name of names) delete recorded[name]
  return jsonOf(recorded)
}

function jsonOf(members: Readonly<Record<string, unknown>>): string | null {
  const json = JSON.stringify(members)
  return json === '{}' ? null : json
}
