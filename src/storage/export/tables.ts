import type { Database } from '../schema.ts'

/** Name of a table. */
export type TableName = keyof Database

/** A row of any table with all its columns. */
export type Row = Readonly<Record<string, string | number | null>>

/**
 * Every table with its key columns, in an order in which rows can be inserted: referenced tables first.
 */
export const TABLE_KEYS = {
  meta: ['key'],
  entry: ['id'],
  term: ['id'],
  user: ['id'],
  application_password: ['id'],
  token: ['id'],
  user_password: ['user_id'],
  session: ['id'],
  passkey: ['id'],
  challenge: ['id'],
  recovery_code: ['user_id', 'hash'],
  sign_in_link: ['id'],
  mail: ['id'],
  mail_choice: ['user_id', 'topic'],
  review_notice: ['user_id'],
  identity: ['id'],
  pending_sign_in: ['id'],
  used_logout_token: ['id'],
  media: ['id'],
  event: ['id'],
  venue: ['id'],
  organizer: ['id'],
  category: ['id'],
  tag: ['id'],
  event_venue: ['event_id', 'venue_id'],
  event_organizer: ['event_id', 'organizer_id'],
  event_category: ['event_id', 'category_id'],
  event_tag: ['event_id', 'tag_id'],
  series_date: ['id'],
  ticket: ['id'],
  former_slug: ['entry_id', 'number'],
  occurrence: ['id'],
  occurrence_link: ['kind', 'target_id', 'listed', 'status', 'start_local', 'published_at', 'occurrence_id'],
  idempotency_key: ['id'],
  source: ['id'],
  source_visit: ['source_id', 'number'],
  provenance: ['origin', 'kind', 'external_id'],
  redirect: ['source'],
  webhook: ['id'],
  webhook_delivery: ['id'],
  submission: ['event_id'],
  decline_reason: ['id'],
  removed_item: ['id'],
  long_work: ['id'],
  long_work_item: ['work_id', 'position'],
  entry_text: ['id'],
  event_count: ['kind', 'target_id', 'status', 'level', 'period'],
  journal: ['seq'],
  counter: ['name'],
  journal_head: ['id'],
} as const satisfies { readonly [Table in TableName]: readonly (keyof Database[Table])[] }

/** The tables in the order of `TABLE_KEYS`. */
export const TABLES = Object.keys(TABLE_KEYS) as readonly TableName[]

/** The tables that have rows before anything was written. */
export const TABLES_OF_COUNTERS: readonly TableName[] = ['counter', 'journal_head']

/**
 * The tables of passwords, sessions, kept responses, people who sent events and webhooks, removed ones included: what leaves the calendar has
 * them only if asked, so that no copy of it signs messages.
 */
export const TABLES_OF_SECRETS: readonly TableName[] = [
  'application_password',
  'user_password',
  'session',
  'passkey',
  'recovery_code',
  'sign_in_link',
  'mail',
  'used_logout_token',
  'idempotency_key',
  'webhook',
  'webhook_delivery',
  'submission',
  'removed_item',
]

/**
 * The tables that no export has, and whose rows in exports of former versions are not imported: a copy of the calendar sends
 * nothing that this one would send, lets in none of its programs, and finishes no sign-in that began here.
 */
export const TABLES_LEFT_OUT: readonly TableName[] = ['token', 'mail', 'challenge', 'pending_sign_in']
