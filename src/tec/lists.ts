import { queryText } from '../http/address.ts'
import { type Paging, pageHeadersOf, pagingOf } from '../http/paging.ts'
import type { Call, Freshness, Reply } from '../http/route.ts'
import type { Site } from '../model/site.ts'

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
  /** The parameters that took effect, apart from page and size. */
  readonly parameters: readonly (readonly [string, string])[]
  /** Whether a password was sent. */
  readonly secret?: boolean
  readonly freshness?: Freshness | undefined
}

/** A list as a bare array, with totals and links in headers. @throws tec_rest_organizers_page_not_found */
export function arrayReply({ urls, sent }: Pick<Call, 'urls' | 'sent'>, list: ListedItems): Reply {
  const { items, total, paging, path, parameters, secret = false, freshness } = list
  const address = urls.api(path)
  const past = { address, filters: [], pastEnd: 'tec_rest_organizers_page_not_found' } as const
  const { Link: _, ...totals } = pageHeadersOf({ ...past, total, paging }, items.length)
  const size: readonly [string, string][] = sent['per_page'] === undefined ? [] : [['per_page', String(paging.perPage)]]
  const link = (rel: 'next' | 'prev', page: number): string =>
    `<${address}?${queryText([...parameters, ...size, ['page', String(page)]])}>; rel="${rel}"`
  const links = [
    ...(paging.page * paging.perPage < total ? [link('next', paging.page + 1)] : []),
    ...(paging.page > 1 ? [link('prev', paging.page - 1)] : []),
  ]
  const headers = { ...totals, ...(links.length > 0 && { Link: links.join(', ') }) }
  return { status: 200, body: items, headers, secret, freshness }
}
