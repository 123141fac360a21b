import { join } from 'node:path'
import { fail } from '../../base/errors.ts'
import type { EngineName, Snapshot } from '../../storage/engine.ts'
import { makePrivate } from '../../storage/engines/sqlite/files.ts'
import { finishCopy } from '../../storage/engines/sqlite/snapshot.ts'
import { rowCounts, withSnapshot } from '../../storage/snapshot.ts'
import { sync } from '../../storage/sync.ts'
import { beside, type Environment, environmentFor, findProgram, linesOf, runProgram } from './postgres-programs.ts'

/** The contents of a database at one instant. */
export interface DatabaseContents {
  /** Number of the last change. */
  readonly journal: number
  readonly rows: Readonly<Record<string, number>>
}

/** A copy of a database in a folder. */
export interface DatabaseCopy extends DatabaseContents {
  readonly engine: EngineName
  readonly file: string
  readonly dumpedBy: number | null
}

/** Names of the database in a backup. */
export const DATABASE_FILE = { sqlite: 'kalends.db', postgres: 'calendar.dump' } as const

/** The contents of a snapshot. */
export async function contentsOf(snapshot: Snapshot): Promise<DatabaseContents> {
  const head = await snapshot.first(snapshot.db.selectFrom('journal_head').select('seq'))
  return { journal: head?.seq ?? 0, rows: await rowCounts(snapshot) }
}

/** Where a database is copied to, and with what. */
export interface CopyingDatabase {
  readonly folder: string
  readonly database: string
  readonly env: Environment
  /** Takes how many of the rows of `rowsToCopy` were dealt with. */
  onRows(done: number): void
}

/** The rows that a copy has to deal with: a dump is read again, row by row, to compare it. */
export async function rowsToCopy(snapshot: Snapshot): Promise<number> {
  return allRows(await rowCounts(snapshot)) * (snapshot.engine === 'sqlite' ? 1 : 2)
}

function allRows(rows: DatabaseContents['rows']): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0)
}

/** Copies the database of a snapshot into a folder and verifies the copy. */
export async function copyDatabase(
  snapshot: Snapshot,
  { folder, database, env, onRows }: CopyingDatabase,
): Promise<DatabaseCopy> {
  const contents = await contentsOf(snapshot)
  const file = DATABASE_FILE[snapshot.engine]
  const path = join(folder, file)
  makePrivate(path)
  const all = allRows(contents.rows)
  const isFile = snapshot.engine === 'sqlite'
  const dumpedBy = isFile ? null : await dump(snapshot, { path, database, env, rows: contents.rows, onRows })
  if (isFile) await snapshot.copyTo?.(path, (share) => onRows(Math.round(all * share)))
  const found = isFile ? await contentsOfFile(path) : await contentsOfDump(path, (rows) => onRows(all + rows))
  const problem = differenceOf(contents, found)
  if (problem !== undefined) throw fail('backup_failed', { reason: `the copy is not what it was made of: ${problem}` })
  await sync(path)
  return { ...contents, engine: snapshot.engine, file, dumpedBy }
}

/**
 * The difference between two databases; undefined when they have the same contents. Tables that only the second one has
 * do not count.
 */
export function differenceOf(wanted: DatabaseContents, found: DatabaseContents): string | undefined {
  if (found.journal !== wanted.journal) return `its journal ends with ${found.journal} and not with ${wanted.journal}`
  const table = Object.keys(wanted.rows).find((name) => wanted.rows[name] !== found.rows[name])
  return table && `its table ${table} has ${found.rows[table] ?? 'no'} rows and not ${wanted.rows[table]}`
}

async function contentsOfFile(path: string): Promise<DatabaseContents> {
  try {
    finishCopy(path)
  } catch (error) {
    throw fail('backup_failed', { reason: `the copy is damaged: ${(error as Error).message}` })
  }
  return withSnapshot(`sqlite:${path}`, contentsOf)
}

interface Dumping extends Omit<CopyingDatabase, 'folder'> {
  readonly path: string
  readonly rows: DatabaseContents['rows']
}

/** What pg_dump says before it copies a table. */
const DUMPING = /^pg_dump: dumping contents of table "(?:[^"]*\.)?([^".]+)"/

/** Milliseconds that pg_dump waits for those who change tables. */
const LOCK_WAIT = 120_000

/** A fourth of the time of the usual one, in a file that is a fifth larger. */
const COMPRESSION = '--compress=1'

/** Returns the major version of the program. */
async function dump({ exported }: Snapshot, { path, database, env, rows, onRows }: Dumping): Promise<number> {
  const program = await findProgram('pg_dump', Math.floor((exported?.server ?? 0) / 10_000))
  const options = ['--format=custom', COMPRESSION, '--verbose', '--no-password', `--lock-wait-timeout=${LOCK_WAIT}`]
  let [done, present] = [0, 0]
  const onLine = (line: string): void => {
    const table = DUMPING.exec(line)?.[1]
    if (table === undefined) return
    done += present
    present = rows[table] ?? 0
    onRows(done)
  }
  await runProgram(program, [...options, `--snapshot=${exported?.id ?? ''}`, `--file=${path}`], {
    env: environmentFor(database, env),
    failure: 'backup_failed',
    onLine,
  })
  return program.version
}

/** Rows of a dump between two reports of how many were read. */
const REPORTED = 1000

/** A row is a line between the one that names its table and the one that ends it. */
const TABLE = /^COPY (?:\S+\.)?("?)(.+?)\1 \(/

/** Reads a dump as a restore would. */
async function contentsOfDump(path: string, onRows: (done: number) => void): Promise<DatabaseContents> {
  const program = beside(await findProgram('pg_dump', 0), 'pg_restore')
  const rows: Record<string, number> = {}
  let journal = 0
  let count = 0
  let table: string | undefined
  for await (const line of linesOf(program, ['--data-only', '--file=-', path])) {
    if (table === undefined) {
      table = TABLE.exec(line)?.[2]
      if (table !== undefined) rows[table] = 0
    } else if (line === '\\.') table = undefined
    else {
      rows[table] = (rows[table] ?? 0) + 1
      count += 1
      if (count % REPORTED === 0) onRows(count)
      if (table === 'journal_head') journal = Number(line.split('\t')[1])
    }
  }
  onRows(count)
  return { journal, rows }
}
