import { setImmediate } from 'node:timers/promises'
import { readClock, writeClock } from '../../base/time/clock.ts'
import { datesInSteps } from '../../base/time/recurrence/dates.ts'
import {
  type FirstDate,
  type ListedDate,
  MOST_DATES,
  type Recurrence,
  readRecurrence,
} from '../../base/time/recurrence/lines.ts'
import { type MoveOfAll, midnightOf, movedStart, moveRecurrence } from '../../base/time/recurrence/move.ts'
import { writeRecurrence } from '../../base/time/recurrence/write.ts'
import { isZone } from '../../base/time/zones.ts'
import { clockTextOf, type RepeatValues, repeatIn, repeatLines } from './values.ts'

const YEAR = 366 * 86_400
const LAST_SECOND = readClock('9999-12-31 23:59:59')

/** What a form says about the time of an event. */
export interface RepeatForm {
  /** The rule editor, and `timezone` and `all_day`. */
  readonly values: Readonly<Record<string, string | readonly string[]>>
  /** When its rule starts: `'YYYY-MM-DD'`, with or without ` HH:MM` or ` HH:MM:SS`. */
  readonly start: string
}

/**
 * The lines that a form means which started with another one: where the start, the zone or whole days have changed
 * since, dates that were excluded or added by name before move along, and what was typed since is meant as it stands.
 * A rule that follows from its start follows the new one. Lines that cannot be read are left for the API to refuse.
 */
export async function parsedLines(now: RepeatForm, begun: RepeatForm): Promise<readonly string[]> {
  const [is, was] = [repeatIn(now.values), repeatIn(begun.values)]
  const typed = repeatLines(is, now.start)
  const move = moveBetween(begun, now)
  if (typed.length === 0 || move === undefined) return typed
  const former = readRecurrence(repeatLines(was, begun.start), move.from)
  if (!former.ok) return typed
  if (is.repeat === 'lines') {
    if (was.repeat_lines !== is.repeat_lines) return typed
    return writeRecurrence(await moved(former.recurrence, former.recurrence, move), move.to)
  }
  const ruled = is.repeat === 'dates' ? undefined : readRecurrence(typed.slice(0, 1), move.to)
  if (ruled?.ok === false) return typed
  const rule = ruled?.recurrence.rule
  const kept = datesOfTexts(is, move.from, (name) => sharedLines(is[name], was[name]))
  const added = datesOfTexts(is, move.to, (name) => ownLines(is[name], was[name]))
  if (kept === undefined || added === undefined) return typed
  const along = await moved({ ...kept, rule }, former.recurrence, move)
  const merged = { rule, added: inOrder(along.added, added.added), excluded: inOrder(along.excluded, added.excluded) }
  return writeRecurrence(merged, move.to)
}

/** Whether the dates of a recurring event were moved since its form was shown, though its rule may read the same. */
export function isMoved(now: RepeatForm, begun: RepeatForm): boolean {
  return moveBetween(begun, now) !== undefined && repeatLines(repeatIn(now.values), now.start).length > 0
}

function moveBetween(begun: RepeatForm, now: RepeatForm): MoveOfAll | undefined {
  const [from, to] = [firstOf(begun), firstOf(now)]
  if (from === undefined || to === undefined) return undefined
  const isSame = from.start === to.start && from.zone === to.zone && from.isAllDay === to.isAllDay
  return isSame ? undefined : { from, to }
}

/** The first date of the rule, which ends as it starts: only starts matter here. Undefined where it cannot be read. */
function firstOf({ values, start }: RepeatForm): FirstDate | undefined {
  const isAllDay = values['all_day'] === 'true'
  const zone = String(values['timezone'] ?? '')
  const text = isAllDay ? `${start.slice(0, 10)} 00:00:00` : clockTextOf(start)
  try {
    readClock(text)
  } catch {
    return undefined
  }
  return isZone(zone)
    ? { start: text, end: isAllDay ? `${start.slice(0, 10)} 23:59:59` : text, zone, isAllDay }
    : undefined
}

type DatesByName = Pick<Recurrence, 'added' | 'excluded'>

/** The dates that some lines of the two lists name; undefined where one of them cannot be read. */
function datesOfTexts(
  values: RepeatValues,
  first: FirstDate,
  linesOf: (name: 'repeat_also' | 'repeat_except') => string,
): DatesByName | undefined {
  const texts = { repeat_also: linesOf('repeat_also'), repeat_except: linesOf('repeat_except') }
  // A rule is needed to read anything.
  const lines = repeatLines({ ...values, ...texts, repeat: 'DAILY', repeat_interval: '', repeat_end: '' }, first.start)
  const read = readRecurrence(lines, first)
  return read.ok ? read.recurrence : undefined
}

function linesIn(text: string): string[] {
  return text.split(/[\n,;]+/).map((one) => one.trim())
}

function sharedLines(text: string, former: string): string {
  const known = new Set(linesIn(former))
  return linesIn(text)
    .filter((one) => known.has(one))
    .join('\n')
}

function ownLines(text: string, former: string): string {
  const known = new Set(linesIn(former))
  return linesIn(text)
    .filter((one) => !known.has(one))
    .join('\n')
}

function inOrder(one: readonly ListedDate[], other: readonly ListedDate[]): ListedDate[] {
  const bySeconds = new Map([...one, ...other].map((date) => [date.seconds, date]))
  return [...bySeconds.values()].sort((a, b) => a.seconds - b.seconds)
}

/** A recurrence whose first date has moved; the same dates stay excluded, wherever they are now. */
async function moved(recurrence: Recurrence, former: Recurrence, move: MoveOfAll): Promise<Recurrence> {
  const along = moveRecurrence(recurrence, move)
  const rule = recurrence === former ? along.rule : recurrence.rule
  if (recurrence.excluded.length === 0) return { ...along, rule }
  const ends = [move.from.start, move.to.start].map(readClock)
  const length = Math.max(...recurrence.excluded.map(({ seconds }) => seconds)) - Math.min(...ends)
  const last = Math.max(...ends) + Math.max(length, 0) + YEAR
  const [were, are] = await Promise.all([
    startsOf({ ...former, excluded: [] }, move.from, last),
    startsOf({ rule, added: along.added, excluded: [] }, move.to, last),
  ])
  const taken = new Set([readClock(move.to.start), ...along.added.map(({ seconds }) => seconds)])
  const excluded = new Set(recurrence.excluded.flatMap(({ seconds }) => placeOf(seconds, { former, were, are, move })))
  const open = [...excluded].filter((seconds) => !taken.has(seconds))
  return { ...along, rule, excluded: open.map((seconds) => ({ seconds, zone: undefined })) }
}

interface Places {
  readonly former: Recurrence
  /** Starts that the former rule gave, and that the new one gives, with those that are left out. */
  readonly were: readonly number[]
  readonly are: readonly number[]
  readonly move: MoveOfAll
}

/**
 * Where a date is left out now: where it was, or on that day, if the rule gives that still; or else as far from the
 * first date as it was, unless another date took place there; or else, as on the second Tuesday and now on the first
 * Friday, the one that has its number.
 */
function placeOf(seconds: number, { former, were, are, move }: Places): number[] {
  const same = move.to.isAllDay ? midnightOf(seconds) : seconds
  if (are.includes(same)) return [same]
  const place = readClock(movedStart(writeClock(seconds), move))
  const isOut = former.excluded.some((one) => one.seconds === place)
  if (are.includes(place)) return were.includes(place) && !isOut ? [] : [place]
  const numbered = are[were.indexOf(seconds)]
  return numbered === undefined ? [place] : [numbered]
}

/** The starts of a recurrence, without end as far as a moment can matter. */
async function startsOf(recurrence: Recurrence, first: FirstDate, last: number): Promise<readonly number[]> {
  const horizon = writeClock(Math.min(last, LAST_SECOND))
  const found = await datesInSteps(recurrence, first, { horizon, limit: MOST_DATES, pause: () => setImmediate() })
  return found.ok ? found.dates.map(({ start }) => readClock(start)) : []
}
