import type { PageResponse } from '../http/page.ts'
import type { Urls } from '../http/urls.ts'
import { redirectTarget } from '../redirects/store.ts'
import type { WebParts } from './parts.ts'

/** Where a rule of the operator sends a request whose path names nothing, with its query unless the rule has one. */
export async function redirectByRule(
  { reader }: Pick<WebParts, 'reader'>,
  requested: string,
  urls: Pick<Urls, 'page'>,
): Promise<PageResponse | undefined> {
  const cut = requested.indexOf('?')
  const path = cut < 0 ? requested : requested.slice(0, cut)
  if (!path.startsWith('/')) return undefined
  const target = await redirectTarget(reader, path)
  if (target === undefined) return undefined
  const query = cut < 0 || target.includes('?') ? '' : requested.slice(cut)
  const address = new URL(target.startsWith('/') ? urls.page(target) : target)
  if (query !== '') address.search = query
  return redirectTo(address.href)
}

/** Sends a browser elsewhere for good. */
export function redirectTo(address: string, status: 301 | 302 | 303 = 301): PageResponse {
  return {
    status,
    body: '',
    type: 'text/plain; charset=utf-8',
    headers: { location: address, 'cache-control': 'public, max-age=3600' },
  }
}
