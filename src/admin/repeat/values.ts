import { daysInMonth, readClock, writeClock } from '../../base/time/clock.ts'
import { type FirstDate, type ListedDate, type Recurrence, readRecurrence } from '../../base/time/recurrence/lines.ts'
import { type RecurrenceRule, WEEKDAYS } from '../../base/time/recurrence/rule.ts'
import { toLocal } from '../../base/time/zones.ts'
import { daysAfter, weekday } from '../../pages/dates.ts'

/** The inputs of the rule editor. */
export const REPEAT_INPUTS = [
  'repeat',
  'repeat_interval',
  'repeat_days',
  'repeat_monthly',
  'repeat_end',
  'repeat_until',
  'repeat_count',
  'repeat_also',
  'repeat_except',
  'repeat_lines',
] as const

/** What the rule editor says; every member is '' or empty where it says nothing. */
export interface RepeatValues {
  /** '', `DAILY`, `WEEKLY`, `MONTHLY`, `YEARLY`, `dates` for further dates without a rule, `lines` for anything else. */
  readonly repeat: string
  readonly repeat_interval: string
  /** `MO` ...; empty for the weekday of the start. */
  readonly repeat_days: readonly string[]
  /** '' the day of the month of the start, `weekday` its nth weekday, `last` its last weekday, `end` the last day. */
  readonly repeat_monthly: string
  /** '', `until` or `count`. */
  readonly repeat_end: string
  readonly repeat_until: string
  readonly repeat_count: string
  /** Days `2027-04-17`, or moments `2027-04-17 18:00`, a line each. */
  readonly repeat_also: string
  readonly repeat_except: string
  /** The lines as the API has them, where the editor has no controls for what they say. */
  readonly repeat_lines: string
}

const NONE: RepeatValues = {
  repeat: '',
  repeat_interval: '1',
  repeat_days: [],
  repeat_monthly: '',
  repeat_end: '',
  repeat_until: '',
  repeat_count: '',
  repeat_also: '',
  repeat_except: '',
  repeat_lines: '',
}

/** What the inputs of a form say in the rule editor. */
export function repeatIn(values: Readonly<Record<string, string | readonly string[]>>): RepeatValues {
  const text = (name: string): string => (typeof values[name] === 'string' ? values[name] : '')
  const days = values['repeat_days'] ?? []
  const texts = Object.fromEntries(REPEAT_INPUTS.map((name) => [name, text(name)]))
  return { ...NONE, ...texts, repeat_days: typeof days === 'string' ? [] : days }
}

/** What the editor shows of the lines of a recurrence; what it has no controls for stays as lines. */
export function repeatValues(lines: readonly string[], first: FirstDate | undefined): RepeatValues {
  if (lines.length === 0) return NONE
  const reading = first === undefined ? undefined : readRecurrence(lines, first)
  const values = reading?.ok && first !== undefined ? valuesOf(reading.recurrence, first) : undefined
  return values ?? { ...NONE, repeat: 'lines', repeat_lines: lines.join('\n') }
}

function valuesOf({ rule, added, excluded }: Recurrence, first: FirstDate): RepeatValues | undefined {
  const also = listOf(added, first)
  const except = listOf(excluded, first)
  const ruled = rule === undefined ? { repeat: 'dates' } : ruleValues(rule, first)
  if (also === undefined || except === undefined || ruled === undefined) return undefined
  return { ...NONE, ...ruled, repeat_also: also, repeat_except: except }
}

function listOf(dates: readonly ListedDate[], { start }: FirstDate): string | undefined {
  const texts = dates.map(({ seconds, zone }) => {
    const text = writeClock(seconds)
    if (zone !== undefined) return undefined
    if (text.slice(11) === start.slice(11)) return text.slice(0, 10)
    return text.endsWith(':00') ? text.slice(0, 16) : undefined
  })
  return texts.includes(undefined) ? undefined : texts.join('\n')
}

function ruleValues(rule: RecurrenceRule, first: FirstDate): Partial<RepeatValues> | undefined {
  const { frequency, byDay, byMonthDay, weekStart, interval, count, until } = rule
  const others = [rule.bySecond, rule.byMinute, rule.byHour, rule.byYearDay, rule.byWeekNo, rule.byMonth, rule.bySetPos]
  if (weekStart !== 1 || others.some((list) => list.length > 0)) return undefined
  const ends = {
    repeat_interval: String(interval),
    ...(count !== undefined && { repeat_end: 'count', repeat_count: String(count) }),
    ...(until !== undefined && { repeat_end: 'until', repeat_until: lastDay(until, first) }),
  }
  if (frequency === 'WEEKLY' && byMonthDay.length === 0 && byDay.every(({ nth }) => nth === undefined)) {
    const days = byDay.map((day) => WEEKDAYS[day.weekday] ?? '')
    const isOfStart = days.length === 1 && days[0] === WEEKDAYS[weekday(first.start.slice(0, 10))]
    return { ...ends, repeat: frequency, repeat_days: isOfStart ? [] : days }
  }
  if (frequency === 'MONTHLY') {
    const monthly = ['', 'weekday', 'last', 'end'].find((way) => isMonthly(rule, way, first.start))
    return monthly === undefined ? undefined : { ...ends, repeat: frequency, repeat_monthly: monthly }
  }
  const isPlain = byDay.length === 0 && byMonthDay.length === 0
  return isPlain && (frequency === 'DAILY' || frequency === 'YEARLY') ? { ...ends, repeat: frequency } : undefined
}

/** The last day on which a rule gives dates at the time of the start. */
function lastDay(until: NonNullable<RecurrenceRule['until']>, { start, zone }: FirstDate): string {
  const text = writeClock(until.seconds)
  const local = until.isUtc ? toLocal(text, zone) : text
  const isBefore = !until.isDate && local.slice(11) < start.slice(11)
  return isBefore ? daysAfter(local.slice(0, 10), -1) : local.slice(0, 10)
}

/** Whether a monthly rule is one of those that follow from the start. */
function isMonthly({ byDay, byMonthDay }: RecurrenceRule, way: string, start: string): boolean {
  const days = byDay.map((one) => `${one.nth ?? ''}${WEEKDAYS[one.weekday]}`).join()
  if (byMonthDay.length > 0 && byDay.length > 0) return false
  if (way === '' && byDay.length === 0 && byMonthDay.join() === String(Number(start.slice(8, 10)))) return true
  if (way === 'end' && start.slice(0, 10) !== endOfMonth(start)) return false
  if (way === 'last' && daysAfter(start.slice(0, 10), 7) <= endOfMonth(start)) return false
  return (
    monthlyPart(way, start) ===
    [days && `BYDAY=${days}`, byMonthDay.length > 0 ? `BYMONTHDAY=${byMonthDay.join()}` : ''].join('')
  )
}

function endOfMonth(start: string): string {
  const [year, month] = [Number(start.slice(0, 4)), Number(start.slice(5, 7))]
  return `${start.slice(0, 8)}${daysInMonth(year, month)}`
}

/** The part of a monthly rule that a choice of the editor means for a start. */
function monthlyPart(way: string, start: string): string {
  const day = start.slice(0, 10)
  const name = WEEKDAYS[weekday(day)] ?? ''
  if (way === 'weekday') return `BYDAY=${Math.ceil(Number(day.slice(8)) / 7)}${name}`
  if (way === 'last') return `BYDAY=-1${name}`
  return way === 'end' ? 'BYMONTHDAY=-1' : ''
}

/** The lines that the editor says for a start, wall clock; what cannot be read is left for the API to refuse. */
export function repeatLines(values: RepeatValues, start: string): readonly string[] {
  const { repeat } = values
  if (repeat === '') return []
  if (repeat === 'lines') return values.repeat_lines.split('\n').filter((line) => line.trim() !== '')
  const rule = repeat === 'dates' ? [] : [`RRULE:${ruleText(values, start)}`]
  return [...rule, ...datesLine('RDATE', values.repeat_also), ...datesLine('EXDATE', values.repeat_except)]
}

function ruleText(values: RepeatValues, start: string): string {
  const { repeat, repeat_end: end, repeat_until: until, repeat_count: count } = values
  const interval = values.repeat_interval.trim()
  const isRead = isDay(start.slice(0, 10))
  const parts = [
    `FREQ=${repeat}`,
    end === 'until' ? `UNTIL=${until.replaceAll('-', '')}` : '',
    end === 'count' ? `COUNT=${count.trim()}` : '',
    interval === '' || interval === '1' ? '' : `INTERVAL=${interval}`,
    repeat === 'WEEKLY' && values.repeat_days.length > 0 ? `BYDAY=${values.repeat_days.join()}` : '',
    repeat === 'MONTHLY' && isRead ? monthlyPart(values.repeat_monthly, start) : '',
  ]
  return parts.filter((part) => part !== '').join(';')
}

function isDay(text: string): boolean {
  try {
    readClock(`${text} 00:00:00`)
    return true
  } catch {
    return false
  }
}

/** Dates separated by line ends or commas. */
function datesLine(name: string, text: string): string[] {
  const dates = text
    .split(/[\n,;]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      const [, day = '', hour, minute] = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d):(\d\d))?$/.exec(one) ?? []
      if (day === '') return one
      return `${day.replaceAll('-', '')}${hour === undefined ? '' : `T${hour}${minute}00`}`
    })
  return dates.length === 0 ? [] : [`${name}:${dates.join()}`]
}

/** A moment of a form with its seconds: a day starts at midnight, a minute with its first second. */
export function clockTextOf(moment: string): string {
  return `${moment}${' 00:00:00'.slice(moment.length - 10)}`
}
