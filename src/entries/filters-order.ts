import { type Expression, sql } from 'kysely'
import { choice } from '../fields/choice.ts'
import type { InvalidParam } from '../http/route.ts'
import type { EngineName } from '../storage/engine.ts'
import { entryFirstLine, textRank } from '../storage/text-order.ts'
import type { Search } from '../text/search.ts'
import { type Circle, distanceTo } from './filters-distance.ts'

/** What lists can be ordered by. */
export type OrderBy = 'start' | 'published' | 'modified' | 'title' | 'distance' | 'relevance'

/** The order of a list that asks for one. */
export interface ListOrder {
  readonly by: OrderBy
  readonly descending: boolean
}

/** Newest or best first, where nothing else is said. */
const DESCENDING: ReadonlySet<OrderBy> = new Set(['published', 'modified', 'relevance'])

const DIRECTIONS = ['asc', 'desc'] as const

/** The parameter of a list that names its order, with what the list can be ordered by. */
export function orderByField<const By extends OrderBy>(by: readonly By[]) {
  return ['orderby', choice(by, 'not_listed'), 'What to sort the list by'] as const
}

/** The parameter of a list that reverses its order. */
export const ORDER = [
  'order',
  choice(DIRECTIONS, 'not_listed'),
  'Whether to sort ascending (asc) or descending (desc)',
] as const

/** The values that an order is made of, and those that it needs. */
export interface OrderValues {
  readonly orderby?: OrderBy
  readonly order?: (typeof DIRECTIONS)[number]
  readonly search?: Search
  readonly geoloc_lat?: number
  readonly geoloc_lng?: number
}

/** The order that was asked for, by `usual` where only its direction was; undefined where neither was sent. */
export function orderOf({ orderby, order }: OrderValues, usual: OrderBy): ListOrder | undefined {
  if (orderby === undefined && order === undefined) return undefined
  const by = orderby ?? usual
  return { by, descending: order === undefined ? DESCENDING.has(by) : order === 'desc' }
}

/** Adds a refusal where the order needs a parameter that was not sent. */
export function checkOrder(by: OrderBy, values: OrderValues, refusals: InvalidParam[]): void {
  const refuse = (detail: string): unknown =>
    refusals.push({ name: 'orderby', code: 'rest_invalid_param', reason: 'needs_others', detail })
  const isPlaced = values.geoloc_lat !== undefined && values.geoloc_lng !== undefined
  if (by === 'distance' && !isPlaced) refuse('geoloc_lat, geoloc_lng')
  if (by === 'relevance' && values.search === undefined) refuse('search')
}

/** An item of a list in its statement, and what its place may depend on. */
export interface OrderedItem {
  readonly engine: EngineName
  /** The entry whose text is searched. */
  readonly id: Expression<number>
  readonly words: readonly string[]
}

/** The title of an item as it is sorted: folded, compared by code points. */
export function titleKey({ engine, id }: Omit<OrderedItem, 'words'>): Expression<string> {
  return entryFirstLine(engine, id)
}

/** How well an item answers a search: words in the title before words in the text, whole ones before parts of others. */
export function relevanceKey({ engine, id, words }: OrderedItem): Expression<number> {
  return textRank(engine, id, words)
}

/** Distance of a row of `venue` from the centre of a circle in whole metres; null without coordinates. */
export function distanceKey(circle: Circle): Expression<number> {
  return sql<number>`round(${distanceTo(circle)} * 1000)`
}
