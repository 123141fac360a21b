import { type Expression, type SqlBool, sql } from 'kysely'
import { type Since, since } from '../../model/kinds/since.ts'
import type { ResourceKey } from '../../model/resource.ts'
import type { Condition } from './filters.ts'

/** The parameter of lists that asks what has changed; ours. */
export const UPDATED_SINCE = ['updated_since', since, 'api.onlyItemsCreatedChanged'] as const

/** Whether the journal reports a change of an item since a moment. */
export function isChangedSince(resource: ResourceKey, id: Expression<unknown>, { utc }: Since): Condition {
  return sql<SqlBool>`exists (select 1 from journal
    where journal.resource = ${resource} and journal.id = ${id} and journal.at >= ${utc})`
}

/** The items with a change in the journal since a moment: a subquery in parentheses, each `id` once. */
export function changedSince(resource: ResourceKey, { utc }: Since): Expression<{ id: number }> {
  return sql`(select distinct journal.id as id from journal
    where journal.resource = ${resource} and journal.at >= ${utc})`
}
