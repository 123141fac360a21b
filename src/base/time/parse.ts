import { isCalendarDate, isWithinYears, readClock, writeClock } from './clock.ts'
import type { DateParts } from './date-parts.ts'
import { DATE_RULES, ZONE_RULES } from './date-rules.ts'
import { RELATIVE_RULES } from './relative.ts'
import { isMovedNow, type Present, resolveParts } from './resolve.ts'
import { hasUtc, toLocal, toUtc } from './zones.ts'

/**
 * What a date sent by a client means. `local` is a wall clock reading of whatever zone the caller means (no offset was
 * given), `utc` a UTC reading (an offset, `Z`, a zone name or Unix seconds were), both `'YYYY-MM-DD HH:MM:SS'` within
 * the years 1000..9999. `hasTime` is false where the reading is midnight only because no time of day was given.
 */
export type ParsedDate =
  | { readonly ok: true; readonly kind: 'local'; readonly local: string; readonly hasTime: boolean }
  | { readonly ok: true; readonly kind: 'instant'; readonly utc: string; readonly hasTime: true }
  | { readonly ok: false; readonly code: 'bad_date' }

const BAD: ParsedDate = { ok: false, code: 'bad_date' }
const LONGEST = 64
const RULES = [...DATE_RULES, ...RELATIVE_RULES, ...ZONE_RULES]
/** White space, commas, and the `at` of `February 10, 2028 at 7pm`. */
const BETWEEN = /(?:[\s,]|at(?=\s))*/iy

/**
 * Reads any date a client may send, for filters and for writing alike (decisions: Dates; wire: events 3.2 and 4.2).
 * Numbers other than 0, digit text of nine figures or more and `@n` are Unix seconds; eight figures a date. Relative text counts
 * from `now` (Unix milliseconds) on the clock of `zone`; `+14 months` and `next week` keep that clock's time of day,
 * `tomorrow` and `monday` start at midnight. A month that lacks the day gives its last day. A wall clock reading inside
 * a gap stays as sent: toUtc moves it. Gives `bad_date` for everything else, never throws for what clients send.
 */
export function parseDate(value: unknown, context: Present): ParsedDate {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value !== 0 ? instant(value) : BAD
  if (typeof value !== 'string' || value.length > LONGEST) return BAD
  const text = value.trim()
  const usual = readUsual(text)
  if (usual !== undefined) return usual
  const seconds = /^(?:@(-?\d{1,15})|(\d{9,15}))$/.exec(text)
  if (seconds) return instant(Number(seconds[1] ?? seconds[2]))
  const parts = readText(text)
  return parts ? interpret(parts, context) : BAD
}

/** The form that responses have, and nearly all clients send; undefined for any other. */
const USUAL = /^(\d{4})-(\d\d)-(\d\d)(?: (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/

/** What the rules make of it as well, a tenth as fast. */
function readUsual(text: string): ParsedDate | undefined {
  const match = USUAL.exec(text)
  if (match === null) return undefined
  if (!isCalendarDate({ year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) })) return undefined
  const hasTime = text.length > 10
  return { ok: true, kind: 'local', local: hasTime ? text : `${text} 00:00:00`, hasTime }
}

/** Reads word by word, each with the first rule that matches there; the whole text must be used up. */
function readText(text: string): DateParts | undefined {
  const parts: DateParts = {}
  let at = skipBetween(text, 0)
  while (at < text.length) {
    const next = readWord(text, at, parts)
    if (next === undefined) return undefined
    at = skipBetween(text, next)
  }
  return parts
}

function readWord(text: string, at: number, parts: DateParts): number | undefined {
  for (const rule of RULES) {
    rule.pattern.lastIndex = at
    const match = rule.pattern.exec(text)
    if (match) return rule.read(match, parts) ? rule.pattern.lastIndex : undefined
  }
  return undefined
}

function skipBetween(text: string, at: number): number {
  BETWEEN.lastIndex = at
  BETWEEN.exec(text)
  return BETWEEN.lastIndex
}

function interpret(parts: DateParts, context: Present): ParsedDate {
  const { offset, zone } = parts
  if (isMovedNow(parts)) {
    const utc = Math.floor(context.now / 1000) + (parts.move?.seconds ?? 0)
    if (offset !== undefined || zone !== undefined) return instant(utc)
    return isWithinYears(utc) ? local(readClock(toLocal(writeClock(utc), context.zone)), true) : BAD
  }
  const reading = resolveParts(parts, context)
  if (!reading) return BAD
  if (offset !== undefined) return instant(reading.seconds - offset)
  if (zone === undefined) return local(reading.seconds, reading.hasTime)
  if (!isWithinYears(reading.seconds)) return BAD
  const shown = writeClock(reading.seconds)
  return hasUtc(shown, zone) ? instant(readClock(toUtc(shown, zone))) : BAD
}

function local(seconds: number, hasTime: boolean): ParsedDate {
  return isWithinYears(seconds) ? { ok: true, kind: 'local', local: writeClock(seconds), hasTime } : BAD
}

function instant(seconds: number): ParsedDate {
  return isWithinYears(seconds) ? { ok: true, kind: 'instant', utc: writeClock(seconds), hasTime: true } : BAD
}
