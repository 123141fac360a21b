import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../../storage/engine.ts'
import { nextEntryId } from '../../../storage/identifiers.ts'
import type { EventState } from '../../event-store/copies.ts'
import { type EventLinks, type EventRow, NO_LINKS } from '../../event-store/event-row.ts'
import { insertEvent, updateEvent } from '../../event-store/write.ts'
import { freeSlug } from '../../shared/slugs.ts'
import { changeAction, trashedSlug } from '../../shared/trash.ts'
import { changeSeries, createSeries } from '../series/change.ts'
import type { SeriesWrite } from '../series/state.ts'
import type { KnownRelations } from '../show/load.ts'
import { resolveLinks, resolveRow } from './resolve-state.ts'
import type { EventChange, Writing } from './writing.ts'

/** An event as a write has left it. */
export interface WrittenEvent {
  readonly row: EventRow
  /** What it is linked to; absent where the dates of a recurring event may differ in it. */
  readonly links?: EventLinks
  /** What else is known of that. */
  readonly known?: KnownRelations
}

/** Creates an event. */
export async function createEvent(tx: Transaction, change: EventChange, writing: Writing): Promise<WrittenEvent> {
  const id = await nextEntryId(tx, 'event')
  const { links, ...known } = await resolveLinks(tx, { change, stored: NO_LINKS, writing })
  const row = await resolveRow(tx, { id, stored: undefined, change, writing })
  if (isRecurring(change)) return { row: await createSeries(tx, { row, links }, { change, writing }) }
  await insertEvent(tx, { row, links }, { actor: writing.caller.id, action: 'create' })
  return { row, links, known: { ...known, made: new Set([id, ...known.made]) } }
}

/** Changes an event; a write that changes nothing leaves no trace (decisions: Round trip). */
export async function changeEvent(tx: Transaction, before: EventState, write: SeriesWrite): Promise<WrittenEvent> {
  const { change, writing } = write
  if (before.row.occasion !== undefined || isRecurring(change))
    return { row: await changeSeries(tx, before.row, write) }
  const { links, ...known } = await resolveLinks(tx, { change, stored: before.links, writing })
  const resolved = await resolveRow(tx, { id: before.row.id, stored: before.row, change, writing })
  const row = { ...resolved, revision: before.row.revision, modified_at: before.row.modified_at }
  if (isDeepStrictEqual({ ...row }, { ...before.row }) && isDeepStrictEqual(links, before.links)) return before
  const after = { row: { ...row, revision: row.revision + 1, modified_at: resolved.modified_at }, links }
  const action = changeAction(before.row.status, row.status)
  await updateEvent(tx, { before, after }, { actor: writing.caller.id, action })
  return { ...after, known }
}

function isRecurring({ values: { recurrence = [] } }: EventChange): boolean {
  return recurrence.length > 0
}

/** Moves an event to the trash: its slug becomes free, its relations stay (wire: events 6; decisions: Trash). */
export async function removeToTrash(
  tx: Transaction,
  before: EventState,
  cause: { actor: number | null; at: string },
): Promise<EventRow> {
  const { row, links } = before
  const slug = await freeSlug(tx, { table: 'event', slug: trashedSlug(row.slug), id: row.id })
  const trashed: EventRow = {
    ...row,
    status: 'trash',
    trashed_from: row.status,
    slug,
    modified_at: cause.at,
    revision: row.revision + 1,
  }
  await updateEvent(tx, { before, after: { row: trashed, links } }, { actor: cause.actor, action: 'trash' })
  return trashed
}
