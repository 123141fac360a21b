import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** File of the data folder with time and folder of the last backup. */
export const LAST_BACKUP = 'last-backup'

/** A backup that was made, here or by the command. */
export interface LastBackup {
  /** UTC text. */
  readonly at: string
  /** Its folder; '' if unknown. */
  readonly folder: string
}

/** Stores the last backup in the data folder; one that cannot be written stays as it is. */
export async function noteBackup(data: string, { at, folder }: LastBackup): Promise<void> {
  await writeFile(join(data, LAST_BACKUP), `${at} ${resolve(folder)}\n`, { mode: 0o600 }).catch(() => undefined)
}

/** The last backup of this data folder; undefined if unknown. */
export async function lastBackup(data: string): Promise<LastBackup | undefined> {
  const text = await readFile(join(data, LAST_BACKUP), 'utf8').catch(() => '')
  const [, at, folder = ''] = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?: (.*))?$/.exec(text.trim()) ?? []
  return at === undefined ? undefined : { at, folder }
}
