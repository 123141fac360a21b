import { queryText } from '../http/address.ts'
import { mayListUnpublished } from '../http/auth/rights.ts'
import { type Paging, pageHeadersOf, pagingOf } from '../http/paging.ts'
import type { Call, Freshness, Reply } from '../http/route.ts'
import type { DateOrPeriod } from '../model/kinds/date.ts'
import { itemsOf } from '../model/kinds/list.ts'
import type { Site } from '../model/site.ts'
import { instantText } from './write/kinds.ts'

/** Most items of a page, unless the site allows more. */
const PAGE_CAP = 100

/** The page that a call requests. */
export function pageOf(
  { values }: { readonly values: { readonly page?: number; readonly per_page?: number } },
  { perPageMax }: Pick<Site, 'perPageMax'>,
): Paging {
  return pagingOf(values, Math.max(PAGE_CAP, perPageMax))
}

/** One page of a list. */
export interface ListedItems {
  readonly items: readonly unknown[]
  readonly total: number
  readonly paging: Paging
  /** Below the namespace: `/events`. */
  readonly path: string
  /** Whether a password was sent. */
  readonly secret?: boolean
  readonly freshness?: Freshness | undefined
}

/** A list as a bare array, with totals and links in headers. @throws tec_rest_organizers_page_not_found */
export function arrayReply(call: ListCall, { items, total, paging, path, ...further }: ListedItems): Reply {
  const address = call.urls.api(path)
  const list = { address, total, paging, filters: [], pastEnd: 'tec_rest_organizers_page_not_found' } as const
  const { Link: _, ...totals } = pageHeadersOf(list, items.length)
  const query = repeated(call, paging)
  const link = (rel: 'next' | 'prev', page: number): string =>
    `<${address}?${queryText([...query, ['page', String(page)]])}>; rel="${rel}"`
  const links = [
    ...(paging.page * paging.perPage < total ? [link('next', paging.page + 1)] : []),
    ...(paging.page > 1 ? [link('prev', paging.page - 1)] : []),
  ]
  return {
    status: 200,
    body: items,
    headers: { ...totals, ...(links.length > 0 && { Link: links.join(', ') }) },
    ...further,
  }
}

type ListCall = Pick<Call, 'urls' | 'sent' | 'values' | 'caller'>

/** Parameters of any route that change what a list answers. */
const GENERAL: ReadonlySet<string> = new Set(['lang', '_fields', '_envelope', '_pretty', 'strict'])

/** Parameters that links do not repeat: which page it is, and secrets. */
const UNREPEATED: ReadonlySet<string> = new Set(['page', 'password'])

/** The parameters that took effect, as they were sent apart from a size above the cap. */
function repeated({ sent, values, caller }: ListCall, { perPage }: Paging): (readonly [string, string])[] {
  const counts = (name: string): boolean =>
    name === 'status' ? mayListUnpublished(caller.role) : !UNREPEATED.has(name) && values[name] !== undefined
  return Object.entries(sent)
    .filter(([name, value]) => value !== null && (GENERAL.has(name) || counts(name)))
    .map(([name, value]) => [name, name === 'per_page' ? String(perPage) : textOf(value, values[name])])
}

/** Dates that mean the same on all pages, however long somebody takes to walk them. */
const FIXED = /^(\d{4}-|@?\d+$)/

function textOf(sent: unknown, value: unknown): string {
  if (typeof sent === 'object') return itemsOf(sent)?.join(',') ?? ''
  const text = String(sent)
  if (!isMoment(value) || FIXED.test(text)) return text
  return value.kind === 'local' ? value.local : instantText(value.utc)
}

function isMoment(value: unknown): value is Exclude<DateOrPeriod, { readonly kind: 'period' }> {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  return value.kind === 'local' || value.kind === 'instant'
}
