import { AnswerCache } from './answer-cache.ts'
import { Versions } from './versions.ts'

type AnswerCacheParts = ConstructorParameters<typeof AnswerCache>[0]

/** A cache of a calendar at `https://calendar.example` in which nothing changes, but for what a test says of it. */
export function openTestCache(parts: Partial<AnswerCacheParts> = {}): AnswerCache {
  return new AnswerCache({
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
