import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** File of the data folder with the time of the last backup. */
export const LAST_BACKUP = 'last-backup'

/** Stores the time of a backup in the data folder (UTC text); a folder that cannot be written stays as it is. */
export async function noteBackup(data: string, at: string): Promise<void> {
  await writeFile(join(data, LAST_BACKUP), `${at}\n`, { mode: 0o600 }).catch(() => undefined)
}

/** Time of the last backup of this data folder, UTC text; undefined if unknown. */
export async function lastBackup(data: string): Promise<string | undefined> {
  const text = await readFile(join(data, LAST_BACKUP), 'utf8').catch(() => '')
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.exec(text.trim())?.[0]
}
