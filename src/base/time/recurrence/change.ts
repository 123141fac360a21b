import { readClock, writeClock } from '../clock.ts'
import { clockOf, toLocal, toUtc } from '../zones.ts'
import { isAfterUntil, workSince } from './dates.ts'
import { expandRule, fillFromStart } from './expand.ts'
import { isOnInterval } from './interval.ts'
import type { FirstDate, ListedDate, Recurrence } from './lines.ts'
import type { RecurrenceRule } from './rule.ts'
import type { DateStamp } from './stamp.ts'

/** The recurrence without one of its dates, by its `recurrenceId`: EXDATE names it. */
export function excludeDate(recurrence: Recurrence, recurrenceId: string): Recurrence {
  const { excluded } = includeDate(recurrence, recurrenceId)
  const date = { seconds: readClock(recurrenceId), zone: undefined }
  return { ...recurrence, excluded: [...excluded, date].sort((one, other) => one.seconds - other.seconds) }
}

/** The recurrence with a date that EXDATE took out of it; the same where it did not. */
export function includeDate(recurrence: Recurrence, recurrenceId: string): Recurrence {
  const seconds = readClock(recurrenceId)
  return { ...recurrence, excluded: recurrence.excluded.filter((date) => date.seconds !== seconds) }
}

/** A recurrence in two: what comes before a date, and what starts with it. */
export interface DividedRecurrence {
  readonly before: Recurrence
  /** On the clock of an event that starts at `begin`. */
  readonly after: Recurrence
  /**
   * The `recurrenceId` of the date that it was divided at. Where no second rule that starts then gives the same dates, that of
   * an earlier one, which EXDATE takes out of the second part: from there the rule continues as it did.
   */
  readonly begin: string
}

/**
 * Divides a recurrence before one of its later dates, given by its `recurrenceId`. COUNT is divided; a rule without COUNT
 * ends for the first part with UNTIL. Either part may be left without a rule, or without anything but its first date.
 */
export function divideRecurrence(recurrence: Recurrence, first: FirstDate, recurrenceId: string): DividedRecurrence {
  const at = readClock(recurrenceId)
  const { added, excluded } = recurrence
  const division = { recurrence, first, at, ...datesAround(recurrence, first, at) }
  const isBefore = ({ seconds }: ListedDate): boolean => seconds < at
  const before = { rule: ruleBefore(division), added: added.filter(isBefore), excluded: excluded.filter(isBefore) }
  const left = ruleLeft(division)
  if (!goesOn(division, left)) return { before, ...fromEarlier(division, left) }
  const isAfter = ({ seconds }: ListedDate): boolean => seconds > at
  const after = {
    rule: left && ruleFrom(left, division),
    added: added.filter(isAfter),
    excluded: excludedFrom(excluded, first, at),
  }
  return { before, after, begin: recurrenceId }
}

/** What is excluded from a date on; the date itself where the second part starts. */
function excludedFrom(excluded: readonly ListedDate[], first: FirstDate, at: number): ListedDate[] {
  return excluded.flatMap((date) => {
    if (date.seconds < at) return []
    return date.seconds === at ? [{ seconds: shownStart(first, at), zone: undefined }] : [date]
  })
}

/** Where a date starts on the clock: later than its rule says where the clock skips that. Whole days stay. */
function shownStart({ zone, isAllDay }: FirstDate, at: number): number {
  return isAllDay ? at : readClock(toLocal(toUtc(writeClock(at), zone), zone))
}

/** What a rule gives around a moment. */
interface DatesAround {
  /** The dates before it: the own start, then those of the rule. */
  readonly earlier: readonly number[]
  /** Whether it gives the moment. */
  readonly isTaken: boolean
  /** The next one after it; undefined if there is none. */
  readonly next: number | undefined
}

interface Division extends DatesAround {
  readonly recurrence: Recurrence
  readonly first: FirstDate
  readonly at: number
}

function datesAround({ rule }: Recurrence, first: FirstDate, at: number): DatesAround {
  const start = readClock(first.start)
  const earlier = [start]
  if (rule === undefined) return { earlier, isTaken: false, next: undefined }
  let isTaken = false
  for (const seconds of expandRule(rule, start, { left: workSince(first.start, writeClock(at)), isSpent: false })) {
    if (seconds > at) return { earlier, isTaken, next: seconds }
    isTaken ||= seconds === at
    if (seconds < at && seconds !== start) earlier.push(seconds)
    // An RDATE may come long after the last date of a rule with an end.
    if (earlier.length === rule.count) break
  }
  return { earlier, isTaken, next: undefined }
}

/** Whether a rule gives nothing from the moment on. */
function isOver({ count, until }: RecurrenceRule, { first, at, earlier }: Division): boolean {
  return count === undefined ? isAfterUntil(until, first.zone)(at) : earlier.length >= count
}

function ruleBefore(division: Division): RecurrenceRule | undefined {
  const { rule } = division.recurrence
  if (rule === undefined || isOver(rule, division)) return rule
  return rule.count === undefined
    ? { ...rule, until: endBefore(division) }
    : { ...rule, count: division.earlier.length }
}

/** What a rule has still to give, none of whose dates is the first one yet; undefined where that is nothing. */
function ruleLeft(division: Division): RecurrenceRule | undefined {
  const { rule } = division.recurrence
  if (rule === undefined || isOver(rule, division)) return undefined
  return { ...rule, count: rule.count && rule.count - division.earlier.length }
}

/** Whether a second rule that starts with the date gives the same dates: one of its periods does, and none comes too early. */
function goesOn({ recurrence, first, at, next }: Division, rule: RecurrenceRule | undefined): boolean {
  const begin = shownStart(first, at)
  const isTooEarly = (seconds: number | undefined): boolean => seconds !== undefined && seconds > at && seconds <= begin
  if ([...recurrence.added, ...recurrence.excluded].some(({ seconds }) => isTooEarly(seconds))) return false
  return rule === undefined || (!isTooEarly(next) && isOnInterval(rule, { from: readClock(first.start), to: begin }))
}

function ruleFrom(rule: RecurrenceRule, { first, at, isTaken }: Division): RecurrenceRule {
  const isSkipped = shownStart(first, at) !== at
  // A first date that the rule does not give says nothing about the others.
  const filled = isTaken && !isSkipped ? rule : fillFromStart(rule, readClock(first.start))
  const times = first.isAllDay ? { byHour: [], byMinute: [], bySecond: [] } : {}
  // The first date counts for COUNT whether the rule gives it or not.
  return { ...filled, ...times, count: rule.count && rule.count + (isTaken ? 0 : 1) }
}

/** The second part as a rule from an earlier date: what comes before the second one, and counts for COUNT, is taken out. */
function fromEarlier(
  { recurrence: { added, excluded }, first, at, earlier }: Division,
  rule: RecurrenceRule | undefined,
): Pick<DividedRecurrence, 'after' | 'begin'> {
  // No event starts when the clock skips it.
  const gone = earlier.slice(
    Math.max(
      0,
      earlier.findLastIndex((seconds) => shownStart(first, seconds) === seconds),
    ),
  )
  const isLater = ({ seconds }: ListedDate): boolean => seconds >= at
  return {
    begin: writeClock(gone[0] ?? readClock(first.start)),
    after: {
      rule: rule && { ...rule, count: rule.count && rule.count + gone.length },
      added: added.filter(isLater),
      excluded: [...gone.map((seconds) => ({ seconds, zone: undefined })), ...excluded.filter(isLater)],
    },
  }
}

/** No clock skips more than a day, seconds. */
const LONGEST_GAP = 86_400

/** UNTIL of what ends before a date: the second before it, the day before it of all-day events. */
function endBefore({ first, at, earlier }: Division): DateStamp {
  if (first.isAllDay) return { seconds: at - 86_400, isUtc: false, isDate: true }
  const { instantOf } = clockOf(first.zone)
  const instant = instantOf(at)
  // What the clock skips takes place later than what comes soon after it.
  const isMixed =
    shownStart(first, at) !== at ||
    earlier.some((seconds) => seconds >= at - LONGEST_GAP && instantOf(seconds) >= instant)
  return isMixed
    ? { seconds: at - 1, isUtc: false, isDate: false }
    : { seconds: instant - 1, isUtc: true, isDate: false }
}
