import { type Caller, mayEdit, mayRead } from '../../http/auth/rights.ts'
import type { Call, InvalidParam } from '../../http/route.ts'
import type { Reason } from '../../model/kinds/kind.ts'
import type { TermKey } from '../../model/resource.ts'
import type { Reader } from '../../storage/engine.ts'
import { sourceOf } from '../event-store/event-row.ts'
import { findEvent } from '../event-store/rows.ts'
import { checkSearch } from '../shared/filters-search.ts'
import type { ListValues, TermQuery } from './filters.ts'
import { seekTerms } from './lookup.ts'
import { termById } from './store.ts'
import { termViewerOf } from './term-viewer.ts'

/** Resolves the query of a list; a name that matches nothing is added to the refusals. */
export async function resolveTermQuery(
  scope: { readonly reader: Reader; readonly key: TermKey },
  call: Call<ListValues>,
  refusals: InvalidParam[],
): Promise<TermQuery> {
  const { reader, key } = scope
  const { values } = call
  const refuse = (name: string, reason: Reason | undefined): void => {
    if (reason !== undefined) refusals.push({ name, code: 'rest_invalid_param', reason })
  }
  const exclude = await idsOf(reader, key, values.exclude)
  const include = await idsOf(reader, key, values.include)
  refuse('exclude', exclude === undefined ? 'bad_term' : undefined)
  refuse('include', include === undefined ? 'bad_term' : undefined)
  const parent = key === 'category' ? values.parent : undefined
  if (parent) refuse('parent', (await termById(reader, key, parent)) === undefined ? 'unknown_id' : undefined)
  const post = await eventOf(reader, call.caller, values.post)
  const named = await eventOf(reader, call.caller, values.event)
  if (post === 'unknown') refuse('post', 'unknown_id')
  if (named === 'unknown') refuse('event', 'unknown_id')
  if (call.sent['slug'] === '') refuse('slug', 'empty')
  const [event, ...others] = [named, post].filter((one) => one !== undefined && one !== 'unknown')
  const search = values.search ?? { words: [], excluded: [] }
  await checkSearch(reader, { table: key, search }, refusals)
  return {
    ...search,
    include: values.include === undefined ? undefined : include,
    // With `include`, nothing needs to be excluded (wire: rest 2.6).
    exclude: values.include === undefined ? (exclude ?? []) : [],
    parent,
    event: event?.shown,
    eventRows: [event, ...others].flatMap((one) => one?.rows ?? []),
    slug: values.slug,
    changedSince: values.updated_since,
    onlyUsed: (values.hide_empty ?? true) && event === undefined,
    // The terms of an event are those of one that the caller may read.
    seenBy: event === undefined ? termViewerOf(call.caller) : undefined,
    order: values.order ?? 'asc',
    orderBy: values.orderby ?? 'name',
  }
}

/** IDs in the order named, each once; [] when none were, undefined when one of them names nothing. */
async function idsOf(reader: Reader, key: TermKey, refs: readonly string[] | undefined): Promise<number[] | undefined> {
  if (refs === undefined) return []
  const found = await seekTerms(reader, key, refs)
  if (found.size < refs.length) return undefined
  return [...new Set(refs.map((ref) => found.get(ref)).filter((id) => id !== undefined))]
}

/** An event whose terms are requested. */
interface AskedEvent {
  /** The row of `event` that has them; 0 for an event that shows none. */
  readonly shown: number
  /** See `TermQuery.eventRows`. */
  readonly rows: readonly number[]
}

/**
 * The event, or date of a series, whose terms are requested. Terms of a protected event are visible only to those who may
 * edit it, as on the event itself (decisions: Rights).
 */
async function eventOf(
  reader: Reader,
  caller: Caller,
  id: number | undefined,
): Promise<AskedEvent | 'unknown' | undefined> {
  if (id === undefined) return undefined
  const row = await findEvent(reader, { by: 'id', id })
  if (row === undefined) return 'unknown'
  const owned = { authorId: row.author_id, status: row.status }
  if (!mayRead(caller, owned)) return 'unknown'
  const source = sourceOf(row)
  const rows = [...new Set([id, row.occasion?.series.id ?? id, source])]
  return { shown: row.password_hash === null || mayEdit(caller, owned) ? source : 0, rows }
}
