import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../../base/config.ts'
import { fail } from '../../base/errors.ts'
import { namesOfImages, pathOfFile, stillNamed } from '../../calendar/media/index.ts'
import type { Snapshot } from '../../storage/engine.ts'
import { pagesOf } from '../../storage/export/rows.ts'
import { TABLES, TABLES_LEFT_OUT, TABLES_OF_SECRETS, type TableName } from '../../storage/export/tables.ts'
import { withoutSecrets, withSecrets } from '../../storage/export/without-secrets.ts'
import { makeNamedFolder } from '../../storage/make-folder.ts'
import { appliedTo, assertKnown, hasTables } from '../../storage/migrate.ts'
import { MIGRATIONS } from '../../storage/migrations/index.ts'
import { withSnapshot } from '../../storage/snapshot.ts'
import { sync } from '../../storage/sync.ts'
import { acquireWriterLock } from '../../storage/writer-lock.ts'
import { copyFile, copyKey, writeNew } from '../backup/files.ts'
import {
  type ExportedImage,
  type ExportedTable,
  type ExportHeader,
  HEADER,
  KEY,
  pathOfImage,
  pathOfTable,
} from './header.ts'
import { lineOf } from './rows.ts'

/** What to export, and where. */
export interface ExportJob {
  readonly config: Config
  /** The new folder; there may be an empty one. */
  readonly folder: string
  /** Whether hashes of passwords, sessions and their key go along. */
  readonly withSecrets: boolean
  /** Of the program. */
  readonly version: string
  /** Takes the number of rows and files written so far; the total is 0 because it is unknown. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void
}

/** A finished export. */
export interface ExportReport extends Pick<ExportHeader, 'journal' | 'secrets' | 'missing'> {
  readonly folder: string
  /** Of all tables. */
  readonly rows: number
  /** Files of images. */
  readonly pictures: number
  /** Whether the passwords need a key from the environment, which has to be stored elsewhere. */
  readonly needsKey: boolean
}

/** Suffix of the folder until it is complete. */
const PARTIAL = '.partial'

const LOCK = '.kalends-export.lock'

/** How often it is restarted when images were deleted while they were copied. */
const ATTEMPTS = 5

/**
 * Writes everything that the calendar has into a new folder: the state of one instant, while servers continue writing. The
 * folder gets its name when it is complete; leftovers of a killed run are removed by the next one.
 * @throws export_failed, folder_not_usable, database_not_usable, key_missing
 */
export async function exportCalendar(job: ExportJob): Promise<ExportReport> {
  const { folder } = job
  if (((await readdir(folder).catch(absent)) ?? []).length > 0) throw failed(`${folder} is there and not empty`)
  const partial = join(dirname(folder), basename(folder) + PARTIAL)
  await makeNamedFolder(partial)
  const lock = acquireWriterLock(partial, { name: LOCK })
  if (lock === undefined) throw failed(`another export into ${folder} is running`)
  try {
    const header = await fill(job, partial)
    await writeNew(join(partial, HEADER), `${JSON.stringify(header, undefined, 2)}\n`)
    for (const entry of await readdir(partial, { withFileTypes: true, recursive: true }))
      if (entry.isDirectory()) await sync(join(entry.parentPath, entry.name))
    for (const name of await locksIn(partial)) await rm(join(partial, name))
    await sync(partial)
    await rename(partial, folder)
    await sync(dirname(folder))
    return reportOf(job, header)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  } finally {
    lock.release()
  }
}

/** The lock with what SQLite may put beside it. */
async function locksIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith(LOCK))
}

function failed(reason: string) {
  return fail('export_failed', { reason })
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw failed(error.message)
}

function reportOf(
  { folder }: ExportJob,
  { journal, secrets, missing, key, tables, media }: ExportHeader,
): ExportReport {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return { folder, journal, secrets, missing, rows, pictures: media.length, needsKey: secrets && key === null }
}

async function fill(job: ExportJob, folder: string): Promise<ExportHeader> {
  const { database } = job.config
  for (let attempt = 1; ; attempt += 1) {
    const locks = await locksIn(folder)
    for (const name of await readdir(folder))
      if (!locks.includes(name)) await rm(join(folder, name), { recursive: true })
    const header = await withSnapshot(database, (snapshot) => write(job, { snapshot, folder }))
    const { missing } = header
    const lost = await withSnapshot(database, (snapshot) => stillNamed(snapshot, missing))
    // The others were deleted after the snapshot was taken, and so may have been others that were copied.
    if (lost.length === missing.length || attempt === ATTEMPTS) return header
  }
}

interface Target {
  readonly snapshot: Snapshot
  readonly folder: string
}

async function write(job: ExportJob, target: Target): Promise<ExportHeader> {
  const { snapshot, folder } = target
  const schema = await schemaOf(snapshot)
  const { version, withSecrets: secrets } = job
  const count = counting(job)
  await mkdir(join(folder, 'tables'), { mode: 0o700 })
  const tables: ExportedTable[] = []
  for (const table of TABLES)
    if (!TABLES_LEFT_OUT.includes(table) && (secrets || !TABLES_OF_SECRETS.includes(table)))
      tables.push(await writeTable({ ...target, secrets }, table, count))
  const { media, missing } = await writeImages(job, target, count)
  const key = secrets && job.config.secret === '' ? await copyKey(job.config.data, join(folder, KEY)) : null
  const head = await snapshot.first(snapshot.db.selectFrom('journal_head').select('seq'))
  const about = { format: 2, program: 'kalends', version, schema, journal: head?.seq ?? 0 } as const
  return { ...about, secrets, key, tables, media, missing }
}

/** @throws export_failed when the database has not the tables of this program yet; database_newer, database_not_usable */
async function schemaOf(snapshot: Snapshot): Promise<number> {
  const applied = (await hasTables(snapshot)) ? await appliedTo(snapshot) : []
  assertKnown(applied, { migrations: MIGRATIONS, location: snapshot.location })
  const newest = applied.at(-1)?.id ?? 0
  if (newest !== MIGRATIONS.at(-1)?.id)
    throw failed(`${snapshot.location} has not the tables of this version: run "kalends migrate"`)
  return newest
}

type Count = (added: number) => void

function counting({ onProgress }: ExportJob): Count {
  let done = 0
  return (added) => {
    done += added
    onProgress({ done, total: 0 })
  }
}

async function writeTable(
  { snapshot, folder, secrets }: Target & Pick<ExportHeader, 'secrets'>,
  table: TableName,
  count: Count,
): Promise<ExportedTable> {
  const file = await open(pathOfTable(folder, table), 'wx', 0o600)
  const hash = createHash('sha256')
  const leaving = secrets ? withSecrets(table) : withoutSecrets(table)
  let [rows, bytes] = [0, 0]
  try {
    for await (const page of pagesOf(snapshot, table)) {
      const text = Buffer.from(page.map((row) => lineOf(table, leaving(row))).join(''))
      hash.update(text)
      await file.writeFile(text)
      rows += page.length
      bytes += text.length
      count(page.length)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { table, rows, bytes, sha256: hash.digest('hex') }
}

async function writeImages(
  { config }: ExportJob,
  { snapshot, folder }: Target,
  count: Count,
): Promise<Pick<ExportHeader, 'media' | 'missing'>> {
  const pictures = new Map<string, ExportedImage | undefined>()
  for await (const name of namesOfImages(snapshot)) {
    if (pictures.has(name)) continue
    const copied = await copyFile(pathOfFile(config.media, name), pathOfImage(folder, name))
    pictures.set(name, copied && { name, ...copied })
    count(1)
  }
  const names = [...pictures.keys()].sort()
  return {
    media: names.flatMap((name) => pictures.get(name) ?? []),
    missing: names.filter((name) => pictures.get(name) === undefined),
  }
}
