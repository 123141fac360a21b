import { type Holding, trashEvent } from '../../../calendar/events/index.ts'
import { ORGANIZERS } from '../../../calendar/organizers/index.ts'
import type { LinkedRoom } from '../../../calendar/shared/linked/room.ts'
import type { LinkedContent } from '../../../calendar/shared/linked/row.ts'
import { storeLinked } from '../../../calendar/shared/linked/write.ts'
import { freeSlug } from '../../../calendar/shared/slugs.ts'
import { trashedSlug } from '../../../calendar/shared/trash.ts'
import { VENUES } from '../../../calendar/venues/index.ts'
import type { AnyField } from '../../../model/kinds/field.ts'
import type { EntryKey } from '../../../model/resource.ts'
import type { Storage, Transaction } from '../../../storage/engine.ts'

/** An item that was imported from a site or subscription and has disappeared there, by its ID here. */
export interface VanishedItem {
  readonly kind: EntryKey
  readonly id: number
}

/** What vanished items are moved to the trash with. */
export interface VanishedTrash {
  readonly storage: Storage
  readonly holding: Holding
  /** Nobody where a subscription does it. */
  readonly cause: { readonly actor: number | null; readonly at: string }
}

/** What is done around each item; whatever throws ends it. */
export interface VanishedSteps<Item> {
  goOn?(): void
  /** Called in the transaction in which the item goes, before it does. */
  check?(tx: Transaction): Promise<void>
  /** Whether it stays; false if absent. */
  stays?(item: Item): Promise<boolean>
  /** Notes in the same transaction what became of it. */
  note(tx: Transaction, item: Item, isTrashed: boolean): Promise<void>
}

/** Moves items that their origin has no more to the trash, each in a transaction of its own; how many. */
export async function trashVanished<Item extends VanishedItem>(
  { storage, ...how }: VanishedTrash,
  items: readonly Item[],
  { goOn, check, stays, note }: VanishedSteps<Item>,
): Promise<number> {
  let trashed = 0
  for (const item of items) {
    goOn?.()
    const isKept = (await stays?.(item)) === true
    const isTrashed = await storage.write(async (tx) => {
      await check?.(tx)
      const isMoved = !isKept && (await trash(tx, item, how))
      await note(tx, item, isMoved)
      return isMoved
    })
    if (isTrashed) trashed += 1
  }
  return trashed
}

async function trash(
  tx: Transaction,
  { kind, id }: VanishedItem,
  { cause, holding }: Omit<VanishedTrash, 'storage'>,
): Promise<boolean> {
  if (kind === 'event') return trashEvent(tx, id, { cause, holding })
  return kind === 'venue' ? trashLinked(tx, VENUES, { id, cause }) : trashLinked(tx, ORGANIZERS, { id, cause })
}

async function trashLinked<Content extends LinkedContent>(
  tx: Transaction,
  room: LinkedRoom<readonly AnyField[], Content>,
  { id, cause }: { readonly id: number; readonly cause: VanishedTrash['cause'] },
): Promise<boolean> {
  const [stored] = await room.rows(tx, [id])
  if (stored === undefined || stored.status === 'trash') return false
  const slug = await freeSlug(tx, { table: room.key, slug: trashedSlug(stored.slug), id })
  const row = { ...stored, status: 'trash' as const, trashed_from: stored.status, slug, modified_at: cause.at }
  await storeLinked(tx, room, { stored, row, ...cause })
  return true
}
