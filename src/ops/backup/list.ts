import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isBackupName, type Manifest, readManifest } from './manifest.ts'

/** A backup of a folder, in short. */
export interface BackupEntry extends Pick<Manifest, 'made_at' | 'version' | 'engine' | 'journal'> {
  /** Name of its folder. */
  readonly name: string
  /** Of all files. */
  readonly bytes: number
}

/** The backups in a folder, newest first; `[]` where there is no such folder. Their files are not checked. */
export async function listBackups(folder: string): Promise<readonly BackupEntry[]> {
  const names = await readdir(folder).catch(() => [])
  const entries = await Promise.all(names.filter(isBackupName).map(async (name) => entryOf(folder, name)))
  return entries.filter((entry) => entry !== undefined).sort((one, other) => (one.name < other.name ? 1 : -1))
}

async function entryOf(folder: string, name: string): Promise<BackupEntry | undefined> {
  const manifest = await readManifest(join(folder, name))
  if (manifest === undefined) return undefined
  const { made_at, version, engine, journal, files } = manifest
  return { name, made_at, version, engine, journal, bytes: files.reduce((sum, file) => sum + file.bytes, 0) }
}
