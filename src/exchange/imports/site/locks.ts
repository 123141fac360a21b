import { generatePassword } from '../../../http/auth/authenticate.ts'
import { hashEntryPassword } from '../../../http/auth/entry-password.ts'
import type { Storage } from '../../../storage/engine.ts'
import { isObject } from '../json/members.ts'
import { seriesAt } from '../json/series-dates.ts'
import type { Skipped } from '../json/types.ts'
import { ALL_TIME } from './access.ts'
import { isRedacted } from './mend.ts'
import { forEachAtOnce } from './pace.ts'
import { idOf, idOfKey, type Raw } from './raw.ts'
import { openSpool, type Spool } from './spool.ts'
import { keepTaken, takenFrom } from './store.ts'
import { itemById, type WalkedList, type Walking, walk } from './walk.ts'

/** Ids of events of a site that a password protects. */
export interface Locks {
  readonly locked: ReadonlySet<number>
  /** Those of which nobody could say: where they are new or changed, they count as protected. */
  readonly unsure: ReadonlySet<number>
}

/** What is asked for passwords with. */
export interface LockParts extends Omit<Walking, 'spool'> {
  /** Folder for files. */
  readonly folder: string
}

/** Ids of the events of which the site says that they have a password, as a Kalends does to those who may edit them. */
export async function toldLocks(spool: Spool): Promise<ReadonlySet<number>> {
  const told = new Set<number>()
  for (const key of spool.keys()) {
    const item = await spool.get(key)
    if (item['has_password'] === true) told.add(idOfKey(key)).add(groupOf(item))
  }
  return told
}

/** Times that the document of a site is asked for: without it others are asked. */
const TRIES = 3

/** Whether a Kalends says of each event whether it has a password, as its own description tells; older ones do not. */
export async function tellsLocks({ asker, api }: Pick<LockParts, 'asker' | 'api'>): Promise<boolean> {
  const asked = await asker.ask(api.at('/doc'), { want: 'json', tries: TRIES, isUsable: isObject })
  let found: unknown = asked.ok ? asked.json : undefined
  for (const name of ['components', 'schemas', 'Event', 'properties', 'has_password'])
    found = isObject(found) ? found[name] : undefined
  return found !== undefined
}

/** What a report says of events that only editors see, where the site does not say which of them have a password. */
export async function untoldNotes(spool: Spool, locked: ReadonlySet<number>): Promise<readonly Skipped[]> {
  const found = new Set<number>()
  for (const key of spool.keys()) {
    const item = await spool.get(key)
    if (item['status'] !== 'publish' && !locked.has(groupOf(item))) found.add(groupOf(item))
  }
  const some = [...found].sort((one, other) => one - other).slice(0, MOST_NAMED)
  const names = `${some.join(', ')}${found.size > MOST_NAMED ? ', ...' : ''}`
  const why = `${found.size} are not published (${names}), and the site does not say whether they have a password there: those that do have none here`
  return found.size === 0 ? [] : [{ what: 'events', why }]
}

/** Most ids in a remark. */
const MOST_NAMED = 20

/** How a site refuses to show an event to those without its password. */
const PROTECTED = 'event-password-protected'

/**
 * Which of the events that were read have a password, of a site that shows them to its editors as if they had none: it
 * hides their content from others, and is asked as anybody would, in lists with these parameters.
 */
export async function locksOf(parts: LockParts, spool: Spool, lists: readonly WalkedList['query'][]): Promise<Locks> {
  const listed = await locksInLists(parts, spool, lists)
  const hidden = await locksOfHidden(parts, spool)
  return {
    locked: new Set([...listed.locked, ...hidden.locked]),
    unsure: new Set([...listed.unsure, ...hidden.unsure]),
  }
}

async function locksInLists(parts: LockParts, events: Spool, lists: readonly WalkedList['query'][]): Promise<Locks> {
  const spool = await openSpool(parts.folder, 'anonymous')
  try {
    let isWhole = true
    for (const some of lists) {
      const query = { ...ALL_TIME, ...some }
      const seen = await walk({ name: 'events', query }, { ...parts, authorization: undefined, spool })
      isWhole &&= seen.missing === ''
    }
    const locked = new Set<number>()
    const open = new Set<number>()
    for (const key of spool.keys()) {
      const item = await spool.get(key)
      const known = isRedacted(item) ? locked : open
      for (const id of [idOfKey(key), groupOf(item)]) known.add(id)
    }
    return { locked, unsure: isWhole ? new Set() : await unseen(events, new Set([...locked, ...open])) }
  } finally {
    await spool.close()
  }
}

/** Published events of lists that were not seen. */
async function unseen(events: Spool, seen: ReadonlySet<number>): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for (const key of events.keys()) {
    const item = await events.get(key)
    if (item['status'] === 'publish' && item['hide_from_listings'] !== true) found.add(groupOf(item))
  }
  return new Set([...found].filter((id) => !seen.has(id)))
}

/** The same of events that no list shows (`hide_from_listings`): each is asked for. */
async function locksOfHidden({ asker, api, concurrency }: LockParts, spool: Spool): Promise<Locks> {
  const hidden: string[] = []
  for (const key of spool.keys()) if ((await spool.get(key))['hide_from_listings'] === true) hidden.push(key)
  const locked = new Set<number>()
  const unsure = new Set<number>()
  await forEachAtOnce(hidden, concurrency, async (key) => {
    const { item, status, why } = await itemById('events', idOfKey(key), { asker, api, authorization: undefined })
    if (item !== undefined || (status !== 0 && !why.includes(PROTECTED))) return
    const known = status === 0 ? unsure : locked
    known.add(groupOf(await spool.get(key)))
  })
  return { locked, unsure }
}

/** The id of the event that an item is a date of: its own for plain events. */
export function groupOf(item: Raw): number {
  const series = seriesAt({ members: item, place: { file: '', path: '' } })
  return series?.id ?? idOf(item) ?? 0
}

/** What a report says of events of which nobody could say whether they have a password; `[]` when there are none. */
export function unsureNotes({ unsure }: Pick<Locks, 'unsure'>): readonly Skipped[] {
  const why = `it could not be found out whether ${unsure.size} have a password there: until an import can tell, nobody but editors opens those of them that are new or have changed`
  return unsure.size === 0 ? [] : [{ what: 'events', why, isForNow: true }]
}

/** What tells the hash of the password that an event is to have, by its global id and what it has here; null for none. */
export type PasswordOf = (globalId: string, stored: string | null) => string | null

/** What events are protected with. */
export interface LockPlace {
  readonly storage: Storage
  readonly origin: string
  /** Of the passwords of events. */
  readonly salt: Buffer
  readonly isDryRun: boolean
}

/** Under which kind and key the hash of the password is kept that events of a site get here. */
const LOCK = { kind: 'lock', key: 'event' } as const

/**
 * Protects events whose passwords cannot be read, until whoever may edit them sets new ones: nobody knows the password
 * that they get. Of events that are not protected any more it is taken away, and no other one.
 */
export async function passwordsFor(locked: ReadonlySet<string>, place: LockPlace): Promise<PasswordOf> {
  const { storage, origin, salt, isDryRun } = place
  const kept = (await takenFrom(storage, origin, LOCK.kind)).get(LOCK.key)?.digest
  const hash = kept ?? (locked.size === 0 ? undefined : await hashEntryPassword(generatePassword(), salt))
  if (hash !== undefined && hash !== kept && !isDryRun)
    await keepTaken(storage, [{ origin, ...LOCK, item_id: 0, digest: hash }])
  return (globalId, stored) => {
    if (locked.has(globalId)) return stored ?? hash ?? null
    return stored === hash ? null : stored
  }
}
