import type { Search } from '../../../base/text/search.ts'
import { type Caller, mayRead } from '../../../http/auth/rights.ts'
import type { InvalidParam } from '../../../http/route.ts'
import type { Reader } from '../../../storage/engine.ts'
import { findEvent } from '../../event-store/rows.ts'
import type { DistanceValues } from '../../shared/filters-distance.ts'
import { checkSearch } from '../../shared/filters-search.ts'
import { editableBy, type OrderValues } from '../../shared/listing.ts'
import type { Lookups } from '../show/load.ts'
import type { EventSearch } from './conditions.ts'

/** What filters resolve names with; a name that matches nothing is added to the refusals. */
export interface EventFilterContext {
  readonly reader: Reader
  readonly lookups: Lookups
  readonly caller: Caller
  /** The values that one parameter reads of another. */
  readonly values: DistanceValues & OrderValues & { readonly include?: unknown }
  readonly refusals: InvalidParam[]
}

/** The IDs of the named terms, each once, in ascending order. */
export async function termsOf(
  name: 'categories' | 'tags',
  refs: readonly string[],
  { reader, lookups, refusals }: EventFilterContext,
): Promise<readonly number[]> {
  const lookup = name === 'categories' ? lookups.category : lookups.tag
  const found = await lookup.seek(reader, refs)
  const ids = refs.map((ref) => found.get(ref))
  const known = ids.filter((id) => id !== undefined)
  if (known.length !== ids.length) refuse(refusals, name, 'bad_term')
  return [...new Set(known)].sort((one, other) => one - other)
}

/** The IDs, all of which must name items that the caller may read: a filter reveals nothing about hidden ones. */
export async function linkedOf(
  name: 'venue' | 'organizer',
  ids: readonly number[],
  { reader, lookups, caller, refusals }: EventFilterContext,
): Promise<readonly number[]> {
  const rows = await lookups[name].byIds(reader, ids)
  const isKnown = ids.every((id) => {
    const row = rows.get(id)
    return row !== undefined && mayRead(caller, { authorId: row.author_id, status: row.status })
  })
  if (!isKnown) refuse(refusals, name, 'unknown_id')
  return ids
}

/** The ID of an event, which the caller must be able to read. */
export async function readableParent(id: number, { reader, caller, refusals }: EventFilterContext): Promise<number> {
  const row = await findEvent(reader, { by: 'id', id })
  const isReadable = row !== undefined && mayRead(caller, { authorId: row.author_id, status: row.status })
  if (!isReadable) refuse(refusals, 'post_parent', 'unknown_id')
  return id
}

/** Checks a search; the hidden texts of events that the caller may edit are included. */
export async function searchOf(
  search: Search,
  { reader, caller, values, refusals }: EventFilterContext,
): Promise<EventSearch> {
  // `include` names so few events that all their texts can be read.
  if (values.include === undefined) await checkSearch(reader, { table: 'occurrence', search }, refusals)
  const hidden = editableBy(caller)
  return { ...search, ...(hidden && { hidden }) }
}

function refuse(refusals: InvalidParam[], name: string, reason: InvalidParam['reason']): void {
  refusals.push({ name, code: 'rest_invalid_param', reason })
}
