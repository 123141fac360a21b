import type { EventTable } from '../storage/schema.ts'

/** A stored event. */
export type EventRow = EventTable

/** Ids that an event refers to, each list in its order. */
export interface EventLinks {
  readonly venue: readonly number[]
  readonly organizer: readonly number[]
  readonly category: readonly number[]
  readonly tag: readonly number[]
}

/** An event without relations. */
export const NO_LINKS: EventLinks = { venue: [], organizer: [], category: [], tag: [] }
