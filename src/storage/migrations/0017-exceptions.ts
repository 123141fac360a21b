import type { Migration } from './migration.ts'

/** Finds the date that shows an exception: the journal names the row of the exception, responses name the date. */
export const exceptions: Migration = {
  id: 17,
  name: 'exceptions',
  up: () => ['create index series_date_shows on series_date (exception_id) where exception_id is not null'],
}
