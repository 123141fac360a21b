/** Takes recorded responses of a calendar over: files of this interface's own representations (architecture: Imports). */

import { listUsers, type UserBook } from '../../../accounts/users/index.ts'
import { fail } from '../../../base/errors.ts'
import { fold } from '../../../base/text/fold.ts'
import { utcFromMillis } from '../../../base/time/zones.ts'
import type { Holding } from '../../../calendar/events/index.ts'
import { ORGANIZERS } from '../../../calendar/organizers/index.ts'
import type { TermLookup } from '../../../calendar/terms/index.ts'
import { VENUES } from '../../../calendar/venues/index.ts'
import { prepareImported } from '../../../model/kinds/html-thread.ts'
import type { TermKey } from '../../../model/resource.ts'
import type { Site } from '../../../model/site.ts'
import type { Storage, Transaction } from '../../../storage/engine.ts'
import type { SourceItem } from '../readers/json/items.ts'
import { readRecorded } from '../readers/reading.ts'
import {
  type ImportCounts,
  type ImportOptions,
  type ImportReport,
  type JsonImport,
  reported,
  type Skipped,
} from '../types.ts'
import { importEvents, type StoredIds } from './import-events.ts'
import { importLinked } from './import-linked.ts'
import { importTerms } from './import-terms.ts'
import type { ImportContext, ImportedItem, Merging, OriginContext } from './outcome.ts'
import { type Plan, type Planning, planItems } from './plan.ts'
import { type BoundedEvents, boundDates, NO_BOUND, portionsOf } from './portions.ts'

/** What an import works with. */
export interface ImportDeps extends UserBook {
  readonly storage: Storage
  readonly site: Site
  readonly lookups: {
    readonly category: TermLookup
    readonly tag: TermLookup
  }
  /** Years ahead for which the dates of a rule without end are stored. */
  readonly recurrenceYears: number
}

/** Makes the import: everything is read and checked before the first write, which then are many small ones. */
export function openJsonImport(deps: ImportDeps): JsonImport {
  return async (files, options) => {
    const owner = await ownerOf(deps, options.author)
    const holding = holdingOf(deps)
    const plan = await planItems(await readRecorded(files), { site: deps.site, holding })
    const run = contextOf(deps, { owner, plan })
    return reportOf(await storePlan(deps, { plan, run, options }))
  }
}

function reportOf({ counts, skipped }: Pick<ImportedItems, 'counts' | 'skipped'>): ImportReport {
  const all = Object.values(counts)
  const sum = (outcome: keyof ImportCounts): number => all.reduce((total, one) => total + one[outcome], 0)
  return { created: sum('created'), updated: sum('updated'), unchanged: sum('unchanged'), counts, ...reported(skipped) }
}

function holdingOf({ now, recurrenceYears }: ImportDeps): Holding {
  return { now: now(), recurrenceYears }
}

/** Some items of a site, and what is known of it. */
export interface SiteItems {
  readonly items: readonly SourceItem[]
  /** User who owns what no other user does. */
  readonly owner: number
  readonly origin: OriginContext
  /** What is stored already of what events name. */
  readonly known: StoredIds
}

/** What became of some items: of each kind, and the IDs of those by their names. */
export interface ImportedItems {
  readonly counts: ImportReport['counts']
  readonly skipped: readonly Skipped[]
  readonly ids: StoredIds
  /** Names of items that were skipped, or left as they were, for now: another import may include them. */
  readonly later: ReadonlySet<string>
}

/** Imports items, of which events name others that are stored already. */
export type ItemImport = (items: readonly SourceItem[], known: StoredIds) => Promise<ImportedItems>

/** Imports items of a site: what cannot be used is left out; `ids` has only what was imported now. */
export async function importItems(
  deps: ImportDeps,
  { items, owner, origin, known }: SiteItems,
): Promise<ImportedItems> {
  const holding = holdingOf(deps)
  const isStored: Planning['isStored'] = (key, name) => known[key].has(name)
  const plan = await planItems(items, { site: deps.site, holding, isLenient: true, isStored })
  const run = contextOf(deps, { owner, plan, origin })
  return storePlan(deps, { plan, run, options: { onProgress: () => undefined }, known })
}

/** What another form of import has planned. */
export interface PlannedImport {
  readonly plan: Plan
  /** User who owns new items. */
  readonly owner: number
  /** What is stored already of what events name. */
  readonly known: StoredIds
  /** Whether nothing is stored. */
  readonly isDryRun: boolean
  readonly options: Pick<ImportOptions, 'onProgress'>
  readonly merging?: Merging | undefined
  /** Images here by their addresses elsewhere. */
  readonly pictures?: ReadonlyMap<string, number> | undefined
}

/** Imports what was planned. */
export async function importPlan(deps: ImportDeps, planned: PlannedImport): Promise<ImportReport> {
  const run = contextOf(deps, planned)
  return reportOf(await storePlan(deps, { ...planned, run }))
}

function contextOf(
  deps: ImportDeps,
  {
    owner,
    plan,
    ...how
  }: Pick<PlannedImport, 'owner' | 'plan' | 'merging' | 'pictures'> & { readonly origin?: OriginContext },
): ImportContext {
  const at = utcFromMillis(deps.now())
  const { origin, merging, pictures } = how
  const common = { site: deps.site, owner, at, wished: wishedIds(plan), holding: holdingOf(deps) }
  return { ...common, origin, merging, pictures }
}

/** The user who owns imported items. @throws no_such_user, no_administrator */
export async function ownerOf(parts: UserBook, author: string | undefined): Promise<number> {
  const users = await listUsers(parts)
  if (author !== undefined) {
    const named = users.find((user) => fold(user.name) === fold(author))
    if (named === undefined) throw fail('no_such_user', { name: author })
    return named.id
  }
  const first = users.find((user) => user.role === 'administrator' && user.disabledAt === null)
  if (first === undefined) throw fail('no_administrator')
  return first.id
}

function wishedIds({ venues, organizers, events, terms }: Plan): ImportContext['wished'] {
  const entries = [...venues.values(), ...organizers.values(), ...events]
  return {
    entry: entries.flatMap((item) => item.identity.wishedId ?? []),
    term: [...terms.category.terms, ...terms.tag.terms].flatMap((term) => term.wishedId ?? []),
  }
}

interface Storing {
  readonly plan: Plan
  readonly run: ImportContext
  readonly options: Pick<ImportOptions, 'onProgress'>
  readonly known?: StoredIds
  readonly isDryRun?: boolean
}

const NOTHING: ReadonlyMap<string, number> = new Map()
const NONE: StoredIds = { event: NOTHING, venue: NOTHING, organizer: NOTHING, category: NOTHING, tag: NOTHING }

async function storePlan(
  deps: ImportDeps,
  { plan, run, options, known = NONE, isDryRun = false }: Storing,
): Promise<ImportedItems> {
  const { lookups } = deps
  const bounded = await boundDates(plan.events, run.holding, run.origin && NO_BOUND)
  const work = batchRunner(deps.storage, { plan, options, isDryRun, bounded })
  const terms = async (key: TermKey): Promise<ReadonlyMap<string, number>> => {
    const planned = plan.terms[key]
    const ids = await work.inBatches(key, planned.terms, (tx, batch, stored) =>
      importTerms(tx, lookups[key], { key, terms: batch, ids: stored, run }),
    )
    return new Map([...planned.pathOf].flatMap(([ref, path]) => pair(ref, ids.get(path))))
  }
  const linked = {
    category: await terms('category'),
    tag: await terms('tag'),
    venue: await work.inBatches('venue', [...plan.venues.values()], (tx, items) =>
      importLinked(tx, VENUES, { items, run }),
    ),
    organizer: await work.inBatches('organizer', [...plan.organizers.values()], (tx, items) =>
      importLinked(tx, ORGANIZERS, { items, run }),
    ),
  }
  const all = (key: keyof typeof linked) =>
    known[key].size === 0 ? linked[key] : new Map([...known[key], ...linked[key]])
  const named = { category: all('category'), tag: all('tag'), venue: all('venue'), organizer: all('organizer') }
  const event = await work.inBatches('event', bounded.events, (tx, events, stored) =>
    importEvents(tx, { events, ids: { ...named, event: stored }, run }),
  )
  return { ...work.outcome(), ids: { ...linked, event } }
}

function pair(ref: string, id: number | undefined): [string, number][] {
  return id === undefined ? [] : [[ref, id]]
}

function none() {
  return { created: 0, updated: 0, unchanged: 0 }
}

type Step<Item> = (tx: Transaction, batch: readonly Item[], ids: ReadonlyMap<string, number>) => Promise<ImportedItem[]>

type Write = (tx: Transaction) => Promise<ImportedItem[]>

function write(storage: Storage, job: Write): Promise<ImportedItem[]> {
  return storage.write(job)
}

/** Carries the outcome of a rehearsal out of its transaction, which ends with it. */
class Rehearsed extends Error {
  readonly imported: ImportedItem[]
  constructor(imported: ImportedItem[]) {
    super('nothing is stored')
    this.imported = imported
  }
}

async function rehearse(storage: Storage, job: Write): Promise<ImportedItem[]> {
  try {
    return await storage.write(async (tx): Promise<never> => {
      throw new Rehearsed(await job(tx))
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.imported
    throw error
  }
}

/** Works through lists of items, batch by batch, and keeps count. */
function batchRunner(
  storage: Storage,
  {
    plan,
    options,
    isDryRun,
    bounded,
  }: Pick<Storing, 'plan' | 'options'> & { readonly isDryRun: boolean; readonly bounded: BoundedEvents },
) {
  const counts = { category: none(), tag: none(), venue: none(), organizer: none(), event: none() }
  const skipped: Skipped[] = [...plan.skipped, ...bounded.skipped]
  const later = new Set<string>()
  const { terms, venues, organizers } = plan
  const { events, dates } = bounded
  const total = terms.category.terms.length + terms.tag.terms.length + venues.size + organizers.size + events.length
  let done = 0
  return {
    /** The IDs of the items by their names. */
    inBatches: async <Item extends object>(
      kind: keyof StoredIds,
      items: readonly Item[],
      step: Step<Item>,
    ): Promise<ReadonlyMap<string, number>> => {
      const ids = new Map<string, number>()
      // Other writers wait for no more than one portion.
      for (const batch of portionsOf(items, dates)) {
        for (const item of batch) await prepareImported(undefined, 'entry' in item ? item.entry : undefined)
        // A job may run again after a conflict: what it found counts when it is durable.
        const imported = await (isDryRun ? rehearse : write)(storage, (tx) => step(tx, batch, ids))
        for (const { name, id, outcome } of imported) {
          // A rehearsal leaves nothing.
          if (id !== undefined && (!isDryRun || outcome !== 'created')) ids.set(name, id)
          if (typeof outcome === 'string') counts[kind][outcome] += 1
          else skipped.push(outcome)
          if (typeof outcome !== 'string' && outcome.isForNow === true) later.add(name)
        }
        done += batch.length
        options.onProgress({ done, total })
      }
      return ids
    },
    outcome: () => ({ counts, skipped, later }),
  }
}
