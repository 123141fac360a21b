import { isDeepStrictEqual } from 'node:util'
import { type DateValue, date } from '../../fields/date.ts'
import type { Part } from '../../http/cache/versions.ts'
import type { Call, Lasting } from '../../http/route.ts'
import type { Site } from '../../model/site.ts'
import { endOfDay, nextMidnight, startOfDay } from '../../time/ranges.ts'
import { endOfToday } from '../../time/today.ts'
import { hasLocal, toLocal, utcFromMillis } from '../../time/zones.ts'
import { dependenciesOf } from './dependencies.ts'
import { DATE_FILTERS, type DateFilter, defaultWindow, type EventListValues, type EventQuery } from './filters.ts'

/** Effective dates as the links carry them, by parameter. */
export type EffectiveDates = Readonly<Partial<Record<DateFilter, string>>>

/** The dates of a list that was asked for without any, from the present wall clock of the site. */
export type DefaultWindow = (today: string) => EffectiveDates

/** What the dates of a list are read with. */
export interface WindowParts {
  readonly site: Site
  /** `defaultWindow` when absent. */
  readonly window?: DefaultWindow
}

/** A list request with every name resolved. */
export interface ResolvedList {
  readonly query: EventQuery
  readonly dates: EffectiveDates
}

/** The moments that the date parameters mean, as the links carry it: whole days have the time of their edge. */
export function effectiveDates(
  values: EventListValues,
  { site, now, window = defaultWindow }: WindowParts & { readonly now: number },
): Partial<Record<DateFilter, string>> {
  if (values.include !== undefined) return {}
  const sent = DATE_FILTERS.filter((name) => values[name] !== undefined)
  const narrowed = sent.some((name) => name !== 'start_date' && name !== 'end_date')
  const dates: Partial<Record<DateFilter, string>> = narrowed
    ? {}
    : { ...window(toLocal(utcFromMillis(now), site.zone)) }
  for (const name of sent) {
    const value = values[name]
    if (value !== undefined) dates[name] = effectiveDate(name, value, { site, strict: values.strict_dates === true })
  }
  return dates
}

/** The date parameters that are moments which the clock of the site cannot show, where that clock counts. */
export function unshownDates(values: EventListValues, { zone }: Site): readonly DateFilter[] {
  if (values.strict_dates !== true || values.include !== undefined) return []
  return DATE_FILTERS.filter((name) => {
    const value = values[name]
    return value?.kind === 'instant' && !hasLocal(value.utc, zone)
  })
}

/** Strict dates are moments on the clock of the site; whole days are the days that the text names, UTC for an instant. */
function effectiveDate(
  name: DateFilter,
  value: DateValue,
  how: { readonly site: Site; readonly strict: boolean },
): string {
  if (how.strict) return value.kind === 'local' ? value.local : toLocal(value.utc, how.site.zone)
  const day = value.kind === 'local' ? value.local : value.utc
  return name === 'start_date' ? startOfDay(day) : endOfDay(day)
}

/** Parameters whose whole day ends at the next midnight, which is no part of it. */
const UNTIL_MIDNIGHT: ReadonlySet<DateFilter> = new Set(['starts_before', 'ends_before'])

/** The bounds to compare with: the last second of a day reaches to the next midnight where the bound is exclusive. */
export function boundsOf(dates: Partial<Record<DateFilter, string>>, strict: boolean): EventQuery['bounds'] {
  if (strict) return dates
  const bounds: Partial<Record<DateFilter, string>> = {}
  for (const name of DATE_FILTERS) {
    const date = dates[name]
    if (date !== undefined) bounds[name] = UNTIL_MIDNIGHT.has(name) ? nextMidnight(date) : date
  }
  return bounds
}

/**
 * How long it lasts which events a list holds: its window moves with the day, at the latest. Words such as `now` move it
 * each second, and then it does not last at all. What is said of the events comes on top, see `lastingWith`.
 */
export function lastingOf(
  parts: WindowParts,
  call: Call<EventListValues>,
  { query, dates }: ResolvedList,
): Lasting | undefined {
  if (call.values.password !== undefined) return undefined
  const sent = DATE_FILTERS.filter((name) => call.values[name] !== undefined)
  const isFixed = sent.every((name) => WRITTEN_OUT.test(String(call.sent(name))))
  // Where dates were sent there is no window of today.
  if (Object.keys(dates).length === sent.length && isFixed) return { parts: dependenciesOf(query) }
  // A list counts days in the zone of the site, or in UTC where a date is an instant.
  const until = Math.min(endOfToday(call.now, parts.site.zone), endOfToday(call.now, 'UTC'))
  const now = until - 1
  const values = { ...call.values, ...datesAt(call, now) }
  return isDeepStrictEqual(effectiveDates(values, { ...parts, now }), dates)
    ? { parts: dependenciesOf(query), until }
    : undefined
}

/** How long a list lasts with everything that it says of its events. */
export function lastingWith(lasting: Lasting | undefined, used: readonly Part[]): Lasting | undefined {
  return lasting && { ...lasting, parts: [...lasting.parts, ...used] }
}

/** A date that means the same at every moment. */
const WRITTEN_OUT = /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}:\d{2})?$/

/** What the dates that were sent mean at another moment. */
function datesAt(call: Call<EventListValues>, now: number): Partial<Record<DateFilter, DateValue>> {
  const moments: Partial<Record<DateFilter, DateValue>> = {}
  for (const name of DATE_FILTERS) {
    if (call.values[name] === undefined) continue
    const reading = date.parse(call.sent(name), { ...call.context, now })
    if (reading.ok) moments[name] = reading.value
  }
  return moments
}
