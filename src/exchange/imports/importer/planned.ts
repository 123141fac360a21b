import type { SourceEvent } from '../readers/json/read-event.ts'

/** An event with the names of what it embeds. */
export interface PlannedEvent extends SourceEvent {
  /** Global IDs, in order. */
  readonly venue: readonly string[]
  readonly organizer: readonly string[]
  /** Refs of terms, in order. */
  readonly category: readonly string[]
  readonly tag: readonly string[]
  /** Whether a calendar or table marks it as private; absent if not. */
  readonly isPrivate?: boolean
  /** Absent for events that do not recur. */
  readonly series?: PlannedSeries
}

/** A date of an event that recurs. */
export interface PlannedDate {
  /** Its start as the rule gives it, on the clock of the event. */
  readonly recurrenceId: string
  /** ID there; undefined where it has none of its own. */
  readonly wishedId: number | undefined
  /** `yoga/2027-01-11`: the address that it keeps though its series or its day has another name; absent for others. */
  readonly address?: string
  /** What it is by itself; absent where it is like the others. */
  readonly own?: PlannedEvent
}

/** How an event recurs. */
export interface PlannedSeries {
  /** RRULE, RDATE and EXDATE. */
  readonly lines: readonly string[]
  readonly dates: readonly PlannedDate[]
}
