import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../base/config.ts'
import { fail } from '../base/errors.ts'
import { KEY_FILE } from '../http/auth/secret.ts'
import { RESTORING } from '../ops/backup/restoring.ts'
import { engineOf, sqlitePath } from '../storage/open.ts'
import { notWritable } from './data-folder.ts'

/** What says where a calendar is. */
type Places = Pick<Config, 'data' | 'database'>

/** What is at the path of a SQLite database. */
type FileState = 'missing' | 'empty' | 'without a calendar' | 'there'

/** Undefined where there is no such file. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A file of no bytes is a calendar as long as its log has some: a crash soon after the first start. */
async function stateOf(path: string): Promise<FileState> {
  const size = await sizeOf(path)
  if (size === undefined) return 'missing'
  if (size === 0 && ((await sizeOf(`${path}-wal`)) ?? 0) === 0) return 'empty'
  // An engine is loaded when it is needed.
  const { holdsCalendar } = await import('../storage/engines/sqlite/calendar-file.ts')
  return (await holdsCalendar(path)) ? 'there' : 'without a calendar'
}

/**
 * Refuses SQLite files that are not a calendar, before opening would create an empty one: if there is none, unless
 * the command may create it, and always where the key of a calendar exists without its database. PostgreSQL is checked
 * later.
 * @throws no_calendar, database_lost, restore_unfinished, data_not_writable
 */
export async function assertCalendar({ data, database }: Places, { mayBegin }: { mayBegin: boolean }): Promise<void> {
  if ((await sizeOf(join(data, RESTORING)).catch(() => undefined)) !== undefined)
    throw fail('restore_unfinished', { path: data })
  if (engineOf(database) !== 'sqlite') return
  const path = sqlitePath(database)
  const state = await stateOf(path).catch((error: unknown) => {
    throw notWritable(data, error)
  })
  if (state === 'there') return
  const key = join(data, KEY_FILE)
  if ((await sizeOf(key)) !== undefined) throw fail('database_lost', { path, state, key })
  if (!mayBegin) throw fail('no_calendar', { path: data })
}

/** Whether a server may be running on a data folder: its lock exists as long as the folder is used. */
export async function hasLock(data: string): Promise<boolean> {
  return (await sizeOf(join(data, 'kalends.lock')).catch(() => undefined)) !== undefined
}
