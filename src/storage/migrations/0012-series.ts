import type { Migration } from './migration.ts'

/**
 * Recurring events: what they recur by stands in their row, their dates in a table of their own, and a date that differs
 * from the others has a row of `event` that nobody sees by itself.
 */
export const series: Migration = {
  id: 12,
  name: 'series',
  up: () => [
    'alter table event add column recurrence text',
    'alter table event add column exception text',
    'create index event_series on event (id) where recurrence is not null',
    `create table series_date (
      id integer primary key, series_id integer not null references event (id) on delete cascade,
      recurrence_id text not null, position integer not null, of_day integer not null, exception_id integer)`,
    'create index series_date_start on series_date (series_id, recurrence_id)',
  ],
}
