import type { Transaction } from '../storage/engine.ts'

/** Takes a venue, organizer, category or tag that is going for good out of what lists read; `kind` as in `LINK_KIND`. */
export async function forgetTarget(tx: Transaction, kind: number, id: number): Promise<void> {
  await tx.run(tx.db.deleteFrom('occurrence_link').where('kind', '=', kind).where('target_id', '=', id))
  await tx.run(tx.db.deleteFrom('event_count').where('kind', '=', kind).where('target_id', '=', id))
}
