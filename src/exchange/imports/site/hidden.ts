import type { Storage } from '../../../storage/engine.ts'
import type { Skipped } from '../json/types.ts'
import { type Access, EVERY_STATUS } from './access.ts'
import { forEachAtOnce } from './pace.ts'
import { idOf, idOfKey, keyOf, objectsIn } from './raw.ts'
import type { Spool } from './spool.ts'
import { GONE, keepTaken, takenFrom } from './store.ts'
import type { CountedKind } from './types.ts'
import { isGone, itemById, type Walking } from './walk.ts'

/*
 * Events that no list shows (`hide_from_listings`) are found by a list of ids, where the site has one (`wp/v2`), or by
 * asking for ids that nothing else has.
 */

/** What hidden events are looked for with. */
export interface HiddenParts extends Omit<Walking, 'spool'> {
  readonly storage: Storage
  readonly access: Access
  /** Whether all ids are asked for. */
  readonly byId: boolean
  readonly isDryRun: boolean
}

type Spools = Readonly<Record<CountedKind, Spool>>

/** What came of looking for hidden events. */
export interface HiddenSought {
  /** Whether all ids that were to be asked for were answered. */
  readonly isWhole: boolean
  /** What could not be asked for, or was not; `[]` when nothing. */
  readonly skipped: readonly Skipped[]
}

/** Ids beyond the highest known one that are asked for, and how many are asked for at all. */
const BEYOND = { everyId: 200, between: 50 } as const
const MOST_ASKED = 500_000

/** Unknown ids that are asked for although nobody has said so: that many, or that many for each item of the lists. */
const ASKED_ANYWAY = { least: 1_500, each: 2 } as const

/** Ids whose answers are noted together: an import that is killed goes on after them. */
const STEP = 500

/** Ids without an answer after which no more are asked for: the site is in trouble. */
const MOST_UNANSWERED = 20

/** Puts the events that no list shows into the spool. */
export async function findHidden(parts: HiddenParts, spools: Spools): Promise<HiddenSought> {
  // Categories and tags have numbers of their own.
  const { event, venue, organizer } = spools
  const known = new Set([event, venue, organizer].flatMap((spool) => spool.keys().map(idOfKey)))
  const before = await unlisted(parts, known)
  const sought = await askAll(parts, spools, { ids: [...before] })
  if (!sought.isWhole) return sought
  for (const id of before) known.add(id)
  const named = parts.byId ? undefined : await namedElsewhere(parts)
  if (named !== undefined) {
    const ids = [...named].filter((id) => !known.has(id))
    return askAll(parts, spools, { ids })
  }
  const from = parts.byId ? 0 : await lookedTo(parts)
  const events = spools.event.keys().map(idOfKey)
  const highest = events.reduce((most, id) => Math.max(most, id), 0)
  const lowest = events.reduce((least, id) => Math.min(least, id), highest + 1)
  const first = parts.byId ? 1 : Math.max(1, from + 1, lowest - BEYOND.between)
  const last = highest + (parts.byId ? BEYOND.everyId : BEYOND.between)
  const ids: number[] = []
  for (let id = first; id <= last && ids.length < MOST_ASKED; id += 1) if (!known.has(id)) ids.push(id)
  const items = Object.values(spools).reduce((sum, { size }) => sum + size, 0)
  const most = Math.max(ASKED_ANYWAY.least, ASKED_ANYWAY.each * items)
  if (parts.byId || ids.length <= most) return askAll(parts, spools, { ids, highest })
  const why = `those that lists hide were not looked for: ${ids.length} ids may be theirs; --by-id asks for each`
  return { isWhole: true, skipped: [{ what: 'events', why }] }
}

/** Ids of hidden events that were found before, and of events that came before and are in no list now. */
async function unlisted({ storage, api }: HiddenParts, known: ReadonlySet<number>): Promise<ReadonlySet<number>> {
  const taken = [...(await takenFrom(storage, api.root, 'event'))].filter(([, { digest }]) => digest !== GONE)
  const found = await takenFrom(storage, api.root, FOUND)
  const ids = [...taken.map(([key]) => key), ...found.keys()].map(Number)
  return new Set(ids.filter((id) => !known.has(id)))
}

/** Kinds under which it is kept which hidden events were found, and up to which id was asked. */
const FOUND = 'hidden-event'
const LOOKED = 'looked'

/** Others see other events. */
function lookedKey({ access }: HiddenParts): string {
  return access.isEditor ? 'editor' : 'visitor'
}

async function lookedTo(parts: HiddenParts): Promise<number> {
  return (await takenFrom(parts.storage, parts.api.root, LOOKED)).get(lookedKey(parts))?.item_id ?? 0
}

async function put(parts: HiddenParts, { event }: Spools, id: number): Promise<'put' | 'none' | 'unknown'> {
  const query = parts.access.isEditor ? { context: 'edit' } : {}
  const found = await itemById('events', id, { ...parts, query })
  const key = found.item === undefined ? undefined : keyOf(found.item)
  if (found.item !== undefined && key !== undefined && idOfKey(key) === id) {
    // What else is in no list may be the whole of which lists show parts under other ids.
    if (!parts.byId && found.item['hide_from_listings'] !== true) return 'none'
    await event.put(key, found.item)
    return 'put'
  }
  return isGone(found) || found.status === 401 || found.status === 403 ? 'none' : 'unknown'
}

/** Ids in the order in which they are asked for, and the last one of the events that are known where they are in sequence. */
interface SoughtIds {
  readonly ids: readonly number[]
  readonly highest?: number
}

async function askAll(parts: HiddenParts, spools: Spools, { ids, highest = 0 }: SoughtIds): Promise<HiddenSought> {
  const { storage, api, concurrency, isDryRun } = parts
  const origin = api.root
  const listed = spools.event.size
  let asked = 0
  let unknown = 0
  for (let start = 0; start < ids.length; start += STEP) {
    const some = ids.slice(start, start + STEP)
    const found: number[] = []
    await forEachAtOnce(some, concurrency, async (id) => {
      const outcome = unknown >= MOST_UNANSWERED ? 'none' : await put(parts, spools, id)
      if (outcome === 'put') found.push(id)
      if (outcome === 'unknown') unknown += 1
      asked += 1
      parts.onItems(listed + asked, listed + ids.length)
    })
    if (isDryRun) continue
    const rows = found.map((id) => ({ origin, kind: FOUND, key: String(id), item_id: 0, digest: '' }))
    const to = Math.min(some.at(-1) ?? 0, highest)
    // What cannot be answered now may be another time.
    const looked = { origin, kind: LOOKED, key: lookedKey(parts), item_id: to, digest: '' }
    await keepTaken(storage, unknown === 0 && to > 0 ? [...rows, looked] : rows)
  }
  const why = `the site did not answer for ${unknown} of the ids that lists do not have: events that lists hide may be missing`
  return { isWhole: unknown === 0, skipped: unknown === 0 ? [] : [{ what: 'events', why }] }
}

/** Most pages of ids, which has each so many. */
const PAGE_LIMIT = 1_000
const PER_PAGE = 100

/** Ids of all events as the general API of the site lists them, which hides none; undefined where it has no such list. */
async function namedElsewhere(parts: HiddenParts): Promise<ReadonlySet<number> | undefined> {
  const { asker, api, authorization, access } = parts
  if (api.isKalends) return undefined
  const ids = new Set<number>()
  const status = access.isEditor ? { status: EVERY_STATUS } : {}
  for (let page = 1; page <= PAGE_LIMIT; page += 1) {
    const query = { ...status, _fields: 'id', per_page: PER_PAGE, page }
    const isUsable = (json: unknown): boolean => typeof json === 'object'
    const asked = await asker.ask(api.at('/tribe_events', query, 'wp/v2'), { want: 'json', authorization, isUsable })
    if (!asked.ok || asked.response.status !== 200 || !Array.isArray(asked.json)) return undefined
    for (const item of objectsIn(asked.json)) ids.add(idOf(item) ?? 0)
    const pages = asked.response.headers['x-wp-totalpages']
    if (pages === undefined ? asked.json.length < PER_PAGE : page >= Number(pages)) break
  }
  ids.delete(0)
  return ids.size === 0 ? undefined : ids
}
