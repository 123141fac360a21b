import type { Migration } from './migration.ts'

/** How many attempts found that a message to a webhook cannot be made. */
export const unmadeMessages: Migration = {
  id: 28,
  name: 'unmade-messages',
  up: () => ['alter table webhook_delivery add column unmade integer not null default 0'],
}
