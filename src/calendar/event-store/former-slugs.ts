import { sql } from 'kysely'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { deleteRows, insertRow } from '../../storage/row-writes.ts'
import type { EventTable, FormerSlugTable } from '../../storage/schema.ts'
import { inList } from '../../storage/statement-template.ts'
import { dateKeeping } from './series/rows.ts'
import { type DateAddress, isOut } from './series/shown.ts'

/** Most former slugs that are stored of an event or date; the oldest ones are forgotten. */
export const MOST_FORMER_SLUGS = 20

type FormerSlug = Pick<FormerSlugTable, 'slug' | 'at'>

/** Keeps the slug that an event had before a change at a moment (UTC text), unless it is that of the trash. */
export async function keepSlugBefore(
  tx: Transaction,
  { before, after }: { readonly before: EventTable; readonly after: EventTable },
  at: string,
): Promise<void> {
  const { slug, status } = before
  if (slug === after.slug || status === 'trash' || after.status === 'trash') return
  await keepFormerSlugs(tx, after.id, [{ slug, at }])
}

/** Keeps slugs that an event or date had, the newest one last. */
export async function keepFormerSlugs(tx: Transaction, id: number, slugs: readonly FormerSlug[]): Promise<void> {
  if (slugs.length === 0) return
  const added = new Set(slugs.map(({ slug }) => slug))
  const known = (await formerSlugsOf(tx, id)).filter(({ slug }) => !added.has(slug))
  const kept = [...known, ...slugs].slice(-MOST_FORMER_SLUGS)
  await deleteFormerSlugs(tx, id)
  for (const [index, { slug, at }] of kept.entries())
    await insertRow(tx, 'former_slug', { entry_id: id, number: index + 1, slug, at })
}

/** The former slugs of an event or date, the newest one last. */
export function formerSlugsOf(reader: Reader, id: number): Promise<FormerSlug[]> {
  const query = reader.db.selectFrom('former_slug').select(['slug', 'at']).where('entry_id', '=', id).orderBy('number')
  return reader.all(query)
}

/** Forgets the former slugs of an event or date that is deleted. */
export function deleteFormerSlugs(tx: Transaction, id: number): Promise<void> {
  return deleteRows(tx, 'former_slug', { column: 'entry_id', value: id })
}

/** Forgets those of dates that are deleted. */
export async function deleteFormerSlugsOfDates(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.run(tx.db.deleteFrom('former_slug').where(inList(tx.engine, 'former_slug.entry_id', ids)))
}

/** The ID of the event that has a slug; undefined where none has. */
export async function eventBySlug(reader: Reader, slug: string): Promise<number | undefined> {
  return (
    await reader.first(
      reader.db.selectFrom('event').select('id').where('slug', '=', slug).where('exception', 'is', null),
    )
  )?.id
}

/** The event or date that had a slug last; undefined when none did. */
export async function entryBySlugBefore(reader: Reader, slug: string): Promise<number | undefined> {
  const query = reader.db.selectFrom('former_slug').select('entry_id').where('slug', '=', slug)
  return (await reader.first(query.orderBy('at', 'desc').orderBy('entry_id').limit(1)))?.entry_id
}

/**
 * The date that had an address, or has it still though its page is elsewhere: of the events that have or had the slug the
 * one with a date on that day. Undefined when none has.
 */
export async function dateByAddressBefore(reader: Reader, address: DateAddress): Promise<number | undefined> {
  const { slug, day, of_day } = address
  const kept = await dateKeeping(reader, address)
  if (kept !== undefined && !isOut(kept)) return kept.id
  const query = namedEver(reader, slug)
    .innerJoin('series_date', 'series_date.series_id', 'named.id')
    .select(['series_date.id', 'series_date.of_day'])
    .where('series_date.recurrence_id', '>=', `${day} 00:00:00`)
    .where('series_date.recurrence_id', '<=', `${day} 23:59:59`)
    .where('series_date.position', '>', 0)
    .orderBy('named.at', 'desc')
    .orderBy('series_date.of_day')
    .limit(MOST_OF_DAY)
  const dates = await reader.all(query)
  return (dates.find((date) => date.of_day === of_day) ?? dates[0])?.id
}

/** The recurring event that has a slug, or had it last; undefined where none did. */
export async function seriesBySlugEver(reader: Reader, slug: string): Promise<number | undefined> {
  const query = namedEver(reader, slug)
    .innerJoin('event', 'event.id', 'named.id')
    .select('event.id')
    .where('event.recurrence', 'is not', null)
    .orderBy('named.at', 'desc')
    .limit(1)
  return (await reader.first(query))?.id
}

/** What has or had a slug, as `named`; `at` says how long it had it, as text that is greatest for what has it still. */
function namedEver({ db }: Pick<Reader, 'db'>, slug: string) {
  const former = db.selectFrom('former_slug').select(['entry_id as id', 'at']).where('slug', '=', slug)
  const present = db
    .selectFrom('event')
    .select(['id', sql<string>`'9999'`.as('at')])
    .where('slug', '=', slug)
  return db.selectFrom(former.unionAll(present).as('named'))
}

/** Most dates of a day that are looked at. */
const MOST_OF_DAY = 100
