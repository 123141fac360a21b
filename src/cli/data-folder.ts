import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Config } from '../base/config.ts'
import { fail } from '../base/errors.ts'
import { makeFolder } from '../storage/make-folder.ts'
import { engineOf } from '../storage/open.ts'
import { acquireWriterLock, type WriterLock } from '../storage/writer-lock.ts'

/**
 * Makes the data folder, open to its owner only because it holds keys and hashes, unless it already exists.
 * @throws data_not_writable
 */
export async function prepareDataFolder(path: string): Promise<void> {
  try {
    await makeFolder(path)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw notWritable(path, error)
  }
}

/** Whether any number of processes may write to the database, because it makes one line of them itself. */
export function takesManyWriters({ database }: Pick<Config, 'database'>): boolean {
  return engineOf(database) === 'postgres'
}

const NO_LOCK: WriterLock = { release: () => undefined }

/**
 * Takes the lock of the data folder; undefined when another process holds it. Nothing to take where any number of
 * processes may write.
 * @throws data_not_writable
 */
export function lockDataFolder(config: Pick<Config, 'data' | 'database'>): WriterLock | undefined {
  if (takesManyWriters(config)) return NO_LOCK
  const { data } = config
  try {
    return acquireWriterLock(data)
  } catch (error) {
    throw notWritable(data, error)
  }
}

/** The error for a folder that the system refuses. */
export function notWritable(path: string, error: unknown) {
  return fail('data_not_writable', { path, reason: error instanceof Error ? error.message : String(error) })
}
