import { isWithinYears, readClock, writeClock } from '../clock.ts'
import { toLocal, toUtc } from '../zones.ts'
import type { FirstDate, ListedDate, Recurrence } from './lines.ts'
import type { DateStamp } from './stamp.ts'

/** The first date of a recurring event before and after all its dates are moved. */
export interface MoveOfAll {
  readonly from: FirstDate
  readonly to: FirstDate
}

const DAY = 86_400

/**
 * Where a start is after all dates are moved, both `'YYYY-MM-DD HH:MM:SS'` on the clock of the event: as far from the first
 * date as it was. Where the event lasts whole days from now on, it is as many days from it.
 */
export function movedStart(start: string, move: MoveOfAll): string {
  return writeClock(movedSeconds(readClock(start), move))
}

function movedSeconds(seconds: number, { from, to }: MoveOfAll): number {
  const [was, is] = [readClock(from.start), readClock(to.start)]
  if (to.isAllDay && !from.isAllDay) return midnightOf(seconds) + midnightOf(is) - midnightOf(was)
  return seconds + is - was
}

/** The midnight that starts the day of a moment, both in seconds of a clock. */
export function midnightOf(seconds: number): number {
  return Math.floor(seconds / DAY) * DAY
}

/**
 * The recurrence of an event whose dates are all moved: RDATE and EXDATE name the same dates where they are now, on the
 * clock of the event. So does an UNTIL that has a time; one that names a day stays. The same object where neither start
 * nor zone changes. RDATE may name dates beyond the years that a clock shows (see `isWithinYears`), EXDATE does not.
 */
export function moveRecurrence(recurrence: Recurrence, move: MoveOfAll): Recurrence {
  const { from, to } = move
  if (from.start === to.start && from.zone === to.zone && from.isAllDay === to.isAllDay) return recurrence
  const { rule, added, excluded } = recurrence
  return {
    rule: rule && { ...rule, until: movedUntil(rule.until, move) },
    added: movedDates(added, move),
    excluded: movedDates(excluded, move).filter(({ seconds }) => isWithinYears(seconds)),
  }
}

/** Several dates of a day are one when the event lasts whole days from now on. */
function movedDates(dates: readonly ListedDate[], move: MoveOfAll): ListedDate[] {
  const unique = new Set(dates.map(({ seconds }) => movedSeconds(seconds, move)))
  return [...unique].sort((one, other) => one - other).map((seconds) => ({ seconds, zone: undefined }))
}

function movedUntil(until: DateStamp | undefined, move: MoveOfAll): DateStamp | undefined {
  if (until === undefined || until.isDate) return until
  const { from, to } = move
  const local = until.isUtc ? readClock(toLocal(writeClock(until.seconds), from.zone)) : until.seconds
  const seconds = movedSeconds(local, move)
  if (to.isAllDay) return { seconds, isUtc: false, isDate: true }
  return { ...until, seconds: until.isUtc ? readClock(toUtc(writeClock(seconds), to.zone)) : seconds }
}
