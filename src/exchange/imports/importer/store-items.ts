import type { Reader, Storage, Transaction } from '../../../storage/engine.ts'
import type { ProvenanceTable } from '../../../storage/schema.ts'

/** What was imported from a site before, by its key there. */
export type Provenance = Pick<ProvenanceTable, 'item_id' | 'digest'>

/** Where an item came from, and its state then. */
export interface ImportedFrom extends Provenance, Pick<ProvenanceTable, 'origin' | 'kind'> {
  /** Its ID there, or the address of an image. */
  readonly key: string
}

/** What was imported of one kind from a site. */
export async function provenanceOf(reader: Reader, origin: string, kind: string): Promise<Map<string, Provenance>> {
  const query = reader.db
    .selectFrom('provenance')
    .select(['external_id', 'item_id', 'digest'])
    .where('origin', '=', origin)
    .where('kind', '=', kind)
  const rows = await reader.all(query)
  return new Map(rows.map(({ external_id, item_id, digest }) => [external_id, { item_id, digest }]))
}

/** What stands instead of the digest of an item that the site had no more and that was trashed here. */
export const GONE = 'gone'

/** What the digest of an item starts with that was in the trash of the site. */
export const TRASH = 'trash '

/** Stores within a transaction where an item came from. */
export async function putProvenance(tx: Transaction, { key: external_id, ...row }: ImportedFrom): Promise<void> {
  const { item_id, digest } = row
  const entry = tx.db.insertInto('provenance').values({ ...row, external_id, is_gone: 0 })
  const columns = ['origin', 'kind', 'external_id'] as const
  await tx.run(entry.onConflict((conflict) => conflict.columns(columns).doUpdateSet({ item_id, digest })))
}

/** Rows that one transaction stores. */
const BATCH = 200

/** Stores where items came from. */
export async function storeProvenance(storage: Storage, rows: readonly ImportedFrom[]): Promise<void> {
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
  { origin, kind, keys }: Pick<ProvenanceTable, 'origin' | 'kind'> & { readonly keys: readonly string[] },
): Promise<void> {
  for (let start = 0; start < keys.length; start += BATCH) {
    const batch = keys.slice(start, start + BATCH)
    await storage.write((tx) => {
      const gone = tx.db.deleteFrom('provenance').where('origin', '=', origin).where('kind', '=', kind)
      return tx.run(gone.where('external_id', 'in', batch))
    })
  }
}
