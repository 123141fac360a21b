import type { Transaction } from '../../../storage/engine.ts'
import { changeRow } from '../../../storage/row-writes.ts'
import type { EventTable, SeriesDateTable } from '../../../storage/schema.ts'
import { type GivenAll, inList, statementTemplate } from '../../../storage/statement-template.ts'
import type { EventState } from '../copies.ts'
import { dateSlug } from './shown.ts'
import { inSlices } from './slices.ts'
import type { SeriesState } from './state.ts'

/** What is stored of a series before a change; no `base` where the event itself is new. */
interface KnownDates {
  readonly base?: EventState | undefined
  readonly dates: readonly SeriesDateTable[]
}

/**
 * A series none of whose new dates has the slug of another event: such a date gets the next number of its day. So do all
 * dates where the slug of the event changes. The same object where nothing has to change.
 */
export async function withFreeSlugs(tx: Transaction, before: KnownDates, after: SeriesState): Promise<SeriesState> {
  const { row } = after.base
  // In the trash nobody names it; it is looked at again when it comes back.
  if (row.status === 'trash') return after
  const known = new Map(before.base?.row.slug === row.slug ? before.dates.map((date) => [date.id, date]) : [])
  const hasNew = (date: SeriesDateTable): boolean => {
    const was = known.get(date.id)
    return was === undefined || dateSlug(row, was) !== dateSlug(row, date)
  }
  const fresh = after.dates.filter((date) => date.id !== row.id && hasNew(date))
  const taken = new Set<string>()
  await inSlices(tx, fresh, {
    step: async (dates) => {
      const slugs = dates.map((date) => dateSlug(row, date))
      for (const { slug } of await tx.all(eventsWithSlugs(tx, { shape: null, values: { slugs } }))) taken.add(slug)
    },
  })
  if (taken.size === 0) return after
  return { ...after, dates: await renumbered(tx, row, { dates: after.dates, taken }) }
}

const eventsWithSlugs = statementTemplate(
  (tx: Pick<Transaction, 'db' | 'engine'>, _shape: null, { slugs }: GivenAll<{ readonly slugs: readonly string[] }>) =>
    tx.db
      .selectFrom('event')
      .select('slug')
      .where(inList(tx.engine, 'event.slug', slugs)),
)

/** The dates, those with a taken slug with the next number that no other date of the day and no other event has. */
async function renumbered(
  tx: Transaction,
  row: EventTable,
  { dates, taken }: { readonly dates: readonly SeriesDateTable[]; readonly taken: ReadonlySet<string> },
): Promise<SeriesDateTable[]> {
  const own = new Set(dates.map((date) => dateSlug(row, date)))
  const isFree = async (slug: string): Promise<boolean> =>
    !own.has(slug) && (await tx.first(eventsWithSlugs(tx, { shape: null, values: { slugs: [slug] } }))) === undefined
  const changed: SeriesDateTable[] = []
  for (const date of dates) {
    let next = date
    if (date.id !== row.id && taken.has(dateSlug(row, date)))
      do next = { ...next, of_day: next.of_day + 1 }
      while (!(await isFree(dateSlug(row, next))))
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
