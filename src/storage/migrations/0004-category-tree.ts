import type { Migration } from './migration.ts'

/** Kind of the copies of categories. */
const CATEGORY = 3

/** The statement that lists what stands under categories under all those above them, too. */
export function listUnderAncestors(): string {
  return `insert into occurrence_link
      (kind, target_id, listed, status, start_local, published_at, occurrence_id, event_id)
    with recursive above (category_id, ancestor_id) as (
      select id, parent from category where parent <> 0
      union
      select above.category_id, category.parent from above
        inner join category on category.id = above.ancestor_id where category.parent <> 0)
    select distinct ${CATEGORY}, above.ancestor_id, listed, status, start_local, published_at, occurrence_id, event_id
    from above inner join occurrence_link on occurrence_link.target_id = above.category_id
    where occurrence_link.kind = ${CATEGORY}
    on conflict do nothing`
}

/** The statements that count what stands under categories with others below them. */
function countUnderAncestors(): string[] {
  const parents = `kind = ${CATEGORY} and target_id in (select parent from category)`
  const listed = `from occurrence_link inner join occurrence on occurrence.id = occurrence_link.occurrence_id
    where occurrence_link.${parents} and occurrence.listed = 1`
  const target = 'occurrence_link.target_id as target_id, occurrence.status as status'
  return [
    `delete from event_count where ${parents}`,
    `insert into event_count (kind, target_id, status, level, period, starts, ends)
      select ${CATEGORY}, target_id, status, level, substr(moment, 1, size), sum(starts), sum(ends)
      from (
        select ${target}, occurrence.start_local as moment, 1 as starts, 0 as ends ${listed}
        union all
        select ${target}, occurrence.end_local as moment, 0 as starts, 1 as ends ${listed}
      ) as edges
      cross join (select 1 as level, 7 as size union all select 2 as level, 10 as size) as periods
      group by target_id, status, level, substr(moment, 1, size)`,
  ]
}

/** Lists show events under all categories above theirs, so that they need not look for what is below. */
export const categoryTree: Migration = {
  id: 4,
  name: 'category tree',
  up: () => [listUnderAncestors(), ...countUnderAncestors()],
}
