import type { EntryKey, ResourceKey } from '../../../model/resource.ts'
import type { Reader } from '../../../storage/engine.ts'
import { inList } from '../../../storage/statement-template.ts'

/**
 * IDs of entries of a kind by the global ID under which they were imported, which is the first of their lineage; the
 * lowest ID where several have it.
 */
export async function idsByOrigin(
  reader: Reader,
  kind: EntryKey,
  globalIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (globalIds.length === 0) return new Map()
  const rows = await reader.all(
    reader.db
      .selectFrom('entry_lineage')
      .innerJoin('entry', 'entry.id', 'entry_lineage.entry_id')
      .select(['entry_lineage.entry_id', 'entry_lineage.global_id'])
      .where('entry.kind', '=', kind)
      .where('entry_lineage.position', '=', 0)
      .where(inList(reader.engine, 'entry_lineage.global_id', globalIds))
      .orderBy('entry_lineage.entry_id', 'desc'),
  )
  return new Map(rows.map((row) => [row.global_id, row.entry_id]))
}

/** Those of the IDs that items of a kind have; except for events, those that were deleted permanently are none. */
export async function idsOfKind(
  reader: Reader,
  kind: ResourceKey | 'media',
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const { db, engine } = reader
  // Dates of a series have IDs without rows of their own.
  const query =
    kind === 'event'
      ? db
          .selectFrom('entry')
          .select('id')
          .where('kind', '=', kind)
          .where(inList(engine, 'entry.id', ids))
      : db
          .selectFrom(kind)
          .select('id')
          .where(inList(engine, `${kind}.id`, ids))
  return new Set((await reader.all(query)).map((row) => row.id))
}
