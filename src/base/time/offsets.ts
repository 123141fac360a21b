// The UTC offsets of named zones. Temporal knows them, but takes ten times as long for each as it takes to remember for how
// long one stays the same.
import { placeLetters } from './abbreviations.ts'
import { readZoneName } from './zone-names.ts'

/** Spans remembered of each place: all of 1,000 years. A place that gets past that starts again. */
const SPANS_KEPT = 2048
/** Zone texts remembered; they come from outside, and letter case alone gives endless spellings of one zone. */
const TEXTS_KEPT = 2048

/** No clock in the tz database is further than this from UTC, in seconds. */
export const FURTHEST = 86_400

/** Seconds that local time is ahead of UTC at an instant given in Unix seconds. */
export type OffsetAt = (utcSeconds: number) => number

/** A time in which a clock keeps one offset: its first Unix second, and the first one after it. */
interface Span {
  readonly from: number
  readonly until: number
  readonly offset: number
}

/** A time zone, as a text names it. */
interface Zone {
  readonly offsetAt: OffsetAt
  /** The Unix second of a second that its clock shows: the first where it shows it twice, behind the gap where it skips it. */
  readonly instantOf: (local: number) => number
  /** The letters that its clock shows at a wall clock reading with a known offset in seconds. */
  readonly lettersAt: (local: string, offset: number) => string
}

const places = new Map<string, OffsetAt>()
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

/** The offsets of a zone, by a name that resolveZone gave. @throws RangeError for a name that Temporal does not know */
export function offsetsOf(resolved: string): OffsetAt {
  const known = places.get(resolved)
  if (known !== undefined) return known
  const offsets = rememberedOffsets(resolved)
  places.set(resolved, offsets)
  return offsets
}

function rememberedOffsets(zone: string): OffsetAt {
  const spans: Span[] = []
  let last = spanAround(zone, 0)
  return (utcSeconds) => {
    if (utcSeconds >= last.from && utcSeconds < last.until) return last.offset
    const place = placeAmong(spans, utcSeconds)
    const known = spans[place]
    if (known !== undefined && known.from <= utcSeconds) last = known
    else {
      last = spanAround(zone, utcSeconds)
      if (spans.length < SPANS_KEPT) spans.splice(place, 0, last)
      else spans.splice(0, SPANS_KEPT, last)
    }
    return last.offset
  }
}

/** The index of the first span that ends after a moment; they are in the order of time. */
function placeAmong(spans: readonly Span[], moment: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.until ?? 0) > moment) high = middle
    else low = middle + 1
  }
  return low
}

function spanAround(zone: string, utcSeconds: number): Span {
  // A change of clocks at this very second has to count as one before it.
  const moment = zonedAt(zone, utcSeconds * 1000 + 1)
  const [previous, next] = [moment.getTimeZoneTransition('previous'), moment.getTimeZoneTransition('next')]
  return {
    from: previous === null ? Number.NEGATIVE_INFINITY : previous.epochMilliseconds / 1000,
    until: next === null ? Number.POSITIVE_INFINITY : next.epochMilliseconds / 1000,
    offset: moment.offsetNanoseconds / 1e9,
  }
}

/** The Unix seconds after one and up to another at which a zone, by a name that resolveZone gave, changes its clock. */
export function changesOf(resolved: string, after: number, until: number): number[] {
  const changes: number[] = []
  let change = zonedAt(resolved, after * 1000).getTimeZoneTransition('next')
  for (; change !== null && change.epochMilliseconds <= until * 1000; change = change.getTimeZoneTransition('next'))
    changes.push(change.epochMilliseconds / 1000)
  return changes
}

function zonedAt(zone: string, unixMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(unixMs).toZonedDateTimeISO(zone)
}
