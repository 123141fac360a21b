import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../base/errors.ts'
import { KEY_FILE } from '../../http/auth/secret.ts'
import type { EngineName } from '../../storage/engine.ts'
import { DATABASE_FILE } from './database.ts'
import { digestOf } from './files.ts'

/** Name of the file that describes a backup; a folder without it is none. */
export const MANIFEST = 'manifest.json'

/** A file of a backup. */
export interface BackupFile {
  /** Relative to the folder of the backup, with slashes. */
  readonly path: string
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** What a backup says of itself. */
export interface Manifest {
  readonly format: 1
  readonly program: 'kalends'
  readonly version: string
  /** Which calendar it is of: the host of its global identifiers. */
  readonly calendar: string
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  readonly made_at: string
  readonly engine: EngineName
  /** PostgreSQL: major version of the pg_dump that made the dump; null for SQLite. */
  readonly dumped_by: number | null
  /** Number of the last change that it has. */
  readonly journal: number
  /** Rows of each table. */
  readonly rows: Readonly<Record<string, number>>
  /** Whether the password key is one of its files, or was set in the environment and has to be stored elsewhere. */
  readonly key: 'file' | 'environment'
  /** Files of images that the calendar had lost before. */
  readonly missing: readonly string[]
  readonly files: readonly BackupFile[]
}

/** The manifest of a folder; undefined when it is no backup of ours. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const path = join(folder, MANIFEST)
    if (!(await isPlainFile(folder, MANIFEST))) return undefined
    const found: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isManifest(found) ? found : undefined
  } catch {
    return undefined
  }
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value.length < 1000
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isOne =
  (...of: readonly unknown[]): Check =>
  (value) =>
    of.includes(value)
const listOf =
  (is: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(is)
const objectOf =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, is]) => is(value[name]))

const isManifestShape = objectOf({
  format: isOne(1),
  program: isOne('kalends'),
  version: isText,
  calendar: isText,
  made_at: isText,
  engine: isOne('sqlite', 'postgres'),
  dumped_by: (value) => value === null || isCount(value),
  journal: isCount,
  rows: (value) => isObject(value) && Object.values(value).every(isCount),
  key: isOne('file', 'environment'),
  missing: listOf(isText),
  files: listOf(objectOf({ path: isText, bytes: isCount, sha256: isText })),
})

function isManifest(value: unknown): value is Manifest {
  return isManifestShape(value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The manifest of a backup whose files are all unchanged. `onFile` is called for each. @throws backup_not_usable */
export async function verifiedManifest(folder: string, onFile: () => void): Promise<Manifest> {
  const manifest = await readManifest(folder)
  if (manifest === undefined) throw fail('backup_not_usable', { path: folder, reason: await whyNot(folder) })
  requireOwnFiles(folder, manifest)
  for (const file of manifest.files) {
    const problem = await problemOf(folder, file)
    if (problem !== undefined) throw fail('backup_not_usable', { path: folder, reason: `${file.path} ${problem}` })
    onFile()
  }
  return manifest
}

/** What a backup consists of: its database, the key where it has one, and images, each once. @throws backup_not_usable */
function requireOwnFiles(folder: string, { engine, key, files }: Manifest): void {
  const own = [DATABASE_FILE[engine], ...(key === 'file' ? [KEY_FILE] : [])]
  const paths = files.map(({ path }) => path)
  const known = new Set<string>()
  const foreign = paths.find((path) => {
    const isOwn = (own.includes(path) || isImage(path)) && !known.has(path)
    known.add(path)
    return !isOwn
  })
  const lost = own.find((path) => !known.has(path))
  if (foreign === undefined && lost === undefined) return
  const reason =
    lost === undefined ? `${JSON.stringify(foreign)} is no file of a backup` : `${lost} is not listed in it`
  throw fail('backup_not_usable', { path: folder, reason })
}

/** Whether a path is below the folder of the images. */
function isImage(path: string): boolean {
  const [folder, ...names] = path.split('/')
  return folder === 'media' && names.length > 0 && names.every((name) => /^[\w-][\w.-]*$/.test(name))
}

/** Whether a file of a folder is one, which no symbolic link leads to. */
async function isPlainFile(folder: string, path: string): Promise<boolean> {
  const place = join(await realpath(folder), path)
  return (await lstat(place)).isFile() && (await realpath(place)) === place
}

async function problemOf(folder: string, { path, bytes, sha256 }: BackupFile): Promise<string | undefined> {
  const found = await lstat(join(folder, path)).catch(() => undefined)
  if (found === undefined) return 'is missing'
  if (!(await isPlainFile(folder, path))) return 'is not a plain file'
  if (found.size !== bytes) return `has ${found.size} bytes instead of ${bytes}`
  return (await digestOf(join(folder, path))) === sha256 ? undefined : 'has another checksum than it was made with'
}

/** The usual mistake is to name the folder above. */
async function whyNot(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => undefined)
  if (names === undefined) return 'there is no such folder'
  if (names.includes(MANIFEST)) return `its ${MANIFEST} is none of this program, or cannot be read`
  const newest = names.filter(isBackupName).sort().at(-1)
  return newest === undefined ? `it has no ${MANIFEST}` : `it holds several; the newest is ${join(folder, newest)}`
}

/** Whether a folder has a name of finished backups. */
export function isBackupName(name: string): boolean {
  return /^kalends-\d{8}-\d{6}$/.test(name)
}
