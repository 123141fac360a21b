import type { Migration } from './migration.ts'

/**
 * Responses to requests with an Idempotency-Key, for a day. The running numbers of an owner tell how many there are and
 * how large without counting them.
 */
export const idempotency: Migration = {
  id: 9,
  name: 'idempotency',
  up: () => [
    `create table idempotency_key (
      id text primary key, owner integer not null, place integer not null, bytes integer not null,
      created_at text not null, fingerprint text not null,
      status integer not null, headers text not null, body text not null)`,
    'create index idempotency_key_owner on idempotency_key (owner, place)',
    'create index idempotency_key_age on idempotency_key (created_at)',
  ],
}
