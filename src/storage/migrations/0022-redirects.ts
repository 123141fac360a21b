import type { Migration } from './migration.ts'

/** Where addresses that name nothing any more lead. */
export const redirects: Migration = {
  id: 22,
  name: 'redirects',
  up: () => ['create table redirect (source text primary key, target text not null, created_at text not null)'],
}
