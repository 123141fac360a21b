import { daysInMonth, readClock, weekdayOf } from '../../base/time/clock.ts'
import { type Observance, observancesOf, type ZoneRef } from '../../base/time/observances.ts'

/** A rule by which a clock changes once a year. */
export interface YearlyRule {
  /** As RRULE has it, without frequency and end: `BYMONTH=3;BYDAY=-1SU`. */
  readonly text: string
  /** Whether it gives that change in its year. */
  includes(change: Observance): boolean
}

/** The yearly changes that a place keeps permanently, by their kind; empty when its clock stays as it is. */
export type OpenEndedRules = ReadonlyMap<string, YearlyRule>

/**
 * Years after every announced exception: the table of Ramadans in Morocco, the longest in the tz database, ends in 2087.
 * Twelve years in a row start on every day of the week.
 */
const FAR_YEARS = Array.from({ length: 12 }, (_, index) => 2100 + index)

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** By the name under which the runtime keeps a zone, so a few hundred at most. */
const knownRules = new Map<string, OpenEndedRules | undefined>()

/** What changes of clocks have in common when only their days differ. */
export function kindOf({ onset, before, offset, letters, isDaylight }: Observance): string {
  return [onset.slice(11), before, offset, letters, isDaylight].join()
}

/** The rules of a place that hold permanently; undefined when no yearly rules describe its clock. */
export function openEndedRulesOf(place: ZoneRef): OpenEndedRules | undefined {
  const known = knownRules.get(place.resolved)
  if (known !== undefined || knownRules.has(place.resolved)) return known
  const rules = findOpenEndedRules(place)
  knownRules.set(place.resolved, rules)
  return rules
}

function findOpenEndedRules(place: ZoneRef): OpenEndedRules | undefined {
  // The first observance of a year only says what is in force when it starts.
  const changes = FAR_YEARS.flatMap((year) => observancesOf(place, year).slice(1))
  const rules = new Map<string, YearlyRule>()
  for (const [kind, alike] of Map.groupBy(changes, kindOf)) {
    const rule = alike.length === FAR_YEARS.length ? yearlyRule(alike) : undefined
    if (rule === undefined) return undefined
    rules.set(kind, rule)
  }
  return rules
}

/** Whether the changes of one year are exactly those of the rules. */
export function followRules(changes: readonly Observance[], rules: OpenEndedRules): boolean {
  return changes.length === rules.size && changes.every((one) => rules.get(kindOf(one))?.includes(one) === true)
}

/**
 * The plainest rule that gives all these changes, one in each year: the last weekday of a month, the nth one, or the one
 * within certain seven days, such as the Friday before the last Sunday. Undefined if there is none.
 */
export function yearlyRule(changes: readonly Observance[]): YearlyRule | undefined {
  const days = changes.map(({ onset }) => dayOf(onset))
  const [first] = days
  if (first === undefined) return undefined
  const numbers = days.map(({ day }) => day)
  return rulesFor(first, [Math.min(...numbers), Math.max(...numbers)]).find((rule) => changes.every(rule.includes))
}

interface OnsetDay {
  readonly month: number
  readonly day: number
  readonly weekday: number
  /** Whether it is the last such weekday of its month. */
  readonly isLast: boolean
}

function dayOf(onset: string): OnsetDay {
  const [year, month, day] = [onset.slice(0, 4), onset.slice(5, 7), onset.slice(8, 10)].map(Number) as [
    number,
    number,
    number,
  ]
  const weekday = weekdayOf(Math.floor(readClock(onset) / 86_400))
  return { month, day, weekday, isLast: day + 7 > daysInMonth(year, month) }
}

/** The rules that may describe a day, the plainest first; `earliest` and `latest` are the days of all changes. */
function rulesFor(
  { month, day, weekday, isLast }: OnsetDay,
  [earliest, latest]: readonly [number, number],
): YearlyRule[] {
  const rule = (text: string, fits: (other: OnsetDay) => boolean): YearlyRule => ({
    text: `BYMONTH=${month};${text}${WEEKDAYS[weekday]}`,
    includes: ({ onset }) => {
      const other = dayOf(onset)
      return other.month === month && other.weekday === weekday && fits(other)
    },
  })
  const nth = Math.ceil(day / 7)
  const range = Array.from({ length: latest - earliest + 1 }, (_, index) => earliest + index)
  return [
    ...(isLast ? [rule('BYDAY=-1', (other) => other.isLast)] : []),
    rule(`BYDAY=${nth}`, (other) => Math.ceil(other.day / 7) === nth),
    ...(range.length > 7 ? [] : [rule(`BYMONTHDAY=${range.join(',')};BYDAY=`, (other) => range.includes(other.day))]),
  ]
}
