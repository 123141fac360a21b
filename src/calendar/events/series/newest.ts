import { readClock, writeClock } from '../../../base/time/clock.ts'
import { IMPORT_WORK } from '../../../base/time/recurrence/dates.ts'
import { MOST_DATES, type Recurrence, readingSteps } from '../../../base/time/recurrence/lines.ts'
import { newestSteps, recurrenceFrom } from '../../../base/time/recurrence/newest.ts'
import type { Steps } from '../../../base/time/recurrence/steps.ts'
import { writingSteps } from '../../../base/time/recurrence/write.ts'
import { firstDateOf, momentsOfDate, type SeriesMoments } from '../../event-store/series/recurring.ts'
import { datesHeld, type Holding } from './dates.ts'

/** What is left of a series that has more dates than an event may have. */
export interface NewestDates {
  /** When its first date takes place now. */
  readonly moments: SeriesMoments
  /** The start of that date as the rule gave it. */
  readonly recurrenceId: string
  /** In normal form; `[]` where one date is left. */
  readonly lines: readonly string[]
  /** How many older dates were left out. */
  readonly left: number
}

/**
 * The newest 5,000 dates of an event that has more: its rule continues from the first of them, and where no rule does, they
 * are listed. Undefined for lines that cannot be read, for rules that take too much work even for that, and for those
 * that give no date.
 */
export function* newestDates(
  row: SeriesMoments,
  lines: readonly string[],
  holding: Holding,
): Steps<NewestDates | undefined> {
  const first = firstDateOf(row)
  const reading = yield* readingSteps(lines, first)
  if (!reading.ok) return undefined
  const { recurrence } = reading
  const held = datesHeld(row, recurrence, holding).horizon
  const horizon = held === undefined ? Number.POSITIVE_INFINITY : readClock(held)
  const found = yield* startsOf(recurrence, { row, horizon })
  const kept = found?.walls.slice(-MOST_DATES)
  if (found === undefined || kept === undefined || kept[0] === undefined) return undefined
  const recurrenceId = writeClock(kept[0])
  const moments = momentsOfDate(row, recurrenceId)
  const begun = { ...firstDateOf(moments), recurrenceId }
  const added = kept.slice(1).map((seconds) => ({ seconds, zone: undefined }))
  const listed = { rule: undefined, added, excluded: [] }
  const rest = recurrenceFrom(recurrence, first, { begun, horizon }) ?? listed
  const isSingle = rest.rule === undefined && rest.added.length + rest.excluded.length === 0
  const own = isSingle ? [] : yield* writingSteps(rest, begun)
  return { moments, recurrenceId, lines: own, left: found.total - kept.length }
}

/** The starts of a recurrence ascending, the newest of very many, and how many there are. */
function* startsOf(
  { rule, added, excluded }: Recurrence,
  { row, horizon }: { readonly row: SeriesMoments; readonly horizon: number },
): Steps<{ readonly walls: readonly number[]; readonly total: number } | undefined> {
  const first = firstDateOf(row)
  const out = new Set(excluded.map(({ seconds }) => seconds))
  const wanted = { first, horizon, excluded: out, budget: { left: IMPORT_WORK, isSpent: false } }
  const {
    walls = [readClock(first.start)],
    older = 0,
    comes = true,
    isWhole = true,
  } = rule === undefined ? {} : yield* newestSteps(rule, wanted)
  if (!isWhole || (!comes && added.length === 0)) return undefined
  const more = added.flatMap(({ seconds }) => (seconds > horizon ? [] : seconds))
  const all = [...new Set([...walls, ...more])].filter((wall) => !out.has(wall)).sort((one, other) => one - other)
  return { walls: all, total: all.length + older }
}
