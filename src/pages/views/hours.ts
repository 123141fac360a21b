import { toUtc } from '../../base/time/zones.ts'
import { lastDay, type Times } from '../dates.ts'
import { clockText, type DayClock, type MinuteSpan, minutesOf, WHOLE_DAY } from './day-clock.ts'
import { gridOf, type Slot } from './grid.ts'

/** An event to be put into hours. */
export type TimedEvent = Times & { readonly id: number }

/** Where an event stands in its day; minutes are those of the axis, lanes stand side by side. */
export interface HourBlock extends MinuteSpan {
  readonly id: number
  readonly lane: number
  /** Lanes of the events that overlap with it, itself included. */
  readonly lanes: number
  /** Whether all lanes are taken by others, so that only an agenda has room for it. */
  readonly isLate: boolean
}

/** A day of an hour grid. */
export interface HourDay {
  readonly day: string
  /** Above the hours, from above: whole days and what takes several. */
  readonly bars: readonly Slot[]
  readonly blocks: readonly HourBlock[]
  /** Events of whole days for which there is no room above the hours. */
  readonly hidden: readonly number[]
  /** Hours of the axis that this day does not have. */
  readonly missing: MinuteSpan | undefined
}

/** Days side by side on one axis. */
export interface HourGrid {
  readonly days: readonly HourDay[]
  /** The hours of the axis with what a clock shows; one that a day has twice stands there twice. */
  readonly marks: readonly { readonly at: number; readonly label: string }[]
  /** The part of the axis that is shown. */
  readonly shown: MinuteSpan
  /** Where a reading of one of the days is on the axis. */
  at(day: string, local: string): number
}

/** What a grid is made for. */
export interface HourRange {
  /** Consecutive days, seven at most. */
  readonly days: readonly string[]
  readonly clocks: readonly DayClock[]
  /** Most events side by side. */
  readonly lanes: number
  /** Most bars one below the other. */
  readonly bars: number
}

/** The hours that are always shown. */
const USUAL: MinuteSpan = { from: 8 * 60, to: 22 * 60 }

/** An event is never shown shorter, in minutes: its time and its title need room. */
const SHORTEST = 45

/** Puts events into hours. Their own clocks count, as in every list. */
export function hourGrid(events: readonly TimedEvent[], range: HourRange): HourGrid {
  const { days, clocks } = range
  const axis = axisOf(days, clocks)
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const isAbove = (event: TimedEvent): boolean =>
    event.all_day === 1 || isLong(event) || event.start_local.slice(0, 10) < first
  const above = events.filter(isAbove).map((event) => wholeDays(event, first))
  const byDay = Map.groupBy(
    events.filter((event) => !isAbove(event) && event.start_local.slice(0, 10) <= last),
    (event) => event.start_local.slice(0, 10),
  )
  const timed = days.map((day) => {
    const blocks = besideEachOther((byDay.get(day) ?? []).map((event) => spanOf(event, axis)))
    return { day, blocks: blocks.map((block) => inLanes(block, range.lanes)), missing: axis.missingOn(day) }
  })
  const made = withBars(timed, above, range.bars)
  const shown = shownPart(made, axis)
  return {
    days: made,
    marks: axis.marks.filter(({ at }) => at >= shown.from && at < shown.to),
    shown,
    at: (day, local) => axis.at({ day, minutes: minutesOf(local) }),
  }
}

/** A block in at most so many lanes, unless there is one too many: the word for that would take its place. */
function inLanes(block: LaneBlock, most: number): HourBlock {
  const lanes = block.lanes === most + 1 ? block.lanes : Math.min(block.lanes, most)
  return { ...block, lanes, isLate: block.lane >= lanes }
}

/** Days with at most so many bars above them, or more of them where only one event of a day would have no place. */
function withBars(
  days: readonly Omit<HourDay, 'bars' | 'hidden'>[],
  above: readonly TimedEvent[],
  most: number,
): HourDay[] {
  const grid = gridOf(above, { first: days[0]?.day ?? '', weeks: 1, most })[0] ?? []
  const made = days.map((one, index): HourDay => {
    const slots = grid[index]?.slots ?? []
    return { ...one, bars: slots, hidden: hiddenBars(above, { day: one.day, slots }) }
  })
  const isOneLeft = made.some(
    ({ blocks, hidden }) => blocks.filter(({ isLate }) => isLate).length + hidden.length === 1,
  )
  return isOneLeft && most < above.length ? withBars(days, above, most + 1) : made
}

/** The events above the hours of a day that have no place there. */
function hiddenBars(
  above: readonly TimedEvent[],
  { day, slots }: { readonly day: string; readonly slots: readonly Slot[] },
): number[] {
  const shown = new Set(slots.flatMap((slot) => (slot.kind === 'gap' ? [] : [slot.id])))
  const isOn = (event: TimedEvent): boolean => event.start_local.slice(0, 10) <= day && lastDay(event) >= day
  return above.filter((event) => isOn(event) && !shown.has(event.id)).map(({ id }) => id)
}

/** The usual hours, and those of everything that is earlier or later; a single day starts an hour before its first event. */
function shownPart(days: readonly HourDay[], axis: Axis): MinuteSpan {
  const all = days.flatMap(({ blocks }) => blocks)
  const first = Math.min(...all.map((block) => block.from))
  const usualFrom = days.length === 1 && all.length > 0 ? Math.max(USUAL.from, first - 60) : USUAL.from
  const from = Math.min(usualFrom, first)
  const usual = axis.at({ day: '', minutes: USUAL.to, isEnd: true })
  const to = Math.max(usual, ...all.map((block) => block.to))
  return { from: Math.floor(from / 60) * 60, to: Math.ceil(to / 60) * 60 }
}

function isLong(event: TimedEvent): boolean {
  return lastDay(event) > event.start_local.slice(0, 10)
}

/** The days that an event takes within a range, without its hours. */
function wholeDays(event: TimedEvent, first: string): TimedEvent {
  const from = event.start_local.slice(0, 10)
  const begin = from < first ? first : from
  return { ...event, start_local: `${begin} 00:00:00`, end_local: `${lastDay(event)} 23:59:59`, all_day: 1 }
}

interface AxisPoint {
  readonly day: string
  readonly minutes: number
  /** Whether it is the second time that the clock shows this. */
  readonly isSecond?: boolean
  readonly isEnd?: boolean
}

interface Axis {
  readonly marks: HourGrid['marks']
  readonly length: number
  at(point: AxisPoint): number
  missingOn(day: string): MinuteSpan | undefined
}

/** The hours of all days together: those that one day has twice appear twice, and the other days leave them empty. */
function axisOf(days: readonly string[], clocks: readonly DayClock[]): Axis {
  const longDay = days[clocks.findIndex(({ twice }) => twice !== undefined)]
  const twice = clocks.find((one) => one.twice !== undefined)?.twice ?? { from: Infinity, to: Infinity }
  const more = longDay === undefined ? 0 : twice.to - twice.from
  const at = ({ day, minutes, isSecond = false, isEnd = false }: AxisPoint): number => {
    const isOwn = day === longDay
    const isBehind = minutes > twice.to || (minutes === twice.to && (isOwn || !isEnd))
    return isBehind || (isOwn && isSecond && minutes >= twice.from) ? minutes + more : minutes
  }
  const hours = Array.from({ length: 24 }, (_, hour) => hour * 60)
  const marks = [
    ...hours.map((minutes) => ({ at: at({ day: longDay ?? '', minutes }), label: clockText(minutes) })),
    ...hours
      .filter((minutes) => minutes >= twice.from && minutes < twice.to)
      .map((minutes) => ({ at: minutes + more, label: clockText(minutes) })),
  ].sort((one, other) => one.at - other.at)
  return {
    marks,
    length: WHOLE_DAY + more,
    at,
    missingOn: (day) => {
      const skipped = clocks[days.indexOf(day)]?.skipped
      if (skipped !== undefined) return skipped
      return longDay === undefined || day === longDay ? undefined : { from: twice.to, to: twice.to + more }
    },
  }
}

type LaneBlock = Omit<HourBlock, 'isLate'>

interface IdSpan extends MinuteSpan {
  readonly id: number
}

function spanOf(event: TimedEvent, axis: Axis): IdSpan {
  const { id, start_local: start, end_local: end, timezone } = event
  const day = start.slice(0, 10)
  const from = axis.at({ day, minutes: minutesOf(start), isSecond: event.start_utc !== toUtc(start, timezone) })
  const isSecond = event.end_utc !== toUtc(end, timezone)
  const to = end.slice(0, 10) > day ? axis.length : axis.at({ day, minutes: minutesOf(end), isSecond, isEnd: true })
  const begin = Math.min(from, axis.length - SHORTEST)
  return { id, from: begin, to: Math.max(to, begin + SHORTEST) }
}

/** Gives overlapping events lanes: each takes the first that is free, and a group of them shares the width. */
function besideEachOther(spans: readonly IdSpan[]): LaneBlock[] {
  const sorted = [...spans].sort((one, other) => one.from - other.from || other.to - one.to)
  const blocks: LaneBlock[] = []
  let group: Omit<LaneBlock, 'lanes'>[] = []
  let ends: number[] = []
  const finish = (): void => {
    blocks.push(...group.map((block) => ({ ...block, lanes: ends.length })))
    group = []
    ends = []
  }
  for (const span of sorted) {
    if (ends.length > 0 && ends.every((end) => end <= span.from)) finish()
    const free = ends.findIndex((end) => end <= span.from)
    const lane = free === -1 ? ends.length : free
    ends[lane] = span.to
    group.push({ ...span, lane })
  }
  finish()
  return blocks
}
