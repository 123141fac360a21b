import { type DateParts, type DateRule, setTime, sticky, WEEKDAY, WORD_END, weekdayIndex } from './date-parts.ts'

// Dates that count from the present: `tomorrow`, `next monday`, `+14 months`, `first day of next month`.

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'fortnight' | 'month' | 'year'
type Move = NonNullable<DateParts['move']>

const MOVES: Readonly<Record<Unit, Partial<Move>>> = {
  second: { seconds: 1 },
  minute: { seconds: 60 },
  hour: { seconds: 3600 },
  day: { days: 1 },
  week: { days: 7 },
  fortnight: { days: 14 },
  month: { months: 1 },
  year: { months: 12 },
}
const UNIT = '(sec(?:ond)?|min(?:ute)?|hour|day|week|fortnight|month|year)s?'
const WHICH = '(this|next|last|previous)'
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']

/** Rules of the relative words; these are tried before the names of zones, and before bare offsets. */
export const RELATIVE_RULES: readonly DateRule[] = [
  { pattern: sticky(`now${WORD_END}`), read: (_, parts) => say(parts, { now: true }) },
  { pattern: sticky(`today${WORD_END}`), read: (_, parts) => say(parts, { wholeDay: true }) },
  { pattern: sticky(`(tomorrow|yesterday)${WORD_END}`), read: readNeighbourDay },
  { pattern: sticky(`noon${WORD_END}`), read: (_, parts) => setTime(parts, 12 * 3600) },
  { pattern: sticky(`midnight${WORD_END}`), read: (_, parts) => setTime(parts, 0) },
  { pattern: sticky(String.raw`(first|last)\s+day\s+of${WORD_END}`), read: readEdge },
  { pattern: sticky(String.raw`(${ORDINALS.join('|')}|last)\s+${WEEKDAY}\s+of${WORD_END}`), read: readNth },
  { pattern: sticky(String.raw`(?:${WHICH}\s+)?${WEEKDAY}${WORD_END}`), read: readWeekday },
  { pattern: sticky(String.raw`${WHICH}\s+${UNIT}${WORD_END}`), read: readWhichUnit },
  { pattern: sticky(String.raw`([+-])?\s*(\d{1,6})\s*${UNIT}${WORD_END}`), read: readAmount },
  { pattern: sticky(`ago${WORD_END}`), read: readAgo },
]

function say(parts: DateParts, said: Partial<DateParts>): boolean {
  Object.assign(parts, said)
  return true
}

function readNeighbourDay(match: RegExpExecArray, parts: DateParts): boolean {
  parts.wholeDay = true
  return addMove(parts, 'day', match[1]?.toLowerCase() === 'tomorrow' ? 1 : -1)
}

function readEdge(match: RegExpExecArray, parts: DateParts): boolean {
  if (parts.edge || parts.nth) return false
  parts.edge = match[1]?.toLowerCase() === 'first' ? 'first' : 'last'
  return true
}

function readNth(match: RegExpExecArray, parts: DateParts): boolean {
  if (parts.edge || parts.nth) return false
  const place = ORDINALS.indexOf((match[1] ?? '').toLowerCase())
  parts.nth = { day: weekdayIndex(match[2] ?? ''), count: place < 0 ? -1 : place + 1 }
  return true
}

function readWeekday(match: RegExpExecArray, parts: DateParts): boolean {
  if (parts.weekday) return false
  parts.weekday = { day: weekdayIndex(match[2] ?? ''), which: whichOf(match[1]) }
  return true
}

function readWhichUnit(match: RegExpExecArray, parts: DateParts): boolean {
  const unit = unitOf(match[2])
  if (unit === 'week' || unit === 'year') parts.within = unit
  const which = whichOf(match[1])
  return addMove(parts, unit, which === 'this' ? 0 : which === 'next' ? 1 : -1)
}

function readAmount(match: RegExpExecArray, parts: DateParts): boolean {
  return addMove(parts, unitOf(match[3]), Number(match[2]) * (match[1] === '-' ? -1 : 1))
}

/** `2 weeks 3 days ago`: turns round everything counted so far. */
function readAgo(_: RegExpExecArray, parts: DateParts): boolean {
  if (!parts.move) return false
  const { months, days, seconds } = parts.move
  parts.move = { months: 0 - months, days: 0 - days, seconds: 0 - seconds }
  return true
}

function addMove(parts: DateParts, unit: Unit, count: number): boolean {
  const by = MOVES[unit]
  const { months, days, seconds } = parts.move ?? { months: 0, days: 0, seconds: 0 }
  parts.move = {
    months: months + (by.months ?? 0) * count,
    days: days + (by.days ?? 0) * count,
    seconds: seconds + (by.seconds ?? 0) * count,
  }
  return true
}

function whichOf(word: string | undefined): 'this' | 'next' | 'last' {
  const lower = word?.toLowerCase()
  if (lower === 'next') return 'next'
  return lower === 'last' || lower === 'previous' ? 'last' : 'this'
}

/** UNIT allows `sec` and `min` for `second` and `minute`. */
function unitOf(word = ''): Unit {
  const lower = word.toLowerCase()
  return (Object.keys(MOVES) as Unit[]).find((unit) => unit.startsWith(lower)) ?? 'day'
}
