import { isDeepStrictEqual } from 'node:util'
import type { Reader, StoreStep, Transaction } from '../../../storage/engine.ts'
import { putRows, rowsFrom } from '../../../storage/row-writes.ts'
import type { EventTable, OccurrenceLinkTable, SeriesDateTable } from '../../../storage/schema.ts'
import { inList } from '../../../storage/statement-template.ts'
import { moveCounts, type Occurrences, occurrencesOf } from '../copies.ts'
import { sourceOf } from '../event-row.ts'
import { findStoredEvent } from '../rows.ts'
import { categoriesUpFrom } from '../terms.ts'
import { isOut } from './shown.ts'
import { inSlices } from './slices.ts'
import { type SeriesState, seriesState, stateOfDate } from './state.ts'

/** Dates whose rows for lists are written by one step: some milliseconds. */
const STEP_DATES = 50

/** Recurring events whose rows for lists may be older than their other rows: within a commit, or after one that failed. */
const deferred = new WeakMap<Reader['db'], Set<number>>()

/** The recurring events whose rows in lists cannot show this transaction what has been written. */
export function deferredSeries(tx: Transaction): readonly number[] {
  return [...(deferred.get(tx.db) ?? [])]
}

/** Stores what lists and totals read of the dates of a recurring event, as its rows are at the end of the transaction. */
export function storeDates(tx: Transaction, id: number): Promise<void> {
  const pending = deferred.get(tx.db) ?? new Set()
  deferred.set(tx.db, pending.add(id))
  return tx.deferBatch({ id, value: null, store: storeAllDates })
}

async function storeAllDates(tx: Transaction, values: ReadonlyMap<number, unknown>): Promise<readonly StoreStep[]> {
  const steps: StoreStep[] = []
  for (const id of values.keys()) {
    const row = await findStoredEvent(tx, { by: 'id', id })
    if (row !== undefined) steps.push(...stepsOf(await seriesState(tx, row)))
  }
  steps.push(async () => {
    for (const id of values.keys()) deferred.get(tx.db)?.delete(id)
  })
  return steps
}

function stepsOf(state: SeriesState): StoreStep[] {
  const steps: StoreStep[] = []
  for (let done = 0; done < state.dates.length; done += STEP_DATES) {
    const dates = state.dates.slice(done, done + STEP_DATES)
    steps.push(async (tx) => storeOccurrences(tx, await wantedOccurrences(tx, { ...state, dates })))
  }
  return steps
}

/** What lists and totals should read of the dates of a recurring event. */
async function wantedOccurrences(tx: Reader, state: SeriesState): Promise<Occurrences[]> {
  const paths = new Map<string, readonly number[]>()
  const wanted: Occurrences[] = []
  for (const date of state.dates) {
    const { row, links } = stateOfDate(state, date)
    const key = links.category.join()
    const path = paths.get(key) ?? (await categoriesUpFrom(tx, links.category))
    paths.set(key, path)
    wanted.push(occurrencesOfDate({ row, links }, { date, categories: path }))
  }
  return wanted
}

/** What lists read of one date of a recurring event. */
export function occurrencesOfDate(
  { row, links }: Parameters<typeof occurrencesOf>[0] & { readonly row: Parameters<typeof sourceOf>[0] },
  { date, categories }: { readonly date: SeriesDateTable; readonly categories: readonly number[] },
): Occurrences {
  // The event itself stays where it is when its first date is taken out: only lists do not show it.
  const hide_from_listings = isOut(date) && date.id === date.series_id ? 1 : row.hide_from_listings
  const { occurrence, occurrenceLinks } = occurrencesOf({ row: { ...row, hide_from_listings }, links }, categories)
  const event_id = sourceOf(row)
  return {
    occurrence: { ...occurrence, event_id },
    occurrenceLinks: occurrenceLinks.map((link) => ({ ...link, event_id })),
  }
}

/** Whether lists read something else of the dates of a recurring event than they should. */
export async function isSeriesBroken(reader: Reader, row: EventTable): Promise<boolean> {
  const state = await seriesState(reader, row)
  const wanted = await wantedOccurrences(reader, state)
  const stored = await storedOccurrences(
    reader,
    wanted.map(({ occurrence }) => occurrence.id),
  )
  if (!wanted.every((one) => areSame(stored.get(one.occurrence.id), one))) return true
  const rows = [row.id, ...[...state.exceptions.values()].map((one) => one.row.id)]
  const query = reader.db
    .selectFrom('occurrence')
    .select('id')
    .where(inList(reader.engine, 'occurrence.event_id', rows))
  return (await reader.all(query)).length !== wanted.length
}

/** The stored rows for lists of some dates, by ID. */
async function storedOccurrences(tx: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, Occurrences>> {
  const { db, engine } = tx
  const rows = await tx.all(
    db
      .selectFrom('occurrence')
      .selectAll()
      .where(inList(engine, 'occurrence.id', ids)),
  )
  const links = await tx.all(
    db
      .selectFrom('occurrence_link')
      .selectAll()
      .where(inList(engine, 'occurrence_link.occurrence_id', ids)),
  )
  const byId = Map.groupBy(links, (link) => link.occurrence_id)
  return new Map(
    rows.map((occurrence) => [occurrence.id, { occurrence, occurrenceLinks: byId.get(occurrence.id) ?? [] }]),
  )
}

const LINK_COLUMNS = {
  kind: 'integer',
  target_id: 'integer',
  listed: 'integer',
  status: 'text',
  start_local: 'text',
  published_at: 'text',
  occurrence_id: 'integer',
  event_id: 'integer',
} as const satisfies Record<keyof OccurrenceLinkTable, 'integer' | 'text'>

/** Writes the rows for lists of some dates where they differ from what is stored. */
async function storeOccurrences(tx: Transaction, wanted: readonly Occurrences[]): Promise<void> {
  const stored = await storedOccurrences(
    tx,
    wanted.map(({ occurrence }) => occurrence.id),
  )
  const after = wanted.filter((one) => !areSame(stored.get(one.occurrence.id), one))
  if (after.length === 0) return
  const before = after.flatMap(({ occurrence }) => stored.get(occurrence.id) ?? [])
  await deleteLinks(
    tx,
    before.map(({ occurrence }) => occurrence.id),
  )
  await putRows(
    tx,
    'occurrence',
    after.map(({ occurrence }) => occurrence),
  )
  const links = after.flatMap(({ occurrenceLinks }) => occurrenceLinks)
  if (links.length > 0)
    await tx.run(
      tx.db
        .insertInto('occurrence_link')
        .columns(Object.keys(LINK_COLUMNS) as (keyof OccurrenceLinkTable)[])
        .expression(
          rowsFrom(
            tx.engine,
            LINK_COLUMNS,
            links.map((link) => ({ ...link })),
          ),
        ),
    )
  await moveCounts(tx, { before, after })
}

function areSame(one: Occurrences | undefined, other: Occurrences): boolean {
  if (one === undefined || !isDeepStrictEqual(one.occurrence, other.occurrence)) return false
  return isDeepStrictEqual(inOrder(one.occurrenceLinks), inOrder(other.occurrenceLinks))
}

function inOrder(links: readonly OccurrenceLinkTable[]): OccurrenceLinkTable[] {
  return [...links].sort((one, other) => one.kind - other.kind || one.target_id - other.target_id)
}

async function deleteLinks(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.run(tx.db.deleteFrom('occurrence_link').where(inList(tx.engine, 'occurrence_link.occurrence_id', ids)))
}

/** Takes dates permanently out of what lists and totals read, slice by slice. */
export function deleteOccurrences(tx: Transaction, ids: readonly number[]): Promise<void> {
  return inSlices(tx, ids, { step: (slice) => deleteSlice(tx, slice), size: STEP_DATES })
}

async function deleteSlice(tx: Transaction, ids: readonly number[]): Promise<void> {
  const before = [...(await storedOccurrences(tx, ids)).values()]
  await deleteLinks(tx, ids)
  await tx.run(tx.db.deleteFrom('occurrence').where(inList(tx.engine, 'occurrence.id', ids)))
  await moveCounts(tx, { before, after: [] })
}
