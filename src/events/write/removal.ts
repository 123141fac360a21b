import { freeSlug } from '../../entries/slugs.ts'
import { trashedSlug } from '../../entries/trash.ts'
import type { EventState } from '../../event-store/copies.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import type { Transaction } from '../../storage/engine.ts'
import { updateEvent } from '../write.ts'

/** Moves an event to the trash: its slug becomes free, its relations stay (wire: events 6; decisions: Trash). */
export async function removeToTrash(
  tx: Transaction,
  before: EventState,
  cause: { actor: number | null; at: string },
): Promise<EventRow> {
  const { row, links } = before
  const slug = await freeSlug(tx, { table: 'event', slug: trashedSlug(row.slug), id: row.id })
  const trashed: EventRow = {
    ...row,
    status: 'trash',
    trashed_from: row.status,
    slug,
    modified_at: cause.at,
    revision: row.revision + 1,
  }
  await updateEvent(tx, { before, after: { row: trashed, links } }, { actor: cause.actor, action: 'trash' })
  return trashed
}
