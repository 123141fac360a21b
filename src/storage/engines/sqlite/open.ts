import { dirname } from 'node:path'
import type { Kysely } from 'kysely'
import { fail } from '../../../base/errors.ts'
import { ownTurn } from '../../../base/requester.ts'
import type { Compilable, Lane, Statement, Storage } from '../../engine.ts'
import { makeFolder } from '../../make-folder.ts'
import type { StorageSettings } from '../../options.ts'
import type { ReadQueueStats } from '../../read-queue.ts'
import type { Database } from '../../schema.ts'
import { statementBuilder } from '../../statement-builder.ts'
import { Checkpoints } from './checkpoints.ts'
import { type Connection, openConnection, ReadSnapshot, rowObjects } from './connection.ts'
import { FileGuard, makePrivate } from './files.ts'
import { BUSY_TIMEOUT, openReadConnection } from './read-connection.ts'
import { ReadLane } from './read-lane.ts'
import { WRITE_CACHE_SIZE, WriteQueue } from './write-queue.ts'

/** Size to which the write-ahead log is cut after it grew beyond it, in bytes. */
const LOG_SIZE = 64 * 1024 * 1024

/**
 * The SQLite engine: one connection that writes, one that reads on this thread, processes that read the rest.
 * Only one process at a time writes to the file, see `acquireWriterLock`.
 * @throws database_not_usable
 */
export async function openSqlite(path: string, options: StorageSettings): Promise<Storage> {
  const db = statementBuilder('sqlite')
  const { isOnlyWriter, offloadWorkers: readers, readTimeout: timeout } = options
  const { write, read } = await openConnections(path, options.synchronous)
  const turn = new ReadSnapshot(read, write)
  const own = { commits: 0 }
  const guard = new FileGuard(path, options.report)
  const areFilesThere = (): boolean => guard.trouble() === undefined
  const checkpoints = new Checkpoints({ ...options, path, connection: write, areFilesThere })
  const committed = (): void => {
    own.commits += 1
    if (isOnlyWriter) turn.follow()
    else turn.renew()
    checkpoints.afterCommit()
  }
  const queue = new WriteQueue({
    connection: write,
    db,
    report: options.report,
    now: options.now,
    committed,
    guard,
    checkpoints,
  })
  const offloaded = readers > 0 ? new ReadLane({ path, readers, timeout }) : undefined
  return sqliteStorage({
    db,
    write,
    read,
    turn,
    own,
    queue,
    guard,
    checkpoints,
    offloaded,
    location: path,
    isOnlyWriter,
  })
}

interface Parts {
  readonly db: Kysely<Database>
  readonly write: Connection
  readonly read: Connection
  /** Everything but closing uses it. */
  readonly turn: ReadSnapshot
  /** What this process itself has done. */
  readonly own: { readonly commits: number }
  readonly queue: WriteQueue
  readonly guard: FileGuard
  readonly checkpoints: Checkpoints
  readonly offloaded: ReadLane | undefined
  readonly location: string
  readonly isOnlyWriter: boolean
}

function sqliteStorage(parts: Parts): Storage {
  const { db, turn, own, queue, guard, offloaded, location, isOnlyWriter } = parts
  const reads = { readsInline: 0, readsOffloaded: 0 }
  let closing: Promise<void> | undefined

  function assertOpen(): void {
    if (closing) throw new Error('the storage is closed')
  }

  function laneFor(lane: Lane | undefined): ReadLane | undefined {
    assertOpen()
    const chosen = lane === 'offloaded' ? offloaded : undefined
    reads[chosen ? 'readsOffloaded' : 'readsInline'] += 1
    return chosen
  }

  return {
    engine: 'sqlite',
    db,
    location,
    all: async <Row>(query: Compilable<Row>, lane?: Lane) => {
      const chosen = laneFor(lane)
      if (!chosen) return readHere(() => turn.connection.all(query), guard)
      return (await readIn(chosen, query.ready ?? query.compile(), guard)) as Row[]
    },
    first: async <Row>(query: Compilable<Row>, lane?: Lane) => {
      const chosen = laneFor(lane)
      if (!chosen) return readHere(() => turn.connection.first(query), guard)
      return (await readIn(chosen, query.ready ?? query.compile(), guard))[0] as Row | undefined
    },
    pause: ownTurn,
    write: async (job) => {
      assertOpen()
      return queue.write(job)
    },
    dataVersion: () => {
      assertOpen()
      // Below zero, where SQLite has no version. Asking SQLite costs a tenth of an cached responses.
      if (isOnlyWriter) return -1 - own.commits
      return Number(turn.connection.first<{ data_version: number }>(DATA_VERSION)?.data_version)
    },
    // The only writer knows of everything as it writes it.
    onExternalCommit: () => () => undefined,
    lead: async (candidate) => {
      await candidate.elected()
      return async () => undefined
    },
    trouble: () => queue.trouble(),
    stats: () => ({ ...queue.stats, ...reads, ...(offloaded?.stats ?? NO_QUEUE), pools: [] }),
    close: () => {
      closing ??= closeAll(parts)
      return closing
    },
  }
}

/** A file that was emptied cannot be read, either. */
function readHere<Made>(read: () => Made, guard: FileGuard): Made {
  try {
    return read()
  } catch (error) {
    throw guard.trouble() ?? error
  }
}

/** A process opens the file when it is first needed: if that is a different file now, the reason is reported. */
async function readIn(lane: ReadLane, statement: Statement, guard: FileGuard): Promise<Record<string, unknown>[]> {
  try {
    return rowObjects(await lane.read(statement))
  } catch (error) {
    throw guard.trouble() ?? error
  }
}

/** Inline reads never wait. */
const NO_QUEUE: ReadQueueStats = { readsWaiting: 0, readsRefused: 0, readsTimedOut: 0, readsDropped: 0 }

const DATA_VERSION = { sql: 'pragma data_version', parameters: [] }

type Synchronous = StorageSettings['synchronous']

async function openConnections(
  path: string,
  synchronous: Synchronous,
): Promise<{ write: Connection; read: Connection }> {
  try {
    await makeFolder(dirname(path))
    makePrivate(path)
    const write = openWriteConnection(path, synchronous)
    // The first read creates the log; both are known by then.
    write.pragma('schema_version')
    return { write, read: openReadConnection(path) }
  } catch (error) {
    throw fail('database_not_usable', { reason: `${path}: ${(error as Error).message}` })
  }
}

function openWriteConnection(path: string, synchronous: Synchronous): Connection {
  const connection = openConnection(path, { busyTimeout: BUSY_TIMEOUT })
  if (connection.pragma('journal_mode = wal') !== 'wal') throw new Error('the file system cannot share memory')
  connection.pragma(`synchronous = ${synchronous}`)
  connection.pragma('foreign_keys = on')
  // Otherwise a row that REPLACE removes would stay in the text index, which triggers maintain.
  connection.pragma('recursive_triggers = on')
  connection.pragma(`cache_size = ${WRITE_CACHE_SIZE}`)
  connection.pragma(`journal_size_limit = ${LOG_SIZE}`)
  return connection
}

async function closeAll(parts: Parts): Promise<void> {
  const { write, read, turn, queue, checkpoints, offloaded, guard } = parts
  await Promise.all([queue.idle(), offloaded?.close()])
  await checkpoints.close()
  turn.renew()
  read.close()
  write.pragma(`busy_timeout = ${BUSY_TIMEOUT}`)
  try {
    // The one file is then the whole database. Of a file that was deleted or replaced this empties the log, which would
    // otherwise be applied to whatever database is in its place.
    if (!guard.isEmptied()) write.pragma('wal_checkpoint(truncate)')
  } finally {
    write.close()
  }
}
