// The UTC offsets of named zones, read from the tz database inside the runtime (Intl) and remembered.
//
// Time is cut into spans of three days. Two clock changes of one zone that undo each other never lie closer than
// 3.98 days in the tz database (Africa/Freetown 1939), so the offsets at both ends of a span tell all about it: equal,
// or one change between them, found by bisection. A question about a remembered span costs one Map look-up.
import { placeLetters } from './abbreviations.ts'
import { readZoneName } from './zone-names.ts'

const SPAN = 3 * 86_400
/** Changes happen on quarter hours of UTC, but for a few of the days of local mean time. */
const QUARTER = 900
/** About 16 years of spans for each zone; a zone that gets past that restarts, so that memory stays bounded. */
const SPANS_KEPT = 2048
/** Zone texts remembered; they come from outside, and letter case alone gives endless spellings of one zone. */
const TEXTS_KEPT = 2048

/** No clock in the tz database is further than this from UTC, in seconds. */
export const FURTHEST = 86_400

/** A clock change: the first Unix second of the new offset, and both offsets in seconds. */
export interface OffsetChange {
  readonly at: number
  readonly before: number
  readonly after: number
}

/** Seconds that local time is ahead of UTC at an instant given in Unix seconds. */
export type OffsetAt = (utcSeconds: number) => number

/** What is known of a zone. */
interface Offsets {
  readonly offsetAt: OffsetAt
  /** The offset that is the same in a whole span, or the change within it. */
  spanAt(index: number): number | OffsetChange
}

const known = new Map<string, Offsets>()

/** A time zone, as a text names it. */
interface Zone {
  readonly offsetAt: OffsetAt
  /** The Unix second of a second that its clock shows: the first where it shows it twice, behind the gap where it skips it. */
  readonly instantOf: (local: number) => number
  /** The letters that its clock shows at a wall clock reading with a known offset in seconds. */
  readonly lettersAt: (local: string, offset: number) => string
}

const zones = new Map<string, Zone | undefined>()

/** The zone that a text names. @throws RangeError when it names none. */
export function zoneOf(text: string): Zone {
  const zone = findZone(text)
  if (zone === undefined) throw new RangeError(`not a time zone: ${text}`)
  return zone
}

/** The zone that a text names, undefined when it names none. */
export function findZone(text: string): Zone | undefined {
  const known = zones.get(text)
  if (known !== undefined || zones.has(text)) return known
  if (zones.size >= TEXTS_KEPT) zones.clear()
  const zone = makeZone(text)
  zones.set(text, zone)
  return zone
}

function makeZone(text: string): Zone | undefined {
  const name = readZoneName(text)
  if (name === undefined) return undefined
  if (name.kind === 'place') {
    const offsetAt = offsetsOf(name.resolved)
    const lettersAt: Zone['lettersAt'] = (local, offset) => placeLetters(text, local, offset)
    return { offsetAt, instantOf: (local) => instantIn(local, offsetAt), lettersAt }
  }
  const { offset, letters } = name
  return { offsetAt: () => offset, instantOf: (local) => local - offset, lettersAt: () => letters }
}

/** The Unix second of a wall clock second. Two changes of clocks never fall into the two days looked at. */
function instantIn(local: number, offsetAt: OffsetAt): number {
  const before = offsetAt(local - FURTHEST)
  const after = offsetAt(local + FURTHEST)
  if (before === after || offsetAt(local - before) === before) return local - before
  if (offsetAt(local - after) === after) return local - after
  // Inside a gap: the clock that was not yet moved gives an instant that lies behind the gap by as much.
  return local - before
}

/**
 * The offsets of a zone, by a name that resolveZone gave.
 * @throws RangeError when first called for a name the runtime does not know.
 */
export function offsetsOf(resolved: string): OffsetAt {
  return knownOf(resolved).offsetAt
}

/**
 * The clock changes of a zone after one Unix second and up to another, in their order.
 * @throws RangeError as offsetsOf
 */
export function changesOf(resolved: string, after: number, until: number): OffsetChange[] {
  const { spanAt } = knownOf(resolved)
  const changes: OffsetChange[] = []
  for (let index = Math.floor(after / SPAN); index * SPAN <= until; index += 1) {
    const span = spanAt(index)
    if (typeof span === 'object' && span.at > after && span.at <= until) changes.push(span)
  }
  return changes
}

function knownOf(resolved: string): Offsets {
  const present = known.get(resolved)
  if (present) return present
  const made = rememberedOffsets(resolved)
  known.set(resolved, made)
  return made
}

/** From this year on nothing but the calendar of a year decides when clocks change; before it Morocco and Gaza follow the moon. */
const SETTLED = Date.UTC(2088, 0, 1) / 1000

function rememberedOffsets(zone: string): Offsets {
  const spans = new Map<number, number | OffsetChange>()
  const probe = offsetProbe(zone)
  const spanAt = (index: number): number | OffsetChange => {
    const present = spans.get(index)
    if (present !== undefined) return present
    if (spans.size >= SPANS_KEPT) spans.clear()
    const before = endOf(spans.get(index - 1)) ?? probe(index * SPAN)
    const after = startOf(spans.get(index + 1)) ?? probe((index + 1) * SPAN)
    const span = before === after ? before : { at: findChange(probe, { start: index * SPAN, before }), before, after }
    spans.set(index, span)
    return span
  }
  const offsetAt: OffsetAt = (utcSeconds) => {
    const seconds = utcSeconds < SETTLED ? utcSeconds : inYearAlike(utcSeconds)
    const span = spanAt(Math.floor(seconds / SPAN))
    if (typeof span === 'number') return span
    return seconds < span.at ? span.before : span.after
  }
  return { offsetAt, spanAt }
}

/** Beginnings of the years 2101 to 2128, in seconds, by the weekday of their first day and whether they have a leap day. */
const YEARS_ALIKE = new Map(
  Array.from({ length: 28 }, (_none, index) => [kindOfYear(2101 + index), Date.UTC(2101 + index, 0, 1) / 1000]),
)

function kindOfYear(year: number): number {
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  return new Date(Date.UTC(year, 0, 1)).getUTCDay() * 2 + Number(isLeap)
}

/** The same moment of a year with the same calendar soon after 2100. */
function inYearAlike(utcSeconds: number): number {
  const year = new Date(utcSeconds * 1000).getUTCFullYear()
  return utcSeconds - Date.UTC(year, 0, 1) / 1000 + (YEARS_ALIKE.get(kindOfYear(year)) ?? 0)
}

function startOf(span: number | OffsetChange | undefined): number | undefined {
  return typeof span === 'object' ? span.before : span
}

function endOf(span: number | OffsetChange | undefined): number | undefined {
  return typeof span === 'object' ? span.after : span
}

function findChange(probe: OffsetAt, from: { start: number; before: number }): number {
  const isPast = (seconds: number) => probe(seconds) !== from.before
  const quarter = bisect(from.start, from.start + SPAN, { step: QUARTER, isPast })
  if (!isPast(quarter - 1)) return quarter
  return bisect(quarter - QUARTER, quarter - 1, { step: 1, isPast })
}

/** The first multiple of `step` above `low` that is past the change; `high` is known to be past it, `low` is not. */
function bisect(low: number, high: number, by: { step: number; isPast: (seconds: number) => boolean }): number {
  let notPast = 0
  let past = Math.ceil((high - low) / by.step)
  while (past - notPast > 1) {
    const middle = (past + notPast) >> 1
    if (by.isPast(low + middle * by.step)) past = middle
    else notPast = middle
  }
  return low + past * by.step
}

/** Asks the runtime itself: about 3 microseconds for each question, after some 200 to make the formatter. */
function offsetProbe(zone: string): OffsetAt {
  // The minute is asked for only because a date, which would come otherwise, takes longer to format.
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', minute: 'numeric' })
  return (utcSeconds) => {
    const text = format.format(utcSeconds * 1000)
    // '0 GMT', '30 GMT+05:30', '3 GMT-04:56:02'
    const offset = text.slice(text.lastIndexOf('GMT') + 3)
    if (offset === '') return 0
    const size = Number(offset.slice(1, 3)) * 3600 + Number(offset.slice(4, 6)) * 60 + Number(offset.slice(7, 9))
    return offset.startsWith('-') ? -size : size
  }
}
