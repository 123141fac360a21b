import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../../storage/engine.ts'
import { deleteSearchText, hiddenId } from '../../../storage/entry-texts.ts'
import { record } from '../../../storage/journal/append.ts'
import { changeRow, deleteRows, insertRow, rowsFrom } from '../../../storage/row-writes.ts'
import type { SeriesDateTable } from '../../../storage/schema.ts'
import { derived, type GivenAll, inList, statementTemplate } from '../../../storage/statement-template.ts'
import { type EventState, KINDS, publicLinks, snapshotOfEvent } from '../copies.ts'
import { type EventLinks, NO_LINKS } from '../event-row.ts'
import { deleteFormerSlugsOfDates } from '../former-slugs.ts'
import { adjustCounts, recountTerms } from '../terms.ts'
import { hasOtherTickets, storeTickets } from '../tickets.ts'
import { applyTexts, type ChangeCause, deleteEvent, storePlain, storeRelation } from '../write.ts'
import { keepSlugsBefore } from './former-slugs.ts'
import { releaseSlugs, withFreeSlugs } from './free-slugs.ts'
import { deleteOccurrences, storeDates } from './occurrences.ts'
import { inSlices, oneByOne, pauseIfLong } from './slices.ts'
import type { SeriesState } from './state.ts'

/** What is stored of a series before a change; without `base` where the event itself is new. */
export type SeriesBefore = Omit<SeriesState, 'base'> & { readonly base?: EventState | undefined }

/** What there is of a series before it is made. */
export const NO_DATES: Pick<SeriesState, 'dates' | 'exceptions'> = { dates: [], exceptions: new Map() }

/** A change of a recurring event, and why. */
export interface SeriesChange {
  readonly before: SeriesBefore
  /** Revisions and dates of modification are those of before. */
  readonly after: SeriesState
  /** What its categories and tags counted before, where that is not what `before` has: a divided series counted as one. */
  readonly countedBefore?: SeriesBefore
  readonly cause: SeriesCause
}

/** Why and when a series changes. */
export type SeriesCause = Omit<ChangeCause, 'action'> & {
  /** With `extend` the revision stays: nobody has changed it. */
  readonly action: ChangeCause['action'] | 'extend'
  readonly at: string
  /** The date of modification, where that is another one: nobody has modified it. */
  readonly modified?: string
}

/**
 * Stores a recurring event with its dates and exceptions, and everything that follows from them. The journal has one
 * entry for the event and one for each exception that has changed; where nothing has changed, nothing is written.
 */
export async function writeSeries(tx: Transaction, change: SeriesChange): Promise<SeriesState> {
  const { before, countedBefore = before, cause } = change
  const after = await withFreeSlugs(tx, before, change.after)
  await pauseIfLong(tx, after)
  const known = rowsById(before.exceptions)
  const exceptions = new Map([...after.exceptions].map(([id, one]) => [id, revised(known.get(one.row.id), one, cause)]))
  const datesChange =
    before.dates.length !== after.dates.length ||
    after.dates.some((date, index) => !isSameDate(before.dates[index], date))
  const isSame = before.base !== undefined && areSame(before.base, after.base) && !datesChange
  const haveSame =
    before.exceptions.size === exceptions.size &&
    [...exceptions].every(([id, one]) => before.exceptions.get(id) === one)
  if (isSame && haveSame) return after
  const base = isSame
    ? { ...after.base, row: { ...after.base.row, revision: after.base.row.revision + 1 } }
    : revisedBase(before.base, after.base, cause)
  const stored: SeriesState = { ...after, base, exceptions }
  const kept = rowsById(exceptions)
  const changed = [...kept.values()].filter((one) => known.get(one.row.id) !== one)
  await releaseSlugs(tx, known, [base, ...changed])
  await storeState(tx, before.base, base)
  const gone = [...known.values()].filter(({ row }) => !kept.has(row.id))
  // Before others are stored: one of these may get the slug that another had.
  await oneByOne(tx, gone, (one) => dropException(tx, { series: base.row.id, exception: one }))
  await oneByOne(tx, changed, (one) => storeState(tx, known.get(one.row.id), one))
  if (datesChange) await storeSeriesDates(tx, before.dates, after.dates)
  await keepSlugsBefore(tx, { before, after: stored }, cause.at)
  await pauseIfLong(tx, after)
  await recordSeries(tx, { before, countedBefore, after: stored, gone, cause })
  await storeDates(tx, base.row.id)
  tx.countRows(after.dates.length)
  return stored
}

/** Exceptions by the ID of their row, which goes along when another date takes over a date's own changes. */
function rowsById(exceptions: SeriesState['exceptions']): ReadonlyMap<number, EventState> {
  return new Map([...exceptions.values()].map((one) => [one.row.id, one]))
}

function areSame(one: EventState, other: EventState): boolean {
  const { revision, modified_at } = one.row
  return (
    isDeepStrictEqual({ ...one.row }, { ...other.row, revision, modified_at }) &&
    isDeepStrictEqual(one.links, other.links)
  )
}

/** The state as it was where nothing has changed, else with the next revision. */
function revised(before: EventState | undefined, after: EventState, cause: SeriesCause): EventState {
  if (before !== undefined && areSame(before, after)) return before
  // A date has its own, which the one of the event does not replace.
  const own = cause.modified === undefined ? {} : { modified: after.row.modified_at }
  // What has another content has another revision, also where time alone has restored it.
  const action = cause.action === 'extend' ? 'update' : cause.action
  return revisedBase(before, after, { ...cause, action, ...own })
}

function revisedBase(
  before: EventState | undefined,
  after: EventState,
  { action, at, modified = at }: SeriesCause,
): EventState {
  const revision = before === undefined ? 1 : before.row.revision + (action === 'extend' ? 0 : 1)
  return { row: { ...after.row, revision, modified_at: modified }, links: after.links }
}

async function storeState(tx: Transaction, before: EventState | undefined, after: EventState): Promise<void> {
  const { row, links } = after
  if (before === undefined) await insertRow(tx, 'event', row)
  else await changeRow(tx, 'event', row)
  if (hasOtherTickets(before?.row, row)) await storeTickets(tx, before?.row, row)
  for (const kind of KINDS)
    await storeRelation(tx, { id: row.id, kind, targets: links[kind], before: before?.links[kind] ?? [] })
  await applyTexts(tx, { before, after })
}

/** Takes the row of an exception away; its date shows the event again. */
async function dropException(
  tx: Transaction,
  { series, exception }: { readonly series: number; readonly exception: EventState },
): Promise<void> {
  const { id, password_hash } = exception.row
  for (const table of ['occurrence', 'occurrence_link'] as const)
    await tx.run(tx.db.updateTable(table).set({ event_id: series }).where('event_id', '=', id))
  for (const kind of KINDS) await storeRelation(tx, { id, kind, targets: [], before: exception.links[kind] })
  await deleteSearchText(tx, id)
  if (password_hash !== null) await deleteSearchText(tx, hiddenId(id))
  await deleteRows(tx, 'event', { column: 'id', value: id })
}

const DATE_NAMES = ['id', 'series_id', 'recurrence_id', 'position', 'of_day', 'exception_id', 'address'] as const

const DATE_COLUMNS = {
  id: 'integer',
  series_id: 'integer',
  recurrence_id: 'text',
  position: 'integer',
  of_day: 'integer',
  exception_id: 'integer',
  address: 'text',
} as const satisfies Record<keyof SeriesDateTable, 'integer' | 'text'>

const datesStored = statementTemplate(
  (reader, _shape: null, { changed }: GivenAll<{ readonly changed: readonly SeriesDateTable[] }>) =>
    reader.db
      .insertInto('series_date')
      .columns(DATE_NAMES)
      .expression(
        rowsFrom(
          reader.engine,
          DATE_COLUMNS,
          derived(changed, (dates) => dates.map((date) => ({ ...date }))),
        ),
      )
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((row) => ({
          series_id: row.ref('excluded.series_id'),
          position: row.ref('excluded.position'),
          recurrence_id: row.ref('excluded.recurrence_id'),
          of_day: row.ref('excluded.of_day'),
          exception_id: row.ref('excluded.exception_id'),
          address: row.ref('excluded.address'),
        })),
      ),
)

function isSameDate(one: SeriesDateTable | undefined, other: SeriesDateTable): boolean {
  return one !== undefined && DATE_NAMES.every((name) => one[name] === other[name])
}

async function storeSeriesDates(
  tx: Transaction,
  before: readonly SeriesDateTable[],
  after: readonly SeriesDateTable[],
): Promise<void> {
  const stored = new Map(before.map((date) => [date.id, date]))
  const changed = after.filter((date) => !isSameDate(stored.get(date.id), date))
  const store = async (slice: readonly SeriesDateTable[]): Promise<void> => {
    await tx.run(datesStored(tx, { shape: null, values: { changed: slice } }))
  }
  await inSlices(tx, changed, { step: store })
  const kept = new Set(after.map(({ id }) => id))
  const gone = before.map(({ id }) => id).filter((id) => !kept.has(id))
  await deleteDateRows(tx, gone)
  await deleteOccurrences(tx, gone)
}

function deleteDateRows(tx: Transaction, ids: readonly number[]): Promise<void> {
  const step = async (slice: readonly number[]): Promise<void> => {
    await tx.run(tx.db.deleteFrom('series_date').where(inList(tx.engine, 'series_date.id', slice)))
    await deleteFormerSlugsOfDates(tx, slice)
  }
  return inSlices(tx, ids, { step })
}

/** Deletes a recurring event permanently with all its dates; their identifiers stay taken. */
export async function deleteSeries(
  tx: Transaction,
  state: SeriesState,
  cause: { readonly actor: number | null; readonly at: string },
): Promise<void> {
  const { base, dates, exceptions } = state
  const counted = {
    before: termsOf(state, publicLinks),
    after: termsOf({ ...state, exceptions: new Map() }, publicLinks),
  }
  await adjustCounts(tx, counted)
  const ids = dates.map(({ id }) => id)
  tx.countRows(ids.length)
  await deleteOccurrences(tx, ids)
  const dropped = async (exception: EventState): Promise<void> => {
    await dropException(tx, { series: base.row.id, exception })
    const { id, revision } = exception.row
    const action = 'delete'
    record(tx, { ...cause, action, resource: 'event', id, revision: revision + 1, snapshot: null })
  }
  await oneByOne(tx, [...exceptions.values()], dropped)
  await deleteDateRows(tx, ids)
  // What is left is a plain event.
  await storePlain(tx, base)
  await deleteEvent(tx, base, cause)
}

interface Recording extends Required<SeriesChange> {
  /** Exceptions that are no more. */
  readonly gone: readonly EventState[]
}

async function recordSeries(tx: Transaction, recording: Recording): Promise<void> {
  const { before, countedBefore, after, gone, cause } = recording
  const { base, exceptions } = after
  const counted = { before: termsOf(countedBefore, publicLinks), after: termsOf(after, publicLinks) }
  const links = { before: termsOf(countedBefore, ({ links }) => links), after: termsOf(after, ({ links }) => links) }
  const recounted = await recountTerms(tx, counted, links)
  const isRelisted = [before.base, base].some((one) => one?.row.status === 'publish')
  const entry = { at: cause.at, actor: cause.actor, resource: 'event' as const }
  const { row } = base
  const snapshot = snapshotOfEvent(row, base.links)
  record(tx, { ...entry, action: cause.action, id: row.id, revision: row.revision, snapshot, recounted, isRelisted })
  const others = { ...entry, recounted: [], isRelisted: false }
  const known = rowsById(before.exceptions)
  for (const one of exceptions.values()) {
    const was = known.get(one.row.id)
    if (was === one) continue
    const { id, revision } = one.row
    const action = was === undefined ? 'create' : 'update'
    record(tx, { ...others, action, id, revision, snapshot: snapshotOfEvent(one.row, one.links) })
  }
  for (const { row: one } of gone)
    record(tx, { ...others, action: 'delete', id: one.id, revision: one.revision + 1, snapshot: null })
}

/** The categories and tags of a series and all its exceptions, each once: it counts once for a term. */
function termsOf({ base, exceptions }: SeriesBefore, linksOf: (state: EventState) => EventLinks): EventLinks {
  const all = [...(base === undefined ? [] : [base]), ...exceptions.values()].map(linksOf)
  const each = (kind: 'category' | 'tag'): number[] => [...new Set(all.flatMap((links) => links[kind]))]
  return { ...NO_LINKS, category: each('category'), tag: each('tag') }
}
