import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../base/config.ts'
import { fail } from '../../base/errors.ts'
import type { WriterLock } from '../../storage/writer-lock.ts'
import { lockDataFolder } from '../data-folder.ts'
import { isServing } from './operation-client.ts'

/** How long to wait for a command that is just using the data folder, and how often to try, milliseconds. */
const PATIENCE = { attempts: 50, pause: 100 }

/**
 * Takes the lock of a data folder for a server. Only one may use the folder, so another one is an error; a command that
 * holds the lock for a moment is waited for.
 * @throws already_running, writer_silent, data_not_writable
 */
export async function lockForServer(config: Config): Promise<WriterLock> {
  const { data } = config
  for (let attempt = 1; attempt <= PATIENCE.attempts; attempt += 1) {
    const lock = lockDataFolder(config)
    if (lock !== undefined) return lock
    if (await isServing(data)) throw fail('already_running', { path: data })
    await sleep(PATIENCE.pause)
  }
  throw fail('writer_silent', { path: data })
}
