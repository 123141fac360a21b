import type { Migration } from './migration.ts'

/** Finds the dates of a recurring event that differ from the others without reading all of its dates. */
export const seriesExceptions: Migration = {
  id: 15,
  name: 'series-exceptions',
  up: () => ['create index series_date_exception on series_date (series_id) where exception_id is not null'],
}
