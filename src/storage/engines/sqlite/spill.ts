import type { Statement, Transaction } from '../../engine.ts'
import type { Connection } from './connection.ts'

/** Page cache meanwhile, in KiB as SQLite's negative numbers say it: what is left in it is written by the commit. */
const NARROW = -256

/** Rows that are read before others have their turn. */
const PORTION = 250

/** Pages of so many rows, each of which has the state of an item; more where descriptions are long. */
const PAGES_OF_PORTION = 125

/** From a table that has as many pages as any, of which a write changes the last one alone. */
function nextRows(after: number): Statement {
  const sql = `select count(*) as rows, max(seq) as last
    from (select seq from journal not indexed where seq > ? order by seq limit ${PORTION})`
  return { sql, parameters: [after] }
}

/** What may have to go to the log. */
export interface SpillOptions {
  readonly tx: Pick<Transaction, 'pause'>
  /** Most pages that the transaction may have changed. */
  readonly pages: number
  /** Page cache of the connection, which it has again afterwards, as SQLite's pragma says it. */
  readonly cacheSize: number
}

/**
 * Has SQLite write the changed pages of the open transaction to the log, some at a time, so that little is left for the
 * commit, which nobody can interrupt. It does so before a commit only where another page needs the place of a changed
 * one in the page cache: so pages are read that nobody needs, as many as may be changed. Where the calendar has fewer,
 * few are changed.
 */
export async function spill(connection: Connection, { tx, pages, cacheSize }: SpillOptions): Promise<void> {
  connection.pragma(`cache_size = ${NARROW}`)
  try {
    for (let read = 0, after = 0; read < pages; read += PAGES_OF_PORTION) {
      const portion = connection.first<{ rows: number; last: number }>(nextRows(after))
      if (portion === undefined || portion.rows < PORTION) return
      after = portion.last
      await tx.pause()
    }
  } finally {
    connection.pragma(`cache_size = ${cacheSize}`)
  }
}
