import { readClock, writeClock } from '../../base/time/clock.ts'
import { placeOf } from '../../base/time/observances.ts'
import { datesOf, workSince } from '../../base/time/recurrence/dates.ts'
import type { Recurrence } from '../../base/time/recurrence/lines.ts'
import { type PortableRecurrence, portableRecurrence } from '../../base/time/recurrence/portable.ts'
import { type EventRow, firstDateOf, storedRecurrence, type WholeSeries } from '../../calendar/events/index.ts'
import { seriesClock } from '../icalendar/clocks.ts'
import { eventObject, type JscalendarMembers, type JscalendarScene } from './jscalendar-event.ts'
import { localDateTime, ruleObject } from './jscalendar-rule.ts'

/**
 * A recurring event as one Event with its rule, and with a patch for each date that differs (RFC 8984 section 4.3.5). Dates
 * of RDATE have an empty patch, and so have all dates where no rule says them; dates that were taken out, or that lists
 * hide, are excluded.
 */
export function seriesObject(series: WholeSeries, scene: JscalendarScene): JscalendarMembers {
  const { row } = series.base
  const own = eventObject(series.base, scene)
  const recurrence = storedRecurrence(row)
  if (recurrence === undefined) return own
  const common = { ...own, ...clockMembers(row), ...(row.all_day === 0 && { start: localDateTime(row.start_local) }) }
  const { rule, ...listed } = recurrenceMembers(recurrence, series)
  const overrides = overridesOf(listed, { ...series, common, scene })
  return {
    ...common,
    ...lastChange([own, ...series.exceptions.map((one) => eventObject(one, scene))]),
    ...(rule !== undefined && { recurrenceRules: [rule] }),
    ...(Object.keys(overrides).length > 0 && { recurrenceOverrides: overrides }),
  }
}

/** When the whole was changed: an exception is part of it. */
function lastChange(objects: readonly JscalendarMembers[]): JscalendarMembers {
  const updated = objects.map((one) => String(one['updated'])).sort()
  return { updated: updated.at(-1), sequence: Math.max(...objects.map((one) => Number(one['sequence']))) }
}

/** One date of a recurring event by itself: its original start tells which (RFC 8984 sections 4.3.1 and 4.3.2). */
export function dateObject(
  event: WholeSeries['base'],
  { series, date }: NonNullable<EventRow['occasion']>,
  scene: JscalendarScene,
): JscalendarMembers {
  const { timeZone, ...zones } = clockMembers(series)
  const recurrenceId = localDateTime(date.recurrence_id)
  return { ...eventObject(event, scene), recurrenceId, recurrenceIdTimeZone: timeZone, ...zones }
}

/** A rule as its object, or undefined, and the starts that it does not give, or that are none. */
function recurrenceMembers(recurrence: Recurrence, { base: { row }, last }: WholeSeries) {
  const first = firstDateOf(row)
  const { rule, added, excluded } = portableRecurrence(recurrence, first)
  const written = rule && ruleObject(rule, row.timezone)
  if (rule === undefined || written !== undefined) return { rule: written, added, excluded }
  const found = datesOf(recurrence, first, {
    horizon: last,
    most: Number.POSITIVE_INFINITY,
    work: workSince(first.start, last),
  })
  const starts = found.ok ? found.dates.map(({ recurrenceId }) => readClock(recurrenceId)) : []
  return { rule: undefined, added: starts, excluded }
}

/** The clock that the rule of an event is reckoned on; one with a fixed distance from UTC is defined along with it. */
function clockMembers(row: Pick<EventRow, 'all_day' | 'timezone'>): {
  readonly timeZone: string | null
  readonly timeZones?: JscalendarMembers
} {
  const clock = seriesClock(row, { placeNamed: placeOf })
  if (clock.kind === 'days') return { timeZone: null }
  if (clock.kind === 'utc') return { timeZone: 'Etc/UTC' }
  if (placeOf(row.timezone) !== undefined) return { timeZone: clock.name }
  const offset = clock.name.replace('GMT', '')
  const rule = { '@type': 'TimeZoneRule', start: '1601-01-01T00:00:00', offsetFrom: offset, offsetTo: offset }
  // Names of zones that an object defines itself start with a slash (RFC 8984 section 4.7.2).
  const id = `/${clock.name}`
  return { timeZone: id, timeZones: { [id]: { '@type': 'TimeZone', tzId: clock.name, standard: [rule] } } }
}

interface Overriding extends Pick<WholeSeries, 'exceptions' | 'hidden'> {
  /** What all dates have in common. */
  readonly common: JscalendarMembers
  readonly scene: JscalendarScene
}

/** Patches by the original start of their date, in its order. */
function overridesOf(
  { added, excluded }: Pick<PortableRecurrence, 'added' | 'excluded'>,
  { common, exceptions, hidden, scene }: Overriding,
): JscalendarMembers {
  const startOf = (seconds: number): string => localDateTime(writeClock(seconds))
  const listed = added.map((seconds): [string, JscalendarMembers] => [startOf(seconds), {}])
  const differing = exceptions.flatMap((one): [string, JscalendarMembers][] => {
    if (one.row.occasion === undefined) return []
    const start = localDateTime(one.row.occasion.date.recurrence_id)
    const patch = patchOf({ ...common, start }, eventObject(one, scene))
    return Object.keys(patch).length === 0 ? [] : [[start, patch]]
  })
  const out = [...excluded, ...hidden.map(readClock)]
  const all = new Map([
    ...listed,
    ...differing,
    ...out.map((seconds): [string, JscalendarMembers] => [startOf(seconds), { excluded: true }]),
  ])
  return Object.fromEntries([...all].sort(([one], [other]) => (one < other ? -1 : Number(one > other))))
}

/** What a patch may not name (RFC 8984 section 4.3.5), and what says nothing of a date. */
const UNPATCHED: ReadonlySet<string> = new Set([
  ...(['@type', 'uid', 'prodId', 'privacy', 'timeZones'] as const),
  ...(['created', 'updated', 'sequence'] as const),
])

/** What has to be changed in one object to make it another: `null` takes a member away. */
function patchOf(from: JscalendarMembers, to: JscalendarMembers): JscalendarMembers {
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  const changed = [...names].filter(
    (name) => !UNPATCHED.has(name) && JSON.stringify(from[name]) !== JSON.stringify(to[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, to[name] ?? null]))
}
