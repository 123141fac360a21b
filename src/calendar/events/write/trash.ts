import type { Transaction } from '../../../storage/engine.ts'
import { linksOf, NO_LINKS } from '../../event-store/event-row.ts'
import { findEvent } from '../../event-store/rows.ts'
import type { Holding } from '../series/dates.ts'
import { removeFromSeries } from '../series/remove.ts'
import { removeToTrash } from './change.ts'

/** Why an event goes to the trash, and how its dates are held. */
export interface Trashing {
  readonly cause: { readonly actor: number | null; readonly at: string }
  readonly holding: Holding
}

/** Moves an event with all its dates to the trash; false if it is there already, or gone. */
export async function trashEvent(tx: Transaction, id: number, { cause, holding }: Trashing): Promise<boolean> {
  const row = await findEvent(tx, { by: 'id', id })
  if (row === undefined || row.status === 'trash') return false
  if (row.occasion !== undefined) {
    await removeFromSeries(tx, row, { scope: 'all', force: false, cause, holding })
    return true
  }
  const links = (await linksOf(tx, [id])).get(id) ?? NO_LINKS
  await removeToTrash(tx, { row, links }, cause)
  return true
}
