import type { Holding } from '../../../calendar/events/index.ts'
import type { EntryKey } from '../../../model/resource.ts'
import type { Storage } from '../../../storage/engine.ts'
import type { Access } from '../readers/site/access.ts'
import type { SiteApi } from '../readers/site/discover.ts'
import { forEachAtOnce } from '../readers/site/pace.ts'
import { idOfKey } from '../readers/site/raw.ts'
import type { SiteClient } from '../readers/site/site-client.ts'
import { LISTS, type Stage } from '../readers/site/stage.ts'
import type { CountedKind, SiteImportInput } from '../readers/site/types.ts'
import { isGone, itemById } from '../readers/site/walk.ts'
import type { Skipped } from '../types.ts'
import { GONE, provenanceOf, putProvenance } from './store-items.ts'
import { trashVanished } from './vanished.ts'
import { removeTerms, type TermLookups, type VanishedTerm } from './vanished-terms.ts'

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
  readonly lookups: TermLookups
}

/** What the site has no more, as `event 12`, and what of that stays although it was to go. */
export interface Vanished {
  readonly items: readonly string[]
  readonly skipped: readonly Skipped[]
}

/**
 * Names what was imported before and what the site has no more: it was not read, and asked
 * for by its ID the site says so. Moves it to the trash where that is wanted; categories and tags, which have none, are
 * deleted, unless something here needs them. Called when everything else has been imported. Nothing is named while
 * credentials do not arrive.
 */
export async function findVanished(deps: VanishedDeps): Promise<Vanished> {
  const { storage, stage, api, input, access } = deps
  const items: string[] = []
  const skipped: Skipped[] = []
  if (access.areLost === true) return { items, skipped }
  // Events let their categories and tags go before these are looked at.
  for (const { kind, name } of LISTS.toReversed()) {
    if (stage.incomplete.has(kind)) continue
    const present = kind === 'event' ? new Set(stage.events.keys()) : new Set(stage.spools[kind].keys().map(idOfKey))
    const provenance = await provenanceOf(storage, api.root, kind)
    const missing = [...provenance].filter(([key, { digest }]) => digest !== GONE && !present.has(Number(key)))
    const gone: Gone[] = []
    await forEachAtOnce(missing, input.concurrency, async ([key, { item_id: id }]) => {
      const found = await itemById(name, Number(key), deps)
      const isHidden = !access.isEditor && (found.status === 401 || found.status === 403)
      if (isGone(found) || isHidden) gone.push({ kind, key, id })
    })
    items.push(...gone.map(({ key }) => `${kind} ${key}`))
    if (input.vanished === 'trash' && !input.dryRun) skipped.push(...(await letGo(deps, gone)))
  }
  return { items: items.sort(), skipped }
}

/** Something that was imported, by its key at the site and its ID here. */
interface Gone {
  readonly kind: CountedKind
  readonly key: string
  readonly id: number
}

async function letGo(deps: VanishedDeps, gone: readonly Gone[]): Promise<readonly Skipped[]> {
  const { storage, lookups, cause } = deps
  const origin = deps.api.root
  await trashVanished(deps, gone.filter(isEntry), {
    note: (tx, { kind, key, id }) => putProvenance(tx, { origin, kind, key, item_id: id, digest: GONE }),
  })
  return removeTerms({ storage, origin, lookups, cause }, gone.filter(isTerm))
}

function isEntry(gone: Gone): gone is Gone & { readonly kind: EntryKey } {
  return gone.kind !== 'category' && gone.kind !== 'tag'
}

function isTerm(gone: Gone): gone is VanishedTerm {
  return !isEntry(gone)
}
