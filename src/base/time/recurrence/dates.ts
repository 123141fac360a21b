import { readClock, writeClock } from '../clock.ts'
import { clockOf } from '../zones.ts'
import { expandInSteps, type WorkBudget } from './expand.ts'
import { type FirstDate, MOST_DATES, type Recurrence } from './lines.ts'
import type { RecurrenceRule, RuleProblem } from './rule.ts'
import type { DateStamp } from './stamp.ts'
import { atOnce, inSteps, type Steps } from './steps.ts'

/** One date of a recurring event; readings `'YYYY-MM-DD HH:MM:SS'`. */
export interface RecurringDate {
  /**
   * The start as the recurrence gives it, on the wall clock of the event: what identifies this date permanently
   * (RECURRENCE-ID). Differs from `start` where the clock of the zone skips it.
   */
  readonly recurrenceId: string
  readonly start: string
  readonly end: string
  readonly utcStart: string
  readonly utcEnd: string
}

/** The dates of a recurrence ascending, at least one; or why it has none, or too many. */
export type RecurringDates =
  | {
      readonly ok: true
      readonly dates: readonly RecurringDate[]
      /** Number of all dates; undefined where a rule without end continues beyond the horizon or the limit. */
      readonly total: number | undefined
    }
  | { readonly ok: false; readonly problem: RuleProblem }

/** How far dates are wanted. */
export interface DatesWanted {
  /** The last wall clock reading up to which a rule without end is expanded; such a rule needs this or a limit. */
  readonly horizon?: string
  /**
   * How many dates at most are given, and how many of a rule without end are looked for; `most` if absent. Without a
   * horizon there are fewer where more would take too much work.
   */
  readonly limit?: number
  /** More dates than this are a problem; 5,000 if absent. */
  readonly most?: number
  /** Days, periods and times that the rule may look at; `WORK` if absent. */
  readonly work?: number | undefined
}

/** Days, periods and times that an expansion may look at: some 20 ms, some 40 while nothing is compiled yet. No rule that people write gets near. */
export const WORK = 60_000

/** The same for one event of an import, to find its newest dates. */
export const IMPORT_WORK = 300_000

/** Years that lengthen what a rule may look at. */
const MOST_YEARS = 100

/**
 * What a rule may look at that was accepted once and has gone on since: as much again for each year since the start of
 * its event, readings of a clock both. No rule looks at more in a year than it was allowed for several. It may have come
 * with an import.
 */
export function workSince(start: string, now: string): number {
  const years = Number(now.slice(0, 4)) - Number(start.slice(0, 4)) + 1
  return Math.max(IMPORT_WORK, WORK * Math.min(years, MOST_YEARS))
}

const FOREVER = Number.POSITIVE_INFINITY

/**
 * The dates of a recurring event (RFC 5545 section 3.8.5): its own start, then what rule and RDATE give, without EXDATE.
 * The own start is the first date whether the rule takes it or not, and counts for COUNT. All are reckoned on the wall
 * clock of the event (skipped readings move forward, those that occur twice are the first); each is exactly as long as
 * the first one, or as many days. A problem is a rule that gives nothing, more than the most dates (with a horizon: up
 * to it), and a rule that takes too much work.
 */
export function datesOf(recurrence: Recurrence, first: FirstDate, wanted: DatesWanted = {}): RecurringDates {
  return atOnce(dateSteps(recurrence, first, wanted))
}

/** The same, with a pause after every few milliseconds of work. */
export async function datesInSteps(
  recurrence: Recurrence,
  first: FirstDate,
  { pause, ...wanted }: DatesWanted & { readonly pause: () => Promise<void> },
): Promise<RecurringDates> {
  return inSteps(dateSteps(recurrence, first, wanted), pause)
}

/** Dates that are worked out between two pauses. */
const STEP = 250

/** The same as steps. */
export function* dateSteps(recurrence: Recurrence, first: FirstDate, wanted: DatesWanted = {}): Steps<RecurringDates> {
  const excluded = new Set(recurrence.excluded.map(({ seconds }) => seconds))
  const limit = wanted.limit === undefined ? undefined : { limit: wanted.limit + excluded.size }
  const { most = MOST_DATES } = wanted
  const ruled = yield* ruledDates(recurrence.rule, first, { ...wanted, ...limit, excluded: excluded.size })
  if (!ruled.ok) return ruled
  const added = recurrence.added.map(({ seconds }) => seconds).filter((seconds) => seconds <= ruled.last)
  const all = [...new Set([...ruled.dates, ...added])].filter((seconds) => !excluded.has(seconds))
  if (all.length === 0) return problem('EXDATE', 'leaves no date')
  if (all.length > most) return tooMany(recurrence.rule === undefined ? 'RDATE' : 'RRULE', most)
  const starts = all.sort((one, other) => one - other).slice(0, wanted.limit ?? most)
  const make = dateMaker(first)
  const dates: RecurringDate[] = []
  for (const start of starts) if (dates.push(make(start)) % STEP === 0) yield
  return { ok: true, dates, total: ruled.isWhole ? all.length : undefined }
}

/** Whether a recurrence continues for ever: its rule has neither COUNT nor UNTIL. */
export function isEndless({ rule }: Recurrence): boolean {
  return rule !== undefined && rule.count === undefined && rule.until === undefined
}

type Ruled =
  | { readonly ok: true; readonly dates: number[]; readonly isWhole: boolean; readonly last: number }
  | Extract<RecurringDates, { ok: false }>

/** Dates that a rule gives may be as many more as EXDATE names. */
type RuledWanted = DatesWanted & { readonly excluded: number }

/** The own start and what the rule gives. `last` is how far dates are listed: later RDATEs are not among them. */
function* ruledDates(rule: RecurrenceRule | undefined, first: FirstDate, wanted: RuledWanted): Steps<Ruled> {
  const start = readClock(first.start)
  if (rule === undefined) return { ok: true, dates: [start], isWhole: true, last: FOREVER }
  const isPast = isAfterUntil(rule.until, first.zone)
  if (isPast(start)) return problem('UNTIL', 'lies before the start of the event')
  return yield* collect({ rule, start, isPast, ...bounds(rule, wanted) })
}

interface Collecting {
  readonly rule: RecurrenceRule
  readonly start: number
  /** Whether UNTIL lies before a date. */
  readonly isPast: (seconds: number) => boolean
  /** Of a rule without end: the last second and the number of dates that are reported. */
  readonly horizon: number
  readonly limit: number
  /** Of any rule: more dates are a problem. */
  readonly most: number
  readonly excluded: number
  readonly work: number
}

function bounds(
  { count, until }: RecurrenceRule,
  { horizon, limit, most = MOST_DATES, excluded, work = WORK }: RuledWanted,
): Pick<Collecting, 'horizon' | 'limit' | 'most' | 'excluded' | 'work'> {
  const common = { most, excluded, work }
  if (count !== undefined || until !== undefined) return { horizon: FOREVER, limit: FOREVER, ...common }
  const last = horizon === undefined ? FOREVER : readClock(horizon)
  return { horizon: last, limit: limit ?? FOREVER, ...common }
}

function* collect({ rule, start, isPast, horizon, limit, most, excluded, work }: Collecting): Steps<Ruled> {
  const dates = [start]
  const budget: WorkBudget = { left: work, isSpent: false }
  let gives = false
  for (const seconds of expandInSteps(rule, start, budget)) {
    if (seconds === undefined || dates.length % STEP === 0) yield
    if (seconds === undefined) continue
    if (isPast(seconds)) return { ok: true, dates, isWhole: true, last: FOREVER }
    gives = true
    // The start is all of it, but only of a rule that comes.
    if (rule.count === 1) break
    if (seconds > horizon) return { ok: true, dates, isWhole: false, last: horizon }
    if (seconds !== start) dates.push(seconds)
    if (dates.length > most + excluded) return tooMany('RRULE', most)
    if (dates.length === rule.count) return { ok: true, dates, isWhole: true, last: FOREVER }
    if (dates.length >= limit) return { ok: true, dates, isWhole: false, last: seconds }
  }
  if (budget.isSpent && gives && horizon === FOREVER && limit !== FOREVER)
    return { ok: true, dates, isWhole: false, last: dates.at(-1) ?? start }
  if (budget.isSpent) return problem('RRULE', gives ? 'takes too much work' : 'gives no date, or takes too much work')
  if (!gives) return problem('RRULE', 'gives no date')
  return { ok: true, dates, isWhole: true, last: FOREVER }
}

/** Whether a date on the clock of a zone is after UNTIL; never if there is no UNTIL. */
export function isAfterUntil(until: DateStamp | undefined, zone: string): (seconds: number) => boolean {
  if (until === undefined) return () => false
  const last = until.seconds + (until.isDate ? 86_399 : 0)
  if (!until.isUtc) return (seconds) => seconds > last
  const { instantOf } = clockOf(zone)
  return (seconds) => instantOf(seconds) > last
}

/** Makes dates of their starts. */
function dateMaker({ start, end, zone, isAllDay }: FirstDate): (seconds: number) => RecurringDate {
  const { instantOf, localOf } = clockOf(zone)
  const [first, last] = [readClock(start), readClock(end)]
  const length = instantOf(last) - instantOf(first)
  return (seconds) => {
    const recurrenceId = writeClock(seconds)
    const instant = instantOf(seconds)
    const utcStart = writeClock(instant)
    if (isAllDay) {
      const lastSecond = seconds + last - first
      const utcEnd = writeClock(instantOf(lastSecond))
      return { recurrenceId, start: recurrenceId, end: writeClock(lastSecond), utcStart, utcEnd }
    }
    const local = localOf(instant)
    const endsAt = instant + length
    return {
      recurrenceId,
      start: local === seconds ? recurrenceId : writeClock(local),
      end: writeClock(localOf(endsAt)),
      utcStart,
      utcEnd: writeClock(endsAt),
    }
  }
}

function tooMany(part: string, most: number): Extract<RecurringDates, { ok: false }> {
  return problem(part, `gives more than ${most} dates`)
}

function problem(part: string, reason: string): Extract<RecurringDates, { ok: false }> {
  return { ok: false, problem: { part, reason } }
}
