import { storedJson } from '../../../base/text/stored-json.ts'
import type { EventLinks, EventRow, Holding, TakenVenue } from '../../../calendar/events/index.ts'
import { globalId } from '../../../calendar/shared/present.ts'
import { freeSlug } from '../../../calendar/shared/slugs.ts'
import { trashedSlug } from '../../../calendar/shared/trash.ts'
import type { EntryKey } from '../../../model/resource.ts'
import type { Site } from '../../../model/site.ts'
import type { Reader, Transaction } from '../../../storage/engine.ts'
import type { EntryColumns } from '../../../storage/schema.ts'
import type { Identity } from '../readers/json/identity.ts'
import { type Place, placeText } from '../readers/json/members.ts'
import type { SourceEntry } from '../readers/json/read-entry.ts'
import type { Skipped } from '../types.ts'
import { idsByOrigin, idsThere, ownIdIn } from './store-origins.ts'

/** What has been found out about a site before its items are imported. */
export interface OriginContext {
  /** Users here by the IDs of authors there. */
  readonly authors: ReadonlyMap<string, number>
  /** Whether an item that is in the trash here is to come back: it was there, too, or gone. */
  isBack(globalId: string): boolean
}

/** An event as it is stored, or as it is to be. */
export interface MergedEvent {
  readonly row: EventRow
  readonly links: EventLinks
  /** RRULE, RDATE and EXDATE; `[]` for one that does not recur. */
  readonly lines: readonly string[]
  /** Whether it is marked as private where it comes from; absent if not. */
  readonly isPrivate?: boolean
}

/** How events are merged with what was changed here. */
export interface Merging {
  /** The event as it is to be stored; `stored` is undefined for a new one. Called within the transaction. */
  merge(globalId: string, wanted: MergedEvent, stored: MergedEvent | undefined): MergedEvent
  /** Whether an event that is in the trash is to come back. */
  isBack(globalId: string): boolean
  /** Whether a date of a series stays as it is here, by what it has for itself; undefined where it has nothing. */
  keepsDate(globalId: string, recurrenceId: string, own: string | undefined): boolean
  /** Told what a date has for itself as it was imported. */
  tellDate(globalId: string, recurrenceId: string, own: string): void
  /** Stores what was merged; called at the end of each transaction with what was imported in it. */
  record(tx: Transaction, imported: readonly ImportedItem[]): Promise<void>
}

/** What is the same for all items of a run. */
export interface ImportContext {
  readonly site: Site
  /** User who owns what is created, and who causes every change. */
  readonly owner: number
  /** The present moment, UTC text. */
  readonly at: string
  /** What dates of series are stored with. */
  readonly holding: Holding
  /** What the site that everything comes from is known to be; absent for files. */
  readonly origin?: OriginContext | undefined
  readonly merging?: Merging | undefined
  /** Images here by their addresses elsewhere. */
  readonly pictures?: ReadonlyMap<string, number> | undefined
  /** IDs that entries of the run wish for, and terms. */
  readonly wished: { readonly entry: readonly number[]; readonly term: readonly number[] }
}

/** What became of an item. */
export type Outcome = 'created' | 'updated' | 'unchanged' | Skipped

/** An item after its import. */
export interface ImportedItem {
  /** How the run names it: a global ID, or the path of a term. */
  readonly name: string
  /** Undefined where nothing is stored. */
  readonly id: number | undefined
  readonly outcome: Outcome
}

/** An item that was thrown away here stays where it is: whoever did that did not mean until the next import. */
export function isThrownAway(stored: EntryColumns, entry: SourceEntry): boolean {
  return stored.status === 'trash' && entry.status !== 'trash'
}

/** Outcome of an item that was thrown away here. */
export function thrownAway(place: Place): Skipped {
  return { what: placeText(place), why: 'it is in the trash here' }
}

/** Outcome of an event with a password that nobody knows here: without it anyone could read what it hides. */
export function passwordUnknown(place: Place): Skipped {
  return { what: placeText(place), why: 'a password protects it there, which the file does not have' }
}

/** Outcome of an event at a venue that takes one event at a time, and that another one, or a date of its own, takes then. */
export function venueIsTaken(place: Place, { id, venue, start, end, isOwn }: TakenVenue): Skipped {
  const taker = isOwn === true ? 'another date of this event' : `event ${id}`
  const taken = `${taker} takes it from ${start} to ${end} UTC`
  const why = `venue ${venue} takes one event at a time, and ${taken}`
  // A date of its own continues taking it.
  return { what: placeText(place), why, ...(isOwn !== true && { isForNow: true }) }
}

/** Which entries are looked for. */
export interface KnownQuestion {
  readonly globalIds: readonly string[]
  readonly site: Site
  /** Whether they come from a site that may have the host of ours, and cannot have been created here. */
  readonly isElsewhere?: boolean
}

/**
 * The entries that were imported before, by global ID: those known by it, and for a global ID of our own site the entry
 * that has it.
 */
export async function storedEntries(
  reader: Reader,
  kind: EntryKey,
  { globalIds, site, isElsewhere = false }: KnownQuestion,
): Promise<ReadonlyMap<string, number>> {
  const known = await idsByOrigin(reader, kind, globalIds)
  if (isElsewhere) return known
  const own = globalIds.flatMap((name) => {
    const id = known.has(name) ? undefined : ownIdIn(name, site.host)
    return id === undefined ? [] : [[name, id] as const]
  })
  const ids = await idsThere(
    reader,
    kind === 'event' ? 'entry' : kind,
    own.map(([, id]) => id),
  )
  return new Map([...known, ...own.filter(([, id]) => ids.has(id))])
}

/** The global IDs that a stored entry is to be known by: as recorded, then those that it had before. Its own is not added. */
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
  readonly entry: SourceEntry
}

/** The columns that an entry has like all others, except its slug and revision; `stored` is undefined for a new one. */
export function commonColumns({ identity, entry }: Common, stored: EntryColumns | undefined, run: ImportContext) {
  const { status, description, excerpt, image_recorded } = entry
  const published_at = entry.publishedAt ?? stored?.published_at ?? run.at
  const image_id = run.pictures?.get(entry.imageAddress) ?? null
  return {
    author_id: ownerNow(entry, stored, run),
    status,
    trashed_from: status === 'trash' ? (stored?.trashed_from ?? 'draft') : null,
    published_at,
    modified_at: entry.modifiedAt ?? stored?.modified_at ?? published_at,
    description,
    excerpt,
    image_id,
    image_recorded: image_id === null ? image_recorded : null,
    extra: extraOf(entry, stored !== undefined && isNative(identity, stored, run.site)),
  }
}

/** Who owns an entry: who did, unless its site has given it to another user since, who is known here. */
function ownerNow({ recordedAuthor }: SourceEntry, stored: EntryColumns | undefined, run: ImportContext): number {
  const author = run.origin?.authors.get(recordedAuthor)
  const before = stored && authorThere(stored)
  const isGiven = before !== undefined && before !== recordedAuthor
  return (isGiven ? author : undefined) ?? stored?.author_id ?? author ?? run.owner
}

/** The author that an entry had where it came from; undefined where that is not recorded. */
function authorThere({ extra }: EntryColumns): string | undefined {
  return extra === null ? undefined : storedJson<{ readonly author?: string }>(extra).author
}

/** JSON of the unknown members and the recorded author; null when there are none. */
function extraOf({ recordedAuthor, unknown }: SourceEntry, isOurs: boolean): string | null {
  const extra = { ...(recordedAuthor !== '' && !isOurs && { author: recordedAuthor }), ...unknown }
  return Object.keys(extra).length === 0 ? null : JSON.stringify(extra)
}

/** Whether an entry was created here and not imported: its recorded author is its owner. */
function isNative(identity: Identity, stored: EntryColumns, site: Site): boolean {
  return identity.globalId === globalId(site.host, stored.id) && authorThere(stored) === undefined
}

/** The slug of an entry that is stored already: as recorded where that is free, else what it has instead. */
export async function slugOf(
  tx: Transaction,
  table: EntryKey,
  { entry, stored }: { readonly entry: SourceEntry; readonly stored: EntryColumns },
): Promise<string> {
  const wanted = wantedSlug(entry, stored.slug)
  if (wanted === stored.slug) return wanted
  const free = await freeSlug(tx, { table, slug: wanted, id: stored.id })
  return free !== wanted && /-\d+$/.test(stored.slug) && hasNumberedForm(stored.slug, wanted) ? stored.slug : free
}

/** The recorded slug as it stands in the table; the fallback where none was recorded. */
export function wantedSlug(entry: SourceEntry, fallback: string): string {
  const slug = entry.slug === '' ? fallback : entry.slug
  return entry.status === 'trash' && slug !== '' ? trashedSlug(slug) : slug
}

/** Whether a slug is another with a number behind it; long ones are cut for it. */
function hasNumberedForm(slug: string, plain: string): boolean {
  return plain.startsWith(slug.replace(/-\d+$/, ''))
}
