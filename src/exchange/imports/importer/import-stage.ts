import { createHash } from 'node:crypto'
import type { ResourceKey } from '../../../model/resource.ts'
import type { Storage } from '../../../storage/engine.ts'
import { globalIdIn } from '../readers/json/identity.ts'
import type { SourceItem } from '../readers/json/items.ts'
import { refOf } from '../readers/json/read-term.ts'
import { imageOf } from '../readers/site/item-image.ts'
import {
  essenceOf,
  isRedacted,
  nameOf,
  normaliseEvent,
  normaliseLinked,
  type SiteFacts,
} from '../readers/site/normalise.ts'
import { idOfKey, type Raw } from '../readers/site/raw.ts'
import { LISTS, type Stage } from '../readers/site/stage.ts'
import type { CountedKind, KindCount } from '../readers/site/types.ts'
import type { ImportCounts, Skipped } from '../types.ts'
import type { StoredIds } from './import-events.ts'
import type { ItemImport } from './import-items.ts'
import { GONE, type Provenance, provenanceOf, storeProvenance, TRASH } from './store-items.ts'

/** What the import of staged items needs. */
export interface StageImportDeps {
  readonly storage: Storage
  /** Imports items, see `importItems`. */
  readonly importItems: ItemImport
  readonly stage: Stage
  readonly facts: SiteFacts
  /** Who the site is: address of its API. */
  readonly origin: string
  /** Host of the site, for items that do not name theirs. */
  readonly host: string
  /** Images here by their address there. */
  readonly pictures: ReadonlyMap<string, number>
  /** IDs there of users who were not known before: their items are looked at although they have not changed. */
  readonly freshAuthors: ReadonlySet<string>
  /** IDs of items of a kind that are still here. */
  isHere(kind: Exclude<CountedKind, 'event'>, ids: readonly number[]): Promise<ReadonlySet<number>>
  readonly isDryRun: boolean
  onItems(count: number): void
  /** Called with the name of an item that was in the trash of the site, or gone, before it is imported. */
  onBack(globalId: string): void
  /** Called with the name of an item that has not changed, but whose author is new here, before it is imported. */
  onOwnerOnly(name: string): void
}

/** What came of all items. */
export interface ImportResult {
  readonly counts: Readonly<Record<CountedKind, KindCount>>
  readonly skipped: readonly Skipped[]
}

/** Items that are read, compared and imported together. */
const BATCH = 50

interface Totals {
  found: number
  created: number
  updated: number
  unchanged: number
}

/** An item that differs from what was imported before. */
interface Changed {
  readonly item: SourceItem
  readonly key: string
  readonly digest: string
  /** Its global ID, or the ref of a term. */
  readonly name: string
}

/** Brings in what has changed since the last time: terms, then venues and organizers, then events. */
export async function importStage(deps: StageImportDeps): Promise<ImportResult> {
  const counts = {} as Record<CountedKind, Totals>
  const skipped: Skipped[] = []
  const nothing = (): Map<string, number> => new Map()
  const ids = { event: nothing(), venue: nothing(), organizer: nothing(), category: nothing(), tag: nothing() }
  for (const { kind } of LISTS) {
    const totals = { found: 0, created: 0, updated: 0, unchanged: 0 }
    counts[kind] = totals
    await importKind(deps, kind, { totals, skipped, ids })
  }
  return { counts, skipped }
}

interface ImportTally {
  readonly totals: Totals
  readonly skipped: Skipped[]
  readonly ids: Record<keyof StoredIds, Map<string, number>>
}

async function importKind(deps: StageImportDeps, kind: CountedKind, tally: ImportTally): Promise<void> {
  const { stage, storage, origin } = deps
  const isTerm = kind === 'category' || kind === 'tag'
  const provenance = await provenanceOf(storage, origin, kind)
  const keys = kind === 'event' ? eventKeys(stage) : stage.spools[kind].keys().map((key) => [key])
  tally.totals.found = keys.length
  // The tree of terms is put together from all of them.
  const size = isTerm ? Math.max(keys.length, 1) : BATCH
  for (let start = 0; start < keys.length; start += size) {
    const batch = keys.slice(start, start + size)
    const changed = await changedOf(deps, { kind, keys: batch, provenance }, tally)
    const wanted =
      isTerm && changed.length > 0
        ? await changedOf(deps, { kind, keys: batch, provenance: new Map() }, tally)
        : changed
    tally.totals.unchanged += isTerm && changed.length > 0 ? 0 : batch.length - changed.length
    await importBatch(deps, { kind, changed: wanted, provenance }, tally)
    deps.onItems(batch.length)
  }
}

/** The keys of the dates of each event; events that others are parts of come first, as far as IDs show. */
function eventKeys({ events }: Stage): (readonly string[])[] {
  return [...events].sort(([one], [other]) => one - other).map(([, keys]) => keys)
}

interface Compared {
  readonly kind: CountedKind
  readonly keys: readonly (readonly string[])[]
  readonly provenance: ReadonlyMap<string, Provenance>
}

/** Those of some items that differ from what was imported; the IDs of the others are noted. */
async function changedOf(
  deps: StageImportDeps,
  { kind, keys, provenance }: Compared,
  { ids, skipped }: ImportTally,
): Promise<Changed[]> {
  const read: (Changed & { readonly known: Provenance | undefined })[] = []
  for (const dates of keys) read.push(await readOne(deps, { kind, dates, provenance, skipped }))
  const known = read.flatMap((one) => (one.known?.digest === one.digest ? one.known.item_id : []))
  const here = kind === 'event' ? undefined : await deps.isHere(kind, known)
  return read.filter((one) => {
    if (one.known?.digest !== one.digest || here?.has(one.known.item_id) === false) return true
    if (deps.freshAuthors.has(String(one.item.source.members['author']))) {
      deps.onOwnerOnly(one.name)
      return true
    }
    ids[kind].set(one.name, one.known.item_id)
    return false
  })
}

interface ReadOne {
  readonly kind: CountedKind
  readonly dates: readonly string[]
  readonly provenance: ReadonlyMap<string, Provenance>
  readonly skipped: Skipped[]
}

async function readOne(deps: StageImportDeps, { kind, dates, provenance, skipped }: ReadOne) {
  const { stage, facts, host } = deps
  const raws: Raw[] = []
  const key = String(idOfKey(dates[0] ?? ''))
  const known = provenance.get(key)
  const isLocked = kind === 'event' && stage.locked.has(Number(key))
  for (const date of dates) {
    const raw = await stage.spools[kind].get(date)
    if (kind !== 'event') raws.push(kind === 'venue' || kind === 'organizer' ? normaliseLinked(raw, facts) : raw)
    else {
      const normalised = normaliseEvent(raw, facts)
      raws.push(isLocked ? lockedEvent(normalised.item, known) : normalised.item)
      skipped.push(...normalised.notes)
    }
  }
  const sources = raws.map((members) => ({ members, place: { file: nameOf(kind, members), path: '' } }))
  const [source, ...others] = sources
  if (source === undefined) throw new Error('an item has a record')
  const hash = createHash('sha256')
  for (const raw of raws) hash.update(essenceOf(raw)).update(` ${deps.pictures.get(imageOf(raw)?.url ?? '') ?? ''}\n`)
  const isTerm = kind === 'category' || kind === 'tag'
  const name = (isTerm ? refOf(source, host) : globalIdIn(source, host)) ?? key
  const item: SourceItem = {
    key: kind satisfies ResourceKey,
    source,
    around: host,
    ...(others.length > 0 && { dates: others }),
  }
  if (isLocked && !isRedacted(source.members)) skipped.push({ what: source.place.file, why: LOCKED })
  const digest = `${source.members['status'] === 'trash' ? TRASH : ''}${hash.digest('base64url')}`
  if (known?.digest === GONE || known?.digest.startsWith(TRASH) === true) deps.onBack(name)
  return { item, key, digest, name, known }
}

/** The note about a password-protected event. */
const LOCKED = 'a password protects it there, so it is a draft here: set a password of its own and publish it'

/** A protected event; hidden content comes as none where the event is new, and leaves alone what is here. */
function lockedEvent(event: Raw, known: Provenance | undefined): Raw {
  const content = isRedacted(event) && known === undefined ? { all_day: false } : {}
  return { ...event, ...content, has_password: true }
}

interface Batch {
  readonly kind: CountedKind
  readonly changed: readonly Changed[]
  readonly provenance: ReadonlyMap<string, Provenance>
}

async function importBatch(
  deps: StageImportDeps,
  { kind, changed, provenance }: Batch,
  { totals, skipped, ids }: ImportTally,
): Promise<void> {
  if (changed.length === 0) return
  if (deps.isDryRun) {
    const created = changed.filter(({ key }) => !provenance.has(key)).length
    totals.created += created
    totals.updated += changed.length - created
    return
  }
  const imported = await deps.importItems(
    changed.map(({ item }) => item),
    ids,
  )
  skipped.push(...imported.skipped)
  add(totals, imported.counts[kind])
  for (const each of Object.keys(ids) as (keyof StoredIds)[])
    for (const [name, id] of imported.ids[each]) ids[each].set(name, id)
  const { storage, origin } = deps
  const rows = changed.flatMap(({ key, digest, name }) => {
    const item_id = imported.later.has(name) ? undefined : imported.ids[kind].get(name)
    return item_id === undefined ? [] : [{ origin, kind, key, item_id, digest }]
  })
  await storeProvenance(storage, rows)
}

function add(totals: Totals, counts: ImportCounts): void {
  totals.created += counts.created
  totals.updated += counts.updated
  totals.unchanged += counts.unchanged
}
