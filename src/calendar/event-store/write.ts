import type { Transaction } from '../../storage/engine.ts'
import { deleteSearchText, hiddenId, setLineage, setSearchText } from '../../storage/entry-texts.ts'
import { claimEntryId, nextEntryId } from '../../storage/identifiers.ts'
import { record } from '../../storage/journal/append.ts'
import { changeRow, deleteRows, insertRow, insertRows, putRows } from '../../storage/row-writes.ts'
import {
  areListedAlike,
  type EventState,
  hiddenTextOf,
  isRelisted,
  KINDS,
  moveCounts,
  type Occurrences,
  occurrencesOf,
  publicLinks,
  searchTextOf,
  snapshotOfEvent,
} from './copies.ts'
import { NO_LINKS } from './event-row.ts'
import { deleteFormerSlugs, keepSlugBefore } from './former-slugs.ts'
import { recordEventChanges } from './record-changes.ts'
import { categoriesUpFrom, recountTerms } from './terms.ts'
import { hasOtherTickets, storeTickets } from './tickets.ts'

/** Why a row changes, for the journal. */
export interface ChangeCause {
  /** User who causes it; null for the program itself. */
  readonly actor: number | null
  readonly action: 'create' | 'update' | 'trash' | 'restore'
  /** Moment of the change, UTC text, where it is not the row's own date of modification, which an import keeps. */
  readonly at?: string
}

/** Claims an ID for a new event: the wished one if it is free, or else the next. */
export async function takeEventId(tx: Transaction, wished?: number): Promise<number> {
  if (wished !== undefined && (await claimEntryId(tx, 'event', wished))) return wished
  return nextEntryId(tx, 'event')
}

/** Stores a new event with its relations, occurrences, search text, counts and journal entry. */
export async function insertEvent(
  tx: Transaction,
  state: EventState & { readonly lineage?: readonly string[] },
  cause: ChangeCause,
): Promise<void> {
  const { row } = state
  await insertRow(tx, 'event', row)
  if (state.lineage !== undefined && state.lineage.length > 0)
    await setLineage(tx, { id: row.id, globalIds: state.lineage })
  await applyDerived(tx, { before: undefined, after: state }, cause)
}

/** Stores a changed event; `row.revision` must be one more than before. */
export async function updateEvent(
  tx: Transaction,
  change: { before: EventState; after: EventState },
  cause: ChangeCause,
): Promise<void> {
  const { before, after } = change
  await changeRow(tx, 'event', after.row)
  await keepSlugBefore(tx, { before: before.row, after: after.row }, cause.at ?? after.row.modified_at)
  await applyDerived(tx, change, cause)
}

/** Deletes an event permanently; its ID is never reused. */
export async function deleteEvent(
  tx: Transaction,
  state: EventState,
  cause: { actor: number | null; at: string },
): Promise<void> {
  const { row, links } = state
  const { id } = row
  const counted = { before: publicLinks(state), after: NO_LINKS }
  const recounted = await recountTerms(tx, counted, { before: links, after: NO_LINKS })
  for (const kind of KINDS) await storeRelation(tx, { id, kind, targets: [], before: links[kind] })
  const copies = await copiesOf(tx, state)
  await moveCounts(tx, { before: [copies], after: [] })
  await deleteRows(tx, 'occurrence_link', { column: 'event_id', value: id })
  await deleteRows(tx, 'occurrence', { column: 'event_id', value: id })
  await deleteSearchText(tx, id)
  if (row.password_hash !== null) await deleteSearchText(tx, hiddenId(id))
  await setLineage(tx, { id, globalIds: [] })
  await deleteFormerSlugs(tx, id)
  const parts = await tx.all(
    tx.db.updateTable('event').set({ post_parent: 0 }).where('post_parent', '=', id).returning('id'),
  )
  await deleteRows(tx, 'event', { column: 'id', value: id })
  const revision = row.revision + 1
  const { actor, at } = cause
  const effect = { recounted, isRelisted: isRelisted(copies, undefined) }
  record(tx, { actor, resource: 'event', id, revision, action: 'delete', at, snapshot: null, ...effect })
  await recordEventChanges(
    tx,
    parts.map((part) => part.id),
    cause,
  )
}

/** An event before and after a change. */
export interface StateChange {
  readonly before: EventState | undefined
  readonly after: EventState
}

/** Everything that follows from a row: it is copied in the same transaction, so no reader sees one without the other. */
async function applyDerived(tx: Transaction, { before, after }: StateChange, cause: ChangeCause): Promise<void> {
  const { row, links } = after
  const hasTickets = (row.tickets ?? before?.row.tickets ?? null) !== null
  if (hasTickets && hasOtherTickets(before?.row, row)) await storeTickets(tx, before?.row, row)
  for (const kind of KINDS)
    await storeRelation(tx, { id: row.id, kind, targets: links[kind], before: before?.links[kind] ?? [] })
  const countedBefore = before === undefined ? NO_LINKS : publicLinks(before)
  const counted = { before: countedBefore, after: publicLinks(after) }
  const recounted = await recountTerms(tx, counted, { before: before?.links ?? NO_LINKS, after: links })
  const effect = { recounted, isRelisted: await applyCopies(tx, { before, after }) }
  const { id, revision, modified_at } = row
  const snapshot = snapshotOfEvent(row, links)
  record(tx, { at: modified_at, ...cause, resource: 'event', id, revision, snapshot, ...effect })
}

/** Updates what lists and searches read, as far as it differs. Returns whether lists change. */
async function applyCopies(tx: Transaction, { before, after }: StateChange): Promise<boolean> {
  await applyTexts(tx, { before, after })
  if (before !== undefined && areListedAlike(before, after)) return false
  const listed = { before: before && (await copiesOf(tx, before)), after: await copiesOf(tx, after) }
  await storeOccurrence(tx, listed)
  await moveCounts(tx, { before: listed.before === undefined ? [] : [listed.before], after: [listed.after] })
  return isRelisted(listed.before, listed.after)
}

export async function applyTexts(tx: Transaction, { before, after: { row } }: StateChange): Promise<void> {
  if (before !== undefined && haveSameText(before.row, row)) return
  const [body, hidden] = [searchTextOf(row), hiddenTextOf(row)]
  await setSearchText(tx, { id: row.id, body })
  if (hidden !== undefined) await setSearchText(tx, { id: hiddenId(row.id), body: hidden })
  else if (before !== undefined && before.row.password_hash !== null) await deleteSearchText(tx, hiddenId(row.id))
}

/** Whether searches cover the same texts of two rows. */
function haveSameText(one: EventState['row'], other: EventState['row']): boolean {
  const isOpen = one.password_hash === null
  if (one.title !== other.title || isOpen !== (other.password_hash === null)) return false
  return one.description === other.description && one.excerpt === other.excerpt
}

/** What lists read of an event, given the present tree of categories; a change to the tree updates it. */
async function copiesOf(tx: Transaction, state: EventState): Promise<Occurrences> {
  return occurrencesOf(state, await categoriesUpFrom(tx, state.links.category))
}

interface Relation {
  readonly id: number
  readonly kind: (typeof KINDS)[number]
  readonly targets: readonly number[]
  readonly before: readonly number[]
}

export async function storeRelation(tx: Transaction, { id, kind, targets, before }: Relation): Promise<void> {
  if (targets.length === before.length && targets.every((target, index) => target === before[index])) return
  if (before.length > 0) await deleteRows(tx, `event_${kind}`, { column: 'event_id', value: id })
  const at = (position: number) => ({ event_id: id, position })
  if (kind === 'venue')
    await insertRows(
      tx,
      'event_venue',
      targets.map((venue_id, n) => ({ ...at(n), venue_id })),
    )
  if (kind === 'organizer')
    await insertRows(
      tx,
      'event_organizer',
      targets.map((organizer_id, n) => ({ ...at(n), organizer_id })),
    )
  if (kind === 'category')
    await insertRows(
      tx,
      'event_category',
      targets.map((category_id, n) => ({ ...at(n), category_id })),
    )
  if (kind === 'tag')
    await insertRows(
      tx,
      'event_tag',
      targets.map((tag_id, n) => ({ ...at(n), tag_id })),
    )
}

/** Stores what lists and totals read of an event without other dates that has no such rows. */
export async function storePlain(tx: Transaction, state: EventState): Promise<void> {
  const copies = await copiesOf(tx, state)
  await storeOccurrence(tx, { before: undefined, after: copies })
  await moveCounts(tx, { before: [], after: [copies] })
}

/** A plain event has one occurrence, whose ID is its own (architecture: Occurrences). */
async function storeOccurrence(
  tx: Transaction,
  { before, after }: { readonly before: Occurrences | undefined; readonly after: Occurrences },
): Promise<void> {
  const { occurrence, occurrenceLinks } = after
  if (before !== undefined) await deleteRows(tx, 'occurrence_link', { column: 'event_id', value: occurrence.event_id })
  await putRows(tx, 'occurrence', [occurrence])
  await insertRows(tx, 'occurrence_link', occurrenceLinks)
}
