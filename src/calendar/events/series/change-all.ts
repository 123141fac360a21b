import { isWithinYears } from '../../../base/time/clock.ts'
import { startOfDay } from '../../../base/time/ranges.ts'
import { excludeDate } from '../../../base/time/recurrence/change.ts'
import { type LinesSource, type Recurrence, readingSteps } from '../../../base/time/recurrence/lines.ts'
import { type MoveOfAll, movedStart, moveRecurrence } from '../../../base/time/recurrence/move.ts'
import { inSteps } from '../../../base/time/recurrence/steps.ts'
import { hasUtc, toLocal, toUtc } from '../../../base/time/zones.ts'
import type { Transaction } from '../../../storage/engine.ts'
import type { EventTable } from '../../../storage/schema.ts'
import { firstDateOf, moved, recursNoMore, storedRecurrence } from '../../event-store/series/recurring.ts'
import { type SeriesState, stateOfDate } from '../../event-store/series/state.ts'
import { resolveLinks, resolveRow } from '../write/resolve-state.ts'
import { areSameTimes, type EventTimes, resolveTimes, timesOf } from '../write/rules.ts'
import { staleParameter } from '../write/writing.ts'
import { following, withDates } from './dates.ts'
import { isShift, unshifted, withDateAt, withShiftedDates } from './shift.ts'
import { singled } from './single.ts'
import { type DateInSeries, heldBy, recurringBy, refusedField, type SeriesWrite } from './state.ts'

/**
 * A series that is changed with all its dates, but for what exceptions have for themselves. Where it starts with the named
 * date although that is a further one (`begins`), this one keeps its ID wherever it moves, and the event's own stays out.
 */
export async function changedAll(
  tx: Transaction,
  { state: whole, date }: DateInSeries,
  { change, writing, begins = false }: SeriesWrite & { readonly begins?: boolean },
): Promise<SeriesState> {
  const sent = change.values.recurrence
  const isSingle = sent === undefined ? recursNoMore(whole.base.row) : sent.length === 0
  const state = isSingle ? singled(whole) : whole
  const { base } = state
  const shown = isSingle && date.id === base.row.id ? base.row : stateOfDate(whole, date).row
  const times = timesOfSeries(base.row, shown, { change, writing })
  // A date that is sent back as it is shown gives its series no other slug.
  const { slug, ...others } = change.values
  const values = slug === shown.slug ? others : change.values
  const own = { ...change, values, times: { over: base.row, times } }
  const { links } = await resolveLinks(tx, { change: own, stored: base.links, writing })
  const resolved = await resolveRow(tx, { id: base.row.id, stored: base.row, change: own, writing })
  const { revision, modified_at } = base.row
  const after = { ...state, base: { row: { ...resolved, revision, modified_at }, links } }
  if (isSingle) return recurringBy(tx, after, { recurrence: undefined, holding: writing })
  const isSame = sent === undefined && areSameTimes(base.row, after.base.row)
  if (isSame) return following(after)
  const move = { from: firstDateOf(base.row), to: firstDateOf(after.base.row) }
  const stored = sent === undefined ? storedRecurrence(base.row) : undefined
  const read =
    stored === undefined
      ? await readLines(tx, after.base.row, { lines: sent ?? [], source: 'sent' })
      : movedLines(stored, move)
  const without = (one: Recurrence): Recurrence => (begins ? excludeDate(one, move.to.start) : one)
  // Dates that are all taken out are so after the move, too.
  const wanted = { recurrence: without(read), holding: writing, mayBeEmpty: sent === undefined }
  const held = await heldBy(tx, after, wanted)
  const isMoved = move.from.start !== move.to.start || move.from.isAllDay !== move.to.isAllDay
  if (isMoved && isShift(state, { recurrence: read, starts: held.starts, move }))
    return withDates(tx, withShiftedDates(after, move), held)
  const placed = begins ? withDateAt(after, date.id, movedStart(date.recurrence_id, move)) : after
  if (stored === undefined || !isMoved) return withDates(tx, placed, held)
  return recurringBy(tx, placed, { ...wanted, recurrence: without({ ...read, excluded: unshifted(stored, move) }) })
}

/** What a series recurs by whose lines move with its start. @throws rest_invalid_param where a date would be lost */
function movedLines(stored: Recurrence, move: MoveOfAll): Recurrence {
  const read = moveRecurrence(stored, move)
  // Nothing that was added by name is lost beyond the last year.
  if (read.added.some(({ seconds }) => !isWithinYears(seconds))) throw staleParameter('start_date', 'bad_date')
  return read
}

/** The recurrence that lines say for an event. @throws rest_invalid_param */
export async function readLines(
  tx: Transaction,
  row: EventTable,
  { lines, source }: { readonly lines: readonly string[]; readonly source: LinesSource },
): Promise<Recurrence> {
  const reading = await inSteps(readingSteps(lines, firstDateOf(row), source), () => tx.pause())
  if (reading.ok) return reading.recurrence
  throw refusedField('recurrence', 'bad_recurrence', `${reading.problem.part} ${reading.problem.reason}`)
}

/** When the first date takes place after a change of the named one: as far from where it was as that one. */
function timesOfSeries(
  base: EventTable,
  shown: EventTable,
  { change: { times, values }, writing: { site } }: SeriesWrite,
): EventTimes {
  const resolved =
    times !== undefined && areSameTimes(shown, times.over) ? times : resolveTimes(shown, values, site.zone)
  if ('ok' in resolved && !resolved.ok) throw staleParameter(resolved.name, resolved.reason)
  const after = resolved.times
  if (areSameTimes(shown, after)) return timesOf(base)
  if (areSameTimes(shown, base)) return after
  const { timezone, all_day } = after
  const start = moved(base.start_local, shown.start_local, after.start_local)
  const start_local = all_day === 1 ? startOfDay(start) : start
  if (!hasUtc(start_local, timezone)) throw staleParameter('start_date', 'bad_date')
  const start_utc = toUtc(start_local, timezone)
  if (all_day === 1) {
    const end_local = moved(start_local, after.start_local, after.end_local)
    return { start_local, end_local, start_utc, end_utc: toUtc(end_local, timezone), timezone, all_day }
  }
  const end_utc = moved(start_utc, after.start_utc, after.end_utc)
  return {
    start_local: toLocal(start_utc, timezone),
    end_local: toLocal(end_utc, timezone),
    start_utc,
    end_utc,
    timezone,
    all_day,
  }
}
