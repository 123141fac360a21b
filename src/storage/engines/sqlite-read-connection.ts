import { type Connection, openConnection } from './sqlite-connection.ts'

/** Memory map of a connection that reads, in bytes: pages are read without copying. */
const MMAP_SIZE = 256 * 1024 * 1024

/** Page cache of a connection, in KiB as SQLite's negative numbers say it. */
export const CACHE_SIZE = -32 * 1024

/** How long a statement waits for a lock of another process, in milliseconds. */
export const BUSY_TIMEOUT = 5000

/** A connection that cannot write, for either lane. The file must exist. */
export function openReadConnection(path: string): Connection {
  const connection = openConnection(path, { readOnly: true, busyTimeout: BUSY_TIMEOUT })
  connection.pragma(`cache_size = ${CACHE_SIZE}`)
  connection.pragma(`mmap_size = ${MMAP_SIZE}`)
  return connection
}
