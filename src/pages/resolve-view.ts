import { percentDecoded } from '../base/text/slug.ts'
import type { Incoming } from '../http/route.ts'
import type { PagesDeps } from './deps.ts'
import { linkedScope } from './linked-page.ts'
import { seriesScope } from './occurrence-page.ts'
import { type AddressedView, termView } from './router.ts'
import { ALL_EVENTS } from './scope.ts'

/**
 * What a path of the site, `/venue/town-hall/month/`, shows of the calendar; undefined where nothing of that name is to be seen
 * by this caller. Whether the rest of the path names a view is not looked at.
 */
export async function resolveView(
  deps: PagesDeps,
  incoming: Incoming,
  path: string,
): Promise<AddressedView | undefined> {
  const segments = path.split('/').flatMap((segment) => (segment === '' ? [] : [percentDecoded(segment)]))
  const [first, second = '', ...rest] = segments
  if (first === undefined || (first === 'search' && second === '')) return { scope: ALL_EVENTS, rest: [] }
  if (first === 'events' && (second === 'category' || second === 'tag'))
    return termView(deps, incoming, { key: second, segments: rest })
  if (first === 'events') return { scope: ALL_EVENTS, rest: segments.slice(1) }
  if (first === 'tag') return termView(deps, incoming, { key: first, segments: segments.slice(1) })
  const scope =
    first === 'venue' || first === 'organizer'
      ? await linkedScope(deps, incoming, { key: first, by: 'slug', slug: second })
      : first === 'series'
        ? await seriesScope(deps, incoming, second)
        : undefined
  return scope && { scope, rest }
}
