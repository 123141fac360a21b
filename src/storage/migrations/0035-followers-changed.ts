import type { Migration } from './migration.ts'

/** When somebody last changed a webhook or a source; null where that was before. */
export const followersChanged: Migration = {
  id: 35,
  name: 'changes of webhooks and sources',
  up: () => ['alter table webhook add column modified_at text', 'alter table source add column modified_at text'],
}
