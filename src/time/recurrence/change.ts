import { readClock, writeClock } from '../clock.ts'
import { toLocal, toUtc } from '../zones.ts'
import { isAfterUntil, workSince } from './dates.ts'
import { expandRule, fillFromStart } from './expand.ts'
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

/** A recurrence in two: what comes before a date, and what begins with it. */
export interface DividedRecurrence {
  readonly before: Recurrence
  /** On the clock of an event whose first date is the one that it was divided at. */
  readonly after: Recurrence
}

/**
 * Divides a recurrence before one of its later dates, given by its `recurrenceId`. COUNT is divided; a rule without COUNT
 * ends for the first part with UNTIL. Either part may be left without a rule, or without anything but its first date.
 * Undefined where no second rule gives the same dates: at an RDATE that the rule does not give, when it has an INTERVAL,
 * and at one of several dates a day whose reading the clock skips.
 */
export function divideRecurrence(
  recurrence: Recurrence,
  first: FirstDate,
  recurrenceId: string,
): DividedRecurrence | undefined {
  const at = readClock(recurrenceId)
  const { rule, added, excluded } = recurrence
  const isBefore = ({ seconds }: ListedDate): boolean => seconds < at
  const isAfter = ({ seconds }: ListedDate): boolean => seconds > at
  const rules = rule === undefined ? {} : divideRule({ rule, first, at })
  return (
    rules && {
      before: { rule: rules.before, added: added.filter(isBefore), excluded: excluded.filter(isBefore) },
      after: { rule: rules.after, added: added.filter(isAfter), excluded: excludedFrom(excluded, first, at) },
    }
  )
}

/** What is excluded from a date on; the date itself where the second part begins. */
function excludedFrom(excluded: readonly ListedDate[], first: FirstDate, at: number): ListedDate[] {
  return excluded.flatMap((date) => {
    if (date.seconds < at) return []
    return date.seconds === at ? [{ seconds: shownStart(first, at), zone: undefined }] : [date]
  })
}

/** Where a date begins on the clock: later than its rule says where the clock skips that. Whole days stay. */
function shownStart({ zone, isAllDay }: FirstDate, at: number): number {
  return isAllDay ? at : readClock(toLocal(toUtc(writeClock(at), zone), zone))
}

interface Division {
  readonly rule: RecurrenceRule
  readonly first: FirstDate
  readonly at: number
}

type DividedRule = { readonly before?: RecurrenceRule | undefined; readonly after?: RecurrenceRule | undefined }

function divideRule({ rule, first, at }: Division): DividedRule | undefined {
  const start = readClock(first.start)
  const { datesBefore, isTaken } = countBefore({ rule, first, at })
  const { count, until } = rule
  const isOver = count === undefined ? isAfterUntil(until, first.zone)(at) : datesBefore >= count
  if (isOver) return { before: rule }
  if (!isTaken && rule.interval > 1) return undefined
  const isSkipped = shownStart(first, at) !== at
  if (isSkipped && WITHIN_A_DAY.has(rule.frequency)) return undefined
  // A first date that the rule does not give says nothing about the others.
  const filled = isTaken && !isSkipped ? rule : fillFromStart(rule, start)
  const times = first.isAllDay ? { byHour: [], byMinute: [], bySecond: [] } : {}
  // The first date counts for COUNT whether the rule gives it or not.
  const left = count && count - datesBefore + (isTaken ? 0 : 1)
  const after = { ...filled, ...times, count: left }
  return count === undefined
    ? { before: { ...rule, until: endBefore(first, at) }, after }
    : { before: { ...rule, count: datesBefore }, after }
}

const WITHIN_A_DAY: ReadonlySet<RecurrenceRule['frequency']> = new Set(['HOURLY', 'MINUTELY', 'SECONDLY'])

/** How many dates of a rule lie before a moment, its start among them, and whether it gives that moment. */
function countBefore({ rule, first, at }: Division): { datesBefore: number; isTaken: boolean } {
  const start = readClock(first.start)
  let datesBefore = 1
  for (const seconds of expandRule(rule, start, { left: workSince(first.start, writeClock(at)), isSpent: false })) {
    if (seconds >= at) return { datesBefore, isTaken: seconds === at }
    // An RDATE may come long after the last date of a rule with an end.
    if (datesBefore === rule.count) break
    if (seconds !== start) datesBefore += 1
  }
  return { datesBefore, isTaken: false }
}

/** UNTIL of what ends before a date: the second before it, the day before it of all-day events. */
function endBefore({ zone, isAllDay }: FirstDate, at: number): DateStamp {
  if (isAllDay) return { seconds: at - 86_400, isUtc: false, isDate: true }
  return { seconds: readClock(toUtc(writeClock(at), zone)) - 1, isUtc: true, isDate: false }
}
