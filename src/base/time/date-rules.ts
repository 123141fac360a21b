import { civilFromDays, daysFromCivil, isCalendarDate, weekdayOf } from './clock.ts'
import { type DateParts, type DateRule, setTime, sticky, WORD_END } from './date-parts.ts'
import { isZone } from './zones.ts'

// Dates and times that stand for themselves. Order matters: the first rule that matches reads the text.

const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|' +
  String.raw`nov(?:ember)?|dec(?:ember)?)\.?`
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`
/** After a numeric date: the end of the word, `T` and a time, or at the end of the text `Z` or an offset. */
const DATE_END = String.raw`(?=[\s,]|$|T\d|Z$|[+-]\d\d:?\d\d$)`
/** After a time: the end of the word, or an offset. */
const TIME_END = String.raw`(?=[\s,]|$|Z|[+-]\d)`

/** A numeric date; `order` names what the groups of the pattern are. */
function numeric(source: string, order: 'ymd' | 'mdy' | 'dmy'): DateRule {
  return {
    pattern: sticky(source + DATE_END),
    read: (match, parts) => {
      const at = (letter: string) => Number(match[order.indexOf(letter) + 1])
      return setDate(parts, { year: at('y'), month: at('m'), day: at('d') })
    },
  }
}

/** An English date; the groups of the pattern are called day, month and year. */
function english(source: string): DateRule {
  return {
    pattern: sticky(source + DATE_END),
    read: ({ groups = {} }, parts) => {
      const month = MONTHS.indexOf((groups['month'] ?? '').slice(0, 3).toLowerCase()) + 1
      const day = Number(groups['day'] ?? 1)
      return setDate(parts, { month, day, ...(groups['year'] === undefined ? {} : { year: Number(groups['year']) }) })
    },
  }
}

const NAMED_MONTH = MONTH.replace('(', '(?<month>')
const NAMED_DAY = DAY.replace('(', '(?<day>')

/** `2028-02-10`, `02/10/2028`, `10.2.2028`, `2028-W06-4`, `2028-041`, `10 Feb 2028`, `10:00`, `7pm`, `+09:00`. */
export const DATE_RULES: readonly DateRule[] = [
  numeric(String.raw`(\d{4})-(\d{1,2})-(\d{1,2})`, 'ymd'),
  numeric(String.raw`(\d{4})/(\d{1,2})/(\d{1,2})`, 'ymd'),
  numeric(String.raw`(\d{1,2})/(\d{1,2})/(\d{4})`, 'mdy'),
  numeric(String.raw`(\d{1,2})-(\d{1,2})-(\d{4})`, 'dmy'),
  numeric(String.raw`(\d{1,2})\.(\d{1,2})\.(\d{4})`, 'dmy'),
  numeric(String.raw`(\d{4})(\d\d)(\d\d)`, 'ymd'),
  { pattern: sticky(String.raw`(\d{4})-?W(\d\d)(?:-?(\d))?${DATE_END}`), read: readWeekDate },
  { pattern: sticky(String.raw`(\d{4})-(\d{3})${DATE_END}`), read: readOrdinalDate },
  {
    pattern: sticky(String.raw`(\d{4})-(\d{1,2})${WORD_END}`),
    read: (match, parts) => setDate(parts, { year: Number(match[1]), month: Number(match[2]), day: 1 }),
  },
  english(String.raw`(?<year>\d{4})[\s-]${NAMED_MONTH}[\s-]${NAMED_DAY}`),
  english(String.raw`${NAMED_MONTH}[\s-]*${NAMED_DAY}(?:(?:,\s*|[\s-]+)(?<year>\d{4}))?`),
  english(String.raw`${NAMED_DAY}[\s-]*(?:of\s+)?${NAMED_MONTH}(?:(?:,\s*|[\s-]+)(?<year>\d{4}))?`),
  english(String.raw`${NAMED_MONTH},?[\s-]+(?<year>\d{4})`),
  { pattern: sticky(MONTH + WORD_END), read: readMonth },
  {
    pattern: sticky(String.raw`T?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?${TIME_END}(?!\s*[ap]\.?m\b)`),
    read: readTime,
  },
  { pattern: sticky(String.raw`T(\d\d)(?:(\d\d)(\d\d)?)?${TIME_END}`), read: readTime },
  { pattern: sticky(String.raw`(\d{1,2})(?::(\d\d)(?::(\d\d))?)?\s*([ap])\.?m\.?${TIME_END}`), read: readHalfDay },
]

/** The clock a text means: `Z`, `+09:00`, `UTC`, `EST`, `Europe/Rome`. These come last: most words are no zones. */
export const ZONE_RULES: readonly DateRule[] = [
  { pattern: sticky(String.raw`([+-])(\d\d)(?::?([0-5]\d))?${WORD_END}`), read: readOffset },
  {
    // `GMT+0100 (Central European Standard Time)`: the words in brackets repeat the offset.
    pattern: sticky(String.raw`\([^()]*\)$`),
    read: (_, parts) => parts.zone !== undefined || parts.offset !== undefined,
  },
  { pattern: sticky(String.raw`([a-z][\w+\-/:.]*)${WORD_END}`), read: readZone },
]

function setDate(parts: DateParts, date: NonNullable<DateParts['date']>): boolean {
  if (parts.date || parts.month !== undefined) return false
  parts.date = date
  // Without a year the text may still mean a leap year; resolving it decides.
  return isCalendarDate({ year: 2000, ...date })
}

function readWeekDate(match: RegExpExecArray, parts: DateParts): boolean {
  const [year, week, weekday] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 1)]
  if (year < 1000 || week < 1 || weekday < 1 || weekday > 7) return false
  // ISO 8601: week 1 is the week of 4 January, weeks start on Monday.
  const monday = mondayOfFirstWeek(year) + (week - 1) * 7
  if (monday >= mondayOfFirstWeek(year + 1)) return false
  return setDate(parts, civilFromDays(monday + weekday - 1))
}

function mondayOfFirstWeek(year: number): number {
  const fourth = daysFromCivil(year, 1, 4)
  return fourth - ((weekdayOf(fourth) + 6) % 7)
}

function readOrdinalDate(match: RegExpExecArray, parts: DateParts): boolean {
  const date = civilFromDays(daysFromCivil(Number(match[1]), 1, 1) + Number(match[2]) - 1)
  return date.year === Number(match[1]) && setDate(parts, date)
}

function readMonth(match: RegExpExecArray, parts: DateParts): boolean {
  if (parts.date || parts.month !== undefined) return false
  parts.month = MONTHS.indexOf((match[1] ?? '').slice(0, 3).toLowerCase()) + 1
  return true
}

function readTime(match: RegExpExecArray, parts: DateParts): boolean {
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)]
  const time = hours * 3600 + minutes * 60 + seconds
  // 24:00 is the end of the day (ISO 8601); nothing lies beyond it.
  if (minutes > 59 || seconds > 59 || time > 86_400) return false
  return setTime(parts, time)
}

function readHalfDay(match: RegExpExecArray, parts: DateParts): boolean {
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)]
  if (hours < 1 || hours > 12 || minutes > 59 || seconds > 59) return false
  const half = match[4]?.toLowerCase() === 'p' ? 12 : 0
  return setTime(parts, ((hours % 12) + half) * 3600 + minutes * 60 + seconds)
}

function readOffset(match: RegExpExecArray, parts: DateParts): boolean {
  const size = Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60
  if (hasZone(parts) || size >= 86_400 || (!parts.date && parts.time === undefined)) return false
  parts.offset = match[1] === '-' ? 0 - size : size
  return true
}

function readZone(match: RegExpExecArray, parts: DateParts): boolean {
  const name = match[1] ?? ''
  if (hasZone(parts) || !isZone(name)) return false
  parts.zone = name
  return true
}

function hasZone(parts: DateParts): boolean {
  return parts.zone !== undefined || parts.offset !== undefined
}
