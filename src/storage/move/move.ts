import { createHash } from 'node:crypto'
import { fail } from '../../base/errors.ts'
import type { Reader, Storage } from '../engine.ts'
import { countForPlans } from '../statistics.ts'
import { assertWhole, type Marker, readMarker, removeMarker, writeMarker } from './marker.ts'
import { clearTable, countRows, insertRows, lastRow, pagesOf } from './rows.ts'
import { type Row, TABLES, TABLES_OF_COUNTERS, type TableName } from './tables.ts'

/** A calendar and its destination; both databases have the tables of this program. */
export interface Move {
  readonly from: Storage
  readonly to: Storage
  /** Takes the number of rows that were copied or compared so far, and of all that will be. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void
}

/** A table as both databases have it. */
export interface MovedTable {
  readonly table: string
  readonly rows: number
  /** SHA-256 of all rows in the order of their key, hexadecimal. */
  readonly checksum: string
}

/** What was moved. */
export interface MoveReport {
  /** Paths or addresses without passwords. */
  readonly from: string
  readonly to: string
  /** `continued`: an earlier move was interrupted and what it had copied was kept; `anew`: it was not. */
  readonly began: 'first' | 'continued' | 'anew'
  /** Of all tables. */
  readonly rows: number
  readonly tables: readonly MovedTable[]
}

/**
 * Copies a calendar into an empty database and compares all rows of both. An interrupted move resumes when it is called
 * again, or restarts when the calendar was written meanwhile or the rows were found to differ. The source is not
 * changed, and must not be written meanwhile: with SQLite the caller holds its lock, on PostgreSQL the copy is a job of
 * the source, and other jobs wait.
 * @throws move_unfinished, move_target_in_use, move_differs
 */
export async function moveCalendar(move: Move): Promise<MoveReport> {
  const { from } = move
  await assertWhole(from)
  return from.engine === 'postgres' ? from.write((tx) => copyAll(tx, move), 'long') : copyAll(from, move)
}

async function copyAll(source: Reader, { from, to, onProgress }: Move): Promise<MoveReport> {
  const began = await begin(to, { source: from.location, state: await stateOf(source) })
  const count = counting(2 * (await countAll(source)), onProgress)
  for (const table of TABLES) await copyTable({ source, to, table, count })
  const tables: MovedTable[] = []
  for (const table of TABLES) tables.push(await compareTable({ source, to, table, count }))
  await countForPlans(to)
  await to.write(removeMarker)
  const rows = tables.reduce((sum, one) => sum + one.rows, 0)
  return { from: from.location, to: to.location, began, rows, tables }
}

/** Something that is different after every write. */
async function stateOf(source: Reader): Promise<string> {
  const counters = await source.all(source.db.selectFrom('counter').select(['name', 'value']).orderBy('name'))
  const head = await source.first(source.db.selectFrom('journal_head').select('seq'))
  return JSON.stringify([head?.seq ?? 0, ...counters.map(({ value }) => value)])
}

async function begin(to: Storage, marker: Marker): Promise<MoveReport['began']> {
  const known = await readMarker(to)
  if (known === undefined) await assertEmpty(to)
  else if (known.source !== marker.source) {
    throw fail('move_target_in_use', { database: to.location, reason: `a move from ${known.source} has not ended` })
  }
  if (known?.state === marker.state) return 'continued'
  await to.write(async (tx) => {
    for (const table of TABLES.toReversed()) await clearTable(tx, table)
    await writeMarker(tx, marker)
  }, 'long')
  return known === undefined ? 'first' : 'anew'
}

async function assertEmpty(to: Storage): Promise<void> {
  for (const table of TABLES.filter((name) => !TABLES_OF_COUNTERS.includes(name))) {
    if ((await lastRow(to, table)) === undefined) continue
    throw fail('move_target_in_use', { database: to.location, reason: `its table ${table} has rows` })
  }
}

async function countAll(source: Reader): Promise<number> {
  let total = 0
  for (const table of TABLES) total += await countRows(source, table)
  return total
}

function counting(total: number, onProgress: Move['onProgress']): (rows: number) => void {
  let done = 0
  return (rows) => {
    done += rows
    onProgress({ done, total })
  }
}

interface Task {
  readonly source: Reader
  readonly to: Storage
  readonly table: TableName
  readonly count: (rows: number) => void
}

async function copyTable({ source, to, table, count }: Task): Promise<void> {
  const last = await lastRow(to, table)
  if (last !== undefined) count(await countRows(to, table))
  for await (const rows of pagesOf(source, table, last)) {
    await to.write((tx) => insertRows(tx, table, rows), 'long')
    count(rows.length)
  }
}

/** Page by page on both sides, so that neither waits long for the other: an open job that does nothing is ended. */
async function compareTable({ source, to, table, count }: Task): Promise<MovedTable> {
  const sides = [digesting(source, table), digesting(to, table)] as const
  for (let read = Number.NaN; read !== 0; ) {
    const [ours, theirs] = await Promise.all(sides.map((side) => side.next()))
    count(ours ?? 0)
    read = (ours ?? 0) + (theirs ?? 0)
  }
  const [ours, theirs] = sides.map((side) => side.result())
  if (ours !== undefined && JSON.stringify(ours) === JSON.stringify(theirs)) return { table, ...ours }
  await to.write(async (tx) => writeMarker(tx, { source: (await readMarker(tx))?.source ?? '', state: '' }))
  throw fail('move_differs', { table, rows: ours?.rows ?? 0, found: theirs?.rows ?? 0, database: to.location })
}

interface Digesting {
  /** Reads a page and returns the number of its rows, 0 at the end. */
  next(): Promise<number>
  result(): { readonly rows: number; readonly checksum: string }
}

function digesting(reader: Reader, table: TableName): Digesting {
  const hash = createHash('sha256')
  const pages = pagesOf(reader, table)
  let count = 0
  return {
    next: async () => {
      const { value: rows } = (await pages.next()) as { value: readonly Row[] | undefined }
      for (const row of rows ?? []) hash.update(lineOf(row))
      count += rows?.length ?? 0
      return rows?.length ?? 0
    },
    result: () => ({ rows: count, checksum: hash.digest('hex') }),
  }
}

/** A row as text that does not depend on the order in which an engine names its columns. */
function lineOf(row: Row): string {
  return `${JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)))}\n`
}
