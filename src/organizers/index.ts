/** The room of organizers: people and bodies that hold events. */

import { type OpenLinked, openLinked } from '../entries/linked/open.ts'
import { type Replacement, replaceLinked } from '../entries/linked/replace.ts'
import type { LinkedParts } from '../entries/linked/routes-write.ts'
import { searchBody } from '../entries/linked/rules.ts'
import { type CreateOptions, createLinked } from '../entries/linked/write.ts'
import type { Transaction } from '../storage/engine.ts'
import { ORGANIZERS } from './routes.ts'
import type { NewOrganizer, OrganizerContent, OrganizerRow } from './shape.ts'

export { ORGANIZER } from './schema.ts'
export type { NewOrganizer, OrganizerContent, OrganizerRow }

/** Opens the room of organizers: its routes, what events use of it, and what it publishes when it is due. */
export function openOrganizers(parts: LinkedParts): OpenLinked<OrganizerContent> {
  return openLinked(ORGANIZERS, parts)
}

/**
 * Adds an organizer as it is given, for imports: no duplicate is looked for. It gets the wished id where that was never
 * used, a free slug (its own, else of its name, else the id), its search text, lineage and journal entry.
 */
export function createOrganizer(tx: Transaction, columns: NewOrganizer, options: CreateOptions): Promise<OrganizerRow> {
  return createLinked(tx, ORGANIZERS, { columns, options })
}

/** Stores an organizer as an import wants it; false, and no trace, when nothing differs. */
export function replaceOrganizer(tx: Transaction, replacement: Replacement<OrganizerContent>): Promise<boolean> {
  return replaceLinked(tx, ORGANIZERS, replacement)
}

/** What a search finds an organizer by, as it is stored. */
export function organizerSearchText(row: OrganizerRow): string {
  return searchBody(ORGANIZERS.searched(row))
}
