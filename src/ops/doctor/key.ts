import { hasUsers } from '../../accounts/users/index.ts'
import { Failure } from '../../base/errors.ts'
import { loadSecret } from '../../http/auth/secret.ts'
import type { Reader } from '../../storage/engine.ts'
import { type Finding, finding } from './finding.ts'

/** Where the key of a calendar is. */
export interface KeyPlace {
  /** The configured key; '' where it is in the key file. */
  readonly secret: string
  /** Folder of the key file. */
  readonly data: string
}

/** Whether a server could start with the key; nothing can make a lost one again. */
export async function examineKey(reader: Reader, { secret, data }: KeyPlace): Promise<Finding> {
  try {
    await loadSecret(secret, data, false)
    return finding('key', [])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // The first start makes the key.
    const isYetToCome = error.code === 'key_missing' && !(await hasUsers(reader))
    return finding('key', isYetToCome ? [] : [error.message])
  }
}
