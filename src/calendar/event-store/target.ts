import { type Expression, type SqlBool, sql } from 'kysely'
import type { Transaction } from '../../storage/engine.ts'
import { asStatement } from '../../storage/statement-builder.ts'
import { inList } from '../../storage/statement-template.ts'

/** What a list of events is filtered by: a venue, organizer, category, tag or trait; its kind is one of `LINK_KIND`. */
export interface Target {
  readonly kind: number
  readonly id: number
}

/** Takes a venue, organizer, category or tag that is going permanently out of what lists read. */
export async function deleteTarget(tx: Transaction, { kind, id }: Target): Promise<void> {
  await tx.run(tx.db.deleteFrom('occurrence_link').where('kind', '=', kind).where('target_id', '=', id))
  await tx.run(tx.db.deleteFrom('event_count').where('kind', '=', kind).where('target_id', '=', id))
}

/** Some events, of which those that meet a condition belong on the lists of a target. */
export interface Relisting {
  readonly events: readonly number[]
  /** Asked of `occurrence.event_id`. */
  readonly belongs: Expression<SqlBool>
}

/**
 * Puts some events on the lists of a target, or takes them off, and counts them there: their own rows have not changed,
 * but those by which they belong to it.
 */
export async function relist(tx: Transaction, target: Target, { events, belongs }: Relisting): Promise<void> {
  if (events.length === 0) return
  await count(tx, target, { events, step: -1 })
  await tx.run(
    tx.db
      .deleteFrom('occurrence_link')
      .where('kind', '=', target.kind)
      .where('target_id', '=', target.id)
      .where(inList(tx.engine, 'occurrence_link.event_id', events)),
  )
  const { kind, id } = target
  await tx.run(
    asStatement(
      tx,
      sql`insert into occurrence_link
        (kind, target_id, listed, status, start_local, published_at, occurrence_id, event_id)
      select ${sql.lit(kind)}, cast(${id} as bigint), listed, status, start_local, published_at, id, event_id from occurrence
      where ${inList(tx.engine, 'occurrence.event_id', events)} and ${belongs}`,
    ),
  )
  await count(tx, target, { events, step: 1 })
}

/** Adds the starts and ends of some events on the lists of a target to its counters, or subtracts them. */
async function count(
  tx: Transaction,
  { kind, id }: Target,
  { events, step }: { readonly events: readonly number[]; readonly step: 1 | -1 },
): Promise<void> {
  const [one, none] = [sql.lit(step), sql.lit(0)]
  const listed = sql`from occurrence_link inner join occurrence on occurrence.id = occurrence_link.occurrence_id
    where occurrence_link.kind = ${sql.lit(kind)} and occurrence_link.target_id = ${id}
      and occurrence.listed = 1 and ${inList(tx.engine, 'occurrence_link.event_id', events)}`
  await tx.run(
    asStatement(
      tx,
      sql`insert into event_count (kind, target_id, status, level, period, starts, ends)
      select ${sql.lit(kind)}, cast(${id} as bigint), status, level, substr(moment, 1, size), sum(starts), sum(ends)
      from (
        select occurrence.status as status, occurrence.start_local as moment, ${one} as starts, ${none} as ends ${listed}
        union all
        select occurrence.status as status, occurrence.end_local as moment, ${none} as starts, ${one} as ends ${listed}
      ) as edges
      cross join (select 1 as level, 7 as size union all select 2 as level, 10 as size) as periods
      group by status, level, substr(moment, 1, size)
      on conflict (kind, target_id, status, level, period) do update
        set starts = event_count.starts + excluded.starts, ends = event_count.ends + excluded.ends`,
    ),
  )
}
