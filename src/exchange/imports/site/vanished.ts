import { type Holding, trashEvent } from '../../../calendar/events/index.ts'
import { ORGANIZERS } from '../../../calendar/organizers/index.ts'
import type { LinkedRoom } from '../../../calendar/shared/linked/room.ts'
import type { LinkedContent } from '../../../calendar/shared/linked/row.ts'
import { storeLinked } from '../../../calendar/shared/linked/write.ts'
import { freeSlug } from '../../../calendar/shared/slugs.ts'
import { trashedSlug } from '../../../calendar/shared/trash.ts'
import { VENUES } from '../../../calendar/venues/index.ts'
import type { AnyField } from '../../../model/kinds/field.ts'
import type { Storage, Transaction } from '../../../storage/engine.ts'
import type { Skipped } from '../json/types.ts'
import type { Access } from './access.ts'
import type { Asker } from './asker.ts'
import type { SiteApi } from './discover.ts'
import { forEachAtOnce } from './pace.ts'
import { idOfKey } from './raw.ts'
import { LISTS, type Stage } from './stage.ts'
import { GONE, keepTaken, takenFrom } from './store.ts'
import type { CountedKind, SiteImportInput } from './types.ts'
import { removeTerms, type TermLookups, type VanishedTerm } from './vanished-terms.ts'
import { isGone, itemById } from './walk.ts'

/** What items that the site has no more are looked for with. */
export interface VanishedParts {
  readonly storage: Storage
  readonly stage: Stage
  readonly asker: Asker
  readonly api: SiteApi
  readonly authorization: string | undefined
  readonly access: Access
  readonly input: Pick<SiteImportInput, 'vanished' | 'dryRun' | 'concurrency'>
  readonly holding: Holding
  readonly cause: { readonly actor: number; readonly at: string }
  readonly lookups: TermLookups
}

type EntryKind = 'venue' | 'organizer' | 'event'

/** What the site has no more, as `event 12`, and what of that stays although it was to go. */
export interface Vanished {
  readonly items: readonly string[]
  readonly skipped: readonly Skipped[]
}

/**
 * Names what was taken over before and what the site has no more: it was not read, and asked
 * for by its id the site says so. Moves it to the trash where that is wanted; categories and tags, which have none, are
 * deleted, unless something here needs them. Called when everything else has been brought in. Nothing is named while
 * credentials do not arrive.
 */
export async function findVanished(parts: VanishedParts): Promise<Vanished> {
  const { storage, stage, api, input, access } = parts
  const items: string[] = []
  const skipped: Skipped[] = []
  if (access.areLost === true) return { items, skipped }
  // Events let their categories and tags go before these are looked at.
  for (const { kind, name } of LISTS.toReversed()) {
    if (stage.incomplete.has(kind)) continue
    const present = kind === 'event' ? new Set(stage.events.keys()) : new Set(stage.spools[kind].keys().map(idOfKey))
    const taken = await takenFrom(storage, api.root, kind)
    const missing = [...taken].filter(([key, { digest }]) => digest !== GONE && !present.has(Number(key)))
    const gone: Gone[] = []
    await forEachAtOnce(missing, input.concurrency, async ([key, { item_id: id }]) => {
      const found = await itemById(name, Number(key), parts)
      const isHidden = !access.isEditor && (found.status === 401 || found.status === 403)
      if (isGone(found) || isHidden) gone.push({ kind, key, id })
    })
    items.push(...gone.map(({ key }) => `${kind} ${key}`))
    if (input.vanished === 'trash' && !input.dryRun) skipped.push(...(await letGo(parts, gone)))
  }
  return { items: items.sort(), skipped }
}

/** Something that was taken over, by its key at the site and its id here. */
interface Gone {
  readonly kind: CountedKind
  readonly key: string
  readonly id: number
}

async function letGo(parts: VanishedParts, gone: readonly Gone[]): Promise<readonly Skipped[]> {
  const { storage, lookups, cause } = parts
  const origin = parts.api.root
  const terms: VanishedTerm[] = []
  for (const { kind, key, id } of gone) {
    if (kind === 'category' || kind === 'tag') terms.push({ kind, key, id })
    else {
      await storage.write((tx) => trash(tx, { kind, id }, parts))
      await keepTaken(storage, [{ origin, kind, key, item_id: id, digest: GONE }])
    }
  }
  return removeTerms({ storage, origin, lookups, cause }, terms)
}

async function trash(
  tx: Transaction,
  { kind, id }: { readonly kind: EntryKind; readonly id: number },
  { cause, holding }: VanishedParts,
): Promise<void> {
  if (kind === 'event') await trashEvent(tx, id, { cause, holding })
  else if (kind === 'venue') await trashLinked(tx, VENUES, { id, cause })
  else await trashLinked(tx, ORGANIZERS, { id, cause })
}

async function trashLinked<Content extends LinkedContent>(
  tx: Transaction,
  room: LinkedRoom<readonly AnyField[], Content>,
  { id, cause }: { readonly id: number; readonly cause: VanishedParts['cause'] },
): Promise<void> {
  const [stored] = await room.rows(tx, [id])
  if (stored === undefined || stored.status === 'trash') return
  const slug = await freeSlug(tx, { table: room.key, slug: trashedSlug(stored.slug), id })
  const row = { ...stored, status: 'trash' as const, trashed_from: stored.status, slug, modified_at: cause.at }
  await storeLinked(tx, room, { stored, row, ...cause })
}
