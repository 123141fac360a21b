import { sql } from 'kysely'
import type { Search } from '../../base/text/search.ts'
import type { InvalidParam } from '../../http/route.ts'
import type { Reader } from '../../storage/engine.ts'
import { hasIndexedWord } from '../../storage/expressions.ts'

/** Rows up to which a search reads all texts of a list: tens of milliseconds. */
const READ_ALL_LIMIT = 10_000

/** A table whose rows a search may have to read one by one. */
export type SearchedTable = 'occurrence' | 'venue' | 'organizer' | 'category' | 'tag'

/**
 * Adds a refusal when a search has no word that an index finds (decisions: search), only shorter ones and exclusions, and
 * the list has too many rows to read the texts of all of them.
 */
export async function checkSearch(
  reader: Reader,
  asked: { readonly table: SearchedTable; readonly search: Search | undefined; readonly name?: string },
  refusals: InvalidParam[],
): Promise<void> {
  const { table, search, name = 'search' } = asked
  if (search === undefined || hasIndexedWord(search)) return
  if (search.words.length + search.excluded.length === 0) return
  const counting = sql<{ total: number }>`select count(*) as total
    from (select 1 as one from ${sql.table(table)} limit ${sql.lit(READ_ALL_LIMIT + 1)}) as counted`
  const counted = await reader.first<{ total: number }>({ compile: () => counting.compile(reader.db) }, 'offloaded')
  if (Number(counted?.total ?? 0) <= READ_ALL_LIMIT) return
  refusals.push({ name, code: 'rest_invalid_param', reason: 'no_long_word' })
}
