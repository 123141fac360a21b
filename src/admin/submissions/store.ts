import { sql } from 'kysely'
import type { Status } from '../../model/status.ts'
import type { Times } from '../../pages/dates.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { takeNumbers } from '../../storage/numbers.ts'
import { deleteRows, insertRow } from '../../storage/row-writes.ts'
import type { Database, SubmissionTable as Submission } from '../../storage/schema.ts'

/** Statuses of events that are not public yet: a private one may be later, and a scheduled one will be. */
const WAITING: readonly Status[] = ['pending', 'draft', 'trash', 'private', 'future']

/** A submission before somebody has decided. */
type NewSubmission = Omit<Submission, 'state' | 'reason' | 'decided_at' | 'question' | 'answer' | 'into_id'>

/** Stores who sent an event. */
export async function insertSubmission(tx: Transaction, row: NewSubmission): Promise<void> {
  const undecided = { state: 'waiting', reason: '', decided_at: null, question: '', answer: '', into_id: null } as const
  await insertRow(tx, 'submission', { ...row, ...undecided })
}

/** The submission of an event that nobody has decided about, with its event; undefined for any other, and in the trash. */
export function openSubmission(
  reader: Reader,
  eventId: number,
): Promise<(Submission & Pick<Database['event'], 'title' | 'slug'>) | undefined> {
  const query = reader.db
    .selectFrom('submission')
    .innerJoin('event', 'event.id', 'submission.event_id')
    .selectAll('submission')
    .select(['event.title', 'event.slug'])
    .where('submission.event_id', '=', eventId)
  return reader.first(query.where('decided_at', 'is', null).where('event.status', '!=', 'trash'))
}

/** The submission with this digest of its link; undefined for none. */
export async function submissionOfLink(reader: Reader, link: string): Promise<Submission | undefined> {
  return reader.first(reader.db.selectFrom('submission').selectAll().where('link', '=', link))
}

/** What is left of a submission that is decided about: nothing of a person. */
export const FORGOTTEN = { name: '', email: '', sealed_link: '', question: '', answer: '' } as const

/** Changes a submission. */
export async function updateSubmission(tx: Transaction, eventId: number, changes: Partial<Submission>): Promise<void> {
  await tx.run(tx.db.updateTable('submission').set(changes).where('event_id', '=', eventId))
}

/** Deletes the submissions that were decided about before a moment, UTC text. */
export async function deleteDecidedBefore(tx: Transaction, before: string): Promise<void> {
  await tx.run(tx.db.deleteFrom('submission').where('decided_at', '<', before))
}

/** Number of submitted events that nobody has decided about; what lies in the trash, is private or scheduled takes no room from others. */
export async function waitingSubmissions(reader: Reader): Promise<number> {
  const query = sql<{ total: number }>`select count(*) as total from submission
    left join event on event.id = submission.event_id
    where submission.decided_at is null
    and (event.status is null or event.status not in ('trash', 'private', 'future'))`.compile(reader.db)
  return Number((await reader.first({ compile: () => query }))?.total ?? 0)
}

/** Who sent these events, by their IDs; events that nobody submitted, and those that are decided about, are left out. */
export async function submittersOf(
  reader: Reader,
  eventIds: readonly number[],
): Promise<ReadonlyMap<number, Submission>> {
  if (eventIds.length === 0) return new Map()
  const query = reader.db.selectFrom('submission').selectAll().where('decided_at', 'is', null)
  const rows = await reader.all(query.where('event_id', 'in', eventIds))
  return new Map(rows.map((row) => [row.event_id, row]))
}

/** Forgets who sent an event. */
export async function deleteSubmission(tx: Transaction, eventId: number): Promise<void> {
  await deleteRows(tx, 'submission', { column: 'event_id', value: eventId })
}

/** Whether there are submissions that were decided about before a moment, UTC text. */
export async function hasDecidedBefore(reader: Reader, before: string): Promise<boolean> {
  const query = reader.db.selectFrom('submission').select('event_id').where('decided_at', '<', before)
  return (await reader.first(query.limit(1))) !== undefined
}

/** A submitted event whose sender is to be forgotten; its columns are null where it was deleted. */
export interface EndedSubmission {
  readonly event_id: number
  readonly status: Status | null
  readonly published_at: string | null
}

/** Events whose senders are to be forgotten: published, deleted, or sent before a moment (UTC text) and not scheduled. */
export function endedSubmissions(reader: Reader, before: string): Promise<EndedSubmission[]> {
  const query = reader.db
    .selectFrom('submission')
    .leftJoin('event', 'event.id', 'submission.event_id')
    .select(['submission.event_id', 'event.status', 'event.published_at'])
    .where('submission.decided_at', 'is', null)
    .where((where) =>
      where.or([
        where('event.id', 'is', null),
        where('event.status', 'not in', WAITING),
        where.and([
          where('submission.created_at', '<', before),
          // One that is scheduled is decided about: its sender is told when it is published.
          where('event.status', '!=', 'future'),
        ]),
      ]),
    )
  return reader.all(query)
}

/** Most saved reasons. */
const MOST_REASONS = 50

/** The saved reasons to decline events, the newest first. */
export function declineReasons(reader: Reader): Promise<Database['decline_reason'][]> {
  return reader.all(reader.db.selectFrom('decline_reason').selectAll().orderBy('id', 'desc').limit(MOST_REASONS))
}

/** Saves a reason; its ID. One that is saved already is not saved again. */
export async function insertReason(tx: Transaction, reason: string): Promise<number> {
  const known = (await declineReasons(tx)).find((one) => one.reason === reason)
  if (known !== undefined) return known.id
  const id = await takeNumbers(tx, 'decline_reason')
  await insertRow(tx, 'decline_reason', { id, reason })
  return id
}

/** Deletes a saved reason. */
export async function deleteReason(tx: Transaction, id: number): Promise<void> {
  await deleteRows(tx, 'decline_reason', { column: 'id', value: id })
}

/** An enabled user who may review submissions. */
export interface Reviewer {
  readonly id: number
  readonly email: string
  /** When the mails come; null for no choice. */
  readonly choice: string | null
  /** The last submitted event that a mail told of; null for none. */
  readonly told: number | null
}

/** Everybody who may review submissions. */
export function reviewers(reader: Reader): Promise<Reviewer[]> {
  const choices = reader.db.selectFrom('mail_choice').selectAll().where('topic', '=', 'review').as('review')
  const query = reader.db
    .selectFrom('user')
    .leftJoin(choices, 'review.user_id', 'user.id')
    .leftJoin('review_notice', 'review_notice.user_id', 'user.id')
    .select(['user.id', 'user.email', 'review.choice', 'review_notice.event_id as told'])
    .where('user.role', 'in', ['editor', 'administrator'])
  return reader.all(query.where('user.disabled_at', 'is', null).orderBy('user.id'))
}

/** A submitted event in the queue; `at` is when it arrived. */
export type QueuedSubmission = Times & { readonly id: number; readonly title: string; readonly at: string }

/** Submitted events in the queue, in the order in which they arrived. */
export function queuedSubmissions(reader: Reader): Promise<QueuedSubmission[]> {
  const query = reader.db
    .selectFrom('submission')
    .innerJoin('event', 'event.id', 'submission.event_id')
    .select(['id', 'title', 'timezone', 'all_day', 'start_local', 'end_local', 'start_utc', 'end_utc'])
    .select('submission.created_at as at')
    .where('submission.decided_at', 'is', null)
  return reader.all(query.where('event.status', '=', 'pending').orderBy('event.id'))
}

/** Stores up to which submitted event a reviewer was told. */
export async function storeTold(tx: Transaction, row: Database['review_notice']): Promise<void> {
  const query = tx.db.insertInto('review_notice').values(row)
  await tx.run(query.onConflict((conflict) => conflict.column('user_id').doUpdateSet({ event_id: row.event_id })))
}
