import type { Config } from '../base/config.ts'
import { effectsOf } from '../calendar/events/index.ts'
import { ResponseCache } from '../http/cache/response-cache.ts'
import { Versions } from '../http/cache/versions.ts'
import { corsHeaders } from '../http/response/respond.ts'
import type { Storage } from '../storage/engine.ts'
import { follow } from '../storage/journal/follow.ts'
import { disableReadCache } from '../storage/reads.ts'
import { type LiveSettings, withSettings } from './settings.ts'

/** What a cache needs. */
export interface CacheEnvironment {
  readonly config: Config
  readonly storage: Storage
  /** Unix milliseconds. */
  readonly now: () => number
  readonly settings: LiveSettings
}

/** The response cache, which follows all changes; undefined when it is turned off. */
export async function openCache({
  config,
  storage,
  now,
  settings,
}: CacheEnvironment): Promise<ResponseCache | undefined> {
  if (config.cacheSize === 0) {
    disableReadCache(storage)
    return undefined
  }
  const { cacheSize: limit, siteHost, trustedProxies } = config
  const versions = new Versions()
  const changes = await follow(storage, {
    changed: ({ resource, id, isRelisted }) => versions.change(resource, id, isRelisted),
    recounted: (resource, id) => versions.recount(resource, id),
    changedElsewhere: (resource, id) => {
      versions.change(resource, id)
      // An event that was created, deleted or changed may have changed the counts of any term.
      if (resource === 'event') for (const key of ['category', 'tag'] as const) versions.recountAll(key)
    },
    effectsOf: (named) => effectsOf(storage, named),
    changedMuch: () => versions.changeEverything(),
  })
  settings.onChange(() => versions.change('site', 1))
  const corsFor = (origin: string | undefined) => corsHeaders(origin, settings.current.corsOrigins)
  const hasProxies = trustedProxies.length > 0
  return new ResponseCache(withSettings({ limit, versions, changes, now, siteHost, corsFor, hasProxies }, settings))
}
