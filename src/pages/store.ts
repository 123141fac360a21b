import { sql } from 'kysely'
import type { Reader } from '../storage/engine.ts'
import { LINK_KIND } from '../storage/schema.ts'

/** A page that search engines find in sitemaps. */
export interface SitemapEntry {
  /** `/event/jazz-night/` */
  readonly path: string
  /** Last change, UTC. */
  readonly modified: string
}

/**
 * A part of all published events, venues and organizers in the order of their IDs, and how many there are. A recurring
 * event stands there once: its page leads to those of its dates.
 */
export async function entriesForSitemap(
  reader: Reader,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly entries: readonly SitemapEntry[] }> {
  const published = sql`
    select id, '/event/' || slug || '/' as path, modified_at as modified from event
      where status = 'publish' and password_hash is null and hide_from_listings = 0 and exception is null
    union all select id, '/venue/' || slug || '/', modified_at from venue where status = 'publish'
    union all select id, '/organizer/' || slug || '/', modified_at from organizer where status = 'publish'`
  const counted = sql<{ total: number }>`select count(*) as total from (${published}) as pages`.compile(reader.db)
  const page = sql<SitemapEntry>`select path, modified from (${published}) as pages order by id limit ${limit} offset ${offset}`
  const statement = page.compile(reader.db)
  const [row] = await reader.all({ compile: () => counted }, 'offloaded')
  const entries = await reader.all({ compile: () => statement }, 'offloaded')
  return { total: Number(row?.total ?? 0), entries }
}

/** The categories that have a published event which starts on a day or later, by their IDs. */
export async function categoriesAhead(reader: Reader, day: string): Promise<ReadonlySet<number>> {
  const statement = sql<{ id: number }>`select id from category where exists (select 1 from occurrence_link
    where kind = ${LINK_KIND.category} and target_id = category.id and listed = 1 and status = 'publish'
      and start_local >= ${`${day} 00:00:00`})`.compile(reader.db)
  const rows = await reader.all({ compile: () => statement })
  return new Set(rows.map(({ id }) => id))
}
