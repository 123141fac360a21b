import type { Statement, Transaction } from '../../engine.ts'
import type { Connection } from './connection.ts'

/** Page cache meanwhile, in KiB as SQLite's negative numbers say it: what is left in it is written by the commit. */
const NARROW = -256

/** Bytes of a page of the database. */
export const PAGE_SIZE = 4096

/** A table of which a long write changes the last pages alone. */
interface Ground {
  readonly table: string
  readonly key: string
  /** Bytes of a row in the pages of the table, at least, as SQL: the rest of long texts is elsewhere, and is not read. */
  readonly bytes: string
  /** Rows that are read before others have their turn: up to some thirty pages. */
  readonly portion: number
}

const GROUNDS: readonly Ground[] = [
  {
    table: 'journal',
    key: 'seq',
    bytes: 'iif(octet_length(snapshot) > 4000, 480, octet_length(snapshot))',
    portion: 60,
  },
  { table: 'occurrence', key: 'id', bytes: '100', portion: 1_200 },
  { table: 'series_date', key: 'id', bytes: '35', portion: 3_500 },
]

function nextRows({ table, key, bytes, portion }: Ground, after: number): Statement {
  const sql = `select count(*) as rows, max(place) as last, total(bytes) as bytes from (
    select ${key} as place, ${bytes} as bytes from ${table} not indexed where ${key} > ? order by ${key} limit ${portion})`
  return { sql, parameters: [after] }
}

/** What may have to go to the log. */
export interface SpillOptions {
  readonly tx: Pick<Transaction, 'pause'>
  /** Changed pages that are not in the log yet, at most. */
  readonly pages: number
  /** Page cache of the connection, which it has again afterwards, in KiB as `NARROW`. */
  readonly cacheSize: number
}

/**
 * Has SQLite write the changed pages of the open transaction to the log, some at a time, so that little is left for the
 * commit, which nobody can interrupt. It does so before a commit only where another page needs the place of a changed
 * one in the page cache: so pages are read that nobody needs, as many as may be changed, or all of these tables.
 */
export async function spill(connection: Connection, { tx, pages, cacheSize }: SpillOptions): Promise<void> {
  connection.pragma(`cache_size = ${NARROW}`)
  try {
    let left = pages
    for (const ground of GROUNDS) {
      for (let after = 0, isMore = true; isMore && left > 0; ) {
        const read = connection.first<{ rows: number; last: number; bytes: number }>(nextRows(ground, after))
        if (read === undefined) return
        isMore = read.rows === ground.portion
        after = read.last
        left -= read.bytes / PAGE_SIZE
        await tx.pause()
      }
    }
  } finally {
    connection.pragma(`cache_size = ${cacheSize}`)
  }
}
