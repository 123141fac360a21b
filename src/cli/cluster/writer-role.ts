import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../base/config.ts'
import { fail } from '../../base/errors.ts'
import type { WriterLock } from '../../storage/writer-lock.ts'
import { lockDataFolder } from '../data-folder.ts'
import type { RoutedWriterRole } from '../types.ts'
import { handOver, isServing } from './operation-client.ts'
import { findSocketPath } from './socket-path.ts'

/** How long to wait for a command that is just using the data folder, and how often to try, milliseconds. */
const PATIENCE = { attempts: 50, pause: 100 }

/** Milliseconds between two attempts to become the process that writes. */
const RETRY_PAUSE = 200

/** The role with its lock, which one process of several holds. */
export interface OwnWriterRole extends RoutedWriterRole {
  /**
   * Waits until the process that writes has ended and takes its role; `taken` resolves soon after. Resolves at once if
   * this process has the role already, and without the role after `release`.
   */
  acquire(taken: () => Promise<void>): Promise<void>
  /** Gives the right to write back, or no longer waits for it. */
  release(): void
}

/**
 * Takes the right to write to a data folder. `isAlone`: only one server may use the data folder, so another one is an
 * error, and a command that holds it for a moment is waited for; otherwise another process may be the writer, and
 * requests are forwarded to it.
 * @throws already_running, writer_silent, data_not_writable
 */
export async function takeWriterRole(config: Config, { isAlone }: { isAlone: boolean }): Promise<OwnWriterRole> {
  const { promise: mine, resolve } = Promise.withResolvers<void>()
  let lock = isAlone ? await lockAlone(config) : lockDataFolder(config, { joins: true })
  let isReleased = false
  if (lock !== undefined) resolve()
  return {
    mine,
    isLocked: true,
    isMine: () => lock !== undefined,
    socketPath: () => findSocketPath(config.data),
    tellWriter: async (noted) => {
      await handOver(config.data, { name: 'noteUse', input: noted }, () => undefined)
    },
    acquire: async (taken) => {
      if (lock !== undefined) return
      while (lock === undefined && !isReleased) {
        await sleep(RETRY_PAUSE, undefined, { ref: false })
        if (!isReleased) lock = lockDataFolder(config, { joins: true })
      }
      if (lock === undefined) return
      resolve()
      await taken()
    },
    release: () => {
      isReleased = true
      lock?.release()
    },
  }
}

async function lockAlone(config: Config): Promise<WriterLock> {
  const { data } = config
  for (let attempt = 1; attempt <= PATIENCE.attempts; attempt += 1) {
    const lock = lockDataFolder(config)
    if (lock !== undefined) return lock
    if (await isServing(data)) throw fail('already_running', { path: data })
    await sleep(PATIENCE.pause)
  }
  throw fail('writer_silent', { path: data })
}
