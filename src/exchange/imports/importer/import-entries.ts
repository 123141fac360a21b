import { isDeepStrictEqual } from 'node:util'
import type { EntryKey } from '../../../model/resource.ts'
import type { Transaction } from '../../../storage/engine.ts'
import { lineagesOf, setLineage } from '../../../storage/entry-texts.ts'
import { leaveRoom } from '../../../storage/identifiers.ts'
import type { EntryColumns } from '../../../storage/schema.ts'
import type { Identity } from '../readers/json/identity.ts'
import type { Place } from '../readers/json/members.ts'
import type { SourceEntry } from '../readers/json/read-entry.ts'
import type { Skipped } from '../types.ts'
import {
  commonColumns,
  type ImportContext,
  type ImportedItem,
  isThrownAway,
  lineageOf,
  slugOf,
  storedEntries,
  thrownAway,
} from './outcome.ts'

/** An event, venue or organizer as it was recorded. */
interface ImportableEntry {
  readonly place: Place
  readonly identity: Identity
  readonly entry: SourceEntry
}

/** How the entries of a kind are stored. */
export interface EntryImport<Item, Row> {
  readonly key: EntryKey
  /** The stored rows with these IDs. */
  rows(ids: readonly number[]): Promise<readonly Row[]>
  /** Adds an item, with the global IDs under which it is to be known; its ID, or why it was left out. */
  create(item: Item, lineage: readonly string[]): Promise<number | Skipped>
  /**
   * Stores a row, of which `next` has the recorded columns that all kinds have; nothing when neither the row differs nor
   * its global IDs (`isKnown`). Whether it did, or why the item was left out.
   */
  update(
    item: Item,
    change: { readonly stored: Row; readonly next: Row; readonly isKnown: boolean },
  ): Promise<boolean | Skipped>
}

/** Items after which others have their turn. */
const SLICE = 5

/** Imports events, venues or organizers; how each came out. */
export async function importEntries<Item extends ImportableEntry, Row extends EntryColumns>(
  tx: Transaction,
  kind: EntryImport<Item, Row>,
  { items, run }: { readonly items: readonly Item[]; readonly run: ImportContext },
): Promise<ImportedItem[]> {
  const globalIds = items.map((item) => item.identity.globalId)
  const known = await storedEntries(tx, kind.key, {
    globalIds,
    site: run.site,
    isElsewhere: run.origin !== undefined,
  })
  const rows = new Map((await kind.rows([...known.values()])).map((row) => [row.id, row]))
  const lineages = await lineagesOf(tx, [...known.values()])
  if (globalIds.some((one) => !known.has(one))) await leaveRoom(tx, 'entry', run.wished.entry)
  const importOne = async (item: Item): Promise<Omit<ImportedItem, 'name'>> => {
    const { identity, entry, place } = item
    const stored = rows.get(known.get(identity.globalId) ?? 0)
    if (stored === undefined) {
      const made = await kind.create(item, [identity.globalId, ...identity.lineage])
      return typeof made === 'number' ? { id: made, outcome: 'created' } : { id: undefined, outcome: made }
    }
    const { id } = stored
    const isBack = run.merging?.isBack(identity.globalId) ?? run.origin?.isBack(identity.globalId)
    if (isThrownAway(stored, entry) && isBack !== true) return { id, outcome: thrownAway(place) }
    const before = lineages.get(id) ?? []
    const globalIds = lineageOf(identity, { id, site: run.site, before })
    const isKnown = isDeepStrictEqual(globalIds, before)
    const slug = await slugOf(tx, kind.key, { entry, stored })
    const isStored = await kind.update(item, {
      stored,
      next: { ...stored, ...commonColumns(item, stored, run), slug },
      isKnown,
    })
    if (typeof isStored !== 'boolean') return { id, outcome: isStored }
    if (!isKnown) await setLineage(tx, { id, globalIds })
    return { id, outcome: isStored ? 'updated' : 'unchanged' }
  }
  const imported: ImportedItem[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % SLICE === 0) await tx.pause()
    imported.push({ name: item.identity.globalId, ...(await importOne(item)) })
  }
  return imported
}
