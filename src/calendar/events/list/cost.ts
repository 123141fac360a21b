import { type Expression, type SqlBool, sql } from 'kysely'
import { fail } from '../../../base/errors.ts'
import { type CostRange, costRange } from '../../../base/text/cost.ts'
import type { Reader } from '../../../storage/engine.ts'
import { cachedRows } from '../../../storage/reads.ts'
import { asStatement } from '../../../storage/statement-builder.ts'
import { inList } from '../../../storage/statement-template.ts'
import { type Candidates, columnOf, type RowContext } from './conditions.ts'

/** Different costs that a calendar may have for these filters; each is read. */
const MOST_COSTS = 10_000

/** The costs that an index has, see the migration of that index. */
const INDEXED = sql<SqlBool>`event.cost <> '' and length(event.cost) <= 300`

/**
 * All different costs of events, each found by the one before, so that many events with the same one are no more work.
 * @throws rest_query_too_costly when there are too many
 */
async function differentCosts(reader: Reader): Promise<string[]> {
  const next = sql`select min(event.cost) from event where ${INDEXED}`
  const query = asStatement(
    reader,
    sql<{ cost: string }>`with recursive known (cost) as (
      select (${next}) union all select (${next} and event.cost > known.cost) from known where known.cost is not null)
    select cost from known where cost is not null limit ${sql.lit(MOST_COSTS + 1)}`,
  )
  const rows = await cachedRows(reader, query)
  if (rows.length > MOST_COSTS) throw fail('rest_query_too_costly')
  return rows.map(({ cost }) => cost)
}

/** The costs whose amounts meet a condition; those without amounts meet none. */
export async function costsWith(reader: Reader, isMeant: (range: CostRange) => boolean): Promise<readonly string[]> {
  return (await differentCosts(reader)).filter((cost) => {
    const range = costRange(cost)
    return range !== undefined && isMeant(range)
  })
}

/** Whether the event of a row has one of these costs. */
export function hasCost(costs: readonly string[], { engine }: RowContext): Expression<SqlBool> {
  return inList(engine, columnOf('cost'), costs)
}

/** An index leads to the events with these costs. */
export function eventsWithCost(costs: readonly string[], { engine }: RowContext): Candidates {
  return { events: sql`(select event.id from event where ${INDEXED} and ${inList(engine, 'event.cost', costs)})` }
}
