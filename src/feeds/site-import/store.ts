import type { Reader, Storage } from '../../storage/engine.ts'
import type { ImportedItemTable } from '../../storage/schema.ts'

/** What was taken over from a site before, by its key there. */
export type Taken = Pick<ImportedItemTable, 'item_id' | 'digest'>

/** What was taken over of one kind from a site. */
export async function takenFrom(reader: Reader, origin: string, kind: string): Promise<Map<string, Taken>> {
  const query = reader.db
    .selectFrom('imported_item')
    .select(['key', 'item_id', 'digest'])
    .where('origin', '=', origin)
    .where('kind', '=', kind)
  const rows = await reader.all(query)
  return new Map(rows.map(({ key, item_id, digest }) => [key, { item_id, digest }]))
}

/** Rows that one transaction stores. */
const BATCH = 200

/** Keeps what was taken over. */
export async function keepTaken(storage: Storage, rows: readonly ImportedItemTable[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH)
    await storage.write(async (tx) => {
      for (const row of batch) {
        const { item_id, digest } = row
        const entry = tx.db.insertInto('imported_item').values(row)
        await tx.run(
          entry.onConflict((conflict) => conflict.columns(['origin', 'kind', 'key']).doUpdateSet({ item_id, digest })),
        )
      }
    })
  }
}

/** Forgets something that the site has no more. */
export async function forgetTaken(
  storage: Storage,
  { origin, kind, key }: Pick<ImportedItemTable, 'origin' | 'kind' | 'key'>,
): Promise<void> {
  await storage.write((tx) =>
    tx.run(
      tx.db.deleteFrom('imported_item').where('origin', '=', origin).where('kind', '=', kind).where('key', '=', key),
    ),
  )
}
