import { ANONYMOUS } from '../auth/caller.ts'
import type { Config } from '../config.ts'
import { dispatch, type Incoming } from '../http/dispatch.ts'
import { type Mount, NAMESPACE } from '../http/mount.ts'
import { NOTHING, type Sent } from '../http/request/body.ts'
import type { AnyRoute } from '../http/route.ts'
import { urlsOf } from '../http/urls.ts'

/**
 * What somebody may ask first: the list reads every relation of an event and its time zones, the search starts a process
 * that reads, the document walks all routes.
 */
const FIRST: readonly { readonly path: string; readonly query: Sent }[] = [
  { path: '/events', query: NOTHING },
  { path: '/events', query: { search: 'warm' } },
  { path: '/venues', query: NOTHING },
  { path: '/categories', query: NOTHING },
  { path: '/doc', query: NOTHING },
]

const MOUNT: Mount = { language: '', prefix: '', namespace: NAMESPACE }

/**
 * Runs the routes that are usually asked first, so that nobody waits for modules, time zones and processes to be loaded:
 * a first page took up to a second. Nothing is sent, cached or counted. A route that fails now will tell whoever asks.
 */
export async function warm(routes: readonly AnyRoute[], config: Config, now: () => number): Promise<void> {
  for (const { path, query } of FIRST) {
    const route = routes.find((one) => one.method === 'GET' && one.path === path)
    if (route === undefined) continue
    await dispatch(route, anonymous(query, config, now())).catch(() => undefined)
  }
}

function anonymous(query: Sent, { siteZone, iframeHosts, language, baseUrl }: Config, now: number): Incoming {
  return {
    caller: ANONYMOUS,
    now,
    context: { now, siteZone, iframeHosts },
    language,
    mount: MOUNT,
    urls: urlsOf(baseUrl, MOUNT),
    path: {},
    query,
    body: NOTHING,
  }
}
