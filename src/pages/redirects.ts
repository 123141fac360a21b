import { redirectTarget } from '../calendar/redirects/target.ts'
import type { Urls } from '../http/address.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { PagesDeps } from './deps.ts'

/** Where a rule of the operator sends a request that names nothing, with its query unless the rule has one. */
export async function redirectByRule(
  { reader }: Pick<PagesDeps, 'reader'>,
  requested: string,
  urls: Pick<Urls, 'page'>,
): Promise<PageResponse | undefined> {
  if (!requested.startsWith('/')) return undefined
  const found = await redirectTarget(reader, requested)
  if (found === undefined) return undefined
  const { target, query } = found
  const address = new URL(target.startsWith('/') ? urls.page(target) : target)
  if (query !== '') address.search = query
  if (!target.startsWith('/')) return redirectTo(address.href)
  // Dots in what was requested may leave two slashes at the start, after which browsers read a host.
  return redirectTo(address.href.slice(address.origin.length).replace(/^\/+/, '/'))
}

/** Sends a browser elsewhere permanently. */
export function redirectTo(address: string, status: 301 | 302 | 303 = 301): PageResponse {
  return {
    status,
    body: '',
    type: 'text/plain; charset=utf-8',
    headers: { location: address, 'cache-control': 'public, max-age=3600' },
  }
}
