import type { Migration } from './migration.ts'

/** Programs elsewhere that are told of changes, and what they were told. */
export const webhooks: Migration = {
  id: 24,
  name: 'webhooks',
  up: () => [
    `create table webhook (
      id integer primary key, url text not null, description text not null, events text not null,
      audience text not null, active integer not null, secret text not null, former_secret text not null,
      former_until text, seq integer not null, failures integer not null, problem text not null, succeeded_at text,
      created_at text not null)`,
    `create table webhook_delivery (
      id integer primary key, webhook_id integer not null, message text not null, event text not null,
      seq integer not null, at text not null, resource text not null, item_id integer not null,
      revision integer not null, state text not null, attempts integer not null, queued_at text not null,
      next_at text, attempted_at text, finished_at text, status integer not null, problem text not null)`,
    // What is due, what waits behind it, what may be forgotten, and the log.
    'create index webhook_delivery_due on webhook_delivery (webhook_id, next_at, id) where next_at is not null',
    `create index webhook_delivery_pending on webhook_delivery (webhook_id, resource, item_id, id)
      where state = 'pending'`,
    'create index webhook_delivery_finished on webhook_delivery (finished_at) where finished_at is not null',
    'create index webhook_delivery_log on webhook_delivery (webhook_id, id)',
    'create index webhook_delivery_state on webhook_delivery (webhook_id, state, id)',
  ],
}
