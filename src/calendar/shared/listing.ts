import type { Search } from '../../base/text/search.ts'
import { type Caller, isEditor, mayCreateEntries, mayEdit, mayListUnpublished } from '../../http/auth/rights.ts'
import type { InvalidParam } from '../../http/route.ts'
import { choice, choices } from '../../model/kinds/choice.ts'
import { STATUSES, type Status } from '../../model/status.ts'

const statuses = choices([...STATUSES, 'any'], 'bad_status')

/**
 * The values of the `status` parameter of lists; an empty one means publish and private (wire: rest 2.5, events 3.8).
 */
export const statusFilter: typeof statuses = {
  ...statuses,
  parse: (value, context) => statuses.parse(value === '' ? ['publish', 'private'] : value, context),
}

/** The rows that a list may show, by status: of everybody, and of the caller. */
export interface Visibility {
  /** Statuses of rows that are shown whoever owns them. */
  readonly ofAll: readonly Status[]
  /** Further statuses of rows that the caller owns. */
  readonly ofOwn: readonly Status[]
  /** The caller. */
  readonly ownerId: number
  /** Whether events count that are hidden from lists. */
  readonly withHidden?: true
}

const UNTRASHED: readonly Status[] = STATUSES.filter((one) => one !== 'trash')

/**
 * What a caller's list shows (decisions: Rights): editors see everything but the trash, other writers published items
 * and their own, everybody else published items. `status` narrows that down, and only it reaches the trash.
 */
export function visibilityOf(caller: Caller, sent: readonly (Status | 'any')[] | undefined): Visibility {
  const asked = sent === undefined || sent.includes('any') ? UNTRASHED : sent.filter((one) => one !== 'any')
  if (!mayListUnpublished(caller.role)) return { ofAll: ['publish'], ofOwn: [], ownerId: caller.id }
  if (isEditor(caller.role)) return { ofAll: asked, ofOwn: [], ownerId: caller.id }
  const published = asked.filter((one) => one === 'publish')
  return { ofAll: published, ofOwn: asked.filter((one) => one !== 'publish'), ownerId: caller.id }
}

/** The entries that a caller may edit (`mayEdit`), by status; undefined for callers who may edit none. */
export function editableBy(caller: Caller): Visibility | undefined {
  if (!mayCreateEntries(caller.role)) return undefined
  if (isEditor(caller.role)) return { ofAll: STATUSES, ofOwn: [], ownerId: caller.id }
  const mine = (status: Status): boolean => mayEdit(caller, { authorId: caller.id, status })
  const ofOwn = STATUSES.filter(mine)
  return ofOwn.length === 0 ? undefined : { ofAll: [], ofOwn, ownerId: caller.id }
}

/**
 * The status in a list's links: the one that was sent, or `publish` for callers who see nothing else. Writers get the
 * same rows without one (decisions: Rights).
 */
export function statusLink(caller: Caller, sent: readonly (Status | 'any')[] | undefined): string | undefined {
  return sent?.join(',') ?? (mayListUnpublished(caller.role) ? undefined : 'publish')
}

/** Adds an error when the caller may not use these statuses: readers may use `publish` only. */
export function checkStatus(
  caller: Caller,
  sent: readonly (Status | 'any')[] | undefined,
  refusals: InvalidParam[],
): void {
  if (sent === undefined || mayListUnpublished(caller.role)) return
  if (sent.some((one) => one !== 'publish')) {
    refusals.push({ name: 'status', code: 'rest_invalid_param', reason: 'bad_status' })
  }
}

/** What lists can be ordered by. */
export type OrderBy = 'start' | 'published' | 'modified' | 'title' | 'distance' | 'relevance'

/** The order of a list that asks for one. */
export interface ListOrder {
  readonly by: OrderBy
  readonly descending: boolean
}

/** Newest or best first, by default. */
const DESCENDING: ReadonlySet<OrderBy> = new Set(['published', 'modified', 'relevance'])

const DIRECTIONS = ['asc', 'desc'] as const

/** The parameter of a list that names its order, with what the list can be ordered by. */
export function orderByField<const By extends OrderBy>(by: readonly By[]) {
  return ['orderby', choice(by, 'not_listed'), 'api.fieldSortList'] as const
}

/** The parameter of a list that reverses its order. */
export const ORDER = ['order', choice(DIRECTIONS, 'not_listed'), 'api.whetherSortAscendingAsc'] as const

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
