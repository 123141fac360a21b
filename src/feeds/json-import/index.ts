/** Takes recorded answers of a calendar over: files of this interface's own representations (architecture: Imports). */

import { fail } from '../../errors.ts'
import type { TermKey } from '../../model/resource.ts'
import type { Site } from '../../model/site.ts'
import { ORGANIZERS } from '../../organizers/index.ts'
import type { Storage, Transaction } from '../../storage/engine.ts'
import type { TermLookup } from '../../terms/index.ts'
import { fold } from '../../text/fold.ts'
import { utcFromMillis } from '../../time/zones.ts'
import { listUsers, type UserBook } from '../../users/index.ts'
import { VENUES } from '../../venues/index.ts'
import { importEvents, type StoredIds } from './import-events.ts'
import { importLinked } from './import-linked.ts'
import { importTerms } from './import-terms.ts'
import type { ImportedItem, Run } from './outcome.ts'
import { type Plan, planImport } from './plan.ts'
import type { ImportOptions, ImportReport, JsonImport, Skipped } from './types.ts'

/** What an import works with. */
export interface ImportParts extends UserBook {
  readonly storage: Storage
  readonly site: Site
  readonly lookups: {
    readonly category: TermLookup
    readonly tag: TermLookup
  }
}

/** Makes the import: everything is read and checked before the first write, which then are many small ones. */
export function openJsonImport(parts: ImportParts): JsonImport {
  return async (files, options) => {
    const owner = await ownerOf(parts, options.author)
    const plan = await planImport(files, parts.site)
    const run: Run = { site: parts.site, owner, at: utcFromMillis(parts.now()), wished: wishedIds(plan) }
    return store(parts, { plan, run, options })
  }
}

/** The user who gets what is imported. @throws no_such_user, no_administrator */
async function ownerOf(parts: ImportParts, author: string | undefined): Promise<number> {
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

function wishedIds({ venues, organizers, events, terms }: Plan): Run['wished'] {
  const entries = [...venues.values(), ...organizers.values(), ...events]
  return {
    entry: entries.map((item) => item.identity.wishedId),
    term: [...terms.category.terms, ...terms.tag.terms].flatMap((term) => term.wishedId ?? []),
  }
}

interface Storing {
  readonly plan: Plan
  readonly run: Run
  readonly options: ImportOptions
}

async function store(parts: ImportParts, { plan, run, options }: Storing): Promise<ImportReport> {
  const { lookups } = parts
  const work = batchRunner(parts.storage, { plan, options })
  const terms = async (key: TermKey): Promise<ReadonlyMap<string, number>> => {
    const planned = plan.terms[key]
    const ids = await work.inBatches(planned.terms, (tx, batch, stored) =>
      importTerms(tx, lookups[key], { key, terms: batch, ids: stored, run }),
    )
    return new Map([...planned.pathOf].flatMap(([ref, path]) => pair(ref, ids.get(path))))
  }
  const linked: Omit<StoredIds, 'event'> = {
    category: await terms('category'),
    tag: await terms('tag'),
    venue: await work.inBatches([...plan.venues.values()], (tx, items) => importLinked(tx, VENUES, { items, run })),
    organizer: await work.inBatches([...plan.organizers.values()], (tx, items) =>
      importLinked(tx, ORGANIZERS, { items, run }),
    ),
  }
  await work.inBatches(plan.events, (tx, events, event) => importEvents(tx, { events, ids: { ...linked, event }, run }))
  return work.report()
}

function pair(ref: string, id: number | undefined): [string, number][] {
  return id === undefined ? [] : [[ref, id]]
}

/** Items of one transaction: other writers wait for no more than that. */
const BATCH = 100

type Step<Item> = (tx: Transaction, batch: readonly Item[], ids: ReadonlyMap<string, number>) => Promise<ImportedItem[]>

/** Works through lists of items, batch by batch, and keeps count. */
function batchRunner(storage: Storage, { plan, options }: Pick<Storing, 'plan' | 'options'>) {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const skipped: Skipped[] = [...plan.skipped]
  const { terms, venues, organizers, events } = plan
  const total = terms.category.terms.length + terms.tag.terms.length + venues.size + organizers.size + events.length
  let done = 0
  return {
    /** The ids of the items by their names. */
    inBatches: async <Item>(items: readonly Item[], step: Step<Item>): Promise<ReadonlyMap<string, number>> => {
      const ids = new Map<string, number>()
      for (let start = 0; start < items.length; start += BATCH) {
        const batch = items.slice(start, start + BATCH)
        // A job may run again after a conflict: what it found counts when it is durable.
        const imported = await storage.write((tx) => step(tx, batch, ids))
        for (const { name, id, outcome } of imported) {
          ids.set(name, id)
          if (typeof outcome === 'string') counts[outcome] += 1
          else skipped.push(outcome)
        }
        done += batch.length
        options.onProgress({ done, total })
      }
      return ids
    },
    report: (): ImportReport => ({ ...counts, skipped }),
  }
}
