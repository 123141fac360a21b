import { isDeepStrictEqual } from 'node:util'
import { freeSlug } from '../../entries/slugs.ts'
import { trashMove } from '../../entries/trash.ts'
import {
  type EventLinks,
  type EventRow,
  type EventState,
  eventsByIds,
  insertEvent,
  linksOf,
  NO_LINKS,
  takeEventId,
  updateEvent,
} from '../../events/index.ts'
import { STATUSES } from '../../model/status.ts'
import type { Transaction } from '../../storage/engine.ts'
import { lineagesOf, setLineage } from '../../storage/entry-texts.ts'
import { leaveRoom } from '../../storage/identifiers.ts'
import { slugify } from '../../text/slug.ts'
import {
  commonColumns,
  type ImportedItem,
  isThrownAway,
  lineageOf,
  type Run,
  slugOf,
  storedEntries,
  thrownAway,
  wantedSlug,
} from './outcome.ts'
import type { PlannedEvent } from './plan.ts'

/** Ids of what the run has stored, by the names that events use for it. */
export interface StoredIds {
  /** By global id. */
  readonly event: ReadonlyMap<string, number>
  readonly venue: ReadonlyMap<string, number>
  readonly organizer: ReadonlyMap<string, number>
  /** By ref. */
  readonly category: ReadonlyMap<string, number>
  readonly tag: ReadonlyMap<string, number>
}

/** Imports events; how each came out. Events of which others are parts must come before these. */
export async function importEvents(
  tx: Transaction,
  { events, ids, run }: { readonly events: readonly PlannedEvent[]; readonly ids: StoredIds; readonly run: Run },
): Promise<ImportedItem[]> {
  const stored = await storedEvents(tx, events, run)
  const parents = new Map([...stored.ids, ...ids.event])
  const isNew = ({ identity }: PlannedEvent): boolean => !stored.ids.has(identity.globalId)
  if (events.some(isNew)) await leaveRoom(tx, 'entry', run.wished.entry)
  const imported: ImportedItem[] = []
  for (const planned of events) {
    const name = planned.identity.globalId
    const before = stored.states.get(stored.ids.get(name) ?? 0)
    const links = { ...linksTo(planned, ids), parent: parents.get(planned.parentGlobalId) }
    const one = await importEvent(tx, { planned, before, links, run })
    parents.set(name, one.id)
    imported.push({ name, ...one })
  }
  return imported
}

/** An event as it is stored, with the global ids of other sites. */
interface TracedState extends EventState {
  readonly lineage: readonly string[]
}

interface StoredEvents {
  /** Ids by global id, parents that are not in the run included. */
  readonly ids: ReadonlyMap<string, number>
  readonly states: ReadonlyMap<number, TracedState>
}

async function storedEvents(tx: Transaction, events: readonly PlannedEvent[], run: Run): Promise<StoredEvents> {
  const named = events.flatMap(({ identity, parentGlobalId }) => [identity.globalId, parentGlobalId])
  const globalIds = [...new Set(named)].filter((one) => one !== '')
  const ids = await storedEntries(tx, 'event', { globalIds, site: run.site })
  const rows = await eventsByIds(tx, [...ids.values()])
  const links = await linksOf(tx, [...ids.values()])
  const lineages = await lineagesOf(tx, [...ids.values()])
  const states = rows.map((row): [number, TracedState] => [
    row.id,
    { row, links: links.get(row.id) ?? NO_LINKS, lineage: lineages.get(row.id) ?? [] },
  ])
  return { ids, states: new Map(states) }
}

interface Linked extends EventLinks {
  /** Id of the event that this one is a part of; undefined when none is known. */
  readonly parent: number | undefined
}

function linksTo(planned: PlannedEvent, ids: StoredIds): EventLinks {
  const of = (kind: keyof EventLinks): number[] => [
    ...new Set(planned[kind].flatMap((name) => ids[kind].get(name) ?? [])),
  ]
  return { venue: of('venue'), organizer: of('organizer'), category: of('category'), tag: of('tag') }
}

interface Question {
  readonly planned: PlannedEvent
  /** undefined for a new one. */
  readonly before: TracedState | undefined
  readonly links: Linked
  readonly run: Run
}

async function importEvent(tx: Transaction, question: Question): Promise<Omit<ImportedItem, 'name'>> {
  const { planned, before } = question
  if (before === undefined) return { id: await create(tx, question), outcome: 'created' }
  const { id } = before.row
  if (isThrownAway(before.row, planned.entry)) return { id, outcome: thrownAway(planned.place) }
  return { id, outcome: (await replace(tx, before, question)) ? 'updated' : 'unchanged' }
}

async function create(tx: Transaction, { planned, links: { parent, ...links }, run }: Question): Promise<number> {
  const { identity, entry, columns } = planned
  const id = await takeEventId(tx, identity.wishedId)
  const slug = await freeSlug(tx, { table: 'event', slug: wantedSlug(entry, slugify(columns.title) || String(id)), id })
  const common = commonColumns(planned, undefined, run)
  const row = { ...columns, ...common, id, slug, revision: 1, password_hash: null, post_parent: parent ?? 0 }
  const lineage = [identity.globalId, ...identity.lineage]
  await insertEvent(tx, { row, links, lineage }, { actor: run.owner, action: 'create', at: run.at })
  return id
}

/** Stores what differs; false, and no trace, when nothing does. */
async function replace(
  tx: Transaction,
  before: TracedState,
  { planned, links: { parent, ...links }, run }: Question,
): Promise<boolean> {
  const { identity, entry, columns } = planned
  const { row: stored } = before
  const slug = await slugOf(tx, 'event', { entry, stored })
  const post_parent = parent ?? (planned.parentGlobalId === '' ? 0 : stored.post_parent)
  const row: EventRow = { ...stored, ...columns, ...commonColumns(planned, stored, run), slug, post_parent }
  const lineage = lineageOf(identity, { id: stored.id, site: run.site, before: before.lineage })
  const isKnown = isDeepStrictEqual(lineage, before.lineage)
  const isSame = isDeepStrictEqual({ ...row }, { ...stored }) && isDeepStrictEqual(links, before.links)
  if (isKnown && isSame) return false
  if (!isKnown) await setLineage(tx, { id: stored.id, globalIds: lineage })
  const after = { row: { ...row, revision: stored.revision + 1 }, links }
  await updateEvent(
    tx,
    { before, after },
    { actor: run.owner, action: actionOf(stored.status, row.status), at: run.at },
  )
  return true
}

function actionOf(from: string, to: string): 'update' | 'trash' | 'restore' {
  const status = (text: string) => STATUSES.find((one) => one === text) ?? 'draft'
  const move = trashMove(status(from), status(to))
  return move === 'in' ? 'trash' : move === 'out' ? 'restore' : 'update'
}
