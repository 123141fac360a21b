import { AsyncLocalStorage } from 'node:async_hooks'
import { lasting, onBehalfOf, requester } from '../base/requester.ts'
import type { Compilable, Lane, Pace, Reader, Storage, Transaction } from './engine.ts'
import { noteAgent } from './journal/append.ts'
import { wasPassedOver } from './read-queue.ts'

const scope = new AsyncLocalStorage<Transaction>()

/**
 * Runs a step whose reads and writes of a joinable storage, and all that it starts, are part of this transaction: several
 * requests are then done or undone as one. As in any job, it awaits nothing but the transaction.
 */
export function insideTransaction<T>(tx: Transaction, step: () => Promise<T>): Promise<T> {
  return scope.run(tx, step)
}

/** Whether the present step is part of a transaction: then it must not wait for anything else, nor cache what it reads. */
export function isInsideTransaction(): boolean {
  return scope.getStore() !== undefined
}

/** The storage whose reads and writes join the transaction of the present step, if there is one. */
export function joinable(storage: Storage): Storage {
  return {
    ...storage,
    all: <Row>(query: Compilable<Row>, lane?: Lane) => (scope.getStore() ?? storage).all(query, lane),
    first: <Row>(query: Compilable<Row>, lane?: Lane) => (scope.getStore() ?? storage).first(query, lane),
    pause: () => (scope.getStore() ?? storage).pause(),
    write: <T>(job: (tx: Transaction) => Promise<T>, pace?: Pace) => {
      const tx = scope.getStore()
      return tx === undefined ? storage.write(withAgent(job), pace) : job(tx)
    },
  }
}

/** A job whose changes name the program of an agent through which it was asked for, if there is one. */
function withAgent<T>(job: (tx: Transaction) => Promise<T>): typeof job {
  const asking = requester()
  const agent = typeof asking === 'object' ? asking.agent : undefined
  if (agent === undefined) return job
  return (tx) => {
    noteAgent(tx, agent)
    return job(tx)
  }
}

/** Results that are cached for a storage; long ones are not. */
const LIMIT = { results: 256, rows: 1_000 } as const

/** Everything that was read of one data version. */
interface VersionCache {
  readonly version: number
  readonly results: Map<string, Promise<readonly unknown[]>>
}

// The query builder of a storage is one object for its whole life, so it identifies the storage here.
const caches = new WeakMap<Reader['db'], VersionCache>()
const uncached = new WeakSet<Reader['db']>()

/** From now on nothing that is read of a storage is cached. */
export function disableReadCache({ db }: Pick<Reader, 'db'>): void {
  uncached.add(db)
}

/**
 * All rows of a long query, from the offloaded lane, or cached since the last commit. Concurrent identical queries
 * share one result. Inside a transaction nothing is cached.
 */
export async function cachedRows<Row>(reader: Reader | Storage, query: Compilable<Row>): Promise<Row[]> {
  if (!('dataVersion' in reader) || isInsideTransaction()) return reader.all(query)
  if (uncached.has(reader.db)) return reader.all(query, 'offloaded')
  const ready = query.ready ?? query.compile()
  const statement: Compilable<Row> = { ready, compile: () => ready }
  const { results } = cacheOf(reader)
  const key = `${ready.sql}\n${JSON.stringify(ready.parameters)}`
  const known = results.get(key)
  // A key contains the text of the statement, which determines the columns of its rows.
  if (known !== undefined) {
    const shared = await shareOf(known as Promise<readonly Row[]>)
    return shared === undefined ? reader.all(statement, 'offloaded') : [...shared]
  }
  const result = reader.all(statement, 'offloaded')
  results.set(key, result)
  if (results.size > LIMIT.results) results.delete(results.keys().next().value ?? '')
  const forget = (): void => void (results.get(key) === result && results.delete(key))
  try {
    const rows = await result
    if (rows.length > LIMIT.rows) forget()
    return [...rows]
  } catch (error) {
    forget()
    throw error
  }
}

/**
 * The result of another request's read; undefined if that was dropped, because its client disconnected or it waited too
 * long.
 */
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
  // A new map instead of an emptied one: reads that started before the commit still add to the old one.
  const cache: VersionCache = { version, results: new Map() }
  caches.set(storage.db, cache)
  return cache
}

/**
 * Opens a cache for what is read until the next commit, by key; it is emptied when it has `most` entries. Undefined
 * inside a transaction, and with a database server: its results may be newer than the version of its last notification,
 * and numbers of two states make no total.
 */
export function cachePerVersion<Thing>(most: number): (reader: Reader | Storage) => Map<string, Thing> | undefined {
  const known = new WeakMap<VersionCache, Map<string, Thing>>()
  return (reader) => {
    if (!('dataVersion' in reader) || reader.engine !== 'sqlite' || uncached.has(reader.db)) return undefined
    if (isInsideTransaction()) return undefined
    const cache = cacheOf(reader)
    const things = known.get(cache) ?? new Map<string, Thing>()
    if (things.size === 0) known.set(cache, things)
    if (things.size >= most) things.clear()
    return things
  }
}

/** Adds a pending read to such a cache when it succeeds. */
export async function cacheWhenRead<Thing>(
  things: Map<string, Thing>,
  key: string,
  reading: Promise<Thing>,
): Promise<Thing> {
  const thing = await reading
  things.set(key, thing)
  return thing
}

/** A read that is under way, and the one that follows for those who came meanwhile. */
interface Reading<T> {
  /** Settles with the read, never rejects. */
  readonly ended: Promise<unknown>
  next: Promise<T> | undefined
}

/**
 * Has those who want the same while it is being read share one read, which starts when that has ended: hundreds of
 * requests of one user that come at once take a handful of reads, and leave the connections of the database to others.
 * Nobody gets what was read before he came, and whoever is part of a transaction reads for himself. When a shared read
 * fails, it fails for all who share it.
 */
export function sharedReads<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const underWay = new Map<string, Reading<T>>()
  const begin = (key: string): Promise<T> => {
    const result = forSeveral(async () => read(key))
    const reading: Reading<T> = { ended: result.catch(() => undefined), next: undefined }
    underWay.set(key, reading)
    void reading.ended.then(() => {
      if (reading.next === undefined) underWay.delete(key)
    })
    return result
  }
  return (key) => {
    if (isInsideTransaction()) return read(key)
    const reading = underWay.get(key)
    if (reading === undefined) return begin(key)
    reading.next ??= reading.ended.then(() => begin(key))
    return reading.next
  }
}

/** Runs a read that counts as one of the present client, whose disconnecting takes it from nobody. */
function forSeveral<T>(step: () => Promise<T>): Promise<T> {
  const who = requester()
  if (who === undefined || who === 'calendar') return step()
  return onBehalfOf(lasting(who.client), step)
}
