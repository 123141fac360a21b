import { globalId } from '../../entries/present.ts'
import { freeSlug } from '../../entries/slugs.ts'
import { trashedSlug } from '../../entries/trash.ts'
import type { EntryKey } from '../../model/resource.ts'
import type { Site } from '../../model/site.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import type { EntryColumns } from '../../storage/schema.ts'
import { storedJson } from '../../text/stored-json.ts'
import type { Identity } from './identity.ts'
import { type Place, placeText } from './members.ts'
import type { RecordedEntry } from './read-entry.ts'
import { idsByOrigin, idsOfKind } from './store.ts'
import type { Skipped } from './types.ts'

/** What is the same for all items of a run. */
export interface Run {
  readonly site: Site
  /** User who owns what is created, and who causes every change. */
  readonly owner: number
  /** The present moment, UTC text. */
  readonly at: string
  /** Ids that entries of the run wish for, and terms. */
  readonly wished: { readonly entry: readonly number[]; readonly term: readonly number[] }
}

/** What became of an item. */
export type Outcome = 'created' | 'updated' | 'unchanged' | Skipped

/** An item after its import. */
export interface ImportedItem {
  /** How the run names it: a global id, or the path of a term. */
  readonly name: string
  readonly id: number
  readonly outcome: Outcome
}

/** An item that was thrown away here stays where it is: whoever did that did not mean until the next import. */
export function isThrownAway(stored: EntryColumns, entry: RecordedEntry): boolean {
  return stored.status === 'trash' && entry.status !== 'trash'
}

/** Outcome of an item that was thrown away here. */
export function thrownAway(place: Place): Skipped {
  return { what: placeText(place), why: 'it is in the trash here' }
}

/**
 * The entries that were imported before, by global id: those known by it, and for a global id of our own site the entry
 * that has it.
 */
export async function storedEntries(
  reader: Reader,
  kind: EntryKey,
  { globalIds, site }: { readonly globalIds: readonly string[]; readonly site: Site },
): Promise<ReadonlyMap<string, number>> {
  const known = await idsByOrigin(reader, kind, globalIds)
  const prefix = globalId(site.host, 0).slice(0, -1)
  const own = globalIds.filter(
    (one) => !known.has(one) && one.startsWith(prefix) && /^\d{1,10}$/.test(one.slice(prefix.length)),
  )
  const ids = await idsOfKind(
    reader,
    kind,
    own.map((one) => Number(one.slice(prefix.length))),
  )
  const found = own.map((one) => [one, Number(one.slice(prefix.length))] as const).filter(([, id]) => ids.has(id))
  return new Map([...known, ...found])
}

/** The global ids that a stored entry is to be known by: as recorded, then those that it had before. Its own is not added. */
export function lineageOf(
  identity: Identity,
  { id, site, before }: { id: number; site: Site; before: readonly string[] },
): string[] {
  const own = globalId(site.host, id)
  const all = new Set([identity.globalId, ...identity.lineage, ...before])
  if (!before.includes(own)) all.delete(own)
  return [...all]
}

/** An item with what it has in common with all others. */
interface Common {
  readonly identity: Identity
  readonly entry: RecordedEntry
}

/** The columns that an entry has like all others, except its slug and revision; `stored` is undefined for a new one. */
export function commonColumns({ identity, entry }: Common, stored: EntryColumns | undefined, run: Run) {
  const { status, description, excerpt, image_recorded } = entry
  const published_at = entry.publishedAt ?? stored?.published_at ?? run.at
  return {
    author_id: stored?.author_id ?? run.owner,
    status,
    trashed_from: status === 'trash' ? (stored?.trashed_from ?? 'draft') : null,
    published_at,
    modified_at: entry.modifiedAt ?? stored?.modified_at ?? published_at,
    description,
    excerpt,
    image_id: null,
    image_recorded,
    extra: extraOf(entry, stored !== undefined && isNative(identity, stored, run.site)),
  }
}

/** JSON of the unknown members and the recorded author; null when there are none. */
function extraOf({ recordedAuthor, unknown }: RecordedEntry, isOurs: boolean): string | null {
  const extra = { ...(recordedAuthor !== '' && !isOurs && { author: recordedAuthor }), ...unknown }
  return Object.keys(extra).length === 0 ? null : JSON.stringify(extra)
}

/** Whether an entry was made here and not imported: its recorded author is its owner. */
function isNative(identity: Identity, stored: EntryColumns, site: Site): boolean {
  const isAuthorKept = stored.extra !== null && Object.hasOwn(storedJson(stored.extra), 'author')
  return identity.globalId === globalId(site.host, stored.id) && !isAuthorKept
}

/** The slug of an entry that is stored already: as recorded where that is free, else what it has instead. */
export async function slugOf(
  tx: Transaction,
  table: EntryKey,
  { entry, stored }: { readonly entry: RecordedEntry; readonly stored: EntryColumns },
): Promise<string> {
  const wanted = wantedSlug(entry, stored.slug)
  if (wanted === stored.slug) return wanted
  const free = await freeSlug(tx, { table, slug: wanted, id: stored.id })
  return free !== wanted && /-\d+$/.test(stored.slug) && hasNumberedForm(stored.slug, wanted) ? stored.slug : free
}

/** The recorded slug as it stands in the table; the fallback where none was recorded. */
export function wantedSlug(entry: RecordedEntry, fallback: string): string {
  const slug = entry.slug === '' ? fallback : entry.slug
  return entry.status === 'trash' && slug !== '' ? trashedSlug(slug) : slug
}

/** Whether a slug is another with a number behind it; long ones are cut for it. */
function hasNumberedForm(slug: string, plain: string): boolean {
  return plain.startsWith(slug.replace(/-\d+$/, ''))
}
