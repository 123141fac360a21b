import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fail } from '../errors.ts'
import { acquireWriterLock, type WriterLock } from '../storage/writer-lock.ts'

/**
 * Makes the data folder, open to its owner only because it holds keys and hashes, unless it is there already.
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

/**
 * Makes a folder and those above it. The runtime's own recursion tries for ever where the folder above is there but
 * takes none, as in /proc or behind a link that leads nowhere.
 */
async function makeFolder(path: string): Promise<void> {
  const code = await mkdir(path, { mode: 0o700 }).then(() => undefined, codeOf)
  if (code === undefined || code === 'EEXIST') return
  if (code === 'ENOENT' && dirname(path) !== path) await makeFolder(dirname(path))
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : 'unknown'
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
