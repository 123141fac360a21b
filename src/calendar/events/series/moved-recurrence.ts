import { isWithinYears, readClock, writeClock } from '../../../base/time/clock.ts'
import type { Recurrence } from '../../../base/time/recurrence/lines.ts'
import { type MoveOfAll, movedStart, moveRecurrence } from '../../../base/time/recurrence/move.ts'
import { inSteps } from '../../../base/time/recurrence/steps.ts'
import { writeRecurrence } from '../../../base/time/recurrence/write.ts'
import type { Transaction } from '../../../storage/engine.ts'
import type { EventTable } from '../../../storage/schema.ts'
import { recurringOf, storedRecurrence } from '../../event-store/series/recurring.ts'
import { isOut } from '../../event-store/series/shown.ts'
import type { SeriesState } from '../../event-store/series/state.ts'
import { staleParameter } from '../write/writing.ts'
import { type Holding, holdingSteps } from './dates.ts'
import type { MovedPlaces } from './moved-out.ts'
import { roomIn } from './state.ts'

/** The lines of a recurrence, and where the dates are that EXDATE takes out. */
interface KeptRecurrence {
  /** `[]` where the event does not recur. */
  readonly lines: readonly string[]
  readonly places: MovedPlaces
}

/** A move of all dates: the event as it is then, and how far dates of rules without end are held. */
interface Moving {
  readonly after: EventTable
  readonly move: MoveOfAll
  readonly holding: Holding
}

/**
 * What a series recurs by after all its dates are moved, where no lines are sent. What EXDATE takes out stays out as what
 * dates have for themselves stays with them: where it was if the moved rule gives that still, or else in its place, unless
 * another date was there before.
 * @throws rest_invalid_param
 */
export async function keptRecurrence(tx: Transaction, state: SeriesState, moving: Moving): Promise<KeptRecurrence> {
  const { row } = state.base
  const { move } = moving
  const stored = storedRecurrence(row)
  const moved = stored && moveRecurrence(stored, move)
  // Nothing that was added by name is lost beyond the last year.
  if (moved?.added.some(({ seconds }) => !isWithinYears(seconds)) === true)
    throw staleParameter('start_date', 'bad_date')
  if (stored === undefined || moved === undefined || moved === stored)
    return { lines: recurringOf(row)?.lines ?? [], places: new Map() }
  if (stored.excluded.length === 0 || move.from.start === move.to.start)
    return { lines: writeRecurrence(moved, move.to), places: new Map() }
  const places = await placesOut(tx, state, { ...moving, stored, moved })
  const excluded = [...new Set(places.values())].sort().map((start) => ({ seconds: readClock(start), zone: undefined }))
  return { lines: writeRecurrence({ ...moved, excluded }, move.to), places }
}

interface MovingRecurrence extends Moving {
  readonly stored: Recurrence
  readonly moved: Recurrence
}

/** Where each date is that EXDATE takes out; one in whose place the first date is now, or one of RDATE, is left out. */
async function placesOut(
  tx: Transaction,
  state: SeriesState,
  { stored, moved, after, move, holding }: MovingRecurrence,
): Promise<MovedPlaces> {
  const ruled = { ...moved, added: [], excluded: [] }
  const room = roomIn(state, holding, { isRuleKept: true })
  const held = await inSteps(holdingSteps(after, ruled, { ...holding, room }), () => tx.pause())
  const given = new Set(held.ok ? held.starts : [])
  const was = new Set(state.dates.flatMap((date) => (isOut(date) ? [] : [date.recurrence_id])))
  const [wanted, possible] = [moved.added, moved.excluded].map(
    (list) => new Set(list.map(({ seconds }) => writeClock(seconds))),
  )
  return new Map(
    stored.excluded.flatMap(({ seconds }): [string, string][] => {
      const start = writeClock(seconds)
      const place = movedStart(start, move)
      const isWanted = start === move.to.start || wanted?.has(start) === true
      if (given.has(start) || was.has(place)) return isWanted ? [] : [[start, start]]
      return possible?.has(place) === true ? [[start, place]] : []
    }),
  )
}
