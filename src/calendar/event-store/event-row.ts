import type { EventTable, SeriesDateTable } from '../../storage/schema.ts'

/** An event as it is shown: a stored one, or a date of a recurring event as if it were stored by itself. */
export interface EventRow extends EventTable {
  /** Which date of which recurring event it is; absent for plain events. */
  readonly occasion?: Occasion
}

/** What a date of a recurring event is made of. */
export interface Occasion {
  /** The row of the recurring event. */
  readonly series: EventTable
  readonly date: SeriesDateTable
  /** The row that the date has for itself; absent when it is like the others. */
  readonly exception?: EventTable
  /** Address of its page below those of events, without slashes at its ends; absent where that is its slug. */
  readonly page?: string
}

/** The row of `event` whose content, relations and text a shown event has. */
export function sourceOf(row: Pick<EventRow, 'id' | 'occasion'>): number {
  const { occasion } = row
  return occasion === undefined ? row.id : (occasion.exception ?? occasion.series).id
}

/** Ids that an event refers to, each list in its order. */
export interface EventLinks {
  readonly venue: readonly number[]
  readonly organizer: readonly number[]
  readonly category: readonly number[]
  readonly tag: readonly number[]
}

/** An event without relations. */
export const NO_LINKS: EventLinks = { venue: [], organizer: [], category: [], tag: [] }
