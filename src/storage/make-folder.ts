import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fail } from '../base/errors.ts'

/**
 * Makes a folder and those above it, open to their owner only; nothing where there is something of that name already. The
 * runtime's own recursion retries forever if the folder above exists but takes none, as in /proc.
 * @throws the system's error
 */
export async function makeFolder(path: string): Promise<void> {
  const code = await mkdir(path, { mode: 0o700 }).then(() => undefined, codeOf)
  if (code === undefined || code === 'EEXIST') return
  if (code === 'ENOENT' && dirname(path) !== path) await makeFolder(dirname(path))
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
}

/** Creates a folder that someone has named, unless it exists. @throws folder_not_usable */
export async function makeNamedFolder(path: string): Promise<void> {
  const reason = await makeWritable(path).catch((error: unknown) => (error as Error).message)
  if (reason !== undefined) throw fail('folder_not_usable', { path, reason })
}

/** Why it cannot be written; undefined when it can. @throws the system's error */
async function makeWritable(path: string): Promise<string | undefined> {
  await makeFolder(path)
  if (!(await stat(path)).isDirectory()) return 'it is no folder'
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  return undefined
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : 'unknown'
}
