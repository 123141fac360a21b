import { sql } from 'kysely'
import type { Status } from '../../model/status.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { deleteRows, insertRow } from '../../storage/row-writes.ts'
import type { Database } from '../../storage/schema.ts'

/** Statuses of events that are not public yet: a private one may be later, and a scheduled one will be. */
const WAITING: readonly Status[] = ['pending', 'draft', 'trash', 'private', 'future']

/** Who sent an event that waits for review; `created_at` is UTC. */
export type Submission = Database['submission']

/** Stores who sent an event. */
export async function insertSubmission(tx: Transaction, row: Submission): Promise<void> {
  await insertRow(tx, 'submission', row)
}

/** Number of submitted events that nobody has decided about; what lies in the trash, is private or scheduled takes no room from others. */
export async function waitingSubmissions(reader: Reader): Promise<number> {
  const query = sql<{ total: number }>`select count(*) as total from submission
    left join event on event.id = submission.event_id
    where event.status is null or event.status not in ('trash', 'private', 'future')`.compile(reader.db)
  return Number((await reader.first({ compile: () => query }))?.total ?? 0)
}

/** Who sent these events, by their IDs; events that nobody submitted are left out. */
export async function submittersOf(
  reader: Reader,
  eventIds: readonly number[],
): Promise<ReadonlyMap<number, Submission>> {
  if (eventIds.length === 0) return new Map()
  const rows = await reader.all(reader.db.selectFrom('submission').selectAll().where('event_id', 'in', eventIds))
  return new Map(rows.map((row) => [row.event_id, row]))
}

/** Forgets who sent an event. */
export async function deleteSubmission(tx: Transaction, eventId: number): Promise<void> {
  await deleteRows(tx, 'submission', { column: 'event_id', value: eventId })
}

/** A submitted event whose sender is to be forgotten. */
export interface EndedSubmission {
  readonly eventId: number
  /** Since when the event is public, or from when on it will be, UTC text; undefined where nobody has published it. */
  readonly publicFrom: string | undefined
}

/** Events whose senders are to be forgotten: published, deleted, or sent before a moment (UTC text). */
export async function endedSubmissions(reader: Reader, before: string): Promise<EndedSubmission[]> {
  const query = reader.db
    .selectFrom('submission')
    .leftJoin('event', 'event.id', 'submission.event_id')
    .select(['submission.event_id', 'event.status', 'event.published_at'])
    .where((where) =>
      where.or([
        where('event.id', 'is', null),
        where('event.status', 'not in', WAITING),
        where('submission.created_at', '<', before),
      ]),
    )
  return (await reader.all(query)).map(({ event_id: eventId, status, published_at: date }) => ({
    eventId,
    publicFrom: status === 'publish' || status === 'future' ? (date ?? undefined) : undefined,
  }))
}
