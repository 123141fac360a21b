import { readClock, writeClock } from '../clock.ts'
import { isZone, toLocal, toUtc } from '../zones.ts'
import { type RecurrenceRule, type RuleProblem, readRule } from './rule.ts'
import { type DateStamp, readStamp } from './stamp.ts'
import { atOnce, type Steps } from './steps.ts'

/** More dates than this are refused: of a whole recurrence, and in the lists of RDATE and EXDATE. */
export const MOST_DATES = 5_000

/** The first date of a recurring event: the clock that all others are reckoned on, and how long each of them is. */
export interface FirstDate {
  /** Wall clock readings `'YYYY-MM-DD HH:MM:SS'`; of all-day events 00:00:00 of the first to 23:59:59 of the last day. */
  readonly start: string
  readonly end: string
  /** Anything that `isZone` takes. */
  readonly zone: string
  readonly isAllDay: boolean
}

/** A date that RDATE or EXDATE names. */
export interface ListedDate {
  /** Seconds from 1970-01-01 00:00:00 on the clock of the event (see `readClock`); of all-day events midnight. */
  readonly seconds: number
  /** The zone that it is written in; undefined for that of the event. */
  readonly zone: string | undefined
}

/** When an event takes place again, checked: at least one of the three has something in it. */
export interface Recurrence {
  readonly rule: RecurrenceRule | undefined
  /** RDATE, ascending, each moment once; no moment lies before the first date. */
  readonly added: readonly ListedDate[]
  /** EXDATE, ascending, each moment once; it may name moments that are no dates anyway. */
  readonly excluded: readonly ListedDate[]
}

/** A recurrence, or what is wrong with its lines. */
export type ReadRecurrence =
  | { readonly ok: true; readonly recurrence: Recurrence }
  | { readonly ok: false; readonly problem: RuleProblem }

/** More text than RDATE and EXDATE of 5,000 dates each can fill. */
const LONGEST_TEXT = 400_000
const KNOWN = ['RRULE', 'RDATE', 'EXDATE']

type Problem = Extract<ReadRecurrence, { ok: false }>

/**
 * Reads the lines `RRULE:...`, `RDATE...` and `EXDATE...` of a recurrence (RFC 5545 section 3.8.5), in any order and
 * letter case, folded or not, one or several to a text; at most one RRULE. A date without a time means, for events that
 * have times, that day at the time of the first date. For all-day events times are dropped, as the RFC wants it. What
 * the dates are, and whether there are any, only `datesOf` knows. No line at all is a problem.
 */
export function readRecurrence(
  texts: readonly string[],
  first: FirstDate,
  source: LinesSource = 'sent',
): ReadRecurrence {
  return atOnce(readingSteps(texts, first, source))
}

/** Where lines come from: stored ones may have grown, date by date, beyond what may be sent. */
export type LinesSource = 'sent' | 'kept'

const BOUNDS: Readonly<Record<LinesSource, { readonly text: number; readonly dates: number }>> = {
  sent: { text: LONGEST_TEXT, dates: MOST_DATES },
  kept: { text: Number.POSITIVE_INFINITY, dates: Number.POSITIVE_INFINITY },
}

/** Dates that are read between two pauses. */
const STEP = 250

/** The same as steps. */
export function* readingSteps(
  texts: readonly string[],
  first: FirstDate,
  source: LinesSource = 'sent',
): Steps<ReadRecurrence> {
  const most = BOUNDS[source]
  if (texts.reduce((sum, text) => sum + text.length, 0) > most.text)
    return problem('RRULE', `and its dates are longer than ${LONGEST_TEXT} characters`)
  const lines = texts.flatMap((text) => text.replaceAll(/\r?\n[ \t]/g, '').split(/\r\n|\r|\n/))
  const read: { rule?: RecurrenceRule; RDATE: ListedDate[]; EXDATE: ListedDate[] } = { RDATE: [], EXDATE: [] }
  for (const [index, line] of lines.entries()) {
    if (index % STEP === STEP - 1) yield
    if (line.trim() === '') continue
    const content = contentOf(line.trim())
    if (content.name === 'RRULE') {
      const rule = readRule(content.value)
      if (!rule.ok) return rule
      if (read.rule !== undefined) return problem('RRULE', 'is given twice')
      read.rule = first.isAllDay ? withoutTimes(rule.rule, first) : rule.rule
    } else if (content.name === 'RDATE' || content.name === 'EXDATE') {
      const dates = yield* readDates(content, first, most.dates)
      if (!dates.ok) return dates
      for (const date of dates.dates) read[content.name].push(date)
      if (read[content.name].length > most.dates) return problem(content.name, `has more than ${MOST_DATES} dates`)
    } else return problem(content.name.slice(0, 40) || 'RRULE', `is none of ${KNOWN.join(', ')}`)
  }
  return checked({ rule: read.rule, added: ascending(read.RDATE), excluded: ascending(read.EXDATE) }, first)
}

/** What the whole set of lines may still have wrong. */
function checked(recurrence: Recurrence, first: FirstDate): ReadRecurrence {
  const { rule, added, excluded } = recurrence
  if (rule === undefined && added.length + excluded.length === 0) return problem('RRULE', 'or RDATE is missing')
  const start = readClock(first.start)
  if (added.some(({ seconds }) => seconds < start)) return problem('RDATE', 'has a date before the start of the event')
  if (
    first.isAllDay &&
    (rule?.frequency === 'HOURLY' || rule?.frequency === 'MINUTELY' || rule?.frequency === 'SECONDLY')
  )
    return problem('FREQ', `is ${rule.frequency}, which is not for all-day events`)
  return { ok: true, recurrence }
}

/** A property as RFC 5545 section 3.1 writes it. */
interface ContentLine {
  /** In capitals. */
  readonly name: string
  /** `TZID` and `VALUE`, where given. */
  readonly zone: string | undefined
  readonly valueType: string | undefined
  readonly value: string
}

function contentOf(line: string): ContentLine {
  const [head = '', name = ''] = /^([A-Za-z-]*)(?:;[^":;]*(?:"[^"]*")?)*/.exec(line) ?? []
  const value = line.charAt(head.length) === ':' ? line.slice(head.length + 1) : ''
  const parameter = (wanted: string): string | undefined => new RegExp(`;${wanted}="?([^";]*)`, 'i').exec(head)?.[1]
  return { name: name.toUpperCase(), zone: parameter('TZID'), valueType: parameter('VALUE')?.toUpperCase(), value }
}

function* readDates(
  line: ContentLine,
  first: FirstDate,
  most: number,
): Steps<{ readonly ok: true; dates: ListedDate[] } | Problem> {
  const { name, zone, valueType } = line
  if (valueType === 'PERIOD') return problem(name, 'has a period, but every date is as long as the first one')
  if (valueType !== undefined && valueType !== 'DATE' && valueType !== 'DATE-TIME')
    return problem(name, 'has a VALUE that is neither DATE nor DATE-TIME')
  if (zone !== undefined && !isZone(zone)) return problem(name, 'has a TZID that names no time zone')
  const values = Number.isFinite(most) ? line.value.split(',', most + 1) : line.value.split(',')
  const dates: ListedDate[] = []
  for (const value of values) {
    const stamp = readStamp(value.trim())
    const date = stamp && listedDate(stamp, stamp.isUtc ? 'UTC' : (zone ?? first.zone), first)
    if (date === undefined)
      return problem(name, `has ${JSON.stringify(value.slice(0, 40))} where a date such as 20270630T180000 is expected`)
    if (dates.push(date) % STEP === 0) yield
  }
  return { ok: true, dates }
}

/** A stamp on the clock of the event, undefined beyond the years that a clock shows. */
function listedDate(stamp: DateStamp, zone: string, first: FirstDate): ListedDate | undefined {
  if (stamp.isDate)
    return { seconds: stamp.seconds + (((readClock(first.start) % 86_400) + 86_400) % 86_400), zone: undefined }
  const isForeign = zone.toLowerCase() !== first.zone.toLowerCase()
  const seconds = isForeign ? readClock(toLocal(toUtc(writeClock(stamp.seconds), zone), first.zone)) : stamp.seconds
  if (first.isAllDay) return { seconds: Math.floor(seconds / 86_400) * 86_400, zone: undefined }
  return { seconds, zone: isForeign ? zone : undefined }
}

/** The rule of an all-day event: its times are left out (RFC 5545 section 3.3.10), and it ends with a day. */
function withoutTimes(rule: RecurrenceRule, first: FirstDate): RecurrenceRule {
  const { until } = rule
  const local = until?.isUtc ? readClock(toLocal(writeClock(until.seconds), first.zone)) : until?.seconds
  const day = local === undefined ? undefined : Math.floor(local / 86_400) * 86_400
  return {
    ...rule,
    until: day === undefined ? undefined : { seconds: day, isUtc: false, isDate: true },
    bySecond: [],
    byMinute: [],
    byHour: [],
  }
}

function ascending(dates: readonly ListedDate[]): ListedDate[] {
  // A moment that is written in two ways keeps the last one.
  const unique = new Map(dates.map((date) => [date.seconds, date]))
  return [...unique.values()].sort((one, other) => one.seconds - other.seconds)
}

function problem(part: string, reason: string): Problem {
  return { ok: false, problem: { part, reason } }
}
