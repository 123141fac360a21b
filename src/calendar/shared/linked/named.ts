import type { Search } from '../../../base/text/search.ts'
import { type Caller, mayEdit, mayRead } from '../../../http/auth/rights.ts'
import type { InvalidParam } from '../../../http/route.ts'
import type { Reader } from '../../../storage/engine.ts'
import { sourceOf } from '../../event-store/event-row.ts'
import { findEvent } from '../../event-store/rows.ts'
import type { DistanceValues } from '../filters-distance.ts'
import { checkSearch } from '../filters-search.ts'
import type { OrderValues } from '../listing.ts'
import type { LinkedKey } from './row.ts'

/** What filters resolve names with; a name that matches nothing is added to the refusals. */
export interface LinkedFilterContext {
  readonly reader: Reader
  readonly key: LinkedKey
  readonly caller: Caller
  /** The present moment, Unix milliseconds. */
  readonly now: number
  /** The values that one parameter reads of another. */
  readonly values: DistanceValues & OrderValues
  readonly refusals: InvalidParam[]
}

/** Checks a search. */
export async function searchOf(search: Search, { reader, key, refusals }: LinkedFilterContext): Promise<Search> {
  await checkSearch(reader, { table: key, search }, refusals)
  return search
}

/** The event that a list is filtered by; 0 where its password hides its links. Unreadable ones are refused. */
export async function unhiddenEvent(id: number, { reader, caller, refusals }: LinkedFilterContext): Promise<number> {
  const row = await findEvent(reader, { by: 'id', id })
  const owned = row && { authorId: row.author_id, status: row.status }
  if (row === undefined || owned === undefined || !mayRead(caller, owned)) {
    refusals.push({ name: 'event', code: 'rest_invalid_param', reason: 'unknown_id' })
    return 0
  }
  return row.password_hash !== null && !mayEdit(caller, owned) ? 0 : sourceOf(row)
}
