import { createHash } from 'node:crypto'
import type { ResourceKey } from '../../../model/resource.ts'
import { globalIdIn } from '../readers/json/identity.ts'
import type { SourceItem } from '../readers/json/items.ts'
import { refOf } from '../readers/json/read-term.ts'
import type { SiteApi } from '../readers/site/discover.ts'
import {
  essenceOf,
  isRedacted,
  nameOf,
  normaliseEvent,
  normaliseLinked,
  type SiteFacts,
} from '../readers/site/normalise.ts'
import { idOfKey, imageOf, type Raw } from '../readers/site/raw.ts'
import { LISTS, type Stage } from '../readers/site/stage.ts'
import type { KindCount } from '../readers/site/types.ts'
import { eachKind, type ImportedKind, type Skipped } from '../types.ts'
import type { StoredIds } from './import-events.ts'
import { holdingOf, type ImportDeps, importPlan } from './import-items.ts'
import type { OriginContext } from './outcome.ts'
import { planItems } from './plan.ts'
import { GONE, type Provenance, provenanceOf, storeProvenance, TRASH } from './store-items.ts'
import { idsThere } from './store-origins.ts'

/** What the import of staged items needs. */
export interface StageImport extends Pick<OriginContext, 'authors'> {
  /** Images here by their addresses there. */
  readonly pictures: ReadonlyMap<string, number>
  readonly stage: Stage
  readonly api: Pick<SiteApi, 'root' | 'zone'>
  /** User who owns what no other user does. */
  readonly owner: number
  readonly isDryRun: boolean
  onItems(count: number): void
}

/** What came of all items. */
export interface ImportResult {
  readonly counts: Readonly<Record<ImportedKind, KindCount>>
  readonly skipped: readonly Skipped[]
}

/** Items that are read, compared and imported together. */
const BATCH = 50

/** What is known while the items are imported. */
interface Run extends StageImport {
  readonly host: string
  readonly facts: SiteFacts
  /** What was imported before, by its ID there. */
  readonly known: Readonly<Record<ImportedKind, ReadonlyMap<string, Provenance>>>
  /** IDs here of what the site has. */
  readonly ids: Record<keyof StoredIds, Map<string, number>>
  /** Names of items that were in the trash of the site, or gone. */
  readonly back: Set<string>
  readonly skipped: Skipped[]
}

/** An item as the site has it now. */
interface Staged {
  readonly item: SourceItem
  readonly key: string
  readonly digest: string
  /** Its global ID, or the ref of a term. */
  readonly name: string
}

/** Brings in what has changed since the last time: terms, then venues and organizers, then events. */
export async function importStage(deps: ImportDeps, staged: StageImport): Promise<ImportResult> {
  const { root } = staged.api
  const known = eachKind((): ReadonlyMap<string, Provenance> => new Map())
  for (const { kind } of LISTS) known[kind] = await provenanceOf(deps.storage, root, kind)
  const ids = eachKind(() => new Map<string, number>())
  const facts = { zone: staged.api.zone ?? deps.site.zone }
  const run: Run = { ...staged, host: new URL(root).hostname, facts, known, ids, back: new Set(), skipped: [] }
  const counts = {} as Record<ImportedKind, KindCount>
  for (const { kind } of LISTS) counts[kind] = await importKind(deps, run, kind)
  return { counts, skipped: run.skipped }
}

async function importKind(deps: ImportDeps, run: Run, kind: ImportedKind): Promise<KindCount> {
  const { stage } = run
  const isTerm = kind === 'category' || kind === 'tag'
  const keys = kind === 'event' ? eventKeys(stage) : stage.spools[kind].keys().map((key) => [key])
  const totals = { found: keys.length, created: 0, updated: 0, unchanged: 0 }
  // The tree of terms is put together from all of them.
  const size = isTerm ? Math.max(keys.length, 1) : BATCH
  for (let start = 0; start < keys.length; start += size) {
    const read: Staged[] = []
    for (const dates of keys.slice(start, start + size)) read.push(await readOne(run, kind, dates))
    const changed = await changedOf(deps, run, { kind, read })
    const wanted = isTerm && changed.length > 0 ? read : changed
    totals.unchanged += read.length - wanted.length
    if (wanted.length > 0) {
      if (isTerm) run.ids[kind].clear()
      const counts = await importBatch(deps, run, { kind, wanted })
      for (const outcome of ['created', 'updated', 'unchanged'] as const) totals[outcome] += counts[outcome]
    }
    run.onItems(read.length)
  }
  return totals
}

/** The keys of the dates of each event; events that others are parts of come first, as far as IDs show. */
function eventKeys({ events }: Stage): (readonly string[])[] {
  return [...events].sort(([one], [other]) => one - other).map(([, keys]) => keys)
}

/** Those of some items that differ from what was imported; the IDs of the others are noted. */
async function changedOf(
  { storage }: ImportDeps,
  { known, ids }: Run,
  { kind, read }: { readonly kind: ImportedKind; readonly read: readonly Staged[] },
): Promise<Staged[]> {
  const same = new Map(
    read.flatMap((one) => {
      const before = known[kind].get(one.key)
      return before?.digest === one.digest ? [[one, before.item_id] as const] : []
    }),
  )
  const here = kind === 'event' ? undefined : await idsThere(storage, kind, [...same.values()])
  return read.filter((one) => {
    const id = same.get(one)
    if (id === undefined || here?.has(id) === false) return true
    ids[kind].set(one.name, id)
    return false
  })
}

async function readOne(run: Run, kind: ImportedKind, dates: readonly string[]): Promise<Staged> {
  const { stage, host, pictures, skipped, facts } = run
  const raws: Raw[] = []
  const key = String(idOfKey(dates[0] ?? ''))
  const known = run.known[kind].get(key)
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
  for (const raw of raws) hash.update(essenceOf(raw)).update(` ${pictures.get(imageOf(raw)?.url ?? '') ?? ''}\n`)
  const isTerm = kind === 'category' || kind === 'tag'
  const name = (isTerm ? refOf(source, host) : globalIdIn(source, host)) ?? key
  const item: SourceItem = {
    key: kind satisfies ResourceKey,
    source,
    around: host,
    ...(others.length > 0 && { dates: others }),
  }
  if (isLocked && !isRedacted(source.members)) skipped.push({ what: source.place.file, why: LOCKED, isNote: true })
  const digest = `${source.members['status'] === 'trash' ? TRASH : ''}${hash.digest('base64url')}`
  if (known?.digest === GONE || known?.digest.startsWith(TRASH) === true) run.back.add(name)
  return { item, key, digest, name }
}

/** The note about a password-protected event. */
const LOCKED = 'a password protects it there, so it is a draft here: set a password of its own and publish it'

/** A protected event; hidden content comes as none where the event is new, and leaves alone what is here. */
function lockedEvent(event: Raw, known: Provenance | undefined): Raw {
  const content = isRedacted(event) && known === undefined ? { all_day: false } : {}
  return { ...event, ...content, has_password: true }
}

async function importBatch(
  deps: ImportDeps,
  run: Run,
  { kind, wanted }: { readonly kind: ImportedKind; readonly wanted: readonly Staged[] },
): Promise<Omit<KindCount, 'found'>> {
  const { known, ids, back, authors, pictures, owner, skipped, api } = run
  if (run.isDryRun) {
    const created = wanted.filter(({ key }) => !known[kind].has(key)).length
    return { created, updated: wanted.length - created, unchanged: 0 }
  }
  const origin: OriginContext = { authors, isBack: (name) => back.has(name) }
  const items = wanted.map(({ item }) => item)
  const isStored = (key: Exclude<ResourceKey, 'event'>, name: string): boolean => ids[key].has(name)
  const plan = await planItems(items, { site: deps.site, holding: holdingOf(deps), isLenient: true, isStored })
  const imported = await importPlan(deps, { plan, owner, origin, pictures, known: ids })
  skipped.push(...imported.skipped)
  for (const each of Object.keys(ids) as (keyof StoredIds)[])
    for (const [name, id] of imported.ids[each]) ids[each].set(name, id)
  const rows = wanted.flatMap(({ key, digest, name }) => {
    const item_id = imported.later.has(name) ? undefined : imported.ids[kind].get(name)
    return item_id === undefined ? [] : [{ origin: api.root, kind, key, item_id, digest }]
  })
  await storeProvenance(deps.storage, rows)
  return imported.counts[kind]
}
