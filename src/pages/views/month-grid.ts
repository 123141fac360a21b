import type { EventMoments } from '../../calendar/events/index.ts'
import { daysAfter, daysBetween, lastDay } from '../dates.ts'
import { lanesOf } from './grid.ts'

/** Days after which an event has a line for the week, whose name stands there once for all of them. */
const LONG = 7

/** Most rows of bars in a week, and lines of a day for what has no hour and for what has one. */
const LANES = 3
const WHOLE = 3
const TIMED = 4

/** An event by its days. */
export interface DaySpan {
  readonly id: number
  readonly first: string
  readonly last: string
  readonly isTimed: boolean
}

/** Part of a bar in a week: `days` columns from `column` on, Monday being 0 where weeks start with it. */
export interface MonthBar {
  readonly id: number
  readonly column: number
  readonly days: number
  /** Whether the event starts before this week, and ends after it. */
  readonly isFrom: boolean
  readonly isTo: boolean
}

/** A day of a month. */
export interface MonthDay {
  readonly day: string
  /** Everything that takes place: what is of the day first, then what has been going on for longer than a week. */
  readonly own: readonly number[]
  readonly long: readonly number[]
  /** What has a line in the grid below the bars, and how many have none. */
  readonly lines: readonly number[]
  readonly hidden: number
}

/** A week of a month: its days, its bars row by row, and what takes longer than a week. */
export interface MonthWeek {
  readonly days: readonly MonthDay[]
  readonly bars: readonly (readonly MonthBar[])[]
  readonly long: readonly DaySpan[]
}

/** Weeks from a day on; events are in the order of their beginning. */
export function monthGrid(
  events: readonly EventMoments[],
  { first, weeks }: { readonly first: string; readonly weeks: number },
): MonthWeek[] {
  const spans = events.map((event): DaySpan => {
    const from = event.start_local.slice(0, 10)
    const last = lastDay(event)
    return { id: event.id, first: from, last, isTimed: event.all_day === 0 && last === from }
  })
  return Array.from({ length: weeks }, (_, week) => weekOf(spans, daysAfter(first, 7 * week)))
}

function weekOf(spans: readonly DaySpan[], first: string): MonthWeek {
  const last = daysAfter(first, 6)
  const present = spans.filter((span) => span.first <= last && span.last >= first)
  const isLong = (span: DaySpan): boolean => daysBetween(span.first, span.last) >= LONG
  const long = present.filter(isLong)
  const short = present.filter((span) => !isLong(span))
  const lanes = lanesOf(short.filter((span) => span.last > span.first))
  const barred = new Set(lanes.slice(0, LANES).flat())
  const dayOf = (_: unknown, index: number): MonthDay => {
    const day = daysAfter(first, index)
    const on = (span: DaySpan): boolean => span.first <= day && span.last >= day
    const own = short.filter(on)
    return { day, own: idsOf(own), long: idsOf(long.filter(on)), ...linesOf(own.filter((span) => !barred.has(span))) }
  }
  return {
    days: Array.from({ length: 7 }, dayOf),
    bars: lanes.slice(0, LANES).map((lane) => lane.map((span) => barOf(span, { first, last }))),
    long,
  }
}

/** What fits in a day; the last one is not left out, because the word for that would take its place. */
function linesOf(spans: readonly DaySpan[]): Pick<MonthDay, 'lines' | 'hidden'> {
  const shown = [
    ...spans.filter(({ isTimed }) => !isTimed).slice(0, WHOLE),
    ...spans.filter(({ isTimed }) => isTimed).slice(0, TIMED),
  ]
  const hidden = spans.length - shown.length
  if (hidden !== 1) return { lines: idsOf(shown), hidden }
  return { lines: idsOf([...spans].sort((one, other) => Number(one.isTimed) - Number(other.isTimed))), hidden: 0 }
}

function barOf(span: DaySpan, { first, last }: { readonly first: string; readonly last: string }): MonthBar {
  const [from, to] = [span.first < first ? first : span.first, span.last > last ? last : span.last]
  return {
    id: span.id,
    column: daysBetween(first, from),
    days: daysBetween(from, to) + 1,
    isFrom: span.first < first,
    isTo: span.last > last,
  }
}

function idsOf(spans: readonly DaySpan[]): number[] {
  return spans.map(({ id }) => id)
}
