import { isDeepStrictEqual } from 'node:util'
import type { MessageId } from '../../../base/i18n/translate.ts'
import { endOfDay, startOfDay } from '../../../base/time/ranges.ts'
import { addToLocal, endOfToday, hasLocal, localFromMillis, toLocal } from '../../../base/time/zones.ts'
import type { Call } from '../../../http/route.ts'
import { booleanOf } from '../../../model/kinds/boolean.ts'
import { type DateOrPeriod, type DateValue, dateOrPeriod } from '../../../model/kinds/date.ts'
import { type AnyField, type Field, field } from '../../../model/kinds/field.ts'
import { type Kind, refuse } from '../../../model/kinds/kind.ts'
import type { Site } from '../../../model/site.ts'

/** The side of an event that a date is compared with, on the event's own clock, and how. */
type Comparison = readonly ['start_local' | 'end_local', '>=' | '<=' | '<' | '>']

/** A query parameter with a moment, and what it is compared with. */
interface DateField<Name extends string> extends Omit<Field<Name, DateOrPeriod>, 'shownDefault'> {
  readonly compares: Comparison
  /** The default if none of the dates without one was sent; `today` is the day in the zone of the site. */
  readonly shownDefault?: (today: string) => string
}

// biome-ignore lint/complexity/useMaxParams: a declaration reads as one row of a table
function dateFilter<const Name extends string>(
  name: Name,
  compares: Comparison,
  description: MessageId,
  options: Pick<DateField<Name>, 'shownDefault'> & { readonly link: number },
): DateField<Name> & { readonly link: number } {
  const { shownDefault: _computed, ...declared } = field(name, dateOrPeriod, description, { declared: {} })
  return { ...declared, compares, ...options }
}

/** The filters of the list of events that name moments, in the interface's order (interface: Events). */
export const DATE_FILTERS = [
  dateFilter('start_date', ['start_local', '>='], 'api.events.onlyEventsStartAfterDate', {
    shownDefault: (today) => `${today} 00:00:00`,
    link: 1,
  }),
  dateFilter('end_date', ['end_local', '<='], 'api.events.onlyEventsEndBeforeDate', {
    shownDefault: (today) => `${addToLocal(`${today} 00:00:00`, { months: 24 }).slice(0, 10)} 23:59:59`,
    link: 2,
  }),
  dateFilter('starts_before', ['start_local', '<'], 'api.events.onlyEventsStartBefore', { link: 11 }),
  dateFilter('starts_after', ['start_local', '>'], 'api.events.onlyEventsStartAfter', { link: 12 }),
  dateFilter('ends_before', ['end_local', '<'], 'api.events.onlyEventsEndBefore', { link: 13 }),
  dateFilter('ends_after', ['end_local', '>'], 'api.events.onlyEventsEndAfter', { link: 14 }),
] as const

/** Name of a parameter that names a moment. */
export type DateName = (typeof DATE_FILTERS)[number]['name']

/** Moments by the parameters that name them: wall clock text, compared with the event's own wall clock. */
export type Dates = Readonly<Partial<Record<DateName, string>>>

/** Dates mean whole days unless this is true; values that cannot be read count as false. */
export const strictFlag: Kind<boolean> = {
  declared: {},
  schema: { type: 'boolean' },
  parse: (value) =>
    value === '' || typeof value === 'object' ? refuse('empty') : { ok: true, value: booleanOf(value) ?? false },
}

/** The dates of a list that was requested without any; `today` is the day in the zone of the site: `2026-12-31`. */
export type DefaultWindow = (today: string) => Dates

/** What is needed to read the dates of a list. */
export interface DateContext {
  readonly site: Site
  /** That of the interface if absent. */
  readonly window?: DefaultWindow
}

/** The values of a request that say which dates a list has. */
export type DateValues = Readonly<Partial<Record<DateName, DateOrPeriod>>> & {
  readonly strict_dates?: boolean
  /** Where this is sent, dates are ignored. */
  readonly include?: unknown
}

/** First and last second of the default window (decisions: Default window). */
function defaultWindow(today: string): Dates {
  const dates: Partial<Record<DateName, string>> = {}
  for (const { name, shownDefault } of DATE_FILTERS) if (shownDefault !== undefined) dates[name] = shownDefault(today)
  return dates
}

/** The moments that the date parameters mean, as links repeat them: a whole day becomes its first or last second. */
export function effectiveDates(
  values: DateValues,
  { site, now, window = defaultWindow }: DateContext & { readonly now: number },
): Dates {
  if (values.include !== undefined) return {}
  const sent = DATE_FILTERS.filter(({ name }) => values[name] !== undefined)
  const isNarrowed = sent.some(({ shownDefault }) => shownDefault === undefined)
  const dates: Partial<Record<DateName, string>> = isNarrowed
    ? {}
    : { ...window(localFromMillis(now, site.zone).slice(0, 10)) }
  for (const filter of sent) {
    const value = values[filter.name]
    if (value?.kind === 'period') dates[filter.name] = filter.compares[1] === '>=' ? value.start : value.end
    else if (value !== undefined)
      dates[filter.name] = values.strict_dates === true ? momentOf(value, site) : edgeOfDay(filter.compares, value)
  }
  return dates
}

/** A moment on the clock of the site. */
function momentOf(value: DateValue, { zone }: Site): string {
  return value.kind === 'local' ? value.local : toLocal(value.utc, zone)
}

/** The first or last second of the day that the text names; an instant names a day in UTC. */
function edgeOfDay([, operator]: Comparison, value: DateValue): string {
  const day = value.kind === 'local' ? value.local : value.utc
  return operator === '>=' ? startOfDay(day) : endOfDay(day)
}

/** The date parameters that name moments which the clock of the site cannot show, if that clock is used. */
export function unshownDates(values: DateValues, { zone }: Site): readonly DateName[] {
  if (values.strict_dates !== true || values.include !== undefined) return []
  return DATE_FILTERS.map(({ name }) => name).filter((name) => {
    const value = values[name]
    return value?.kind === 'instant' && !hasLocal(value.utc, zone)
  })
}

/**
 * The bounds to compare with: the last second of a day, or of a period, reaches to the next one where the bound is
 * exclusive.
 */
export function boundsOf(dates: Dates, values: DateValues): Dates {
  const bounds: Partial<Record<DateName, string>> = {}
  for (const { name, compares } of DATE_FILTERS) {
    const moment = dates[name]
    if (moment === undefined) continue
    const isPeriod = values[name]?.kind === 'period'
    const isWhole = compares[1] === '<' && (isPeriod || values.strict_dates !== true)
    bounds[name] = isWhole ? addToLocal(moment, { seconds: 1 }) : moment
  }
  return bounds
}

/** The dates as links say them: a moment, or the words of a period that does not consist of days. */
export function linkedDates(
  dates: Dates,
  { values, sent }: Pick<Call<DateValues>, 'values' | 'sent'>,
): Readonly<Partial<Record<DateName, string | undefined>>> {
  const linked: Partial<Record<DateName, string | undefined>> = {}
  for (const { name } of DATE_FILTERS) {
    const value = values[name]
    const isWorded = value?.kind === 'period' && value.start !== startOfDay(value.start)
    linked[name] = isWorded && dates[name] !== undefined ? String(sent[name]) : dates[name]
  }
  return linked
}

/**
 * Until when the dates of a list keep their meaning: its window moves with the day, at the latest. Unix milliseconds;
 * Infinity where they are absolute, undefined where words such as `now` move them every second. The `others` are
 * further parameters that may depend on the clock.
 */
export function datesHoldUntil(
  parts: DateContext,
  call: Call<DateValues>,
  { dates, others }: { readonly dates: Dates; readonly others: readonly AnyField[] },
): number | undefined {
  const sent = DATE_FILTERS.filter(({ name }) => call.values[name] !== undefined)
  // Only the default window counts: it moves with the day of the site.
  if (sent.length + others.length === 0 && call.values.include === undefined)
    return endOfToday(call.now, parts.site.zone)
  const isWrittenOut = sent.every(({ name }) => WRITTEN_OUT.test(String(call.sent[name])))
  // Where dates were sent there is no window of today.
  if (Object.keys(dates).length === sent.length && isWrittenOut && others.length === 0) return Number.POSITIVE_INFINITY
  // A list counts days in the zone of the site, or in UTC where a date is an instant.
  const until = Math.min(endOfToday(call.now, parts.site.zone), endOfToday(call.now, 'UTC'))
  const now: Readonly<Record<string, unknown>> = call.values
  const then: DateValues & Readonly<Record<string, unknown>> = {
    ...call.values,
    ...valuesAt(call, [...sent, ...others], until - 1),
  }
  const areSame = others.every(({ name }) => isDeepStrictEqual(then[name], now[name]))
  return areSame && isDeepStrictEqual(effectiveDates(then, { ...parts, now: until - 1 }), dates) ? until : undefined
}

/** A date that means the same at every moment. */
const WRITTEN_OUT = /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}:\d{2})?$/

/** The values of some parameters, read at another moment. */
function valuesAt(call: Call<DateValues>, fields: readonly AnyField[], now: number): Record<string, unknown> {
  const readings = fields.map(
    ({ name, kind }) => [name, kind.parse(call.sent[name], { ...call.context, now })] as const,
  )
  return Object.fromEntries(readings.flatMap(([name, reading]) => (reading.ok ? [[name, reading.value]] : [])))
}
