/** The states of an event, venue or organizer (decisions: Validation). */
export const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const

/** A state of an event, venue or organizer. */
export type Status = (typeof STATUSES)[number]
