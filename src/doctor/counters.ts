import type { Reader, Transaction } from '../storage/engine.ts'
import { written } from '../storage/statement-builder.ts'
import { type Finding, finding, namesFrom } from './finding.ts'

/** Counters that identifiers are taken from, and where those are: rows there are never removed. */
const COUNTED = { entry: 'entry', term: 'term', user: '"user"', application_password: 'application_password' } as const

/** Counters that are behind: the next identifier would be one that is taken. */
export async function examineCounters(reader: Reader): Promise<Finding> {
  const behind = Object.entries(COUNTED).map(
    ([name, table]) => `select '${name}' as name from counter where ${isBehind(name, table)}`,
  )
  return finding('counters', await namesFrom(reader, behind.join(' union all ')), true)
}

/** Moves counters that are behind on to the highest identifier. */
export async function repairCounters(tx: Transaction): Promise<void> {
  for (const [name, table] of Object.entries(COUNTED))
    await tx.run(written(`update counter set value = (select max(id) from ${table}) where ${isBehind(name, table)}`))
}

function isBehind(name: string, table: string): string {
  return `name = '${name}' and value < (select coalesce(max(id), 0) from ${table})`
}
