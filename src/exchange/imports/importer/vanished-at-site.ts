import type { Holding } from '../../../calendar/events/index.ts'
import type { Storage } from '../../../storage/engine.ts'
import type { Access } from '../readers/site/access.ts'
import type { SiteApi } from '../readers/site/discover.ts'
import { forEachAtOnce } from '../readers/site/pace.ts'
import { idOfKey } from '../readers/site/raw.ts'
import type { SiteClient } from '../readers/site/site-client.ts'
import { LISTS, type Stage } from '../readers/site/stage.ts'
import type { SiteImportInput } from '../readers/site/types.ts'
import { isGone, itemById } from '../readers/site/walk.ts'
import { GONE, provenanceOf, putProvenance } from './store-items.ts'
import { trashVanished, type VanishedItem } from './vanished.ts'

/** What items that the site has no more are looked for with. */
export interface VanishedDeps {
  readonly storage: Storage
  readonly stage: Stage
  readonly client: SiteClient
  readonly api: SiteApi
  readonly authorization: string | undefined
  readonly access: Access
  readonly input: Pick<SiteImportInput, 'vanished' | 'dryRun' | 'concurrency'>
  readonly holding: Holding
  readonly cause: { readonly actor: number; readonly at: string }
}

/**
 * Names what was imported before and what the site has no more, as `event 12`: it was not read, and asked for by its ID the
 * site says so. Moves it to the trash where that is wanted; categories and tags, which have none, stay. Called when
 * everything else has been imported. Nothing is named while credentials open less than they might.
 */
export async function findVanished(deps: VanishedDeps): Promise<readonly string[]> {
  const { storage, stage, api, input, access } = deps
  const origin = api.root
  const items: string[] = []
  if (access.areLost === true) return items
  for (const { kind, name } of LISTS) {
    if (stage.incomplete.has(kind)) continue
    const present = kind === 'event' ? new Set(stage.events.keys()) : new Set(stage.spools[kind].keys().map(idOfKey))
    const provenance = await provenanceOf(storage, origin, kind)
    const missing = [...provenance].filter(([key, { digest }]) => digest !== GONE && !present.has(Number(key)))
    const gone: (VanishedItem & { readonly key: string })[] = []
    await forEachAtOnce(missing, input.concurrency, async ([key, { item_id: id }]) => {
      const found = await itemById(name, Number(key), deps)
      const isHidden = !access.isEditor && (found.status === 401 || found.status === 403)
      if (!isGone(found) && !isHidden) return
      items.push(`${kind} ${key}`)
      if (kind !== 'category' && kind !== 'tag') gone.push({ kind, key, id })
    })
    if (input.vanished !== 'trash' || input.dryRun) continue
    await trashVanished(deps, gone, {
      note: (tx, { kind, key, id }) => putProvenance(tx, { origin, kind, key, item_id: id, digest: GONE }),
    })
  }
  return items.sort()
}
