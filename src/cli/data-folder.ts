import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { fail } from '../errors.ts'
import { acquireWriterLock, type WriterLock } from '../storage/writer-lock.ts'

/**
 * Makes the data folder, open to its owner only because it holds keys and hashes, unless it is there already.
 * @throws data_not_writable
 */
export async function prepareDataFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw notWritable(path, error)
  }
}

/**
 * Takes the lock of the data folder; undefined when another process holds it.
 * @throws data_not_writable
 */
export function lockDataFolder(path: string): WriterLock | undefined {
  try {
    return acquireWriterLock(path)
  } catch (error) {
    throw notWritable(path, error)
  }
}

function notWritable(path: string, error: unknown) {
  return fail('data_not_writable', { path, reason: error instanceof Error ? error.message : String(error) })
}
