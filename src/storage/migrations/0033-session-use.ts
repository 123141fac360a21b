import type { Migration } from './migration.ts'

/** When a session was used last. */
export const sessionUse: Migration = {
  id: 33,
  name: 'session use',
  up: () => ['alter table session add column used_at text'],
}
