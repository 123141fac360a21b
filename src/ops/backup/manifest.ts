import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../base/errors.ts'
import type { EngineName } from '../../storage/engine.ts'
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
    const found = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Partial<Manifest> | null
    const isOurs = found?.program === 'kalends' && found.format === 1 && Array.isArray(found.files)
    return isOurs ? (found as Manifest) : undefined
  } catch {
    return undefined
  }
}

/** The manifest of a backup whose files are all unchanged. `onFile` is called for each. @throws backup_not_usable */
export async function verifiedManifest(folder: string, onFile: () => void): Promise<Manifest> {
  const manifest = await readManifest(folder)
  if (manifest === undefined) throw fail('backup_not_usable', { path: folder, reason: await whyNot(folder) })
  for (const file of manifest.files) {
    const problem = await problemOf(folder, file)
    if (problem !== undefined) throw fail('backup_not_usable', { path: folder, reason: `${file.path} ${problem}` })
    onFile()
  }
  return manifest
}

async function problemOf(folder: string, { path, bytes, sha256 }: BackupFile): Promise<string | undefined> {
  if (path.startsWith('/') || path.split('/').includes('../..')) return 'lies outside of it'
  const found = await stat(join(folder, path)).catch(() => undefined)
  if (found === undefined) return 'is missing'
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
