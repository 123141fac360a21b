import type { Migration } from './migration.ts'

/** When an application password was used last. */
export const passwordUse: Migration = {
  id: 34,
  name: 'password use',
  up: () => ['alter table application_password add column used_at text'],
}
