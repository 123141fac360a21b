import { sql } from 'kysely'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { takeNumbers } from '../../storage/numbers.ts'
import type { MailTable } from '../../storage/schema.ts'

/** Kind of the rows that stand for a login whose password was forgotten, until it is looked up. */
export const ASKED = 'asked'

/** How many mails there were lately. */
export interface Counts {
  /** Of the kinds to one address, in an hour and in a day. */
  readonly hour: number
  readonly day: number
  /** To everybody, in an hour. */
  readonly site: number
}

/** Which mails are counted: since moments of UTC; `address` is folded. */
export interface Counted {
  readonly address: string
  readonly kinds: readonly string[]
  readonly hour: string
  readonly day: string
}

/** How many mails were queued lately. */
export async function countMails(reader: Reader, { address, kinds, hour, day }: Counted): Promise<Counts> {
  const isCounted = sql`address_folded = ${address} and kind in (${sql.join(kinds)})`
  const query = sql<Record<keyof Counts, number | null>>`select
    sum(case when ${isCounted} and created_at > ${hour} then 1 else 0 end) as hour,
    sum(case when ${isCounted} then 1 else 0 end) as day,
    sum(case when created_at > ${hour} then 1 else 0 end) as site
    from mail where created_at > ${day} and kind <> ${ASKED}`.compile(reader.db)
  const row = await reader.first({ compile: () => query })
  return { hour: Number(row?.hour ?? 0), day: Number(row?.day ?? 0), site: Number(row?.site ?? 0) }
}

/** How many mails of a kind a user caused since a moment, UTC text. */
export async function countMailsOf(
  reader: Reader,
  { userId, kind, since }: { readonly userId: number; readonly kind: string; readonly since: string },
): Promise<number> {
  const mails = reader.db.selectFrom('mail').select('id').where('user_id', '=', userId).where('kind', '=', kind)
  return (await reader.all(mails.where('created_at', '>', since))).length
}

/** Whether there is a mail for a cause. */
export async function hasMailFor(reader: Reader, cause: string): Promise<boolean> {
  return (await reader.first(reader.db.selectFrom('mail').select('id').where('cause', '=', cause))) !== undefined
}

/** The number of a new mail. */
export function nextMailId(tx: Transaction): Promise<number> {
  return takeNumbers(tx, 'mail')
}

/** Adds a mail. */
export async function insertMail(tx: Transaction, row: MailTable): Promise<void> {
  await tx.run(tx.db.insertInto('mail').values(row))
}

/** Mails that are due at a moment (UTC text), the oldest first. */
export function dueMails(reader: Reader, at: string, limit: number): Promise<MailTable[]> {
  const query = reader.db.selectFrom('mail').selectAll().where('state', '=', 'waiting').where('next_at', '<=', at)
  return reader.all(query.orderBy('next_at').orderBy('id').limit(limit))
}

/** Stores what became of a mail. */
export async function updateMail(tx: Transaction, id: number, changes: Partial<MailTable>): Promise<void> {
  await tx.run(tx.db.updateTable('mail').set(changes).where('id', '=', id))
}

/** Deletes a mail. */
export async function deleteMail(tx: Transaction, id: number): Promise<void> {
  await tx.run(tx.db.deleteFrom('mail').where('id', '=', id))
}

/** Deletes the mails that were queued before a moment, UTC text. */
export async function deleteMailsBefore(tx: Transaction, before: string): Promise<void> {
  await tx.run(tx.db.deleteFrom('mail').where('created_at', '<', before))
}

/** Mails in one state. */
export interface StateCount {
  readonly state: MailTable['state']
  readonly count: number
  /** When the oldest was queued, UTC text. */
  readonly oldest: string
}

/** How many mails there are in each state. */
export async function countStates(reader: Reader): Promise<StateCount[]> {
  const { count, min } = reader.db.fn
  const query = reader.db
    .selectFrom('mail')
    .select(['state', count<number>('id').as('count'), min('created_at').as('oldest')])
    .groupBy('state')
  return (await reader.all(query)).map((row) => ({ ...row, count: Number(row.count) }))
}

/** The mails that were given up, the newest first. */
export function failedMails(reader: Reader, limit: number): Promise<MailTable[]> {
  const query = reader.db.selectFrom('mail').selectAll().where('state', '=', 'failed')
  return reader.all(query.orderBy('id', 'desc').limit(limit))
}

/** The language in which a user signed in last; '' if unknown. */
export async function lastLanguage(reader: Reader, userId: number): Promise<string> {
  const query = reader.db.selectFrom('session').select('language').where('user_id', '=', userId)
  return (await reader.first(query.orderBy('created_at', 'desc').limit(1)))?.language ?? ''
}

/** What a user chose about mails of a topic; undefined for no choice. */
export async function findChoice(reader: Reader, userId: number, topic: string): Promise<string | undefined> {
  const query = reader.db.selectFrom('mail_choice').select('choice').where('user_id', '=', userId)
  return (await reader.first(query.where('topic', '=', topic)))?.choice
}

/** Stores what a user chose about mails of a topic. */
export async function storeChoice(
  tx: Transaction,
  row: { readonly user_id: number; readonly topic: string; readonly choice: string },
): Promise<void> {
  const { choice } = row
  const query = tx.db.insertInto('mail_choice').values(row)
  await tx.run(query.onConflict((conflict) => conflict.columns(['user_id', 'topic']).doUpdateSet({ choice })))
}
