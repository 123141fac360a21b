import { isDeepStrictEqual } from 'node:util'
import { slugify } from '../../../base/text/slug.ts'
import {
  type EventLinks,
  type EventRow,
  type EventState,
  type ImportedDate,
  type ImportedSeries,
  importSeries,
  insertEvent,
  linksOf,
  NO_LINKS,
  recurringOf,
  storedEvents,
  takeEventId,
  updateEvent,
  venueTaken,
} from '../../../calendar/events/index.ts'
import { freeSlug } from '../../../calendar/shared/slugs.ts'
import { changeAction, restoredSlug } from '../../../calendar/shared/trash.ts'
import { BLANK_EVENT } from '../../../model/event.ts'
import type { Transaction } from '../../../storage/engine.ts'
import { setLineage } from '../../../storage/entry-texts.ts'
import type { Skipped } from '../types.ts'
import { importEntries } from './import-entries.ts'
import {
  commonColumns,
  type ImportContext,
  type ImportedItem,
  type MergedEvent,
  passwordUnknown,
  storedEntries,
  venueIsTaken,
  wantedSlug,
} from './outcome.ts'
import type { PlannedEvent } from './planned.ts'

/** IDs of what the run has stored, by the names that events use for it. */
export interface StoredIds {
  /** By global ID. */
  readonly event: ReadonlyMap<string, number>
  readonly venue: ReadonlyMap<string, number>
  readonly organizer: ReadonlyMap<string, number>
  /** By ref. */
  readonly category: ReadonlyMap<string, number>
  readonly tag: ReadonlyMap<string, number>
}

/** Events to import. */
export interface EventBatch {
  /** Events of which others are parts come before these. */
  readonly events: readonly PlannedEvent[]
  readonly ids: StoredIds
  readonly run: ImportContext
}

/** An event that is new, or stored already. */
interface Storing {
  readonly event: PlannedEvent
  readonly row: EventRow
  readonly stored: EventRow | undefined
}

/** Imports events; how each came out. */
export async function importEvents(tx: Transaction, { events, ids, run }: EventBatch): Promise<ImportedItem[]> {
  const parents = new Map([...(await knownParents(tx, events, run)), ...ids.event])
  let links: ReadonlyMap<number, EventLinks> = new Map()
  const imported = await importEntries<PlannedEvent, EventRow>(
    tx,
    {
      key: 'event',
      rows: async (known) => {
        links = await linksOf(tx, known)
        return storedEvents(tx, known)
      },
      create: async (event, lineage) => {
        if (event.isProtected === true && run.origin === undefined) return passwordUnknown(event.place)
        const row = await newRow(tx, event, { run, post_parent: parents.get(event.parentGlobalId) ?? 0 })
        run.merging?.merge(event.identity.globalId, wantedOf({ event, row, stored: undefined }, ids), undefined)
        const refused = await createStored(tx, { event, row, stored: undefined, lineage }, { ids, run })
        if (refused !== undefined) return refused
        parents.set(event.identity.globalId, row.id)
        return row.id
      },
      update: async (event, { stored, next, isKnown }) => {
        const parent = parents.get(event.parentGlobalId)
        const post_parent = parent ?? (event.parentGlobalId === '' ? 0 : stored.post_parent)
        const slug = await restoredFrom(tx, stored, next)
        const status = run.origin === undefined ? next.status : statusOf(event, next)
        const row: EventRow = { ...next, ...event.columns, post_parent, status, slug }
        const storing = { event, row, stored, links: links.get(stored.id) ?? NO_LINKS, isKnown }
        return updateStored(tx, storing, { ids, run })
      },
    },
    { items: events, run },
  )
  await run.merging?.record(tx, imported)
  return imported
}

/** Why the event was left out; undefined where it is stored. */
async function createStored(
  tx: Transaction,
  storing: Storing & { readonly lineage: readonly string[] },
  { ids, run }: Pick<EventBatch, 'ids' | 'run'>,
): Promise<Skipped | undefined> {
  const { event, row, lineage } = storing
  const cause = { actor: run.owner, action: 'create', at: run.at } as const
  if (event.series === undefined) {
    const state = { row, links: linksTo(event, ids) }
    const taken = await venueTaken(tx, { before: undefined, after: plainState(state) })
    if (taken !== undefined) return venueIsTaken(event.place, taken)
    await insertEvent(tx, { ...state, lineage }, cause)
    return undefined
  }
  const series = seriesWith(storing, { ids, run })
  const told = { cause: { ...cause, modified: row.modified_at }, holding: run.holding }
  const isStored = await importSeries(tx, { stored: undefined, series }, told)
  if (typeof isStored !== 'boolean') return venueIsTaken(event.place, isStored)
  await setLineage(tx, { id: row.id, globalIds: lineage })
  return undefined
}

function plainState(base: EventState) {
  return { base, dates: [], exceptions: new Map<number, EventState>() }
}

interface Updating extends Storing {
  readonly stored: EventRow
  readonly links: EventLinks
  readonly isKnown: boolean
}

/** Changes a stored event, or series, to what it is to be; whether anything changed, or why it stays as it is. */
async function updateStored(
  tx: Transaction,
  updating: Updating,
  { ids, run }: Pick<EventBatch, 'ids' | 'run'>,
): Promise<boolean | Skipped> {
  const { event, stored, links, isKnown } = updating
  const before = { row: stored, links }
  const wanted = wantedOf(updating, ids)
  const lines = recurringOf(stored)?.lines ?? []
  const after = run.merging?.merge(event.identity.globalId, wanted, { ...before, lines }) ?? wanted
  const cause = { actor: run.owner, action: changeAction(stored.status, after.row.status), at: run.at }
  if (after.lines.length > 0 || stored.recurrence !== null) {
    const series = seriesWith({ event, row: after.row, stored }, { ids, run })
    const told = { cause: { ...cause, modified: after.row.modified_at }, holding: run.holding }
    const base = { row: series.base.row, links: after.links }
    const dates = series.dates.map((date) => ({ ...date, ...(date.own && { own: alike(date.own, wanted, after) }) }))
    const isStored = await importSeries(tx, { stored, series: { ...series, base, dates, lines: after.lines } }, told)
    return typeof isStored === 'boolean' ? isStored || !isKnown : venueIsTaken(event.place, isStored)
  }
  const isSame = isDeepStrictEqual({ ...after.row }, { ...stored }) && isDeepStrictEqual(after.links, links)
  if (isKnown && isSame) return false
  const taken = await venueTaken(tx, { before: plainState(before), after: plainState(after) })
  if (taken !== undefined) return venueIsTaken(event.place, taken)
  const changed = { row: { ...after.row, revision: stored.revision + 1 }, links: after.links }
  await updateEvent(tx, { before, after: changed }, cause)
  return true
}

/** Columns that say together when an event takes place. */
const TIMES = new Set(['start_local', 'end_local', 'start_utc', 'end_utc', 'timezone', 'all_day'])

/** A date of a series that follows it in what it did not say otherwise: also where the series keeps what was changed here. */
function alike({ row, links }: EventState, wanted: MergedEvent, after: MergedEvent): EventState {
  const followed = Object.entries(row).map(([name, value]): [string, unknown] => {
    const column = name as keyof EventRow
    return [name, !TIMES.has(name) && value === wanted.row[column] ? after.row[column] : value]
  })
  const linksOf = (kind: keyof EventLinks): readonly number[] =>
    isDeepStrictEqual(links[kind], wanted.links[kind]) ? after.links[kind] : links[kind]
  const kinds = { venue: linksOf('venue'), organizer: linksOf('organizer') }
  return {
    // The same columns as before.
    row: Object.fromEntries(followed) as unknown as EventRow,
    links: { ...kinds, category: linksOf('category'), tag: linksOf('tag') },
  }
}

/** What an event is to be. */
function wantedOf({ event, row }: Storing, ids: StoredIds): MergedEvent {
  const isPrivate = event.isPrivate === true
  return { row, links: linksTo(event, ids), lines: event.series?.lines ?? [], isPrivate }
}

/** An event whose password stays at its site is a draft here, until someone gives it one of its own. */
function statusOf(
  { isProtected }: PlannedEvent,
  { status, password_hash }: Pick<EventRow, 'status' | 'password_hash'>,
): EventRow['status'] {
  return isProtected === true && password_hash === null && status !== 'trash' ? 'draft' : status
}

/** The slug of an event: one that comes out of the trash gets back what it had. */
async function restoredFrom(tx: Transaction, stored: EventRow, next: EventRow): Promise<string> {
  if (stored.status !== 'trash' || next.status === 'trash') return next.slug
  return freeSlug(tx, { table: 'event', slug: restoredSlug(stored.slug), id: stored.id })
}

async function knownParents(
  tx: Transaction,
  events: readonly PlannedEvent[],
  { site, origin }: ImportContext,
): Promise<ReadonlyMap<string, number>> {
  const globalIds = [...new Set(events.map((event) => event.parentGlobalId))].filter((one) => one !== '')
  return storedEntries(tx, 'event', { globalIds, site, isElsewhere: origin !== undefined })
}

async function newRow(
  tx: Transaction,
  event: PlannedEvent,
  { run, post_parent }: { readonly run: ImportContext; readonly post_parent: number },
): Promise<EventRow> {
  const { identity, entry, columns } = event
  const id = await takeEventId(tx, identity.wishedId)
  const wanted = wantedSlug(entry, slugify(columns.title) || String(id))
  const slug = await freeSlug(tx, { table: 'event', slug: wanted, id })
  const common = commonColumns(event, undefined, run)
  const status = statusOf(event, { status: common.status, password_hash: null })
  return { ...columns, ...common, status, id, slug, revision: 1, password_hash: null, post_parent }
}

/** The series that an event is to be, each date with the links that it embeds. */
function seriesWith({ event, row, stored }: Storing, { ids, run }: Pick<EventBatch, 'ids' | 'run'>): ImportedSeries {
  const { id, author_id, post_parent, password_hash } = row
  const dates = (event.series?.dates ?? []).map(({ own, ...date }): ImportedDate => {
    if (own === undefined) return date
    const recorded = commonColumns(own, stored, run)
    const status = run.origin === undefined ? recorded.status : statusOf(event, { ...recorded, password_hash })
    const common = { ...recorded, status, author_id, post_parent, password_hash }
    const columns = { ...BLANK_EVENT, ...own.columns, ...common, id, slug: own.entry.slug }
    return { ...date, own: { row: columns, links: linksTo(own, ids) } }
  })
  const base = { row: { ...BLANK_EVENT, ...row }, links: linksTo(event, ids) }
  const { merging } = run
  const name = event.identity.globalId
  const kept = merging && {
    keepsDate: (recurrenceId: string, own: string | undefined) => merging.keepsDate(name, recurrenceId, own),
    tellDate: (recurrenceId: string, own: string) => merging.tellDate(name, recurrenceId, own),
  }
  return { base, lines: event.series?.lines ?? [], dates, ...kept }
}

function linksTo(event: PlannedEvent, ids: StoredIds): EventLinks {
  const of = (kind: keyof EventLinks): number[] => [
    ...new Set(event[kind].flatMap((name) => ids[kind].get(name) ?? [])),
  ]
  return { venue: of('venue'), organizer: of('organizer'), category: of('category'), tag: of('tag') }
}
