import type { Compilable, Reader, Storage } from './engine.ts'
import { LruCache } from './lru-cache.ts'
import { wasPassedOver } from './read-queue.ts'

/** Results that are cached for a storage; long ones are not. */
const LIMIT = { results: 256, rows: 1_000 } as const

/** Everything that was read of one data version. */
interface VersionCache {
  readonly version: number
  readonly results: LruCache<Promise<readonly unknown[]>>
}

// The builder of a storage is one object for its whole life, so it stands for the storage here.
const caches = new WeakMap<Reader['db'], VersionCache>()
const uncached = new WeakSet<Reader['db']>()

/** From now on nothing that is read of a storage is cached. */
export function disableReadCache({ db }: Pick<Reader, 'db'>): void {
  uncached.add(db)
}

/**
 * All rows of a long query, from the offloaded lane or as they were the last time, while nothing was committed since.
 * Those who ask the same at the same time wait for one result. Inside a transaction nothing is cached.
 */
export async function cachedRows<Row>(reader: Reader | Storage, query: Compilable<Row>): Promise<Row[]> {
  if (!('dataVersion' in reader)) return reader.all(query)
  if (uncached.has(reader.db)) return reader.all(query, 'offloaded')
  const statement = query.compile()
  const { results } = cacheOf(reader)
  const key = `${statement.sql}\n${JSON.stringify(statement.parameters)}`
  const known = results.get(key)
  // A key holds the text of the statement, and that text says which columns its rows have.
  if (known !== undefined) {
    const shared = await shareOf(known as Promise<readonly Row[]>)
    return shared === undefined ? reader.all({ compile: () => statement }, 'offloaded') : [...shared]
  }
  const result = reader.all<Row>({ compile: () => statement }, 'offloaded')
  results.set(key, result)
  const forget = (): void => results.removeIf(key, result)
  result.then((rows) => rows.length > LIMIT.rows && forget(), forget)
  return [...(await result)]
}

/** What somebody else reads; undefined when his read was passed over, because he has gone or waited for too long. */
async function shareOf<Row>(reading: Promise<readonly Row[]>): Promise<readonly Row[] | undefined> {
  return reading.catch((error: unknown) => {
    if (wasPassedOver(error)) return undefined
    throw error
  })
}

function cacheOf(storage: Storage): VersionCache {
  const version = storage.dataVersion()
  const known = caches.get(storage.db)
  if (known?.version === version) return known
  // Another one, not an emptied one: who has begun to read before the commit still adds to the last one.
  const cache: VersionCache = { version, results: new LruCache(LIMIT.results) }
  caches.set(storage.db, cache)
  return cache
}

/**
 * Opens a cache of what was read since the last commit, by whatever tells it apart; whoever reads something may add it. It
 * is emptied when there are `most`. Undefined inside a transaction, where nothing is cached, and with a database server:
 * what it answers may be newer than the version that was told of, and numbers of two states make no total.
 */
export function cachePerVersion<Thing>(most: number): (reader: Reader | Storage) => Map<string, Thing> | undefined {
  const known = new WeakMap<VersionCache, Map<string, Thing>>()
  return (reader) => {
    if (!('dataVersion' in reader) || reader.engine !== 'sqlite' || uncached.has(reader.db)) return undefined
    const cache = cacheOf(reader)
    const things = known.get(cache) ?? new Map<string, Thing>()
    if (things.size === 0) known.set(cache, things)
    if (things.size >= most) things.clear()
    return things
  }
}

/** Adds what is being read to such a cache, as soon as it is there. */
export async function cacheWhenRead<Thing>(
  things: Map<string, Thing>,
  key: string,
  reading: Promise<Thing>,
): Promise<Thing> {
  const thing = await reading
  things.set(key, thing)
  return thing
}
