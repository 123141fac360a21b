import type { Reader, Transaction } from '../../storage/engine.ts'
import { written } from '../../storage/statement-builder.ts'
import { type Finding, finding, namesFrom } from './finding.ts'

/** Counters that identifiers are taken from, and where those are: rows there are never removed. */
const COUNTED = { entry: 'entry', term: 'term', user: '"user"', application_password: 'application_password' } as const

/** Counters that are missing, so that nothing can be added, or behind: the next identifier would be one that is taken. */
export async function examineCounters(reader: Reader): Promise<Finding> {
  const wrong = Object.entries(COUNTED).map(
    ([name, table]) => `select '${name}' as name where not exists (select 1 from counter where name = '${name}'
      and value >= (select coalesce(max(id), 0) from ${table}))`,
  )
  return finding('counters', await namesFrom(reader, wrong.join(' union all ')), true)
}

/** Adds counters that are missing, and moves those that are behind on to the highest identifier. */
export async function repairCounters(tx: Transaction): Promise<void> {
  for (const [name, table] of Object.entries(COUNTED)) {
    // SQLite would read the `on` of the conflict as that of a join if there were no `where`.
    const highest = `select '${name}', coalesce(max(id), 0) from ${table} where true`
    await tx.run(
      written(`insert into counter (name, value) ${highest}
        on conflict (name) do update set value = excluded.value where counter.value < excluded.value`),
    )
  }
}
