import type { LinkedRoom } from '../../entries/linked/room.ts'
import type { LinkedContent } from '../../entries/linked/row.ts'
import { storeLinked } from '../../entries/linked/write.ts'
import { freeSlug } from '../../entries/slugs.ts'
import { trashedSlug } from '../../entries/trash.ts'
import { type Holding, trashEvent } from '../../events/index.ts'
import type { AnyField } from '../../fields/field.ts'
import { ORGANIZERS } from '../../organizers/index.ts'
import type { Storage, Transaction } from '../../storage/engine.ts'
import { VENUES } from '../../venues/index.ts'
import type { Access } from './access.ts'
import type { Asker } from './asker.ts'
import type { SiteApi } from './discover.ts'
import { forEachAtOnce } from './pace.ts'
import { idOfKey } from './raw.ts'
import { LISTS, type Stage } from './stage.ts'
import { forgetTaken, takenFrom } from './store.ts'
import type { SiteImportInput } from './types.ts'
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
}

type EntryKind = 'venue' | 'organizer' | 'event'

/**
 * Names what was taken over before and what the site has no more, as `event 12`: it is in no list that was read whole,
 * and asked for by its id the site says so. Moves it to the trash where that is wanted.
 */
export async function findVanished(parts: VanishedParts): Promise<readonly string[]> {
  const { storage, stage, api, input, access } = parts
  const vanished: string[] = []
  for (const { kind, name } of LISTS) {
    if (kind === 'category' || kind === 'tag' || stage.incomplete.has(kind)) continue
    const present = kind === 'event' ? new Set(stage.events.keys()) : new Set(stage.spools[kind].keys().map(idOfKey))
    const taken = await takenFrom(storage, api.root, kind)
    const missing = [...taken].filter(([key]) => !present.has(Number(key)))
    await forEachAtOnce(missing, input.concurrency, async ([key, { item_id }]) => {
      const found = await itemById(name, Number(key), parts)
      const isHidden = !access.isEditor && (found.status === 401 || found.status === 403)
      if (!isGone(found) && !isHidden) return
      vanished.push(`${kind} ${key}`)
      if (input.vanished === 'keep' || input.dryRun) return
      await storage.write((tx) => trash(tx, { kind, id: item_id }, parts))
      await forgetTaken(storage, { origin: api.root, kind, key })
    })
  }
  return vanished.sort()
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
