import type { MessageValues } from '../../../../base/i18n/translate.ts'
import { readClock, writeClock } from '../../../../base/time/clock.ts'
import { datesOf, isEndless } from '../../../../base/time/recurrence/dates.ts'
import { expandRule } from '../../../../base/time/recurrence/expand.ts'
import { type FirstDate, MOST_DATES, type Recurrence } from '../../../../base/time/recurrence/lines.ts'
import { type NewestStarts, newestStarts, recurrenceFrom } from '../../../../base/time/recurrence/newest.ts'
import { type RecurrenceRule, readRule } from '../../../../base/time/recurrence/rule.ts'
import { writeStamp } from '../../../../base/time/recurrence/stamp.ts'
import { utcFromMillis } from '../../../../base/time/zones.ts'
import type { Component } from './components.ts'
import type { Property } from './content-lines.ts'
import type { Note, NoteId } from './notes.ts'
import { dayOf, movedTimes, resolveTimes, timesAt, type WrittenTimes } from './times.ts'
import type { ReadingOptions, SourceTimes } from './types.ts'
import { propertiesOf, readAnyStamp, readDuration, stampedTime, type WrittenTime } from './values.ts'
import { agreeingZone, instantIn, instantOfTime, type SourceZones, wallIn } from './zones.ts'

/** What an event recurs by, as its component writes it. */
export interface WrittenRecurrence {
  readonly rules: readonly RecurrenceRule[]
  /** EXRULE of RFC 2445. */
  readonly exceptRules: readonly RecurrenceRule[]
  readonly added: readonly AddedDate[]
  readonly excluded: readonly WrittenTime[]
}

/** An RDATE, with its own length where it is a period. */
export interface AddedDate {
  readonly time: WrittenTime
  readonly seconds: number | undefined
}

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
  readonly notes: readonly [id: NoteId, values: MessageValues][]
}

/** Dates of one property that are read; further ones are not. */
const MOST_LISTED = 20_000

/** Reads RRULE, EXRULE, RDATE and EXDATE; undefined for an event that does not recur. */
export function readRecurring(event: Component, note: Note): WrittenRecurrence | undefined {
  const rules = rulesOf(event, 'RRULE', note)
  const added = timesIn(event, 'RDATE', note).map(({ time, property, end }) => {
    const seconds = end === undefined ? undefined : periodOf(time, end, property.parameters)
    if (end !== undefined && seconds === undefined) note({ ...property, value: end }, 'import.note.unread')
    return { time, seconds }
  })
  const excluded = timesIn(event, 'EXDATE', note).map(({ time }) => time)
  if (rules.length + added.length === 0) return undefined
  return { rules, exceptRules: rulesOf(event, 'EXRULE', note), added, excluded }
}

/** Rules of one kind that are read. */
const MOST_RULES = 20

function rulesOf(event: Component, name: string, note: Note): RecurrenceRule[] {
  return propertiesOf(event, name).flatMap((property, index) => {
    const reading = readRule(plainRule(property.value))
    if (reading.ok && index < MOST_RULES) return [reading.rule]
    note(property, 'import.note.unread')
    return []
  })
}

/** A rule as iCalendar writes it: without blanks and empty parts, with its end as a stamp and `MO` for `MON`. */
function plainRule(rule: string): string {
  const parts = rule
    .replace(/\s+/g, '')
    .replace(/^RRULE:/i, '')
    .split(';')
    .filter((part) => !/^(?:[A-Z-]+=)?$/i.test(part))
  return parts
    .join(';')
    .replace(/(?<=[=,\d])(MO|TU|WE|TH|FR|SA|SU)[NEDUIT](?=[,;]|$)/gi, '$1')
    .replace(/\bUNTIL=([^;]+)/gi, (whole, text: string) => {
      const stamp = readAnyStamp(text)
      return stamp === undefined ? whole : `UNTIL=${writeStamp(stamp)}`
    })
}

/** The times of a list, with the ends of periods as they are written. */
function timesIn(
  event: Component,
  name: string,
  note: Note,
): { readonly time: WrittenTime; readonly property: Property; readonly end: string | undefined }[] {
  return propertiesOf(event, name).flatMap((property) =>
    property.value.split(/[,;]/, MOST_LISTED).flatMap((value) => {
      const [start = '', end] = value.split('/', 2)
      const time = stampedTime(start, property.parameters)
      if (time === undefined && value.trim() !== '') note({ ...property, value }, 'import.note.unread')
      return time === undefined ? [] : [{ time, property, end }]
    }),
  )
}

/** Seconds of a period by its end or length; undefined for what is neither, or an end before the start. */
function periodOf({ stamp }: WrittenTime, end: string, parameters: Property['parameters']): number | undefined {
  const duration = readDuration(end)
  const until = duration === undefined ? stampedTime(end, parameters) : undefined
  const seconds = duration ? duration.days * 86_400 + duration.seconds : until && until.stamp.seconds - stamp.seconds
  return seconds !== undefined && seconds >= 0 ? seconds : undefined
}

/** What resolving needs. */
export interface Resolving {
  readonly written: WrittenTimes
  readonly recurring: WrittenRecurrence
  readonly zones: SourceZones
  readonly options: ReadingOptions
  readonly budget: { left: number; isSpent: boolean }
}

/**
 * Puts an event and what it recurs by on one clock. Where a rule and its exceptions say it, they stay; what they cannot
 * say (several rules, rules that except, dates before the first, a clock that no zone has, very many dates) becomes a
 * list of dates, the newest 5,000. Undefined beyond the years that a clock shows.
 */
export function resolveRecurring(resolving: Resolving): ResolvedRecurrence | undefined {
  const { written, zones } = resolving
  const { start, zone } = written
  const isFile = zone?.rules !== undefined && !written.isAllDay
  const names = isFile ? [...zone.names] : [undefined]
  for (const name of names) {
    const found = resolveIn(resolving, name)
    if (found !== undefined && (!isFile || agrees(resolving, found))) return found
  }
  if (!isFile) return undefined
  const own = resolveTimes(written, zones, { recurs: true })
  const name = agreeingZone(zone, [
    start.stamp.seconds,
    start.stamp.seconds + 86_400 * 91,
    start.stamp.seconds + 86_400 * 182,
  ])
  const found = name === undefined ? undefined : resolveIn(resolving, name)
  if (found !== undefined && agrees(resolving, found)) return found
  return own && resolveByMoments(resolving)
}

/** Whether the clock of the file shows all dates as the zone does that was tried. */
function agrees({ written: { zone } }: Resolving, { times, starts }: ResolvedRecurrence): boolean {
  const rules = zone?.rules
  return rules === undefined || starts.every((wall) => instantIn(wall, times.zone) === rules.instantOf(wall))
}

function resolveIn(resolving: Resolving, name: string | undefined): ResolvedRecurrence | undefined {
  const { written, recurring, zones } = resolving
  const times = resolveTimes(written, zones, { recurs: true, zone: name })
  if (times === undefined) return undefined
  const { zone } = times
  const start = readClock(times.start)
  const wallOf = (time: WrittenTime): number => wallOn({ time, times, own: written.start }, zones)
  const periods = new Map<string, SourceTimes>()
  for (const { time, seconds } of recurring.added) {
    const moved = seconds === undefined ? undefined : periodAt({ wall: wallOf(time), seconds, times })
    if (moved !== undefined) periods.set(writeClock(wallOf(time)), moved)
  }
  const listed = (walls: readonly number[]) => ascending(walls).map((seconds) => ({ seconds, zone: undefined }))
  const added = recurring.added.map(({ time }) => wallOf(time))
  const excluded = recurring.excluded.map(wallOf)
  const [rule] = recurring.rules
  const isPlain = recurring.rules.length <= 1 && recurring.exceptRules.length === 0
  const isEarly = added.some((wall) => wall < start)
  const common = { times, periods, wallOf }
  if (isPlain && !isEarly && added.length <= MOST_DATES && excluded.length <= MOST_DATES) {
    const own = counted(untimed(rule, times), start)
    const recurrence = { rule: own, added: listed(added), excluded: listed(excluded) }
    const found = datesOf(
      recurrence,
      times,
      isEndless(recurrence) ? { horizon: horizonOf(resolving.options, zone) } : {},
    )
    if (found.ok) {
      const starts = found.dates.map(({ recurrenceId }) => readClock(recurrenceId))
      return { ...common, recurrence, starts, notes: [] }
    }
    if (found.problem.part === 'EXDATE') return { ...common, recurrence, starts: [], notes: [] }
  }
  return { ...common, ...asList(resolving, { times, added, excluded }) }
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
  const day = local === undefined ? undefined : Math.floor(local / 86_400) * 86_400
  const end = day === undefined ? undefined : { seconds: day, isUtc: false, isDate: true }
  return { ...rule, until: end, bySecond: [], byMinute: [], byHour: [] }
}

function periodAt({
  wall,
  seconds,
  times,
}: {
  wall: number
  seconds: number
  times: SourceTimes
}): SourceTimes | undefined {
  if (times.isAllDay) return undefined
  const from = instantIn(wall, times.zone)
  return timesAt({ from, to: from + seconds, zone: times.zone })
}

/** A date without a time is that day at the time of the first date; of an all-day event only the day counts. */
function wallOn(
  { time, times, own }: { readonly time: WrittenTime; readonly times: FirstDate; readonly own: WrittenTime },
  zones: SourceZones,
): number {
  const { stamp, tzid } = time
  const first = readClock(times.start)
  if (stamp.isDate) return times.isAllDay ? stamp.seconds : stamp.seconds + (((first % 86_400) + 86_400) % 86_400)
  const isSame = tzid === own.tzid && stamp.isUtc === own.stamp.isUtc && (!stamp.isUtc || times.zone === 'UTC')
  if (times.isAllDay) return dayOf(time, times.zone)
  return isSame ? stamp.seconds : wallIn(instantOfTime(time, zones) ?? stamp.seconds, times.zone)
}

function ascending(walls: readonly number[]): number[] {
  return [...new Set(walls)].sort((one, other) => one - other)
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
  listing: Listing,
): Pick<ResolvedRecurrence, 'times' | 'recurrence' | 'starts' | 'notes'> {
  const { recurring, options } = resolving
  const { times, added, excluded } = listing
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
  const whole = wholeRecurrence(recurring, listing)
  if (whole !== undefined && all.length > MOST_DATES) {
    // The rule continues without its oldest dates.
    const begun = movedTimes(times, first)
    const after =
      begun && recurrenceFrom(whole, times, { begun: { ...begun, recurrenceId: writeClock(first) }, horizon })
    if (after !== undefined && begun !== undefined)
      return { times: begun, recurrence: after, starts: [first, ...others], notes }
  }
  const moved = first === start ? times : movedTimes(times, first)
  const further = others.map((seconds) => ({ seconds, zone: undefined }))
  const recurrence = further.length === 0 ? undefined : { rule: undefined, added: further, excluded: [] }
  return { times: moved ?? times, recurrence, starts: [first, ...others], notes }
}

/** The recurrence as it is written; undefined where rules, exceptions and dates do not fit into one. */
function wholeRecurrence(
  { rules, exceptRules }: WrittenRecurrence,
  { times, added, excluded }: Listing,
): Recurrence | undefined {
  const [rule] = rules
  const start = readClock(times.start)
  if (rules.length !== 1 || exceptRules.length > 0 || added.some((wall) => wall < start)) return undefined
  const listed = (walls: readonly number[]) => ascending(walls).map((seconds) => ({ seconds, zone: undefined }))
  return { rule: counted(untimed(rule, times), start), added: listed(added), excluded: listed(excluded) }
}

/** An event of a clock that no zone has: its moments one by one, in UTC. */
function resolveByMoments(resolving: Resolving): ResolvedRecurrence | undefined {
  const { written, zones } = resolving
  const rules = written.zone?.rules
  const times = resolveTimes(written, zones, { recurs: true, zone: 'UTC' })
  if (rules === undefined || times === undefined) return undefined
  const start = written.start.stamp.seconds
  const length = readClock(times.endUtc) - readClock(times.startUtc)
  const onClock = { ...times, start: writeClock(start), end: writeClock(start + length) }
  const wallOf = (time: WrittenTime): number => {
    if (time.stamp.isDate) return time.stamp.seconds + (((start % 86_400) + 86_400) % 86_400)
    if (time.tzid === written.start.tzid) return time.stamp.seconds
    const utc = instantOfTime(time, zones) ?? time.stamp.seconds
    return utc + rules.offsetAt(utc)
  }
  const { recurring } = resolving
  const local = (rule: RecurrenceRule): RecurrenceRule => {
    const { until } = rule
    if (until?.isUtc !== true) return rule
    return { ...rule, until: { ...until, seconds: until.seconds + rules.offsetAt(until.seconds), isUtc: false } }
  }
  const own = { ...recurring, rules: recurring.rules.map(local), exceptRules: recurring.exceptRules.map(local) }
  const listing = {
    times: onClock,
    added: recurring.added.map(({ time }) => wallOf(time)),
    excluded: recurring.excluded.map(wallOf),
  }
  const listed = asList({ ...resolving, recurring: own }, listing)
  if (listed.starts.length === 0) return { ...listed, times, periods: new Map(), wallOf }
  const [first = 0, ...others] = ascending(listed.starts.map((wall) => rules.instantOf(wall)))
  const moments = timesAt({ from: first, to: first + length, zone: 'UTC' })
  const added = others.map((seconds) => ({ seconds, zone: undefined }))
  return (
    moments && {
      times: moments,
      recurrence: added.length === 0 ? undefined : { rule: undefined, added, excluded: [] },
      starts: [first, ...others],
      periods: new Map(),
      wallOf: (time) => rules.instantOf(wallOf(time)),
      notes: listed.notes,
    }
  )
}
