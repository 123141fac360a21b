import type { PageResponse } from '../http/page.ts'
import type { Incoming } from '../http/route.ts'
import type { Urls } from '../http/urls.ts'
import { queryText } from '../http/urls.ts'
import { redirectTarget } from '../redirects/store.ts'
import type { Here } from './here.ts'
import type { WebParts } from './parts.ts'
import type { Scope } from './scope.ts'

/** Parameters of sites that have moved here; they are read once and then gone from the address. */
const MOVED = [
  'tribe-bar-search',
  'tribe-bar-date',
  'eventDisplay',
  'tribe_event_display',
  'tribe-bar-view',
  'post_type',
]

/**
 * Where a request with parameters of a site that has moved here belongs: words to `search`, dates to the view of that
 * date, `eventDisplay` to the view that it names. Undefined where there is none of them.
 */
export function redirectAddress({ query }: Incoming, scope: Scope, here: Here): string | undefined {
  const text = (name: string): string => {
    const value = Object.hasOwn(query, name) ? query[name] : undefined
    return typeof value === 'string' ? value.trim() : ''
  }
  if (!MOVED.some((name) => Object.hasOwn(query, name) && name !== 'post_type')) return undefined
  const display = text('eventDisplay') || text('tribe_event_display') || text('tribe-bar-view')
  const date = /^\d{4}-\d\d(-\d\d)?$/.exec(text('tribe-bar-date'))?.[0] ?? ''
  const kept = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    MOVED.includes(name) || typeof value !== 'string' ? [] : [[name, value]],
  )
  const words = text('tribe-bar-search')
  const parameters: [string, string][] = words === '' ? kept : [...kept, ['search', words]]
  const { tail, from } = tailOf(display, date)
  if (from !== '') parameters.push(['start_date', from])
  const path = tail === '' ? scope.home : `${scope.base}${tail}`
  return here.link(parameters.length === 0 ? path : `${path}?${queryText(parameters)}`)
}

function tailOf(display: string, date: string): { readonly tail: string; readonly from: string } {
  if (display === 'month') return { tail: date === '' ? 'month/' : `${date.slice(0, 7)}/`, from: '' }
  if (display === 'week') return { tail: date.length === 10 ? `week/${date}/` : 'week/', from: '' }
  if (display === 'day') return { tail: date.length === 10 ? `${date}/` : 'today/', from: '' }
  if (display === 'today') return { tail: 'today/', from: '' }
  if (display === 'past') return { tail: 'past/', from: '' }
  if (display === 'map') return { tail: 'map/', from: '' }
  if (date.length === 7) return { tail: `${date}/`, from: '' }
  return { tail: '', from: date }
}

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
