import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, fail } from '../../base/errors.ts'

/** Name of the key file in the data folder. */
export const KEY_FILE = 'secret.key'

/**
 * The key for hashing application passwords: the configured one, or else that in the key file of the data folder, which
 * is created (32 random bytes in hexadecimal, readable by its owner only) if it is missing and `mayMake`.
 * @throws secret_not_usable when the file cannot be read or created, or contains no key; key_missing
 */
export async function loadSecret(configured: string, dataFolder: string, mayMake = true): Promise<string> {
  if (configured !== '') return configured
  const path = join(dataFolder, KEY_FILE)
  try {
    const known = await readKey(path)
    if (known === undefined && !mayMake) throw fail('key_missing', { path })
    const secret = known ?? (await makeKey(path))
    if (/^[0-9a-f]{64}$/.test(secret)) return secret
  } catch (error) {
    if (error instanceof Failure) throw error
    throw fail('secret_not_usable', { path, reason: error instanceof Error ? error.message : String(error) })
  }
  throw fail('secret_not_usable', { path, reason: 'it does not hold 64 hexadecimal digits' })
}

async function readKey(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/**
 * Two processes may find the file missing at the same time. Each writes a file of its own and links it to the name:
 * only the first link succeeds, a partial key is never visible, and both continue with the existing key.
 */
async function makeKey(path: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await file.sync()
    await link(draft, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
  return (await readFile(path, 'utf8')).trim()
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
