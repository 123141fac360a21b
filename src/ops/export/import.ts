import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../base/config.ts'
import { Failure, fail } from '../../base/errors.ts'
import { openImageFiles } from '../../calendar/media/index.ts'
import { KEY_FILE, loadSecret } from '../../http/auth/secret.ts'
import type { Storage, Transaction } from '../../storage/engine.ts'
import { clearTable, hasRows, insertRows, pagesOf } from '../../storage/export/rows.ts'
import { type Row, TABLES_LEFT_OUT, TABLES_OF_COUNTERS, type TableName } from '../../storage/export/tables.ts'
import { migrate } from '../../storage/migrate.ts'
import { MIGRATIONS, type Migration } from '../../storage/migrations/index.ts'
import { countForPlans } from '../../storage/statistics.ts'
import { isLeftOut, problemOfFormat1 } from './format-1.ts'
import { hasAll, isFormer, lastOfEach, provenanceFrom } from './former-tables.ts'
import {
  type ExportedTable,
  type ExportHeader,
  KEY,
  notUsable,
  pathOfImage,
  pathOfTable,
  verifiedHeader,
} from './header.ts'
import { batchesOf, lineOf } from './rows.ts'

/** What to import, and where. The caller holds the lock of the data folder and closes the storage. */
export interface ImportJob {
  /** Folder of an export. */
  readonly folder: string
  readonly config: Config
  /** Of an empty calendar, or of none yet; its statements may take long. */
  readonly storage: Storage
  /** Unix milliseconds. */
  readonly now: () => number
  /** Default: those of this program. */
  readonly migrations?: readonly Migration[]
  /** Takes the number of rows and files that were looked at or imported so far, and of all that will be. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void
}

/** A calendar that was imported. */
export interface RestoredCalendar extends Pick<ExportHeader, 'journal' | 'secrets' | 'missing'> {
  /** Path or address without password. */
  readonly database: string
  /** Of all tables. */
  readonly rows: number
  /** Files of images. */
  readonly pictures: number
}

/**
 * Imports an export with unchanged files into an empty calendar, in one transaction that reads all rows back and compares
 * them before it ends: whatever interrupts it, the calendar is empty or complete.
 * @throws export_not_usable, import_target_in_use, secret_not_usable
 */
export async function importCalendar(job: ImportJob): Promise<RestoredCalendar> {
  const { folder, storage, now, migrations = MIGRATIONS } = job
  const progress = { done: 0, total: 0 }
  const count = (added: number): void => {
    progress.done += added
    job.onProgress(progress)
  }
  const header = importedPart(await verifiedHeader(folder, () => count(1)))
  progress.total = progress.done + header.media.length + 2 * rowsOf(header)
  await migrate(storage, { now, migrations: migrationsFor(job, header) }).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'database_newer' ? tooNew(job) : error
  })
  await storage.write((tx) => assertEmpty(tx, job, header), 'long')
  await bringFiles(job, header, count)
  await storage
    .write((tx) => restore(tx, { job, header, count }), 'long')
    .catch((error: unknown) => {
      // What the database says of a row that does not fit.
      throw error instanceof Failure ? error : notUsable(folder, (error as Error).message)
    })
  await migrate(storage, { now, migrations })
  await countForPlans(storage)
  const { journal, secrets, missing } = header
  return { database: storage.location, journal, secrets, missing, rows: rowsOf(header), pictures: header.media.length }
}

/** The header without tables whose rows are not imported. */
function importedPart(header: ExportHeader): ExportHeader {
  return { ...header, tables: header.tables.filter(({ table }) => isImported(header, table)) }
}

function isImported(header: ExportHeader, table: ExportedTable['table']): boolean {
  return !isLeftOut(header, table) && !TABLES_LEFT_OUT.some((one) => one === table)
}

/** The migrations that make the tables of the export; the others then bring them up to date with what is in them. */
function migrationsFor({ folder, migrations = MIGRATIONS }: ImportJob, header: ExportHeader): readonly Migration[] {
  const problem = problemOfFormat1(header)
  if (problem !== undefined) throw notUsable(folder, problem)
  // The tables of today have all columns of format 1.
  if (header.format === 1) return migrations
  if (!migrations.some(({ id }) => id === header.schema))
    throw notUsable(folder, 'it was made by a newer version of Kalends')
  return migrations.filter(({ id }) => id <= header.schema)
}

function rowsOf({ tables }: ExportHeader): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

function inUse({ storage }: ImportJob, reason: string) {
  return fail('import_target_in_use', { database: storage.location, reason })
}

function tooNew(job: ImportJob) {
  return inUse(job, 'it has the tables of a newer version than the export was made with')
}

async function assertEmpty(tx: Transaction, job: ImportJob, { tables }: ExportHeader): Promise<void> {
  for (const { table: name } of tables) {
    const table = isFormer(name) ? 'provenance' : name
    if (table === 'meta' || TABLES_OF_COUNTERS.includes(table)) continue
    if (await hasRows(tx, table)) throw inUse(job, `its table ${table} has rows`)
  }
}

/** Files come before the rows that name them, as everywhere; without rows they are nothing. */
async function bringFiles({ folder, config }: ImportJob, header: ExportHeader, count: (added: number) => void) {
  const files = openImageFiles(config.media)
  for (const { name } of header.media) {
    await files.put(name, await readFile(pathOfImage(folder, name)))
    count(1)
  }
  if (header.key === null) await loadSecret(config.secret, config.data)
  else await bringKey(config, (await readFile(join(folder, KEY), 'utf8')).trim())
}

/** Passwords that are stored under one key are worth nothing under another. */
async function bringKey({ secret, data }: Config, key: string): Promise<void> {
  const path = secret === '' ? join(data, KEY_FILE) : 'KALENDS_SECRET'
  const known = secret === '' ? await readFile(path, 'utf8').catch(() => undefined) : secret
  if (known?.trim() === key) return
  if (known !== undefined) throw fail('secret_not_usable', { path, reason: 'it is the key of another calendar' })
  await writeFile(path, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
}

interface Restoring {
  readonly job: ImportJob
  readonly header: ExportHeader
  readonly count: (added: number) => void
}

async function restore(tx: Transaction, { job, header, count }: Restoring): Promise<void> {
  const { folder } = job
  await assertEmpty(tx, job, header)
  for (const table of ['meta', ...TABLES_OF_COUNTERS] as const) await clearTable(tx, table)
  const former: Row[] = []
  for (const { table } of header.tables) {
    for (const rows of batchesOf(pathOfTable(folder, table))) {
      if (isFormer(table)) former.push(...rows.map((row) => provenanceFrom(table, row)))
      else await insertRows(tx, table, rows)
      count(rows.length)
    }
  }
  for (const { table, sha256 } of header.tables)
    if (!isFormer(table)) await compare(tx, { table, sha256, folder, count })
  await insertFormer(tx, lastOfEach(former), { folder, count })
}

/** Imports what former versions had in other tables. */
async function insertFormer(
  tx: Transaction,
  rows: readonly Row[],
  { folder, count }: { readonly folder: string; readonly count: Restoring['count'] },
): Promise<void> {
  if (rows.length === 0) return
  for (let done = 0; done < rows.length; done += BATCH)
    await insertRows(tx, 'provenance', rows.slice(done, done + BATCH))
  if (!(await hasAll(tx, rows))) throw notUsable(folder, 'its provenance is not what the database made of it')
  count(rows.length)
}

const BATCH = 200

async function compare(
  tx: Transaction,
  { table, sha256, folder, count }: { table: TableName; sha256: string; folder: string; count: Restoring['count'] },
): Promise<void> {
  const hash = createHash('sha256')
  const [[first = {}] = []] = batchesOf(pathOfTable(folder, table))
  const columns = new Set(Object.keys(first))
  const exported = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([name]) => columns.has(name)))
  for await (const page of pagesOf(tx, table)) {
    for (const row of page) hash.update(lineOf(table, exported(row)))
    count(page.length)
  }
  if (hash.digest('hex') !== sha256)
    throw notUsable(folder, `tables/${table}.jsonl is not what the database made of it`)
}
