import { readdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Config } from '../../base/config.ts'
import { fail } from '../../base/errors.ts'
import { KEY_FILE, loadSecret } from '../../http/auth/secret.ts'
import { makeNamedFolder } from '../../storage/make-folder.ts'
import { engineOf, openStorage, sqlitePath } from '../../storage/open.ts'
import { openSnapshot } from '../../storage/snapshot.ts'
import { written } from '../../storage/statement-builder.ts'
import { countForPlans } from '../../storage/statistics.ts'
import { sync } from '../../storage/sync.ts'
import { contentsOf, DATABASE_FILE, differenceOf } from './database.ts'
import { copyFile, digestOf } from './files.ts'
import { LAST_BACKUP } from './last.ts'
import { type BackupFile, type Manifest, verifiedManifest } from './manifest.ts'
import { type Environment, environmentFor, type FoundProgram, findProgram, runProgram } from './postgres-programs.ts'
import { isSameRestore, markOf, type RestoreMark, readMark, setMark } from './restore-mark.ts'
import { RESTORING } from './restoring.ts'

/** What to restore, and where. The caller holds the lock of the data folder. */
export interface RestoreJob {
  readonly config: Config
  /** Folder of a backup. */
  readonly source: string
  readonly env: Environment
  /** Takes the number of files that were looked at or copied so far, and of all that will be. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void
}

/** A calendar that was restored. */
export interface RestoreReport {
  /** Path or address without password. */
  readonly database: string
  readonly journal: number
  /** Of all tables. */
  readonly rows: number
  /** Files of images. */
  readonly pictures: number
  readonly key: Manifest['key']
  /** Moment of the backup, UTC. */
  readonly made_at: string
}

/** What an empty data folder may contain: the lock of this process, when a backup was made, and what file systems create. */
const NOTHING = new Set([RESTORING, LAST_BACKUP, 'kalends.lock', 'kalends.lock-journal', 'lost+found'])

/** What a database of SQLite has beside its file. */
const BESIDE = ['', '-wal', '-shm', '-journal'] as const

/**
 * Restores a backup with unchanged files into an empty data folder and an empty database. Until everything is there and
 * verified a mark in the data folder keeps every server from opening it; an interrupted restore restarts.
 * @throws backup_not_usable, restore_target_in_use, restore_other, program_missing, key_missing, secret_not_usable
 */
export async function restoreBackup(job: RestoreJob): Promise<RestoreReport> {
  const { config, source, onProgress } = job
  const progress = { done: 0, total: 0 }
  const manifest = await verifiedManifest(source, () => {
    progress.done += 1
    onProgress(progress)
  })
  assertEngine(job, manifest)
  // Nobody could serve the calendar without a key, and the hashes in it are of no use to another one.
  if (manifest.key === 'file') await loadSecret(config.secret, source, false)
  const mark = await markOf(config, source)
  const isRepeated = await hasBegun(config.data, mark)
  // Everything that could refuse it is checked before the mark is set: existing data must stay as it is.
  const program = manifest.engine === 'postgres' ? await programFor(job, manifest, isRepeated) : undefined
  await begin(job, { mark, isRepeated, hasKey: manifest.key === 'file' })
  for (const file of manifest.files) {
    await restoreFile(job, file)
    progress.done += 1
    onProgress({ done: progress.done, total: 2 * manifest.files.length })
  }
  if (program !== undefined) await restoreDump(job, program)
  const location = await compare(job, manifest)
  if (manifest.engine === 'postgres') await prepare(config)
  await rm(join(config.data, RESTORING))
  await sync(config.data)
  const { journal, key, made_at, rows } = manifest
  const pictures = manifest.files.filter(({ path }) => path.startsWith('media/')).length
  const all = Object.values(rows).reduce((sum, one) => sum + one, 0)
  return { database: location, journal, rows: all, pictures, key, made_at }
}

function assertEngine({ config, source }: RestoreJob, { engine }: Manifest): void {
  if (engine === engineOf(config.database)) return
  const reason = `its database is ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}: restore it there, then take it along with "kalends export" and "kalends import"`
  throw fail('backup_not_usable', { path: source, reason })
}

/** Whether this restore has started before. @throws restore_other when another one has */
async function hasBegun(data: string, mark: RestoreMark): Promise<boolean> {
  const begun = await readMark(data)
  if (begun === undefined || isSameRestore(begun, mark)) return begun !== undefined
  throw fail('restore_other', { path: data, source: begun.source, database: begun.database })
}

/** Verifies that the folder has only leftovers of the same restore, which it removes, and sets the mark. */
async function begin(
  { config, source }: RestoreJob,
  { mark, isRepeated, hasKey }: { readonly mark: RestoreMark; readonly isRepeated: boolean; readonly hasKey: boolean },
): Promise<void> {
  const { data, media } = config
  const names = await contentsBeside(data, hasKey ? source : undefined)
  // The folder was empty when the mark was set; other things may have been put there since.
  const own = isRepeated ? broughtTo(config) : []
  assertNothing(
    data,
    names.filter((name) => !own.includes(name)),
  )
  for (const name of names) await rm(join(data, name), { recursive: true, force: true })
  const path = sqlitePath(config.database)
  if (path !== '' && dirname(path) !== data) await assertNoDatabase(path, isRepeated)
  if (!media.startsWith(data + sep)) await makeNamedFolder(media)
  if (!isRepeated) await setMark(data, mark)
  await sync(data)
}

/** What a restore makes in the data folder. */
function broughtTo({ data, media, database }: Config): string[] {
  const files = BESIDE.map((end) => basename(sqlitePath(database)) + end)
  return [...files, KEY_FILE, relative(data, media).split(sep)[0] ?? '']
}

/** What a data folder has that an empty one has not. The key of the backup, if it has one, may be there already. */
async function contentsBeside(data: string, source: string | undefined): Promise<string[]> {
  const names = (await readdir(data)).filter((name) => !NOTHING.has(name))
  if (source === undefined) return names
  const keys = [data, source].map((folder) => readFile(join(folder, KEY_FILE), 'utf8').catch(() => undefined))
  const [known, ours] = await Promise.all(keys)
  return known === ours ? names.filter((name) => name !== KEY_FILE) : names
}

function assertNothing(path: string, names: readonly string[]): void {
  if (names.length === 0) return
  const reason = `there is ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and more' : ''} in it`
  throw fail('restore_target_in_use', { path, reason })
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

/** A database outside of the data folder. */
async function assertNoDatabase(path: string, isRepeated: boolean): Promise<void> {
  const names = (await namesIn(dirname(path))).filter((name) => name.startsWith(basename(path)))
  if (!isRepeated) assertNothing(path, names)
  // Its folder may have got other things since.
  for (const end of BESIDE) await rm(path + end, { force: true })
  await makeNamedFolder(dirname(path))
}

/** Brings a file to its place; a dump is restored by the programs of PostgreSQL. */
async function restoreFile({ config, source }: RestoreJob, { path, sha256 }: BackupFile): Promise<void> {
  if (path === DATABASE_FILE.postgres) return
  const to = placeOf(config, path)
  // Image names are made from their content: an outside folder may already have one, or a part of it.
  if (await isCopied(to, sha256)) return
  if (path.startsWith('media/')) await rm(to, { force: true })
  const copied = await copyFile(join(source, path), to)
  if (copied?.sha256 !== sha256) throw fail('backup_not_usable', { path: source, reason: `${path} has just changed` })
  await sync(dirname(to))
}

async function isCopied(path: string, sha256: string): Promise<boolean> {
  return (await digestOf(path).catch(() => undefined)) === sha256
}

function placeOf({ data, media, database }: Config, path: string): string {
  if (path === DATABASE_FILE.sqlite) return sqlitePath(database)
  return path.startsWith('media/') ? join(media, path.slice('media/'.length)) : join(data, path)
}

/**
 * The program that restores into an empty database; undefined when an earlier restore was interrupted after its last step,
 * and everything is there.
 * @throws restore_target_in_use, program_missing
 */
async function programFor(
  { config }: RestoreJob,
  manifest: Manifest,
  isRepeated: boolean,
): Promise<FoundProgram | undefined> {
  const program = await findProgram('pg_restore', manifest.dumped_by ?? 0)
  const snapshot = await openSnapshot(config.database)
  try {
    const tables = await snapshot.all(written(TABLES))
    if (tables.length === 0) return program
    if (isRepeated && differenceOf(manifest, await contentsOf(snapshot)) === undefined) return undefined
    throw fail('restore_target_in_use', { path: snapshot.location, reason: `it has ${tables.length} tables` })
  } finally {
    await snapshot.close()
  }
}

/** In one transaction: a process that is killed leaves the database empty. */
async function restoreDump({ config, source, env }: RestoreJob, program: FoundProgram): Promise<void> {
  const connection = environmentFor(config.database, env)
  const options = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', '--no-password']
  const name = `--dbname=${connection['PGDATABASE'] ?? ''}`
  await runProgram(program, [...options, name, join(source, DATABASE_FILE.postgres)], {
    env: connection,
    failure: 'restore_failed',
  })
}

/** A dump does not hold what PostgreSQL knows of the sizes of its tables. */
async function prepare({ database }: Config): Promise<void> {
  const storage = await openStorage({ database })
  try {
    await countForPlans(storage)
  } finally {
    await storage.close()
  }
}

const TABLES = `select tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`

async function compare({ config, source }: RestoreJob, manifest: Manifest): Promise<string> {
  const snapshot = await openSnapshot(config.database)
  try {
    const problem = differenceOf(manifest, await contentsOf(snapshot))
    if (problem !== undefined) throw fail('backup_not_usable', { path: source, reason: problem })
    return snapshot.location
  } finally {
    await snapshot.close()
  }
}
