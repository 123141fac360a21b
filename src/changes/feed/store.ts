import { type RawBuilder, sql } from 'kysely'
import type { ResourceKey } from '../../model/resource.ts'
import type { EngineName, Lane, Reader } from '../../storage/engine.ts'

/** What an entry of the journal says of a row: who may see it follows from that. */
export interface PastState {
  /** Null for terms, which have none. */
  readonly status: string | null
  readonly author: number | null
  /** 1 for an event that is on no list. */
  readonly hidden: number | null
}

/** An entry of the journal, with its row before and after the change. */
export interface ChangeRow {
  readonly seq: number
  readonly at: string
  readonly resource: ResourceKey
  /** Of an exception the ID of its date; undefined where that is an ordinary date again, or gone. */
  readonly id: number | undefined
  /** Whether it is about one date of a recurring event, which was there before it differed. */
  readonly isException: boolean
  readonly revision: number
  /** Undefined where the row did not exist. */
  readonly before: PastState | undefined
  readonly after: PastState | undefined
}

/** Which entries to read: after `seq`, of these resources, oldest first, at most `limit`. */
export interface ChangesQuery {
  /** Where it is read: inline only where few entries are left. */
  readonly lane: Lane
  readonly seq: number
  readonly resources: readonly ResourceKey[]
  readonly limit: number
}

/** Entries of the journal; `[]` when there are none. Their texts stay in the database: they may be long. */
export async function changeRows(reader: Reader, { seq, resources, limit, lane }: ChangesQuery): Promise<ChangeRow[]> {
  const { engine } = reader
  const rows = await reader.all(
    reader.db
      .selectFrom('journal as entry')
      .leftJoin('journal as past', (join) => join.on('past.seq', '=', previous()))
      .select(['entry.seq', 'entry.at', 'entry.resource', 'entry.id', 'entry.revision'])
      .select([
        isException(engine).as('exception'),
        sql<number | null>`(select min(series_date.id) from series_date where series_date.exception_id = entry.id)`.as(
          'date',
        ),
        sql<number>`case when entry.snapshot is null then 0 else 1 end`.as('is_there'),
        sql<number>`case when past.snapshot is null then 0 else 1 end`.as('was_there'),
        member(engine, 'entry', 'status').as('status'),
        numberIn(engine, 'entry', 'author_id').as('author'),
        numberIn(engine, 'entry', 'hide_from_listings').as('hidden'),
        member(engine, 'past', 'status').as('past_status'),
        numberIn(engine, 'past', 'author_id').as('past_author'),
        numberIn(engine, 'past', 'hide_from_listings').as('past_hidden'),
      ])
      .where('entry.seq', '>', seq)
      .where('entry.resource', 'in', [...resources])
      .orderBy('entry.seq')
      .limit(limit),
    lane,
  )
  return rows.map(({ at, id, revision, ...row }) => ({
    seq: row.seq,
    at,
    resource: row.resource as ResourceKey,
    id: row.exception === 1 ? (row.date ?? undefined) : id,
    isException: row.exception === 1,
    revision,
    after: row.is_there === 1 ? { status: row.status, author: row.author, hidden: row.hidden } : undefined,
    before:
      row.was_there === 1 ? { status: row.past_status, author: row.past_author, hidden: row.past_hidden } : undefined,
  }))
}

/** Number of the oldest entry; undefined while the journal is empty. */
export async function oldestSeq(reader: Reader): Promise<number | undefined> {
  return (await reader.first(reader.db.selectFrom('journal').select('seq').orderBy('seq').limit(1)))?.seq
}

/**
 * Number of the entry that created the previous state: of the revision before, which further dates of a series leave as it is; an
 * exception of a series may start again at 1.
 */
function previous(): RawBuilder<number> {
  return sql<number>`(select max(earlier.seq) from journal as earlier where earlier.resource = entry.resource
    and earlier.id = entry.id and earlier.seq < entry.seq
    and earlier.revision = entry.revision - case when entry.action = 'extend' then 0 else 1 end)`
}

/** Whether an entry is about the row that a date of a recurring event has for itself. */
function isException(engine: EngineName): RawBuilder<number> {
  const snapshot = sql`coalesce(entry.snapshot, past.snapshot)`
  const fields =
    engine === 'sqlite'
      ? sql`json_extract(${snapshot}, '$.exception')`
      : sql`substring(${snapshot} from '"exception":"')`
  return sql<number>`case when ${fields} is null then 0 else 1 end`
}

type Alias = 'entry' | 'past'

/**
 * A word in a snapshot. PostgreSQL refuses JSON with certain escapes, so that it is searched as text: inside of texts
 * quotes are escaped, and no other object in a snapshot has these members.
 */
function member(engine: EngineName, of: Alias, name: string): RawBuilder<string | null> {
  const snapshot = sql.ref(`${of}.snapshot`)
  if (engine === 'sqlite') return sql<string | null>`json_extract(${snapshot}, ${sql.lit(`$.${name}`)})`
  return sql<string | null>`substring(${snapshot} from ${sql.lit(`"${name}":"([a-z]+)"`)})`
}

function numberIn(engine: EngineName, of: Alias, name: string): RawBuilder<number | null> {
  const snapshot = sql.ref(`${of}.snapshot`)
  if (engine === 'sqlite') return sql<number | null>`json_extract(${snapshot}, ${sql.lit(`$.${name}`)})`
  return sql<number | null>`cast(substring(${snapshot} from ${sql.lit(`"${name}":([0-9]+)`)}) as integer)`
}
