import { readClock, writeClock } from '../clock.ts'
import { toUtc } from '../zones.ts'
import { datesOf, IMPORT_WORK, WORK } from './dates.ts'
import { fillFromStart, takesStart } from './expand.ts'
import type { FirstDate, Recurrence } from './lines.ts'
import type { RecurrenceRule } from './rule.ts'
import type { DateStamp } from './stamp.ts'

/** A recurrence as other programs read it: starts on the clock of the event, in the seconds of `readClock`. */
export interface PortableRecurrence {
  readonly rule: RecurrenceRule | undefined
  readonly added: readonly number[]
  readonly excluded: readonly number[]
}

/**
 * A recurrence without what programs disagree about. UNTIL is in UTC, or a date for all-day events (RFC 5545 section
 * 3.3.10). Where the rule does not give the start of the event, RDATE names the start and UNTIL stands for COUNT: not all
 * programs take such a start for the first date. A rule that gives nothing else is left out then. With BYWEEKNO the day of
 * the week is given: some programs take all seven.
 */
export function portableRecurrence({ rule, added, excluded }: Recurrence, first: FirstDate): PortableRecurrence {
  const start = readClock(first.start)
  const listed = { added: added.map(({ seconds }) => seconds), excluded: excluded.map(({ seconds }) => seconds) }
  if (rule === undefined) return { rule, ...listed }
  const plain = rule.byWeekNo.length === 0 ? rule : { ...rule, byDay: fillFromStart(rule, start).byDay }
  if (takesStart(rule, start, { left: WORK, isSpent: false }))
    return { rule: { ...plain, until: portableUntil(rule.until, first) }, ...listed }
  const isEnding = rule.count !== undefined || rule.until !== undefined
  const last = isEnding ? lastOf(rule, first) : undefined
  // A rule that gives no date at all is an error to some programs.
  if (last?.seconds === start) return { rule: undefined, ...listed }
  const until = rule.count === undefined ? rule.until : (last ?? { seconds: start, isUtc: false, isDate: false })
  return {
    rule: { ...plain, count: undefined, until: portableUntil(until, first) },
    added: [...new Set([start, ...listed.added])],
    excluded: listed.excluded,
  }
}

/** The last date of a rule with an end, its start included; undefined where finding it takes too much work. */
function lastOf(rule: RecurrenceRule, first: FirstDate): DateStamp | undefined {
  // EXDATE, which is left out here, may take away what a COUNT beyond the most dates has too many.
  const found = datesOf({ rule, added: [], excluded: [] }, first, { work: IMPORT_WORK, most: Number.POSITIVE_INFINITY })
  const last = found.ok ? found.dates.at(-1)?.recurrenceId : undefined
  return last === undefined ? undefined : { seconds: readClock(last), isUtc: false, isDate: false }
}

function portableUntil(until: DateStamp | undefined, { zone, isAllDay }: FirstDate): DateStamp | undefined {
  if (until === undefined || until.isUtc) return until
  if (isAllDay) return { seconds: Math.floor(until.seconds / 86_400) * 86_400, isUtc: false, isDate: true }
  const last = until.seconds + (until.isDate ? 86_399 : 0)
  return { seconds: readClock(toUtc(writeClock(last), zone)), isUtc: true, isDate: false }
}
