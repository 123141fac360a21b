/*
 * A reader of JSCalendar that knows nothing but RFC 8984, word for word and slowly: it is there to find out what others would
 * read from our files.
 */

/** A rule as JSON has it. */
export interface RecurrenceRuleObject {
  readonly frequency: string
  readonly interval?: number
  readonly firstDayOfWeek?: string
  readonly byDay?: readonly { readonly day: string; readonly nthOfPeriod?: number }[]
  readonly byMonthDay?: readonly number[]
  readonly byMonth?: readonly string[]
  readonly byYearDay?: readonly number[]
  readonly byWeekNo?: readonly number[]
  readonly byHour?: readonly number[]
  readonly byMinute?: readonly number[]
  readonly bySecond?: readonly number[]
  readonly bySetPosition?: readonly number[]
  readonly count?: number
  readonly until?: string
}

/** The members of an Event that say when it takes place. */
export interface RecurringObject {
  readonly start: string
  readonly recurrenceRules?: readonly RecurrenceRuleObject[]
  readonly recurrenceOverrides?: Readonly<Record<string, { readonly excluded?: boolean }>>
}

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000]
const WEEKDAYS = ['su', 'mo', 'tu', 'we', 'th', 'fr', 'sa']
/** Periods that are looked at: more than a day of seconds for each date that is asked for. */
const MOST_PERIODS = 3_000_000

/** The original starts of an Event, ascending, `2027-01-04T10:00:00` each (section 4.3); at most so many of each rule. */
export function originalStarts(event: RecurringObject, most: number): string[] {
  const rules = event.recurrenceRules ?? []
  const starts = new Set([event.start, ...rules.flatMap((rule) => startsByRule(rule, event.start, most))])
  for (const [start, patch] of Object.entries(event.recurrenceOverrides ?? {}))
    if (patch.excluded === true) starts.delete(start)
    else starts.add(start)
  return [...starts].sort()
}

/** Section 4.3.3.1. */
function startsByRule(rule: RecurrenceRuleObject, start: string, most: number): string[] {
  const initial = Date.parse(`${start}Z`)
  const filled = withImplied(rule, new Date(initial))
  const until = rule.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(`${rule.until}Z`)
  // The start is always the first one, and counted.
  const found = [initial]
  for (let index = 0; index < MOST_PERIODS; index += 1) {
    const begin = periodBegin(filled, initial, index * (rule.interval ?? 1))
    if (begin > until || Number.isNaN(begin)) break
    for (const at of candidates(filled, begin)) {
      if (at <= initial) continue
      if (at > until || found.length >= Math.min(most, rule.count ?? most)) return found.map(textOf)
      found.push(at)
    }
    if (found.length >= Math.min(most, rule.count ?? most)) break
  }
  return found.map(textOf)
}

function textOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19)
}

/** The parts that follow from the start (section 4.3.3.1, "MUST be implicitly added"). */
function withImplied(rule: RecurrenceRuleObject, start: Date): RecurrenceRuleObject {
  const { frequency, byDay, byMonth, byMonthDay, byYearDay, byWeekNo } = rule
  const isShorter = (...than: readonly string[]): boolean => than.includes(frequency)
  const weekday = [{ day: WEEKDAYS[start.getUTCDay()] ?? '' }]
  const yearly = frequency === 'yearly' && byYearDay === undefined
  const impliesMonth = yearly && !byMonth && !byWeekNo && (byMonthDay !== undefined || !byDay)
  const impliesDay =
    (yearly && !byMonthDay && !byWeekNo && !byDay) || (frequency === 'monthly' && !byDay && !byMonthDay)
  const impliesWeekday = (yearly && byWeekNo && !byMonthDay && !byDay) || (frequency === 'weekly' && !byDay)
  return {
    ...rule,
    ...(!rule.bySecond && !isShorter('secondly') && { bySecond: [start.getUTCSeconds()] }),
    ...(!rule.byMinute && !isShorter('secondly', 'minutely') && { byMinute: [start.getUTCMinutes()] }),
    ...(!rule.byHour && !isShorter('secondly', 'minutely', 'hourly') && { byHour: [start.getUTCHours()] }),
    ...(impliesWeekday && { byDay: weekday }),
    ...(impliesDay && { byMonthDay: [start.getUTCDate()] }),
    ...(impliesMonth && { byMonth: [String(start.getUTCMonth() + 1)] }),
  }
}

const LENGTHS: Readonly<Record<string, number>> = {
  ...{ secondly: SECOND, minutely: MINUTE, hourly: HOUR, daily: DAY, weekly: 7 * DAY },
}

/** Where a period starts, so many after that of the start. */
function periodBegin({ frequency, firstDayOfWeek = 'mo' }: RecurrenceRuleObject, initial: number, offset: number) {
  const date = new Date(initial)
  if (frequency === 'yearly') return Date.UTC(date.getUTCFullYear() + offset, 0, 1)
  if (frequency === 'monthly') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1)
  const length = LENGTHS[frequency] ?? Number.NaN
  if (frequency !== 'weekly') return Math.floor(initial / length) * length + offset * length
  const midnight = Math.floor(initial / DAY) * DAY
  return midnight - ((date.getUTCDay() - WEEKDAYS.indexOf(firstDayOfWeek) + 7) % 7) * DAY + offset * length
}

function candidates(rule: RecurrenceRuleObject, begin: number): number[] {
  const end = periodBegin(rule, begin, 1)
  const all: number[] = []
  for (let day = Math.floor(begin / DAY) * DAY; day < end; day += DAY) {
    if (!takesDay(rule, new Date(day))) continue
    for (const time of timesOf(rule, begin - day)) if (day + time >= begin && day + time < end) all.push(day + time)
  }
  const { bySetPosition: positions } = rule
  return positions === undefined
    ? all
    : all.filter((_at, i) => positions.includes(i + 1) || positions.includes(i - all.length))
}

/** The times of a day that a rule takes, ascending; of a period shorter than a day only those that may lie in it. */
function timesOf({ frequency, byHour, byMinute, bySecond }: RecurrenceRuleObject, begin: number): number[] {
  const at = Math.max(0, begin)
  const own = [Math.floor(at / HOUR), Math.floor(at / MINUTE) % 60, Math.floor(at / SECOND) % 60] as const
  const isWithin = (...frequencies: readonly string[]): boolean => frequencies.includes(frequency)
  const among = (by: readonly number[] | undefined, mine: number | false): readonly number[] => {
    if (mine === false) return [...(by ?? [])].sort((one, other) => one - other)
    return by === undefined || by.includes(mine) ? [mine] : []
  }
  const hours = among(byHour, isWithin('hourly', 'minutely', 'secondly') && own[0])
  const minutes = among(byMinute, isWithin('minutely', 'secondly') && own[1])
  const seconds = among(bySecond, isWithin('secondly') && own[2])
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => hour * HOUR + minute * MINUTE + second * SECOND)),
  )
}

function takesDay(rule: RecurrenceRuleObject, day: Date): boolean {
  const { byMonth, byMonthDay, byYearDay, byWeekNo, byDay, frequency } = rule
  const year = day.getUTCFullYear()
  const month = day.getUTCMonth()
  const ofYear = {
    place: daysBetween(Date.UTC(year, 0, 1), day) + 1,
    length: daysBetween(Date.UTC(year, 0, 1), new Date(Date.UTC(year + 1, 0, 1))),
  }
  const ofMonth = { place: day.getUTCDate(), length: new Date(Date.UTC(year, month + 1, 0)).getUTCDate() }
  return (
    (byMonth === undefined || byMonth.includes(String(month + 1))) &&
    (byMonthDay === undefined || isNamed(byMonthDay, ofMonth)) &&
    (byYearDay === undefined || isNamed(byYearDay, ofYear)) &&
    (byWeekNo === undefined || isNamed(byWeekNo, weekOf(day, rule.firstDayOfWeek ?? 'mo'))) &&
    (byDay === undefined ||
      byDay.some(({ day: name, nthOfPeriod: nth }) => {
        if (WEEKDAYS[day.getUTCDay()] !== name) return false
        const { place, length } = frequency === 'monthly' ? ofMonth : ofYear
        return nth === undefined || nth === Math.ceil(place / 7) || nth === -Math.ceil((length - place + 1) / 7)
      }))
  )
}

interface Place {
  /** From 1 on. */
  readonly place: number
  readonly length: number
}

function isNamed(numbers: readonly number[], { place, length }: Place): boolean {
  return numbers.includes(place) || numbers.includes(place - length - 1)
}

function daysBetween(from: number, to: Date): number {
  return Math.round((to.getTime() - from) / DAY)
}

/** The week of a day as ISO 8601 numbers them, with weeks that start on another day. */
function weekOf(day: Date, firstDay: string): Place {
  const first = WEEKDAYS.indexOf(firstDay)
  const fourthDayOf = (of: Date): Date => new Date(of.getTime() + (3 - ((of.getUTCDay() - first + 7) % 7)) * DAY)
  const weekBy = (fourth: Date): number =>
    Math.floor(daysBetween(Date.UTC(fourth.getUTCFullYear(), 0, 1), fourth) / 7) + 1
  const fourth = fourthDayOf(day)
  const last = fourthDayOf(new Date(Date.UTC(fourth.getUTCFullYear(), 11, 28)))
  return { place: weekBy(fourth), length: weekBy(last) }
}
