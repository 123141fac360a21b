import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** File of the data folder that says when the last backup was made. */
export const LAST_BACKUP = 'last-backup'

/** Notes in the data folder that a backup was made at a moment (UTC text); a folder that cannot be written stays as it is. */
export async function noteBackup(data: string, at: string): Promise<void> {
  await writeFile(join(data, LAST_BACKUP), `${at}\n`, { mode: 0o600 }).catch(() => undefined)
}

/** When the last backup of this data folder was made, UTC text; undefined where none is known. */
export async function lastBackup(data: string): Promise<string | undefined> {
  const text = await readFile(join(data, LAST_BACKUP), 'utf8').catch(() => '')
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.exec(text.trim())?.[0]
}
