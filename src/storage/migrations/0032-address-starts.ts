import type { Migration } from './migration.ts'

/** When a series began when its dates got their first addresses, where it has been said to be scheduled again since. */
export const addressStarts: Migration = {
  id: 32,
  name: 'address starts',
  up: () => ['alter table event add column address_start text'],
}
