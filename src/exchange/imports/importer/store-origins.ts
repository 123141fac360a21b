import { globalId } from '../../../calendar/shared/present.ts'
import type { EntryKey, TermKey } from '../../../model/resource.ts'
import type { Reader } from '../../../storage/engine.ts'
import { LINEAGE, placeInLineage } from '../../../storage/entry-texts.ts'
import { inList } from '../../../storage/statement-template.ts'
import { askInParts } from '../slices.ts'

/**
 * IDs of entries of a kind by the global ID under which they were imported, which is the first of their lineage; the
 * lowest ID where several have it.
 */
export async function idsByOrigin(
  reader: Reader,
  kind: EntryKey,
  globalIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await askInParts(globalIds, (part) =>
    reader.all(
      reader.db
        .selectFrom('provenance')
        .innerJoin('entry', 'entry.id', 'provenance.item_id')
        .select(['provenance.item_id', 'provenance.external_id'])
        .where('entry.kind', '=', kind)
        .where('provenance.kind', '=', LINEAGE)
        .where('provenance.digest', '=', placeInLineage(0))
        .where(inList(reader.engine, 'provenance.external_id', part))
        .orderBy('provenance.item_id', 'desc'),
    ),
  )
  return new Map(rows.map((row) => [row.external_id, row.item_id]))
}

/** The ID of an item here that a global ID of our own site names; undefined for those of others. */
export function ownIdIn(name: string, host: string): number | undefined {
  const [, id] = /\?id=(\d{1,10})$/.exec(name) ?? []
  return id !== undefined && name === globalId(host, Number(id)) ? Number(id) : undefined
}

/**
 * Those of the IDs that rows of a table have. `event` has events and dates of series with something of their own, `entry` the
 * IDs of all events, also of those that were deleted permanently.
 */
export async function idsThere(
  reader: Reader,
  table: EntryKey | TermKey | 'media' | 'series_date' | 'entry',
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await askInParts(ids, (part) => {
    const { db, engine } = reader
    const query = db
      .selectFrom(table)
      .select('id')
      .where(inList(engine, `${table}.id`, part))
    return reader.all(table === 'entry' ? query.where('kind', '=', 'event') : query)
  })
  return new Set(rows.map(({ id }) => id))
}
