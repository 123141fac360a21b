import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Compilable, Reader } from './engine.ts'
import { expiredBefore, REMOVED_KINDS, type RemovedKind } from './removed-items.ts'
import { asStatement } from './statement-builder.ts'

/** Kinds of items whose trash is a status. */
const WITH_STATUS = ['event', 'venue', 'organizer'] as const

/** All kinds of items in the trash. */
export const TRASH_KINDS = [...WITH_STATUS, ...REMOVED_KINDS] as const

/** One of `TRASH_KINDS`. */
export type TrashKindName = (typeof WITH_STATUS)[number] | RemovedKind

/** Names something in the trash: its own ID where the trash is a status, otherwise the number of its removal. */
export interface TrashKey {
  readonly kind: TrashKindName
  readonly id: number
}

/** Something in the trash. */
export interface TrashRow extends TrashKey {
  readonly item_id: number
  readonly title: string
  /** User who owns it; 0 for nobody. */
  readonly author_id: number
  /** Status before the trash; null for kinds without. */
  readonly trashed_from: string | null
  /** When it was deleted, UTC text. */
  readonly at: string
  /** User who deleted it; null if unknown. */
  readonly actor: number | null
}

/** Which part of the trash to read. */
export interface TrashQuery {
  /** Kinds, of which only items of one author are read where one is named. */
  readonly kinds: readonly { readonly kind: TrashKindName; readonly author?: number | undefined }[]
  /** Only these; all if absent. */
  readonly keys?: readonly TrashKey[] | undefined
  /** Unix milliseconds. */
  readonly now: number
}

/** How many items are in the trash. */
export async function countTrash(reader: Reader, query: TrashQuery): Promise<number> {
  const all = union(query)
  if (all === undefined) return 0
  const count = asStatement<{ n: number }>(reader, sql`select count(*) as n from (${all}) as found`)
  return Number((await reader.first(count, 'offloaded'))?.n ?? 0)
}

/** Items in the trash, those deleted last first. */
export function readTrash(
  reader: Reader,
  query: TrashQuery,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): Promise<TrashRow[]> {
  const all = union(query)
  if (all === undefined) return Promise.resolve([])
  const page = sql`select * from (${all}) as found order by at desc, kind, id desc limit ${limit} offset ${offset}`
  return reader.all(withDeletion(reader, page), 'offloaded')
}

/** The journal says who moved something to the trash by its status, and when. */
function withDeletion(reader: Reader, page: RawBuilder<unknown>): Compilable<TrashRow> {
  const entry = (column: 'at' | 'actor') => sql`(select journal.${sql.raw(column)} from journal
    where journal.resource = page.kind and journal.id = page.id and journal.action = 'trash'
    order by journal.revision desc limit 1)`
  return asStatement<TrashRow>(
    reader,
    sql`select kind, id, item_id, title, author_id, trashed_from, coalesce(${entry('at')}, at) as at,
      coalesce(${entry('actor')}, actor) as actor from (${page}) as page order by page.at desc, kind, id desc`,
  )
}

function union({ kinds, keys, now }: TrashQuery): RawBuilder<unknown> | undefined {
  const parts = kinds.flatMap(({ kind, author }) => {
    const ids = keys?.filter((key) => key.kind === kind).map(({ id }) => id)
    if (ids?.length === 0) return []
    const conditions = [
      ...(author === undefined ? [] : [sql<SqlBool>`author_id = ${author}`]),
      ...(ids === undefined ? [] : [sql<SqlBool>`id in (${sql.join(ids)})`]),
    ]
    return hasStatus(kind) ? statusPart(kind, conditions) : removedPart(kind, conditions, now)
  })
  return parts.length === 0 ? undefined : sql.join(parts, sql` union all `)
}

function hasStatus(kind: TrashKindName): kind is (typeof WITH_STATUS)[number] {
  return WITH_STATUS.some((one) => one === kind)
}

function statusPart(
  kind: (typeof WITH_STATUS)[number],
  conditions: readonly RawBuilder<SqlBool>[],
): RawBuilder<unknown> {
  // A date that was changed alone and then removed is part of its series.
  const own = kind === 'event' ? [sql<SqlBool>`exception is null`] : []
  const where = sql.join([sql<SqlBool>`status = 'trash'`, ...own, ...conditions], sql` and `)
  return sql`select ${sql.lit(kind)} as kind, id, id as item_id, ${sql.ref(kind === 'event' ? 'title' : 'name')} as title,
    author_id, trashed_from, modified_at as at, cast(null as integer) as actor from ${sql.table(kind)} where ${where}`
}

function removedPart(kind: RemovedKind, conditions: readonly RawBuilder<SqlBool>[], now: number): RawBuilder<unknown> {
  const own = [sql<SqlBool>`kind = ${sql.lit(kind)}`, sql<SqlBool>`at >= ${expiredBefore(now)}`]
  const where = sql.join([...own, ...conditions], sql` and `)
  return sql`select kind, id, item_id, title, author_id, cast(null as text) as trashed_from, at, actor
    from removed_item where ${where}`
}
