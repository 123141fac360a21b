import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { Client, type ClientConfig, type QueryResult } from 'pg'
import { fail } from '../../../base/errors.ts'
import { ownTurn } from '../../../base/requester.ts'
import type { Compilable, Lane, Report, Storage, StorageStats } from '../../engine.ts'
import type { StorageSettings } from '../../options.ts'
import type { Database } from '../../schema.ts'
import { statementBuilder } from '../../statement-builder.ts'
import { readPostgresAddress } from './address.ts'
import { closeQuietly } from './close-quietly.ts'
import { type ConnectionPool, openPool } from './connection.ts'
import { isConnectionLoss } from './errors.ts'
import { candidacies } from './leader.ts'
import { CHANNEL, CommitListener } from './listener.ts'
import { Presence } from './presence.ts'
import { BoundedReads, patientReads } from './reads.ts'
import { withReplica } from './replica.ts'
import { beginStatement, poolConfig, readOnly, replicaConfig } from './settings.ts'
import { ensureTextIndex } from './text-index.ts'
import { PostgresWriteQueue } from './write-queue.ts'

/** Lowest version of the server, as `server_version_num` writes it. */
const OLDEST_SERVER = 140000

/** Milliseconds between two attempts to reach a server that is not there yet. */
const PAUSE = 250

/**
 * The PostgreSQL engine: a pool of connections that read, one that writes, and one that is notified of the commits of
 * others. Any number of processes may share a database. Their jobs run one after the other, because their decisions
 * rest on what they have read.
 * @throws database_not_usable
 */
export async function openPostgres(options: StorageSettings): Promise<Storage> {
  const { client, location } = readPostgresAddress(options.database)
  const replica = replicaOf(options)
  const { connections, readTimeout, report, notice, now } = options
  const self = randomUUID()
  const config = poolConfig(options, client)
  const presence = new Presence({ config, location, silence: options.silence, report, notice })
  const shared = { report: presence.onConnectionError, presence }
  const write = openPool({ ...shared, config: { ...config, max: 1 } })
  const read = openPool({ ...shared, config: readOnly(config, options) })
  const listener = new CommitListener({ config, self, report: presence.onConnectionError, now })
  try {
    await reach(config, { location, patience: options.patience })
    await listener.start()
  } catch (error) {
    presence.close()
    await Promise.all([write.close(), read.close(), listener.close()])
    throw error
  }
  const db = statementBuilder('postgres')
  const queue = new PostgresWriteQueue({
    db,
    pool: write,
    presence,
    report,
    begin: (pace) => beginStatement(options, pace),
    commit: `select pg_notify('${CHANNEL}', '${self}'); commit`,
    now,
    committed: () => listener.count(),
    doubted: () => listener.doubt(),
  })
  const lead = candidacies({ config, report: presence.onConnectionError })
  const reads = new BoundedReads(patientReads(read, presence), { connections, readTimeout })
  const storage = postgresStorage({ db, write, read, reads, presence, queue, listener, lead, location, report })
  return replica === undefined
    ? storage
    : withReplica({ ...replica, primary: storage, bounds: { connections, readTimeout }, report, notice, now })
}

/** Read before anything is opened: a malformed address keeps the program from starting. */
function replicaOf(options: StorageSettings) {
  if (options.replica === undefined) return undefined
  const { client, location } = readPostgresAddress(options.replica)
  return { config: replicaConfig(options, client), location }
}

interface Reaching {
  readonly location: string
  readonly patience: number
}

/** Waits for a server that is starting, then checks whether it can be used. */
async function reach(config: ClientConfig, { location, patience }: Reaching): Promise<void> {
  for (let waited = 0; ; waited += PAUSE) {
    try {
      return assertUsable(await serverAt(config), location)
    } catch (error) {
      if (!isConnectionLoss(error) || waited >= patience) throw notUsable(location, error)
      await sleep(PAUSE)
    }
  }
}

async function serverAt(config: ClientConfig): Promise<Server> {
  const client = new Client(config)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Server>(SERVER)).rows[0] as Server
  } finally {
    void closeQuietly(client)
  }
}

const SERVER = `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`

interface Server {
  readonly version: number
  readonly encoding: string
}

function assertUsable({ version, encoding }: Server, location: string): void {
  if (version < OLDEST_SERVER) throw new Error(`PostgreSQL ${OLDEST_SERVER / 10_000} or newer is needed`)
  if (encoding !== 'UTF8') throw new Error(`the encoding of the database is ${encoding} and must be UTF8: ${location}`)
}

function notUsable(location: string, error: unknown) {
  return fail('database_not_usable', {
    reason: `${location}: ${error instanceof Error ? error.message : String(error)}`,
  })
}

interface Parts {
  readonly db: Kysely<Database>
  readonly write: ConnectionPool
  readonly read: ConnectionPool
  /** All reads go through it. */
  readonly reads: BoundedReads
  readonly presence: Presence
  readonly queue: PostgresWriteQueue
  readonly listener: CommitListener
  readonly lead: Storage['lead']
  readonly location: string
  readonly report: Report
}

function postgresStorage({ lead, ...parts }: Parts): Storage {
  const { db, reads, queue, listener, location, report } = parts
  const resignations = new Set<() => Promise<void>>()
  const counts = { readsInline: 0, readsOffloaded: 0 }
  let closing: Promise<void> | undefined

  function assertOpen(): void {
    if (closing) throw new Error('the storage is closed')
  }

  function run(query: Compilable<unknown>, lane: Lane | undefined): Promise<QueryResult> {
    assertOpen()
    counts[lane === 'offloaded' ? 'readsOffloaded' : 'readsInline'] += 1
    return reads.read(query.compile(), lane)
  }

  const storage: Storage = {
    engine: 'postgres',
    db,
    location,
    all: async <Row>(query: Compilable<Row>, lane?: Lane) => (await run(query, lane)).rows as Row[],
    first: async <Row>(query: Compilable<Row>, lane?: Lane) => (await run(query, lane)).rows[0] as Row | undefined,
    pause: ownTurn,
    write: async (job, pace = 'usual') => {
      assertOpen()
      return queue.write(job, pace)
    },
    migrated: () => ensureTextIndex(storage, report),
    dataVersion: () => {
      assertOpen()
      return listener.version
    },
    onExternalCommit: (listening) => listener.onExternalCommit(listening),
    lead: async (candidate) => {
      assertOpen()
      const candidacy = lead(candidate)
      // Also of one who is still asking: without it the connection would outlive the storage.
      resignations.add(() => candidacy.then((resign) => resign()).catch(() => undefined))
      return candidacy
    },
    stats: () => ({ ...queue.stats, ...counts, ...reads.stats, pools: poolsOf(parts) }),
    trouble: () => queue.trouble(),
    close: () => {
      closing ??= closeAll({ ...parts, resignations })
      return closing
    },
  }
  return storage
}

function poolsOf({ read, write }: Pick<Parts, 'read' | 'write'>): StorageStats['pools'] {
  return [
    { name: 'read', ...read.stats() },
    { name: 'write', ...write.stats() },
  ]
}

type Closing = Pick<Parts, 'write' | 'read' | 'presence' | 'queue' | 'listener'> & {
  readonly resignations: Set<() => Promise<void>>
}

async function closeAll({ write, read, presence, queue, listener, resignations }: Closing): Promise<void> {
  await Promise.all([...resignations].map((resign) => resign()))
  await Promise.all([queue.idle(), read.close()])
  presence.close()
  await Promise.all([write.close(), listener.close()])
}
