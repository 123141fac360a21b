import type { Transaction } from '../../storage/engine.ts'
import { record } from '../../storage/journal/append.ts'
import { inList } from '../../storage/statement-template.ts'
import { snapshotOfEvent } from './copies.ts'
import { EVENT_SELECTION, linksOf, NO_LINKS } from './event-row.ts'

/**
 * Increments the revision of these events and writes them to the journal, by ID: something that they linked to was
 * deleted, and the links and columns that named it are changed already.
 */
export async function recordEventChanges(
  tx: Transaction,
  ids: readonly number[],
  agent: { readonly actor: number | null; readonly at: string },
): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx.all(
    tx.db
      .updateTable('event')
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .where(inList(tx.engine, 'id', ids))
      .returning(EVENT_SELECTION),
  )
  const links = await linksOf(tx, ids)
  for (const row of rows.sort((a, b) => a.id - b.id)) {
    const { id, revision } = row
    const snapshot = snapshotOfEvent(row, links.get(id) ?? NO_LINKS)
    const { actor, at } = agent
    record(tx, { actor, at, resource: 'event', id, revision, action: 'update', snapshot })
  }
}
