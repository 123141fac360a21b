/** The room of venues: places where events happen. */

import { type OpenLinked, openLinked } from '../entries/linked/open.ts'
import { type Replacement, replaceLinked } from '../entries/linked/replace.ts'
import type { LinkedParts } from '../entries/linked/routes-write.ts'
import { searchBody } from '../entries/linked/rules.ts'
import { type CreateOptions, createLinked } from '../entries/linked/write.ts'
import type { Transaction } from '../storage/engine.ts'
import { VENUES } from './routes.ts'
import { BLANK_VENUE } from './rules.ts'
import type { NewVenue, VenueContent, VenueRow } from './shape.ts'

export { VENUE } from './schema.ts'
export type { NewVenue, VenueContent, VenueRow }
export { BLANK_VENUE }

/** Opens the room of venues: its routes, what events use of it, and what it publishes when it is due. */
export function openVenues(parts: LinkedParts): OpenLinked<VenueContent> {
  return openLinked(VENUES, parts)
}

/**
 * Adds a venue as it is given, for imports: no duplicate is looked for. It gets the wished id where that was never
 * used, a free slug (its own, else of its name, else the id), its search text, lineage and journal entry.
 */
export function createVenue(tx: Transaction, columns: NewVenue, options: CreateOptions): Promise<VenueRow> {
  return createLinked(tx, VENUES, { columns, options })
}

/** Stores a venue as an import wants it; false, and no trace, when nothing differs. */
export function replaceVenue(tx: Transaction, replacement: Replacement<VenueContent>): Promise<boolean> {
  return replaceLinked(tx, VENUES, replacement)
}

/** What a search finds a venue by, as it is stored. */
export function venueSearchText(row: VenueRow): string {
  return searchBody(VENUES.searched(row))
}
