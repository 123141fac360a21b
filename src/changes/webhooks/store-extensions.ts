import { sql } from 'kysely'
import { recurringOf } from '../../calendar/events/index.ts'
import type { Reader } from '../../storage/engine.ts'
import { inList } from '../../storage/statement-template.ts'
import type { ChangePage } from '../feed/index.ts'

type SeenChange = ChangePage['changes'][number]

/**
 * A page of changes as webhooks are notified of it: in place of a series that has got further dates because time has passed,
 * which nobody has changed, these dates are `created`. The page ends early where there are more than `limit` of them; it
 * has at least one change of those that it had.
 */
export async function withNewDates(reader: Reader, page: ChangePage, limit: number): Promise<ChangePage> {
  const extensions = await extensionsIn(reader, page)
  if (extensions.size === 0) return page
  const changes: SeenChange[] = []
  for (const [index, change] of page.changes.entries()) {
    const extension = extensions.get(change.seq)
    const ids = extension === undefined ? [] : await newDates(reader, change.id, extension)
    if (extension === undefined) changes.push(change)
    else for (const id of ids) changes.push({ ...change, id, action: 'created' })
    const isLast = index === page.changes.length - 1
    if (changes.length >= limit && !isLast) return { changes, seq: change.seq, more: true }
  }
  return { ...page, changes }
}

/** How far the dates of a series were held before and after, on its clock. */
interface Extension {
  readonly from: string
  readonly to: string
}

/** Those of the changes that nobody made, by their number. */
async function extensionsIn(reader: Reader, { changes }: ChangePage): Promise<ReadonlyMap<number, Extension>> {
  const seqs = changes.flatMap(({ seq, resource }) => (resource === 'event' ? [seq] : []))
  if (seqs.length === 0) return new Map()
  const { db, engine } = reader
  const rows = await reader.all(
    db
      .selectFrom('journal')
      .select(['seq', 'id', 'revision'])
      .where(inList(engine, 'seq', seqs))
      .where('action', '=', 'extend'),
  )
  const found = new Map<number, Extension>()
  for (const { seq, id, revision } of rows) {
    const [after, before] = await horizonsUpTo(reader, { seq, id, revision })
    if (after !== undefined && before !== undefined) found.set(seq, { from: before, to: after })
  }
  return found
}

/** Up to where dates were held after an entry of the journal about a series, and after the one before it of that revision. */
async function horizonsUpTo(
  reader: Reader,
  { seq, id, revision }: { readonly seq: number; readonly id: number; readonly revision: number },
): Promise<(string | undefined)[]> {
  const { db, engine } = reader
  // PostgreSQL refuses JSON with certain escapes: there it is a part of a text.
  const recurrence =
    engine === 'sqlite'
      ? sql<string | null>`json_extract(snapshot, '$.recurrence')`
      : sql<string | null>`substring(snapshot from '"recurrence":("(?:\\\\.|[^"\\\\])*")')`
  const query = db
    .selectFrom('journal')
    .select(recurrence.as('recurrence'))
    .where('resource', '=', 'event')
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('seq', '<=', seq)
  // Snapshots may be long.
  const rows = await reader.all(query.orderBy('seq', 'desc').limit(2), 'offloaded')
  return rows.map(({ recurrence: text }) => {
    const stored = engine === 'sqlite' || text === null ? text : String(JSON.parse(text))
    return recurringOf({ recurrence: stored })?.until
  })
}

/** The dates of a series between two horizons, by their start. */
async function newDates(reader: Reader, series: number, { from, to }: Extension): Promise<number[]> {
  const query = reader.db
    .selectFrom('series_date')
    .select('id')
    .where('series_id', '=', series)
    .where('recurrence_id', '>', from)
    .where('recurrence_id', '<=', to)
    .where('position', '>', 0)
  return (await reader.all(query.orderBy('recurrence_id').orderBy('id'))).map(({ id }) => id)
}
