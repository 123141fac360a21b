import type { MessageValues } from '../../../../base/i18n/translate.ts'
import { readClock, writeClock } from '../../../../base/time/clock.ts'
import { datesOf, isEndless } from '../../../../base/time/recurrence/dates.ts'
import { expandRule } from '../../../../base/time/recurrence/expand.ts'
import { type FirstDate, MOST_DATES, type Recurrence } from '../../../../base/time/recurrence/lines.ts'
import { type NewestStarts, newestStarts, recurrenceFrom } from '../../../../base/time/recurrence/newest.ts'
import type { RecurrenceRule } from '../../../../base/time/recurrence/rule.ts'
import { utcFromMillis } from '../../../../base/time/zones.ts'
import type { NoteId } from './components.ts'
import { dayOf, movedTimes, resolveTimes, timesAt, type WrittenTimes } from './times.ts'
import type { ReadingOptions, SourceTimes } from './types.ts'
import type { WrittenTime } from './values.ts'
import type { WrittenRecurrence } from './written-recurrence.ts'
import type { ZoneRules } from './zone-rules.ts'
import { agreeingZone, instantIn, instantOfTime, type SourceZones, wallIn } from './zones.ts'

/** An event on its clock with what it recurs by. */
export interface ResolvedRecurrence {
  readonly times: SourceTimes
  /** Undefined where it has one date only. */
  readonly recurrence: Recurrence | undefined
  /** Times of dates that are not as long as the first, by their start on the clock of the event. */
  readonly periods: ReadonlyMap<string, SourceTimes>
  /** Starts of its dates on the clock of the event, as far as they are held. */
  readonly starts: readonly number[]
  /** The wall clock second of a written time on the clock of the event. */
  wallOf(time: WrittenTime): number
  /** IDs and values of notes. */
  readonly notes: [id: NoteId, values: MessageValues][]
}

const DAY = 86_400

/** What resolving needs. */
interface Resolving {
  readonly written: WrittenTimes
  readonly recurring: WrittenRecurrence
  readonly zones: SourceZones
  readonly options: ReadingOptions
  readonly budget: { left: number; isSpent: boolean }
}

/**
 * Puts an event and what it recurs by on one clock. Where a rule and its exceptions say it, they stay; what they cannot
 * say (several rules, rules that except, dates before the first, a clock that no zone has, very many dates) becomes a list
 * of dates, the newest 5,000. Undefined beyond the years that a clock shows.
 */
export function resolveRecurring(resolving: Resolving): ResolvedRecurrence | undefined {
  const { start, zone, isAllDay } = resolving.written
  if (zone?.rules === undefined || isAllDay) return resolveIn(resolving, undefined)
  const { rules } = zone
  const first = start.stamp.seconds
  const quarters = [first, first + 91 * DAY, first + 182 * DAY]
  for (const name of [...zone.names, agreeingZone(zone, quarters) ?? []].flat()) {
    const found = resolveIn(resolving, name)
    if (found?.starts.every((wall) => instantIn(wall, name) === rules.instantOf(wall)) === true) return found
  }
  return resolveByMoments(resolving, rules)
}

/** An event of a clock that no zone has, such as one that changes as clocks did before 2007: its moments one by one, in UTC. */
function resolveByMoments({ written, zones, recurring, ...resolving }: Resolving, rules: ZoneRules) {
  const times = resolveTimes(written, zones, { recurs: true, zone: 'UTC' })
  if (times === undefined) return undefined
  const start = written.start.stamp.seconds
  const length = readClock(times.endUtc) - readClock(times.startUtc)
  const wallOf = (time: WrittenTime): number => {
    if (time.stamp.isDate) return time.stamp.seconds + (((start % DAY) + DAY) % DAY)
    if (time.tzid === written.start.tzid) return time.stamp.seconds
    const utc = instantOfTime(time, zones) ?? time.stamp.seconds
    return utc + rules.offsetAt(utc)
  }
  const local = (rule: RecurrenceRule): RecurrenceRule => {
    const { until } = rule
    if (until?.isUtc !== true) return rule
    return { ...rule, until: { ...until, seconds: until.seconds + rules.offsetAt(until.seconds), isUtc: false } }
  }
  const own = { ...recurring, rules: recurring.rules.map(local), exceptRules: recurring.exceptRules.map(local) }
  const listing = {
    times: { ...times, start: writeClock(start), end: writeClock(start + length) },
    added: recurring.added.map(({ time }) => wallOf(time)),
    excluded: recurring.excluded.map(wallOf),
  }
  const found = asList({ ...resolving, written, zones, recurring: own }, listing, undefined)
  const starts = ascending(found.starts.map((wall) => rules.instantOf(wall)))
  const common = { periods: new Map(), starts, wallOf: (time: WrittenTime) => rules.instantOf(wallOf(time)) }
  const [first, ...others] = starts
  if (first === undefined) return { ...found, times, ...common }
  const moments = timesAt({ from: first, to: first + length, zone: 'UTC' })
  const recurrence = others.length === 0 ? undefined : { rule: undefined, added: listed(others), excluded: [] }
  return moments && { times: moments, recurrence, notes: found.notes, ...common }
}

function resolveIn(resolving: Resolving, name: string | undefined): ResolvedRecurrence | undefined {
  const { written, recurring, zones } = resolving
  const times = resolveTimes(written, zones, { recurs: true, zone: name })
  if (times === undefined) return undefined
  const wallOf = (time: WrittenTime): number => wallOn({ time, times, own: written.start }, zones)
  const periods = new Map<string, SourceTimes>()
  for (const { time, seconds } of recurring.added) {
    if (seconds === undefined || times.isAllDay) continue
    const from = instantIn(wallOf(time), times.zone)
    const moved = timesAt({ from, to: from + seconds, zone: times.zone })
    if (moved !== undefined) periods.set(writeClock(wallOf(time)), moved)
  }
  const added = recurring.added.map(({ time }) => wallOf(time))
  const excluded = recurring.excluded.map(wallOf)
  const common = { times, periods, wallOf }
  const recurrence = wholeRecurrence(recurring, { times, added, excluded })
  if (recurrence !== undefined && added.length <= MOST_DATES && excluded.length <= MOST_DATES) {
    const horizon = isEndless(recurrence) ? { horizon: horizonOf(resolving.options, times.zone) } : {}
    const found = datesOf(recurrence, times, horizon)
    if (found.ok) {
      const starts = found.dates.map(({ recurrenceId }) => readClock(recurrenceId))
      return { ...common, recurrence, starts, notes: [] }
    }
    if (found.problem.part === 'EXDATE') return { ...common, recurrence, starts: [], notes: [] }
  }
  return { ...common, ...asList(resolving, { times, added, excluded }, recurrence) }
}

/** The recurrence as it is written; undefined where rules, exceptions and dates do not fit into one. */
function wholeRecurrence(
  { rules, exceptRules }: WrittenRecurrence,
  { times, added, excluded }: Listing,
): Recurrence | undefined {
  const start = readClock(times.start)
  if (rules.length > 1 || exceptRules.length > 0 || added.some((wall) => wall < start)) return undefined
  return {
    rule: counted(untimed(rules[0], times), start),
    added: listed(ascending(added)),
    excluded: listed(ascending(excluded)),
  }
}

/** COUNT counts what the rule gives, and here the start as well: one more where the rule does not give it. */
function counted(rule: RecurrenceRule | undefined, start: number): RecurrenceRule | undefined {
  if (rule?.count === undefined) return rule
  const [first] = expandRule(rule, start, { left: 10_000, isSpent: false })
  return first === undefined || first === start ? rule : { ...rule, count: rule.count + 1 }
}

/** What a rule of an all-day event says of times does not count (RFC 5545 section 3.3.10). */
function untimed(rule: RecurrenceRule | undefined, times: FirstDate): RecurrenceRule | undefined {
  if (rule === undefined || !times.isAllDay) return rule
  const { until } = rule
  const local = until?.isUtc ? wallIn(until.seconds, times.zone) : until?.seconds
  const day = local === undefined ? undefined : Math.floor(local / DAY) * DAY
  const end = day === undefined ? undefined : { seconds: day, isUtc: false, isDate: true }
  return { ...rule, until: end, bySecond: [], byMinute: [], byHour: [] }
}

/** A date without a time is that day at the time of the first date; of an all-day event only the day counts. */
function wallOn(
  { time, times, own }: { readonly time: WrittenTime; readonly times: FirstDate; readonly own: WrittenTime },
  zones: SourceZones,
): number {
  const { stamp, tzid } = time
  const first = readClock(times.start)
  if (stamp.isDate) return times.isAllDay ? stamp.seconds : stamp.seconds + (((first % DAY) + DAY) % DAY)
  const isSame = tzid === own.tzid && stamp.isUtc === own.stamp.isUtc && (!stamp.isUtc || times.zone === 'UTC')
  if (times.isAllDay) return dayOf(time, times.zone)
  return isSame ? stamp.seconds : wallIn(instantOfTime(time, zones) ?? stamp.seconds, times.zone)
}

function ascending(walls: readonly number[]): number[] {
  return [...new Set(walls)].sort((one, other) => one - other)
}

function listed(walls: readonly number[]): Recurrence['added'] {
  return walls.map((seconds) => ({ seconds, zone: undefined }))
}

function horizonOf({ now, recurrenceYears }: ReadingOptions, zone: string): string {
  const local = writeClock(wallIn(readClock(utcFromMillis(now)), zone))
  return `${Math.min(Number(local.slice(0, 4)) + recurrenceYears, 9999)}${local.slice(4).replace('-02-29', '-02-28')}`
}

interface Listing {
  readonly times: SourceTimes
  readonly added: readonly number[]
  readonly excluded: readonly number[]
}

/** All dates one by one: the first of them is the start then. */
function asList(
  resolving: Resolving,
  { times, added, excluded }: Listing,
  whole: Recurrence | undefined,
): Pick<ResolvedRecurrence, 'times' | 'recurrence' | 'starts' | 'notes'> {
  const { recurring, options } = resolving
  const out = new Set(excluded)
  const horizon = readClock(horizonOf(options, times.zone))
  const notes: [NoteId, MessageValues][] = []
  const expand = (rule: RecurrenceRule, without: ReadonlySet<number>): Pick<NewestStarts, 'walls' | 'older'> => {
    const own = counted(untimed(rule, times), readClock(times.start)) ?? rule
    const found = newestStarts(own, { first: times, horizon, budget: resolving.budget, excluded: without })
    if (!found.isWhole) notes.push(['import.note.ruleTooCostly', {}])
    else if (found.given === 1 && own.count !== 1) notes.push(['import.note.ruleWithoutDates', {}])
    return found.isWhole ? found : { walls: [], older: 0 }
  }
  for (const rule of recurring.exceptRules) for (const wall of expand(rule, new Set()).walls) out.add(wall)
  const start = readClock(times.start)
  const ruled = recurring.rules.map((rule) => expand(rule, out))
  const older = ruled.reduce((sum, found) => sum + found.older, 0)
  const all = ascending([start, ...added, ...ruled.flatMap(({ walls }) => walls)]).filter((wall) => !out.has(wall))
  if (all.length === 0) return { times, recurrence: undefined, starts: [], notes: [] }
  if (all.length > MOST_DATES) notes.push(['import.note.tooManyDates', { count: all.length + older, most: MOST_DATES }])
  const [first = start, ...others] = all.slice(-MOST_DATES)
  if (whole?.rule !== undefined && all.length > MOST_DATES) {
    // The rule continues without its oldest dates.
    const begun = movedTimes(times, first)
    const after =
      begun && recurrenceFrom(whole, times, { begun: { ...begun, recurrenceId: writeClock(first) }, horizon })
    if (after !== undefined && begun !== undefined)
      return { times: begun, recurrence: after, starts: [first, ...others], notes }
  }
  const moved = first === start ? times : movedTimes(times, first)
  const recurrence = others.length === 0 ? undefined : { rule: undefined, added: listed(others), excluded: [] }
  return { times: moved ?? times, recurrence, starts: [first, ...others], notes }
}
