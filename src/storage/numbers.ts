import type { Transaction } from './engine.ts'

/**
 * Takes so many next numbers of a series that starts with 1; the first of them. They are not used again, even when
 * nothing is left that has them. `series` is a name such as `source`.
 */
export async function takeNumbers(tx: Transaction, series: string, count = 1): Promise<number> {
  const key = `${series}.last`
  const known = await tx.first(tx.db.selectFrom('meta').select('value').where('key', '=', key))
  const last = Number(known?.value ?? 0)
  const value = String(last + count)
  const entry = tx.db.insertInto('meta').values({ key, value })
  await tx.run(entry.onConflict((conflict) => conflict.column('key').doUpdateSet({ value })))
  return last + 1
}

/** Tables of accounts have no journal: without a number a replica would be read that does not know yet what is in them. */
export async function tellReplicas(tx: Transaction): Promise<void> {
  await takeNumbers(tx, 'session')
}
