import type { Migration } from './migration.ts'

/** Finds what of a resource has changed since a moment. */
export const changed: Migration = {
  id: 16,
  name: 'changed',
  up: () => ['create index journal_changed on journal (resource, at, id)'],
}
