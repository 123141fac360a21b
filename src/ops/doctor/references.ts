import type { Reader } from '../../storage/engine.ts'
import { namesFrom } from './finding.ts'

const RELATED = ['venue', 'organizer', 'category', 'tag'] as const

/** Rows that are named by a column without a foreign key. */
interface Reference {
  readonly from: string
  /** 0 or null where it names nothing. */
  readonly column: string
  readonly to: string
  /** Column that says of which row it is; `id` if absent. */
  readonly key?: string
  /** What else it may name, as a condition. */
  readonly or?: string
}

/**
 * References that writes keep whole: what is named cannot be deleted, or is named no more afterwards. Where an image was
 * attached, what was imported or submitted, and whom the journal names may be gone.
 */
const REFERENCES: readonly Reference[] = [
  { from: 'category', column: 'parent', to: 'category' },
  { from: 'tag', column: 'parent', to: 'tag' },
  ...['event', 'venue', 'organizer'].map((from) => ({ from, column: 'image_id', to: 'media' })),
  ...['event', 'venue', 'organizer', 'media'].map((from) => ({ from, column: 'author_id', to: '"user"' })),
  // Dates of recurring events go without their parts being asked.
  {
    ...{ from: 'event', column: 'post_parent', to: 'event' },
    or: `exists (select 1 from entry where entry.id = named.post_parent and entry.kind = 'occurrence')`,
  },
  ...['token', 'user_password', 'session', 'passkey', 'recovery_code', 'identity', 'sign_in_link'].map((from) => ({
    ...{ from, column: 'user_id', to: '"user"', key: 'user_id' },
  })),
  { from: 'source_visit', column: 'source_id', to: 'source', key: 'source_id' },
]

/** Events of subscriptions that are gone. */
const LOST_ORIGINS = `select 'provenance ' || named.item_id || ' (' || named.origin || ')' as name from provenance as named
  where named.kind = 'uid' and named.origin <> 'files'
  and not exists (select 1 from source as there where named.origin = 'subscription ' || there.id)`

/** Rows with dangling references, with a foreign key or without one. */
export async function orphans(reader: Reader): Promise<string[]> {
  const found = [
    ...(await namesFrom(reader, RELATED.map(relationsOf).join(' union all '))),
    ...(await namesFrom(reader, [...REFERENCES.map(lost), LOST_ORIGINS].join(' union all '))),
  ]
  // PostgreSQL takes no row that lacks what a foreign key names.
  if (reader.engine === 'postgres') return found
  return [
    ...found,
    ...(await namesFrom(reader, `select "table" || ' ' || coalesce(rowid, '') as name from pragma_foreign_key_check`)),
  ]
}

function relationsOf(table: string): string {
  const link = `event_${table}`
  return `select event_id as name from ${link} where not exists (select 1 from event where event.id = event_id)
    or not exists (select 1 from ${table} where ${table}.id = ${link}.${table}_id)`
}

function lost({ from, column, to, key = 'id', or }: Reference): string {
  const there = `exists (select 1 from ${to} as there where there.id = named.${column})`
  return `select '${from} ' || named.${key} || ' (${column} ' || named.${column} || ')' as name from ${from} as named
    where named.${column} <> 0 and not ${or === undefined ? there : `(${there} or ${or})`}`
}
