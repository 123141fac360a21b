import type { Incoming } from '../../http/route.ts'
import { type DateOrPeriod, dateOrPeriod } from '../../model/kinds/date.ts'
import { type DayText, dayIn, daysAfter, daysBetween, daysIn, lastDay, type Times } from '../dates.ts'

/** The days that people asked a list for: it shows whatever takes place on one of them. */
export interface DayRange {
  readonly from: DayText
  /** The last day; absent where the list goes on. */
  readonly to?: DayText
}

/** Parameters by which programs ask for moments; a page that is asked with one of them answers as the API does. */
const EXACT = ['starts_after', 'ends_before', 'ends_after', 'strict_dates']

/** What runs for more days than a period has is still on; where the period has no end, more than a week. */
const OPEN_LENGTH = 7

/**
 * The days that a request asks for as people do, from `start_date` to `starts_before` or `end_date`, each a day or words such as
 * `this weekend`. Undefined where it asks for no days, or for moments as programs do.
 */
export function periodOf({ query, context, now }: Incoming, today: DayText): DayRange | undefined {
  const sent = (name: string): unknown => (Object.hasOwn(query, name) && query[name] !== '' ? query[name] : undefined)
  if (EXACT.some((name) => sent(name) !== undefined)) return undefined
  const [start, end] = [sent('start_date'), sent('starts_before') ?? sent('end_date')]
  const read = (value: unknown): DateOrPeriod | undefined => {
    const reading = value === undefined ? undefined : dateOrPeriod.parse(value, { ...context, now })
    return reading?.ok === true ? reading.value : undefined
  }
  const [first, last] = [read(start), read(end)]
  const isUnreadable = (start !== undefined && first === undefined) || (end !== undefined && last === undefined)
  if (isUnreadable || (first === undefined && last === undefined)) return undefined
  const to = lastOf(last) ?? (first?.kind === 'period' ? lastOf(first) : undefined)
  const from = first === undefined ? today : firstOf(first)
  // Until a day that is over: everything before it.
  if (first === undefined && to !== undefined && to < today) return undefined
  return { from, ...(to !== undefined && { to }) }
}

function firstOf(date: DateOrPeriod): DayText {
  if (date.kind === 'period') return date.start.slice(0, 10)
  return (date.kind === 'local' ? date.local : date.utc).slice(0, 10)
}

function lastOf(date: DateOrPeriod | undefined): DayText | undefined {
  if (date === undefined) return undefined
  return date.kind === 'period' ? date.end.slice(0, 10) : firstOf(date)
}

/** The parameters of pages that ask for a period. */
export function periodQuery({ from, to }: DayRange): [string, string][] {
  return [['start_date', from], ...(to === undefined ? [] : [['starts_before', to] as [string, string]])]
}

/** The parameters of the API that find the same events: what ends after the day before and starts before the end of the last day. */
export function overlapQuery({ from, to }: DayRange): [string, string][] {
  const ends: [string, string] = ['ends_after', daysAfter(from, -1)]
  return to === undefined ? [ends] : [['starts_before', to], ends]
}

/** The filters of the events that start in a period, and of those that started before it and are still on in it. */
export function periodBounds({ from, to }: DayRange): Record<'dated' | 'running', Record<string, string>> {
  const start = `${from} 00:00:00`
  const end: Record<string, string> = to === undefined ? {} : { starts_before: `${daysAfter(to, 1)} 00:00:00` }
  return {
    dated: { start_date: start, ...end, strict_dates: 'true' },
    running: { starts_before: start, ends_after: start, strict_dates: 'true' },
  }
}

/** The filters of the events of some days, of those that a request asks for where it asks for a period. */
export function daysWithin({ from, to }: Required<DayRange>, period: DayRange | undefined): Record<string, string> {
  const first = period !== undefined && period.from > from ? period.from : from
  const last = period?.to !== undefined && period.to < to ? period.to : to
  return { ends_after: daysAfter(first, -1), starts_before: last }
}

/** Whether an event that started before a period is still on rather than an event of its first day: it runs longer than the period. */
export function isStillOn(times: Times, { from, to }: DayRange): boolean {
  const length = to === undefined ? OPEN_LENGTH : daysBetween(from, to) + 1
  const last = lastDay(times)
  return last < from || daysBetween(times.start_local.slice(0, 10), last) + 1 > length
}

/** A period in words: `Sat, 5 December`, `5 – 6 December 2026`, from a day on. */
export function periodText(language: string, { from, to }: DayRange): string {
  if (to === undefined) return `${dayIn(language, 'medium', from)} –`
  return from === to ? dayIn(language, 'long', from) : daysIn(language, from, to)
}
