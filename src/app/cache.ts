import type { Config } from '../config.ts'
import { effectsOf } from '../events/index.ts'
import { AnswerCache } from '../http/cache/answer-cache.ts'
import { Versions } from '../http/cache/versions.ts'
import { corsHeaders } from '../http/response/cors.ts'
import { follow } from '../journal/follow.ts'
import { disableReadCache } from '../storage/cached-reads.ts'
import type { Storage } from '../storage/engine.ts'

/** What a cache is opened on. */
export interface CacheGround {
  readonly config: Config
  readonly storage: Storage
  /** Unix milliseconds. */
  readonly now: () => number
}

/** Behind such a pooler nobody hears of what other processes commit. */
function mayKeepAnswers({ cacheSize, databasePooler }: Config): boolean {
  return cacheSize > 0 && databasePooler !== 'transaction'
}

/** The cache of answers, which hears of all changes; undefined when it is switched off. */
export async function openCache({ config, storage, now }: CacheGround): Promise<AnswerCache | undefined> {
  if (config.cacheSize === 0) disableReadCache(storage)
  if (!mayKeepAnswers(config)) return undefined
  const { cacheSize: limit, baseUrl, siteHost, trustedProxies, corsOrigins } = config
  const versions = new Versions()
  const changes = await follow(storage, {
    changed: ({ resource, id, isRelisted }) => versions.change(resource, id, isRelisted),
    recounted: (resource, id) => versions.recount(resource, id),
    changedElsewhere: (resource, id) => {
      versions.change(resource, id)
      // An event that came, went or changed may have changed the counts of any term.
      if (resource === 'event') for (const key of ['category', 'tag'] as const) versions.recountAll(key)
    },
    effectsOf: (named) => effectsOf(storage, named),
    changedMuch: () => versions.changeEverything(),
  })
  const corsFor = (origin: string | undefined) => corsHeaders(origin, corsOrigins)
  return new AnswerCache({
    limit,
    versions,
    changes,
    now,
    baseUrl,
    siteHost,
    corsFor,
    hasProxies: trustedProxies.length > 0,
  })
}
