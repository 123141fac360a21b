import { ResponseCache, type ResponseCacheOptions } from '../../src/http/cache/response-cache.ts'
import { Versions } from '../../src/http/cache/versions.ts'

/** A cache of a calendar at `https://calendar.example` in which nothing changes unless a test says so. */
export function openTestCache(parts: Partial<ResponseCacheOptions> = {}): ResponseCache {
  return new ResponseCache({
    limit: 1_000_000,
    versions: new Versions(),
    changes: { isUpToDate: () => true, catchUp: async () => undefined },
    now: () => 0,
    corsFor: () => ({}),
    baseUrl: 'https://calendar.example',
    siteHost: '',
    hasProxies: false,
    ...parts,
  })
}
