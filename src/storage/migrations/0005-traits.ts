import type { Migration } from './migration.ts'

/** Kind of the copies of traits. */
const TRAIT = 5

/** What makes an occurrence stand under each trait: that it is featured, or has tickets. */
const CONDITIONS = {
  1: 'occurrence.featured = 1',
  2: 'exists (select 1 from event where event.id = occurrence.event_id and event.tickets is not null)',
} as const

const LISTED = `from occurrence_link inner join occurrence on occurrence.id = occurrence_link.occurrence_id
    where occurrence_link.kind = ${TRAIT} and occurrence.listed = 1`

/** The statement that counts what stands under each trait. */
const COUNT = `insert into event_count (kind, target_id, status, level, period, starts, ends)
  select ${TRAIT}, target_id, status, level, substr(moment, 1, size), sum(starts), sum(ends)
  from (
    select target_id, occurrence.status as status, occurrence.start_local as moment, 1 as starts, 0 as ends ${LISTED}
    union all
    select target_id, occurrence.status as status, occurrence.end_local as moment, 0 as starts, 1 as ends ${LISTED}
  ) as edges
  cross join (select 1 as level, 7 as size union all select 2 as level, 10 as size) as periods
  group by target_id, status, level, substr(moment, 1, size)`

/** Lists and totals by a trait of events are read from where those of a category are. */
export const traits: Migration = {
  id: 5,
  name: 'traits',
  up: () => [
    ...Object.entries(CONDITIONS).map(
      ([trait, condition]) => `insert into occurrence_link
        (kind, target_id, listed, status, start_local, published_at, occurrence_id, event_id)
      select ${TRAIT}, ${trait}, listed, status, start_local, published_at, id, event_id
      from occurrence where ${condition} order by listed, status, start_local, published_at, id`,
    ),
    COUNT,
  ],
}
