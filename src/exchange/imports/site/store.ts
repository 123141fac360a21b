import type { TermKey } from '../../../model/resource.ts'
import type { Reader, Storage, Transaction } from '../../../storage/engine.ts'
import type { ImportedItemTable } from '../../../storage/schema.ts'

/** What was imported from a site before, by its key there. */
export type Provenance = Pick<ImportedItemTable, 'item_id' | 'digest'>

/** What was imported of one kind from a site. */
export async function provenanceOf(reader: Reader, origin: string, kind: string): Promise<Map<string, Provenance>> {
  const query = reader.db
    .selectFrom('imported_item')
    .select(['key', 'item_id', 'digest'])
    .where('origin', '=', origin)
    .where('kind', '=', kind)
  const rows = await reader.all(query)
  return new Map(rows.map(({ key, item_id, digest }) => [key, { item_id, digest }]))
}

/** What stands instead of the digest of an item that the site had no more and that was trashed here. */
export const GONE = 'gone'

/** What the digest of an item starts with that was in the trash of the site. */
export const TRASH = 'trash '

/** Kind of the note that an import has created a category or tag. */
export function madeKind(kind: TermKey): string {
  return `${kind}-made`
}

/** Notes in its transaction that a term was created. */
export async function keepMade(
  tx: Transaction,
  {
    origin,
    kind,
    key,
    id,
  }: { readonly origin: string; readonly kind: TermKey; readonly key: string; readonly id: number },
): Promise<void> {
  await putProvenance(tx, { origin, kind: madeKind(kind), key, item_id: id, digest: '' })
}

/** Stores within a transaction where an item came from. */
export async function putProvenance(tx: Transaction, row: ImportedItemTable): Promise<void> {
  const { item_id, digest } = row
  const entry = tx.db.insertInto('imported_item').values(row)
  await tx.run(
    entry.onConflict((conflict) => conflict.columns(['origin', 'kind', 'key']).doUpdateSet({ item_id, digest })),
  )
}

/** Rows that one transaction stores. */
const BATCH = 200

/** Stores where items came from. */
export async function storeProvenance(storage: Storage, rows: readonly ImportedItemTable[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH)
    await storage.write(async (tx) => {
      for (const row of batch) await putProvenance(tx, row)
    })
  }
}

/** Deletes the provenance of some items of a kind, by their keys there. */
export async function deleteProvenance(
  storage: Storage,
  { origin, kind, keys }: Pick<ImportedItemTable, 'origin' | 'kind'> & { readonly keys: readonly string[] },
): Promise<void> {
  for (let start = 0; start < keys.length; start += BATCH) {
    const batch = keys.slice(start, start + BATCH)
    await storage.write((tx) => {
      const gone = tx.db.deleteFrom('imported_item').where('origin', '=', origin).where('kind', '=', kind)
      return tx.run(gone.where('key', 'in', batch))
    })
  }
}

/** Forgets all but the latest of a kind whose `digest` is a moment. */
export async function keepLatest(
  storage: Storage,
  { origin, kind }: Pick<ImportedItemTable, 'origin' | 'kind'>,
  most: number,
): Promise<void> {
  await storage.write(async (tx) => {
    const query = tx.db.selectFrom('imported_item').select('key').where('origin', '=', origin).where('kind', '=', kind)
    const old = await tx.all(query.orderBy('digest', 'desc').orderBy('key').offset(most).limit(OLD))
    for (const { key } of old) {
      const gone = tx.db.deleteFrom('imported_item').where('origin', '=', origin).where('kind', '=', kind)
      await tx.run(gone.where('key', '=', key))
    }
  })
}

/** Rows that are forgotten at once: there is another time for more. */
const OLD = 5_000
