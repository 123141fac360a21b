import type { Transaction } from '../../../storage/engine.ts'
import { changeRow } from '../../../storage/row-writes.ts'
import type { EventTable, SeriesDateTable } from '../../../storage/schema.ts'
import { type GivenAll, inList, statementTemplate } from '../../../storage/statement-template.ts'
import type { EventState } from '../copies.ts'
import { addressOf, dateSlug } from './shown.ts'
import { inSlices } from './slices.ts'
import type { SeriesState } from './state.ts'

/** What is stored of a series before a change; no `base` where the event itself is new. */
interface KnownDates {
  readonly base?: EventState | undefined
  readonly dates: readonly SeriesDateTable[]
}

/**
 * A series none of whose new dates has the slug of another event or date: such a date gets the next number of its day. So
 * do all dates where the slug of the event changes. The same object where nothing has to change.
 */
export async function withFreeSlugs(tx: Transaction, before: KnownDates, changed: SeriesState): Promise<SeriesState> {
  const { row } = changed.base
  // In the trash nobody names it; it is looked at again when it comes back.
  if (row.status === 'trash') return changed
  const was = before.base?.row
  const after = was === undefined || was.status === 'trash' ? changed : withoutAddresses(changed, was.slug)
  const known = new Map(was?.slug === row.slug ? before.dates.map((date) => [date.id, date]) : [])
  const hasNew = (date: SeriesDateTable): boolean => {
    const stored = known.get(date.id)
    return stored === undefined || dateSlug(row, stored) !== dateSlug(row, date)
  }
  const fresh = after.dates.filter((date) => (date.id !== row.id || date.address !== null) && hasNew(date))
  const keeping = new Map(after.dates.flatMap(({ id, address }) => (address === null ? [] : [[address, id]])))
  const taken = new Set<SeriesDateTable>()
  const addTaken = async (dates: readonly SeriesDateTable[]): Promise<void> => {
    for (const date of await takenAmong(tx, { row, keeping }, dates)) taken.add(date)
  }
  await inSlices(tx, fresh, { step: addTaken })
  if (taken.size === 0) return after
  return { ...after, dates: await renumbered(tx, { row, keeping }, { dates: after.dates, taken }) }
}

/** A series that has another slug than before: all its dates are called by that. The same object where it has not. */
export function withoutAddresses(state: SeriesState, slugBefore: string): SeriesState {
  if (state.base.row.slug === slugBefore) return state
  return { ...state, dates: state.dates.map((date) => ({ ...date, address: null })) }
}

/** What dates are called by. */
interface Naming {
  readonly row: EventTable
  /** Addresses that dates of the series keep, with their IDs. */
  readonly keeping: ReadonlyMap<string, number>
}

/** Those of some dates of a series whose slug an event or another date has. */
async function takenAmong(
  tx: Transaction,
  { row, keeping }: Naming,
  dates: readonly SeriesDateTable[],
): Promise<SeriesDateTable[]> {
  const slugs = dates.map((date) => dateSlug(row, date))
  const events = await tx.all(eventsWithSlugs(tx, { shape: null, values: { slugs } }))
  const bySlug = new Set(events.map(({ slug }) => slug))
  const addresses = dates.map((date) => addressOf(row, date))
  const others = await tx.all(datesKeeping(tx, { shape: null, values: { addresses } }))
  const own = new Set(keeping.values())
  const kept = new Map([
    ...others.flatMap(({ address, id }) => (own.has(id) ? [] : [[address, id] as const])),
    ...keeping,
  ])
  return dates.filter((date, index) => {
    const keeper = kept.get(addresses[index] ?? '')
    return bySlug.has(slugs[index] ?? '') || (keeper !== undefined && keeper !== date.id)
  })
}

const eventsWithSlugs = statementTemplate(
  (tx: Pick<Transaction, 'db' | 'engine'>, _shape: null, { slugs }: GivenAll<{ readonly slugs: readonly string[] }>) =>
    tx.db
      .selectFrom('event')
      .select('slug')
      .where(inList(tx.engine, 'event.slug', slugs)),
)

const datesKeeping = statementTemplate(
  (
    tx: Pick<Transaction, 'db' | 'engine'>,
    _shape: null,
    { addresses }: GivenAll<{ readonly addresses: readonly string[] }>,
  ) =>
    tx.db
      .selectFrom('series_date')
      .innerJoin('event', 'event.id', 'series_date.series_id')
      .select(['series_date.address', 'series_date.id'])
      .where(inList(tx.engine, 'series_date.address', addresses))
      .where('event.status', '!=', 'trash'),
)

/** The dates, those with a taken slug with the next number that no other date of the day and no other event has. */
async function renumbered(
  tx: Transaction,
  naming: Naming,
  { dates, taken }: { readonly dates: readonly SeriesDateTable[]; readonly taken: ReadonlySet<SeriesDateTable> },
): Promise<SeriesDateTable[]> {
  const { row } = naming
  const own = new Set(dates.map((date) => dateSlug(row, date)))
  const isFree = async (date: SeriesDateTable): Promise<boolean> =>
    !own.has(dateSlug(row, date)) && (await takenAmong(tx, naming, [date])).length === 0
  const changed: SeriesDateTable[] = []
  for (const date of dates) {
    let next = date
    if (taken.has(date)) {
      next = date.address === null ? { ...date, of_day: date.of_day + 1 } : { ...date, address: null }
      while (next.id !== row.id && !(await isFree(next))) next = { ...next, of_day: next.of_day + 1 }
    }
    own.add(dateSlug(row, next))
    changed.push(next)
  }
  return changed
}

/**
 * Takes their slugs from rows of exceptions, by ID, that other rows of their series are to have: no two rows ever have the
 * same. No one else sees their names until they are stored again or gone.
 */
export async function releaseSlugs(
  tx: Transaction,
  known: ReadonlyMap<number, EventState>,
  after: readonly EventState[],
): Promise<void> {
  const wantedBy = new Map(after.map(({ row }) => [row.slug, row.id]))
  for (const {
    row: { id, slug },
  } of known.values()) {
    if ((wantedBy.get(slug) ?? id) !== id) await changeRow(tx, 'event', { id, slug: `__row-${id}` })
  }
}
