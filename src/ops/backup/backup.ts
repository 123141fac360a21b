import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../base/config.ts'
import { fail } from '../../base/errors.ts'
import { namesOfImages, pathOfFile, stillNamed } from '../../calendar/media/index.ts'
import { KEY_FILE } from '../../http/auth/secret.ts'
import type { Snapshot } from '../../storage/engine.ts'
import { makeNamedFolder } from '../../storage/make-folder.ts'
import { withSnapshot } from '../../storage/snapshot.ts'
import { sync } from '../../storage/sync.ts'
import { acquireWriterLock } from '../../storage/writer-lock.ts'
import { copyDatabase, type DatabaseCopy, rowsToCopy } from './database.ts'
import { type CopiedFiles, copyFile, copyKey, digestOf, writeNew } from './files.ts'
import { noteBackup } from './last.ts'
import { type BackupFile, isBackupName, MANIFEST, type Manifest, readManifest } from './manifest.ts'
import type { Environment } from './postgres-programs.ts'
import { countOfFiles, openTally, type Tally } from './tally.ts'

/** What to back up, and where. */
export interface BackupJob {
  readonly config: Config
  /** Folder for the backups, each in a subfolder; created if missing. */
  readonly target: string
  /** How many backups of this calendar to keep there, including this one; undefined keeps all. */
  readonly keep: number | undefined
  /** Of the program. */
  readonly version: string
  readonly env: Environment
  /** Unix milliseconds. */
  readonly now: () => number
  /** Takes how many rows and files were copied and compared so far, and how many there are; the total is 0 while it is unknown. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void
}

/** A finished backup. */
export interface BackupReport {
  /** The new folder. */
  readonly folder: string
  readonly journal: number
  /** Of all tables. */
  readonly rows: number
  /** Files of images. */
  readonly pictures: number
  /** Of all files. */
  readonly bytes: number
  readonly key: Manifest['key']
  /** Files of images that the calendar itself has lost. */
  readonly missing: readonly string[]
  /** Older backups that were removed. */
  readonly removed: readonly string[]
}

/** Suffix of a folder that is not a finished backup, or not any more. */
const PARTIAL = '.partial'

const MEDIA = 'media'

/** File that whoever makes a backup in a folder holds. */
const LOCK = '.kalends-backup.lock'

/**
 * Makes a backup, whether servers run or not: the state of one instant, verified against its source, in a new folder
 * that gets its name when it is complete. Leftovers of killed runs are removed.
 * @throws backup_failed, backup_running, folder_not_usable, program_missing, database_not_usable, key_missing, secret_not_usable
 */
export async function makeBackup(job: BackupJob): Promise<BackupReport> {
  const { target } = job
  await makeNamedFolder(target)
  const lock = acquireWriterLock(target, { name: LOCK })
  if (lock === undefined) throw fail('backup_running', { path: target })
  try {
    await removePartial(target)
    return await makeIn(job)
  } finally {
    lock.release()
  }
}

/**
 * Removes leftovers of killed runs from the folder of backups; nothing if it does not exist, or a backup is running there,
 * which has done so itself.
 */
export async function removeLeftovers(target: string): Promise<void> {
  if (!existsSync(target)) return
  const lock = acquireWriterLock(target, { name: LOCK })
  if (lock === undefined) return
  try {
    await removePartial(target)
  } finally {
    lock.release()
  }
}

async function makeIn(job: BackupJob): Promise<BackupReport> {
  const { target, keep } = job
  const name = await freeName(target, job.now())
  const folder = join(target, name)
  const partial = folder + PARTIAL
  await mkdir(partial, { mode: 0o700 })
  try {
    const manifest = await fill(job, partial)
    await writeNew(join(partial, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`)
    await syncAll(partial)
    await rename(partial, folder)
    await sync(target)
    await noteBackup(job.config.data, { at: manifest.made_at, folder })
    const removed = keep === undefined ? [] : await prune(target, { calendar: manifest.calendar, keep })
    return reportOf(folder, manifest, removed)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

function reportOf(folder: string, manifest: Manifest, removed: readonly string[]): BackupReport {
  const { journal, key, missing, files } = manifest
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
  return {
    folder,
    journal,
    rows: sum(Object.values(manifest.rows)),
    pictures: files.filter(({ path }) => path.startsWith(`${MEDIA}/`)).length,
    bytes: sum(files.map(({ bytes }) => bytes)),
    key,
    missing,
    removed,
  }
}

async function removePartial(target: string): Promise<void> {
  for (const name of await readdir(target)) {
    const isOurs = name.endsWith(PARTIAL) && isBackupName(name.slice(0, -PARTIAL.length))
    if (isOurs) await rm(join(target, name), { recursive: true, force: true })
  }
}

/** Of the second in UTC, or the next one that has no backup yet. */
async function freeName(target: string, now: number): Promise<string> {
  const taken = new Set(await readdir(target))
  for (let at = now; ; at += 1000) {
    const [day = '', time = ''] = new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, '').split('T')
    const name = `kalends-${day}-${time}`
    if (!taken.has(name)) return name
  }
}

/** How often it is restarted when images were deleted while they were copied. */
const ATTEMPTS = 5

async function fill(job: BackupJob, folder: string): Promise<Manifest> {
  const { config, now, version } = job
  const pictures = new Map<string, CopiedFiles>()
  const tally = openTally(job.onProgress)
  await withSnapshot(config.database, async (snapshot) => {
    tally.expect(await rowsToCopy(snapshot), await countOfFiles(snapshot))
    await copyImages(job, snapshot, { folder, pictures, tally })
  })
  for (let attempt = 1; ; attempt += 1) {
    const { copy, calendar, missing } = await withSnapshot(config.database, async (snapshot) => {
      const made = await copyDatabase(snapshot, { folder, database: config.database, env: job.env, onRows: tally.rows })
      // What came between the two, and what went since, is looked for once more.
      return {
        copy: made,
        ...(await calendarOf(config, snapshot)),
        missing: await copyImages(job, snapshot, { folder, pictures, tally }),
      }
    })
    const lost = await withSnapshot(config.database, (snapshot) => stillNamed(snapshot, missing))
    if (lost.length === missing.length || attempt === ATTEMPTS) {
      const files = await filesOf({ config, folder, copy, pictures })
      const key = config.secret === '' ? ('file' as const) : ('environment' as const)
      const made_at = new Date(now()).toISOString().slice(0, 19).replace('T', ' ')
      const about = { format: 1, program: 'kalends', version, calendar, made_at } as const
      const { journal, rows, dumpedBy: dumped_by, engine } = copy
      return { ...about, engine, dumped_by, journal, rows, key, missing: lost, files }
    }
    await rm(join(folder, copy.file))
  }
}

async function calendarOf({ siteHost }: Config, snapshot: Snapshot): Promise<{ calendar: string }> {
  const stored = snapshot.db.selectFrom('meta').select('value').where('key', '=', 'site_host')
  return { calendar: siteHost === '' ? ((await snapshot.first(stored))?.value ?? '') : siteHost }
}

interface Copying {
  readonly folder: string
  /** Existing ones, by name. */
  readonly pictures: Map<string, CopiedFiles>
  readonly tally: Tally
}

/** Copies the files of all images of a snapshot that are not there yet; names of those that are missing. */
async function copyImages(job: BackupJob, snapshot: Snapshot, copying: Copying): Promise<string[]> {
  const { folder, pictures, tally } = copying
  const missing: string[] = []
  for await (const name of namesOfImages(snapshot)) {
    if (pictures.has(name)) continue
    const copied = await copyFile(pathOfFile(job.config.media, name), pathOfFile(join(folder, MEDIA), name))
    if (copied === undefined) missing.push(name)
    else pictures.set(name, copied)
    tally.files(pictures.size)
  }
  return missing
}

interface Made {
  readonly config: Config
  readonly folder: string
  readonly copy: DatabaseCopy
  readonly pictures: ReadonlyMap<string, CopiedFiles>
}

async function filesOf({ config, folder, copy, pictures }: Made): Promise<BackupFile[]> {
  const files = [await describe(folder, copy.file)]
  if (config.secret === '') files.push({ path: KEY_FILE, ...(await copyKey(config.data, join(folder, KEY_FILE))) })
  const media = [...pictures].map(([name, copied]) => ({ path: pathOfFile(MEDIA, name), ...copied }))
  return [...files, ...media.sort((one, other) => (one.path < other.path ? -1 : 1))]
}

async function describe(folder: string, name: string): Promise<BackupFile> {
  const path = join(folder, name)
  return { path: name, bytes: (await stat(path)).size, sha256: await digestOf(path) }
}

/** Files are durable already; their names are when the folders are. */
async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (entry.isDirectory()) await sync(join(entry.parentPath, entry.name))
  await sync(folder)
}

/** Removes the oldest backups of a calendar; a backup ceases to be one before its first file is removed. */
async function prune(target: string, { calendar, keep }: { calendar: string; keep: number }): Promise<string[]> {
  const own: string[] = []
  for (const name of (await readdir(target)).filter(isBackupName).sort()) {
    if ((await readManifest(join(target, name)))?.calendar === calendar) own.push(name)
  }
  const old = own.slice(0, -keep)
  for (const name of old) {
    await rename(join(target, name), join(target, name + PARTIAL))
    await rm(join(target, name + PARTIAL), { recursive: true })
  }
  return old.map((name) => join(target, name))
}
