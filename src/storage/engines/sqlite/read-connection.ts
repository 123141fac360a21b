import { pathToFileURL } from 'node:url'
import { type Connection, openConnection } from './connection.ts'

/**
 * Largest file, in bytes, that a connection that reads maps into memory, so that pages are read without copying. Of a larger
 * one only the first part would be mapped: that gains nothing and counts as memory of the process, once for each connection.
 */
const MAPPED_LIMIT = 256 * 1024 * 1024

/**
 * Page cache of a reading connection, in KiB as a negative number of SQLite. The cache of the system is behind it: four
 * and sixteen times as much take the same time for pages and searches of 1,000,000 events.
 */
const READ_CACHE_SIZE = -4 * 1024

/** How long a statement waits for a lock of another process, in milliseconds. */
export const BUSY_TIMEOUT = 5000

/** A connection that cannot write, for either lane. The file must exist; larger ones than `mappedLimit` bytes are not mapped. */
export function openReadConnection(path: string, mappedLimit = MAPPED_LIMIT): Connection {
  const connection = openConnection(path, { readOnly: true, busyTimeout: BUSY_TIMEOUT })
  connection.pragma(`cache_size = ${READ_CACHE_SIZE}`)
  const size = Number(connection.pragma('page_count')) * Number(connection.pragma('page_size'))
  connection.pragma(`mmap_size = ${size <= mappedLimit ? mappedLimit : 0}`)
  return connection
}

/** Opens an existing database for a second connection that writes: a missing file is not created again. */
export function openExisting(path: string, synchronous: 'FULL' | 'NORMAL'): Connection {
  const address = pathToFileURL(path)
  address.searchParams.set('mode', 'rw')
  const connection = openConnection(address, { busyTimeout: BUSY_TIMEOUT })
  connection.pragma(`synchronous = ${synchronous}`)
  connection.pragma('wal_autocheckpoint = 0')
  return connection
}
