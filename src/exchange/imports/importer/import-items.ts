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
import { readRecorded } from '../readers/reading.ts'
import {
  eachKind,
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
import type { ImportContext, ImportedItem } from './outcome.ts'
import { type Plan, planItems } from './plan.ts'
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
  return async (files, { author, onProgress }) => {
    const owner = await ownerOf(deps, author)
    const plan = await planItems(await readRecorded(files), { site: deps.site, holding: holdingOf(deps) })
    return reportOf(await importPlan(deps, { plan, owner, onProgress }))
  }
}

/** The report of what became of some items. */
export function reportOf({ counts, skipped }: Pick<ImportedItems, 'counts' | 'skipped'>): ImportReport {
  const all = Object.values(counts)
  const sum = (outcome: keyof ImportCounts): number => all.reduce((total, one) => total + one[outcome], 0)
  return { created: sum('created'), updated: sum('updated'), unchanged: sum('unchanged'), counts, ...reported(skipped) }
}

/** What dates of series are stored with. */
export function holdingOf({ now, recurrenceYears }: Pick<ImportDeps, 'now' | 'recurrenceYears'>): Holding {
  return { now: now(), recurrenceYears }
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

/** What is imported, and what is known of it. */
export interface PlannedImport extends Pick<ImportContext, 'owner' | 'origin' | 'merging' | 'pictures'> {
  readonly plan: Plan
  /** What is stored already of what events name; nothing if absent. */
  readonly known?: StoredIds
  /** Whether nothing is stored. */
  readonly isDryRun?: boolean
  readonly onProgress?: ImportOptions['onProgress']
}

/** What became of some items: of each kind, and the IDs of those by their names. */
export interface ImportedItems {
  readonly counts: ImportReport['counts']
  readonly skipped: readonly Skipped[]
  readonly ids: StoredIds
  /** Names of items that were skipped, or left as they were, for now: another import may include them. */
  readonly later: ReadonlySet<string>
}

const NONE: StoredIds = eachKind(() => new Map())

/** Imports what was planned: terms, venues and organizers, then the events that name them; `ids` has only what was imported now. */
export async function importPlan(deps: ImportDeps, planned: PlannedImport): Promise<ImportedItems> {
  const { plan, owner, origin, merging, pictures, known = NONE } = planned
  const { lookups, site } = deps
  const context = { site, owner, at: utcFromMillis(deps.now()), holding: holdingOf(deps), wished: wishedIds(plan) }
  const run: ImportContext = { ...context, origin, merging, pictures }
  const bounded = await boundDates(plan.events, run.holding, origin && NO_BOUND)
  const { inBatches, outcome } = batchRunner(deps.storage, planned, bounded)
  const terms = async (key: TermKey): Promise<ReadonlyMap<string, number>> => {
    const { terms, pathOf } = plan.terms[key]
    const ids = await inBatches(key, terms, (tx, batch, stored) =>
      importTerms(tx, lookups[key], { key, terms: batch, ids: stored, run }),
    )
    return new Map([...pathOf].flatMap(([ref, path]) => pair(ref, ids.get(path))))
  }
  const linked = {
    category: await terms('category'),
    tag: await terms('tag'),
    venue: await inBatches('venue', [...plan.venues.values()], (tx, items) => importLinked(tx, VENUES, { items, run })),
    organizer: await inBatches('organizer', [...plan.organizers.values()], (tx, items) =>
      importLinked(tx, ORGANIZERS, { items, run }),
    ),
  }
  const all = (key: keyof typeof linked) =>
    known[key].size === 0 ? linked[key] : new Map([...known[key], ...linked[key]])
  const named = { category: all('category'), tag: all('tag'), venue: all('venue'), organizer: all('organizer') }
  const event = await inBatches('event', bounded.events, (tx, events, stored) =>
    importEvents(tx, { events, ids: { ...named, event: stored }, run }),
  )
  return { ...outcome, ids: { ...linked, event } }
}

function wishedIds({ venues, organizers, events, terms }: Plan): ImportContext['wished'] {
  const entries = [...venues.values(), ...organizers.values(), ...events]
  return {
    entry: entries.flatMap((item) => item.identity.wishedId ?? []),
    term: [...terms.category.terms, ...terms.tag.terms].flatMap((term) => term.wishedId ?? []),
  }
}

function pair(ref: string, id: number | undefined): [string, number][] {
  return id === undefined ? [] : [[ref, id]]
}

type Step<Item> = (tx: Transaction, batch: readonly Item[], ids: ReadonlyMap<string, number>) => Promise<ImportedItem[]>

/** Carries the outcome of a rehearsal out of its transaction, which ends with it. */
class Rehearsed extends Error {
  readonly imported: ImportedItem[]
  constructor(imported: ImportedItem[]) {
    super('nothing is stored')
    this.imported = imported
  }
}

/** Runs a job in a transaction, as a rehearsal without storing anything. */
async function write(
  storage: Storage,
  job: (tx: Transaction) => Promise<ImportedItem[]>,
  isDryRun: boolean,
): Promise<ImportedItem[]> {
  if (!isDryRun) return storage.write(job)
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
function batchRunner(storage: Storage, { plan, onProgress, isDryRun = false }: PlannedImport, bounded: BoundedEvents) {
  const counts = eachKind(() => ({ created: 0, updated: 0, unchanged: 0 }))
  const skipped: Skipped[] = [...plan.skipped, ...bounded.skipped]
  const later = new Set<string>()
  const { terms, venues, organizers } = plan
  const { events, dates } = bounded
  const total = terms.category.terms.length + terms.tag.terms.length + venues.size + organizers.size + events.length
  let done = 0
  /** The IDs of the items by their names. */
  const inBatches = async <Item extends object>(
    kind: keyof StoredIds,
    items: readonly Item[],
    step: Step<Item>,
  ): Promise<ReadonlyMap<string, number>> => {
    const ids = new Map<string, number>()
    // Other writers wait for no more than one portion.
    for (const batch of portionsOf(items, dates)) {
      for (const item of batch) await prepareImported(undefined, 'entry' in item ? item.entry : undefined)
      // A job may run again after a conflict: what it found counts when it is durable.
      const imported = await write(storage, (tx) => step(tx, batch, ids), isDryRun)
      for (const { name, id, outcome } of imported) {
        // A rehearsal leaves nothing.
        if (id !== undefined && (!isDryRun || outcome !== 'created')) ids.set(name, id)
        if (typeof outcome === 'string') counts[kind][outcome] += 1
        else skipped.push(outcome)
        if (typeof outcome !== 'string' && outcome.isForNow === true) later.add(name)
      }
      done += batch.length
      onProgress?.({ done, total })
    }
    return ids
  }
  return { inBatches, outcome: { counts, skipped, later } }
}
