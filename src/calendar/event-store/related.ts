// Events that belong to another one, as anyone sees them. Their statements are built once: every page of an event asks them.
import { sql } from 'kysely'
import type { Reader } from '../../storage/engine.ts'
import { cachedRows } from '../../storage/reads.ts'
import { LINK_KIND } from '../../storage/schema.ts'
import { type GivenAll, operand, statementTemplate } from '../../storage/statement-template.ts'

/** What events have in common: a venue, a category or one below it, or the series whose dates they are. */
export interface Relation {
  readonly by: 'venue' | 'category' | 'series'
  readonly id: number
}

/** Which of them are asked for: the first that end after a moment, each on its own clock. */
interface Upcoming {
  readonly endsAfter: string
  readonly limit: number
}

/** IDs of the next events and dates with something in common that public lists show, in the order of lists. */
export async function upcomingWith(reader: Reader, { by, id }: Relation, upcoming: Upcoming): Promise<number[]> {
  const values = { id, ...upcoming }
  const query =
    by === 'series' ? datesOf(reader, { shape: null, values }) : linkedTo(reader, { shape: LINK_KIND[by], values })
  return (await cachedRows(reader, query)).map((row) => row.id)
}

/** The cross join keeps SQLite reading the links in their order. */
const linkedTo = statementTemplate(
  (reader: Reader, kind: number, { id, endsAfter, limit }: GivenAll<Upcoming & Pick<Relation, 'id'>>) =>
    reader.db
      .selectFrom('occurrence_link')
      .crossJoin('occurrence')
      .select('occurrence.id')
      .whereRef('occurrence.id', '=', 'occurrence_link.occurrence_id')
      .where('occurrence_link.kind', '=', kind)
      .where('occurrence_link.target_id', '=', operand(id))
      .where('occurrence_link.listed', '=', 1)
      .where('occurrence_link.status', '=', 'publish')
      .where('occurrence.end_local', '>', operand(endsAfter))
      .orderBy('occurrence_link.start_local')
      .orderBy('occurrence_link.published_at')
      .orderBy('occurrence_link.occurrence_id')
      .limit(operand(limit)),
)

const datesOf = statementTemplate(
  (reader: Reader, _shape: null, { id, endsAfter, limit }: GivenAll<Upcoming & Pick<Relation, 'id'>>) =>
    reader.db
      .selectFrom('series_date')
      .crossJoin('occurrence')
      .select('occurrence.id')
      .whereRef('occurrence.id', '=', 'series_date.id')
      .where('series_date.series_id', '=', operand(id))
      .where('occurrence.listed', '=', 1)
      .where('occurrence.status', '=', 'publish')
      .where('occurrence.end_local', '>', operand(endsAfter))
      .orderBy('occurrence.start_local')
      .orderBy('occurrence.published_at')
      .orderBy('occurrence.id')
      .limit(operand(limit)),
)

/** IDs of the events and further dates that are parts of an event and that public lists show, in the order of lists. */
export async function partsOf(reader: Reader, id: number, limit: number): Promise<readonly number[]> {
  return (await cachedRows(reader, partsWith(reader, { shape: null, values: { id, limit } }))).map((row) => row.id)
}

/** The event itself is none of its parts, but its further dates are. */
const partsWith = statementTemplate(
  (reader: Reader, _shape: null, { id, limit }: GivenAll<{ readonly id: number; readonly limit: number }>) =>
    reader.db
      .selectFrom(
        sql<{ id: number; is_part: number }>`(select event.id, 1 as is_part from event where event.post_parent = ${id}
          union all select cast(${id} as integer), 0)`.as('found'),
      )
      .crossJoin('occurrence')
      .select('occurrence.id')
      .whereRef('occurrence.event_id', '=', 'found.id')
      .where('occurrence.listed', '=', 1)
      .where('occurrence.status', '=', 'publish')
      .where((row) => row.or([row('found.is_part', '=', 1), row('occurrence.id', '!=', operand(id))]))
      .orderBy('occurrence.start_local')
      .orderBy('occurrence.published_at')
      .orderBy('occurrence.id')
      .limit(operand(limit)),
)
