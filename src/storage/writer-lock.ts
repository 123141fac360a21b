import { join } from 'node:path'
import { type Connection, isBusy, openConnection } from './engines/sqlite/connection.ts'
import { makePrivate } from './engines/sqlite/files.ts'

/** The right to write to a data folder, held until released or until the process ends in whatever way. */
export interface WriterLock {
  /** Gives the right back; calling it again does nothing. */
  release(): void
}

// An unreachable connection would be collected as garbage, which would free its lock.
const held = new Set<Connection>()

/**
 * Takes the lock of a data folder, which must exist; `undefined` when this or another process holds it. Never waits.
 *
 * The lock is an open exclusive transaction on the empty database `kalends.lock`: the operating system ends it together
 * with the process, so there is no stale lock to clean up. Nothing may read or copy that file in the process that holds
 * the lock, because closing any handle of it would free the lock (POSIX advisory locks).
 *
 * Another `name` is another lock.
 * @throws the driver's error when the folder cannot be written
 */
export function acquireWriterLock(dataFolder: string, { name = 'kalends.lock' } = {}): WriterLock | undefined {
  const path = join(dataFolder, name)
  makePrivate(path)
  const connection = openConnection(path, { busyTimeout: 0 })
  try {
    connection.exec('begin exclusive')
  } catch (error) {
    connection.close()
    if (isBusy(error)) return undefined
    throw error
  }
  held.add(connection)
  return { release: () => void (held.delete(connection) && connection.close()) }
}
