import type { Reader } from '../../../storage/engine.ts'
import { globalIdIn } from '../json/identity.ts'
import { refOf } from '../json/read-term.ts'
import { seriesAt } from '../json/series-dates.ts'
import type { Skipped } from '../json/types.ts'
import { forEachAtOnce } from './pace.ts'
import { idOf, idOfKey, keyOf, objectsIn, type Raw } from './raw.ts'
import { openSpool, type Spool } from './spool.ts'
import {
  type ChangedIds,
  LISTS,
  locksAmong,
  queryOf,
  type ReadIntoSpools,
  type Stage,
  type StageParts,
  staged,
  surveyed,
} from './stage.ts'
import { leftKind, takenFrom } from './store.ts'
import type { CountedKind } from './types.ts'
import { isGone, itemById, type WalkedList, walk } from './walk.ts'

/** What the items that have changed are read with. */
export interface ChangedParts extends StageParts {
  readonly reader: Reader
}

/** What is being read. */
interface Reading extends ChangedParts {
  readonly spools: Stage['spools']
  readonly skipped: Skipped[]
  readonly incomplete: Set<CountedKind>
}

/** Events that are asked for together; a page of a list has room for them. */
const TOGETHER = 50

/** Highest tree of categories that is looked up. */
const MOST_LEVELS = 100

/**
 * Reads the items of a Kalends that have changed, and those that an import before left out, because they may do now. With
 * what these need: all dates of a recurring event, what events name
 * and what was never taken over, and the categories above others. What is gone is in no spool.
 */
export function readChanged(parts: ChangedParts, ids: ChangedIds): Promise<Stage> {
  return staged(parts, async (spools) => {
    const wanted = new Map<CountedKind, ReadonlySet<number>>()
    for (const { kind } of LISTS) {
      const left = await takenFrom(parts.reader, parts.api.root, leftKind(kind))
      wanted.set(kind, new Set([...(ids.get(kind) ?? []), ...[...left.keys()].map(Number)]))
    }
    return readInto({ ...parts, spools, skipped: [], incomplete: new Set() }, wanted)
  })
}

async function readInto(reading: Reading, ids: ChangedIds): Promise<ReadIntoSpools> {
  const { spools, skipped, incomplete } = reading
  for (const { kind } of LISTS) if (kind !== 'event') await readById(reading, kind, ids.get(kind) ?? [])
  await readEvents(reading, [...(ids.get('event') ?? [])])
  const named = await namedBy(spools.event, new URL(reading.api.root).hostname)
  for (const { kind } of LISTS) {
    const taken = await takenFrom(reading.reader, reading.api.root, kind)
    const fresh = [...(named[kind]?.values() ?? [])].filter((id) => !taken.has(String(id)))
    if (kind !== 'event') await readById(reading, kind, fresh)
  }
  await readAncestors(reading)
  const lists = inPages(spools.event.keys().map(idOfKey)).map((include) => ({ include }))
  const locks = await locksAmong(reading, spools.event, { skipped, lists })
  return { ...(await surveyed(spools, reading.api)), ...locks, incomplete, skipped, asked: ids, named }
}

/** Reads items one by one; what the site does not have, or does not show us, is left out. */
async function readById(reading: Reading, kind: CountedKind, ids: Iterable<number>): Promise<void> {
  const { spools, skipped, incomplete, concurrency } = reading
  const name = LISTS.find((one) => one.kind === kind)?.name ?? ''
  const known = new Set(spools[kind].keys().map(idOfKey))
  const missing = new Set([...ids].filter((id) => !known.has(id)))
  await forEachAtOnce(missing, concurrency, async (id) => {
    const found = await itemById(name, id, reading)
    const key = found.item === undefined ? undefined : keyOf(found.item)
    if (found.item !== undefined && key !== undefined && idOfKey(key) === id) await spools[kind].put(key, found.item)
    else if (!isGone(found) && found.status !== 401 && found.status !== 403) {
      incomplete.add(kind)
      skipped.push({ what: `${kind} ${id}`, why: found.why || 'the site answered with another item' })
    }
  })
}

/** Reads events as lists show them; those that no list shows one by one. */
async function readEvents(reading: Reading, ids: readonly number[]): Promise<void> {
  const { spools } = reading
  for (const include of inPages(ids)) await readList(reading, { include }, spools.event)
  await readById(reading, 'event', ids)
  const groups = new Map<number, string[]>()
  for (const key of spools.event.keys()) {
    const series = seriesOf(await spools.event.get(key))?.id
    if (series === undefined) continue
    const keys = groups.get(series) ?? []
    keys.push(key)
    groups.set(series, keys)
  }
  const whole: number[] = []
  for (const [series, keys] of groups) {
    // What was read of it before may be older.
    for (const key of keys) spools.event.drop(key)
    if (await readSeries(reading, series)) whole.push(series)
  }
  // The event is in no list when its first date was taken out, or when it is hidden.
  await readById(reading, 'event', whole)
}

/** Reads all dates of a series that lists show; none where not all came. */
async function readSeries(reading: Reading, series: number): Promise<boolean> {
  const spool = await openSpool(reading.folder, 'series')
  try {
    if (!(await readList(reading, { series }, spool))) return false
    for (const key of spool.keys()) await reading.spools.event.put(key, await spool.get(key))
    return true
  } finally {
    await spool.close()
  }
}

/** Reads a list of events into the spool; whether all of it came. */
async function readList(reading: Reading, some: WalkedList['query'], spool: Spool): Promise<boolean> {
  const query = { ...queryOf('event', reading), ...some }
  const { missing } = await walk({ name: 'events', query }, { ...reading, spool })
  if (missing === '') return true
  reading.incomplete.add('event')
  reading.skipped.push({ what: 'events', why: `some may be missing: ${missing}` })
  return false
}

function seriesOf(item: Raw): { readonly id: number } | undefined {
  return seriesAt({ members: item, place: { file: '', path: '' } })
}

function inPages(ids: readonly number[]): string[] {
  const pages = Array.from({ length: Math.ceil(ids.length / TOGETHER) }, (_none, page) => page * TOGETHER)
  return pages.map((start) => ids.slice(start, start + TOGETHER).join())
}

/** Members of events that name other items. */
const NAMING = { venue: 'venue', organizer: 'organizer', category: 'categories', tag: 'tags' } as const

type Named = { readonly [Kind in keyof typeof NAMING]: Map<string, number> } & { readonly event?: never }

/** What events name: ids by the name that an import has for each, see `globalIdIn` and `refOf`. */
async function namedBy(spool: Spool, host: string): Promise<Named> {
  const named = { venue: new Map(), organizer: new Map(), category: new Map(), tag: new Map() }
  for (const key of spool.keys()) {
    const event = await spool.get(key)
    for (const kind of ['venue', 'organizer', 'category', 'tag'] as const) {
      for (const members of objectsIn(event[NAMING[kind]])) {
        const source = { members, place: { file: '', path: '' } }
        const name = kind === 'category' || kind === 'tag' ? refOf(source, host) : globalIdIn(source, host)
        const id = idOf(members)
        if (name !== undefined && id !== undefined) named[kind].set(name, id)
      }
    }
  }
  return named
}

/** The tree of categories is put together from all that were read: those above them are read, too. */
async function readAncestors(reading: Reading): Promise<void> {
  const spool = reading.spools.category
  const asked = new Set<number>()
  for (let level = 0; level < MOST_LEVELS; level += 1) {
    const known = new Set(spool.keys().map(idOfKey))
    const above = new Set<number>()
    for (const key of spool.keys()) {
      const parent = idOf({ id: (await spool.get(key))['parent'] })
      if (parent !== undefined && !known.has(parent) && !asked.has(parent)) above.add(parent)
    }
    if (above.size === 0) return
    for (const id of above) asked.add(id)
    await readById(reading, 'category', above)
  }
}
