import type { Move, Place } from '../../journal/entry.ts'

/**
 * The events that a list holds: those that begin and end within half-open ranges of wall clock text (`YYYY-MM-DD
 * HH:MM:SS`, absent bounds are open) and have what is asked for.
 */
export interface Area {
  readonly startFrom?: string
  readonly startBefore?: string
  readonly endFrom?: string
  readonly endBefore?: string
  /** Groups of `kind:id`: the events stand on the list of at least one of each group. `[]` for all events. */
  readonly targets: readonly (readonly string[])[]
  /** Whether more than that decides which events they are: then each change of one of the area counts. */
  readonly isOpen: boolean
}

/** Moves that are remembered. */
const REMEMBERED = 1000

/** The latest moves of events, by which a list is found to be as it was; older ones count as moves of anything. */
export class Moves {
  readonly #ring: (Move | undefined)[] = []
  #count = 0

  /** Number of all moves so far. */
  get count(): number {
    return this.#count
  }

  /** Notes how an event has moved; undefined where nobody knows. What no list has ever shown is passed over. */
  add(move: Move | undefined): void {
    if (move !== undefined && move.before === undefined && move.after === undefined) return
    this.#ring[this.#count % REMEMBERED] = move
    this.#count += 1
  }

  /** Whether none of the moves after a number of them can have changed which events are in an area, or their order. */
  haveSpared(area: Area, since: number): boolean {
    if (this.#count - since > REMEMBERED) return false
    for (let number = since; number < this.#count; number += 1) {
      const move = this.#ring[number % REMEMBERED]
      if (move === undefined || touches(move, area)) return false
    }
    return true
  }
}

function touches({ before, after }: Move, area: Area): boolean {
  const [was, is] = [liesIn(before, area), liesIn(after, area)]
  if (was !== is || !is) return was !== is
  return area.isOpen || before?.start !== after?.start || before?.published !== after?.published
}

/** Behind all wall clock text. */
const LAST = ':'

function liesIn(place: Place | undefined, area: Area): boolean {
  if (place === undefined) return false
  const { start, end, targets } = place
  const { startFrom = '', startBefore = LAST, endFrom = '', endBefore = LAST } = area
  if (start < startFrom || start >= startBefore || end < endFrom || end >= endBefore) return false
  return area.targets.every((group) => group.some((target) => targets.includes(target)))
}
