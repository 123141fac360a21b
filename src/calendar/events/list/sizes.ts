import { sql } from 'kysely'
import type { Reader } from '../../../storage/engine.ts'
import { idsTemplate } from '../../../storage/statement-template.ts'

/** Bytes of the descriptions of events and dates, by their IDs, without reading them. */
export async function sizesOf(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  return new Map((await reader.all(sizesWith(reader, ids))).map(({ id, bytes }) => [id, Number(bytes)]))
}

const sizesWith = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('occurrence')
    .innerJoin('event', 'event.id', 'occurrence.event_id')
    .select(['occurrence.id', sql<number>`octet_length(event.description)`.as('bytes')])
    .where(hasId('occurrence.id')),
)
