import type { EventMoments } from '../../calendar/events/index.ts'
import { daysAfter, daysBetween, lastDay } from '../dates.ts'

/** A place in a day: part of an event that takes several days, an event of one day, or nothing below a bar. */
export type Slot =
  | {
      readonly kind: 'bar'
      readonly id: number
      readonly isFirst: boolean
      readonly isLast: boolean
      readonly isNamed: boolean
      /** Days of the week that the bar takes from this one on. */
      readonly days: number
    }
  | { readonly kind: 'event'; readonly id: number }
  | { readonly kind: 'gap' }

/** One day of a grid. */
export interface GridDay {
  readonly day: string
  /** What is shown, from above. */
  readonly slots: readonly Slot[]
  /** Events of the day, shown or not. */
  readonly total: number
  /** Events of the day that are not shown. */
  readonly hidden: number
}

interface Span {
  readonly id: number
  readonly first: string
  readonly last: string
  readonly isLong: boolean
}

/** Puts what takes several days into lanes, each as far up as there is room on all of its days. */
export function lanesOf<Item extends { readonly first: string; readonly last: string }>(
  bars: readonly Item[],
): Item[][] {
  const lanes: Item[][] = []
  for (const bar of bars) {
    const lane = lanes.find((taken) => taken.every(({ last }) => last < bar.first))
    if (lane === undefined) lanes.push([bar])
    else lane.push(bar)
  }
  return lanes
}

/** Gives each event its places in a week: bars keep their lane on all their days, single days fill up what is left. */
function weekOf(spans: readonly Span[], days: readonly string[], most: number): GridDay[] {
  const [monday = '', sunday = ''] = [days[0], days.at(-1)]
  const context = spans.filter(({ first, last }) => first <= sunday && last >= monday)
  const bars = context.filter(({ isLong }) => isLong)
  const lanes = lanesOf(bars)
  const singles = Map.groupBy(
    context.filter(({ isLong }) => !isLong),
    ({ first }) => first,
  )
  // What continues for weeks leaves room for what is on one day only.
  const lanesShown = singles.size > 0 ? most - 1 : most
  return days.map((day) => {
    const own = singles.get(day) ?? []
    const onDay = lanes.map((lane) => lane.find(({ first, last }) => first <= day && last >= day))
    const total = own.length + onDay.filter((bar) => bar !== undefined).length
    const above = onDay.slice(0, lanesShown)
    while (above.length > 0 && above.at(-1) === undefined) above.pop()
    const left = most - above.length
    const slots = [
      ...above.map((bar): Slot => (bar === undefined ? { kind: 'gap' } : slotOf(bar, day, { monday, sunday }))),
      ...own.slice(0, left).map(({ id }): Slot => ({ kind: 'event', id })),
    ]
    return { day, slots, total, hidden: total - slots.filter(({ kind }) => kind !== 'gap').length }
  })
}

function slotOf({ id, first, last }: Span, day: string, { monday, sunday }: Record<'monday' | 'sunday', string>): Slot {
  const days = daysBetween(day, last < sunday ? last : sunday) + 1
  const isNamed = day === first || day === monday
  return { kind: 'bar', id, isFirst: day === first, isLast: day === last, isNamed, days }
}

/** The days of whole weeks with their events; `most` is the number of places of a day. Events are in the order of their beginning. */
export function gridOf(
  events: readonly EventMoments[],
  { first, weeks, most }: { readonly first: string; readonly weeks: number; readonly most: number },
): GridDay[][] {
  const spans = events.map((event): Span => {
    const [from, last] = [event.start_local.slice(0, 10), lastDay(event)]
    return { id: event.id, first: from, last, isLong: last > from }
  })
  return Array.from({ length: weeks }, (_, week) => {
    const days = Array.from({ length: 7 }, (_day, index) => daysAfter(first, 7 * week + index))
    return weekOf(spans, days, most)
  })
}
