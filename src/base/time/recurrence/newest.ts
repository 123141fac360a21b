import { readClock, writeClock } from '../clock.ts'
import { divideRecurrence } from './change.ts'
import { datesOf, IMPORT_WORK, isAfterUntil, isEndless } from './dates.ts'
import { expandInSteps, type WorkBudget } from './expand.ts'
import { type FirstDate, MOST_DATES, type Recurrence } from './lines.ts'
import type { RecurrenceRule } from './rule.ts'
import { atOnce, type Steps } from './steps.ts'

/** How far the newest dates are looked for. */
export interface NewestWanted {
  readonly first: FirstDate
  /** The last second up to which a rule without end is expanded, on the clock of the event. */
  readonly horizon: number
  readonly budget: WorkBudget
  /** Starts that are no dates, such as those of EXDATE. */
  readonly excluded?: ReadonlySet<number>
}

/** Starts of a rule, in seconds of the clock of its event. */
export interface NewestStarts {
  /** Ascending, without those that are excluded; of very many only the last ones, 5,000 at least. */
  readonly walls: readonly number[]
  /** How many older ones are left out of these. */
  readonly older: number
  /** How many the rule gives, those that are excluded among them. */
  readonly given: number
  /** Whether the rule gives any date, be it after its end. */
  readonly comes: boolean
  /** Whether the budget has sufficed. */
  readonly isWhole: boolean
}

/** The last starts of a rule, up to the horizon where it has no end. */
export function newestStarts(rule: RecurrenceRule, wanted: NewestWanted): NewestStarts {
  return atOnce(newestSteps(rule, wanted))
}

/** The same as steps. */
function* newestSteps(rule: RecurrenceRule, { first, horizon, budget, excluded }: NewestWanted): Steps<NewestStarts> {
  const isPast = isAfterUntil(rule.until, first.zone)
  const start = readClock(first.start)
  const isEnding = rule.count !== undefined || rule.until !== undefined
  const last = isEnding ? Number.POSITIVE_INFINITY : Math.max(horizon, start)
  // The start is the first date, whether the rule gives it or not.
  let walls = excluded?.has(start) === true ? [] : [start]
  let [given, older] = [1, 0]
  let comes = false
  for (const wall of expandInSteps(rule, start, budget)) {
    if (wall === undefined) {
      yield
      continue
    }
    comes = true
    if (isPast(wall) || wall > last || given === rule.count) break
    if (wall === start) continue
    given += 1
    if (excluded?.has(wall) !== true) walls.push(wall)
    if (walls.length <= 2 * MOST_DATES) continue
    older += walls.length - MOST_DATES
    walls = walls.slice(-MOST_DATES)
  }
  return { walls, older, given, comes, isWhole: !budget.isSpent }
}

/**
 * A recurrence without its oldest dates, on the clock of an event that starts with the first date that is left, by its
 * `recurrenceId`: its rule continues from there. Undefined where no rule does so with reasonable work.
 */
export function recurrenceFrom(
  recurrence: Recurrence,
  first: FirstDate,
  { begun, horizon }: { readonly begun: FirstDate & { readonly recurrenceId: string }; readonly horizon: number },
): Recurrence | undefined {
  const { after, begin } = divideRecurrence(recurrence, first, begun.recurrenceId)
  if (begin !== begun.recurrenceId) return undefined
  const end = isEndless(after) ? { horizon: writeClock(horizon) } : {}
  const most = MOST_DATES
  return datesOf(after, begun, { work: IMPORT_WORK, most, ...end }).ok ? after : undefined
}
