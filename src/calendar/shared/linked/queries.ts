import type { Paging } from '../../../http/paging.ts'
import type { Call, Freshness, InvalidParam, Reply } from '../../../http/route.ts'
import type { AnyField } from '../../../model/kinds/field.ts'
import type { Reader } from '../../../storage/engine.ts'
import { lineagesOf } from '../../../storage/entry-texts.ts'
import { type ActiveFilter, activeFilters, resolveFilters, scopeOf } from '../filters.ts'
import { orderOf, visibilityOf } from '../listing.ts'
import { imagesOf } from '../stored-image.ts'
import type { AnyLinkedFilter, LinkedListValues, LinkedQuery } from './filters.ts'
import { presentLinked } from './present.ts'
import type { LinkedRoom } from './room.ts'
import { type LinkedDeps, versionOf } from './routes-write.ts'
import type { LinkedContent, LinkedKey, LinkedRow } from './row.ts'
import { findRow, type LinkedList, pageOf } from './store.ts'

/** One page of a list of venues or organizers. */
export interface LinkedListed {
  /** As the interface shows them. */
  readonly items: readonly Readonly<Record<string, unknown>>[]
  readonly total: number
  readonly freshness: Freshness | undefined
}

/** Venues or organizers for responses in other forms than the interface's own: with its filters, rights and refusals. */
export interface LinkedQueries<Content extends LinkedContent = LinkedContent> {
  /** As for the list of the interface. */
  resolveList(call: Call<LinkedListValues>, refusals: InvalidParam[]): Promise<LinkedQuery>
  page(call: Call<unknown>, asked: { readonly query: LinkedQuery; readonly paging: Paging }): Promise<LinkedListed>
  /** The item with an ID, whatever its status. */
  find(id: number): Promise<LinkedRow<Content> | undefined>
  /** An item as the interface shows it to this caller, who may read it. */
  shown(
    call: Call<unknown>,
    row: LinkedRow<Content>,
  ): Promise<Required<Pick<Reply, 'freshness' | 'version'>> & { readonly shown: Readonly<Record<string, unknown>> }>
}

/** Opens the queries of a module, whose lists may have further filters beside those of the interface. */
export function linkedQueries<WriteFields extends readonly AnyField[], Content extends LinkedContent>(
  given: LinkedRoom<WriteFields, Content>,
  { storage, site }: Pick<LinkedDeps, 'storage' | 'site'>,
  further: readonly AnyLinkedFilter[] = [],
): LinkedQueries<Content> {
  const room = { ...given, filters: [...given.filters, ...further] }
  const shownAll = async ({ caller, urls }: Call<unknown>, rows: readonly LinkedRow<Content>[]) => {
    const lineages = await lineagesOf(
      storage,
      rows.map(({ id }) => id),
    )
    const pictures = await imagesOf(storage, rows)
    const showing = { viewer: { caller, urls, site }, withJsonLd: false }
    return rows.map((row) =>
      presentLinked(room, row, { ...showing, lineage: lineages.get(row.id), picture: pictures.get(row.id) }),
    )
  }
  return {
    resolveList: (call, refusals) => resolveList(storage, room, { call, refusals }),
    page: async (call, { query, paging }) => {
      const { ids, total } = await pageOf(storage, room, { query, paging })
      const rows = new Map((await room.rows(storage, ids)).map((row) => [row.id, row]))
      const items = await shownAll(
        call,
        ids.flatMap((id) => rows.get(id) ?? []),
      )
      return { items, total, freshness: freshnessOf(room.key, activeFilters(room.filters, query)) }
    },
    find: (id) => findRow(storage, room, { by: 'id', id }),
    shown: async (call, row) => {
      const [shown = {}] = await shownAll(call, [row])
      return { shown, freshness: freshnessOfItem(room.key, row), version: versionOf(room.key, row) }
    },
  }
}

/** How long a response with an item lasts. */
export function freshnessOfItem(key: LinkedKey, { id, image_id }: LinkedRow): Freshness {
  const pictures = image_id === null ? [] : [{ of: 'media', id: image_id } as const]
  return { dependencies: [{ of: key, id }, ...pictures] }
}

/** How long a list lasts, which says images, too. */
function freshnessOf(key: LinkedKey, sent: readonly ActiveFilter<AnyLinkedFilter>[]): Freshness | undefined {
  // A filter without a scope may depend on time.
  const scope = sent.every(({ filter }) => filter.scope !== undefined) ? scopeOf(sent) : undefined
  return scope && { dependencies: [{ of: key }, { of: 'media' }, ...scope] }
}

async function resolveList(
  reader: Reader,
  room: LinkedList,
  { call, refusals }: { readonly call: Call<LinkedListValues>; readonly refusals: InvalidParam[] },
): Promise<LinkedQuery> {
  const { caller, now, values } = call
  const request = { reader, key: room.key, caller, now, values, refusals }
  return {
    ...(await resolveFilters(room.filters, values, request)),
    visibility: visibilityOf(caller, values.status),
    countedEvents: visibilityOf(caller, undefined),
    order: orderOf(values, 'published'),
  }
}
