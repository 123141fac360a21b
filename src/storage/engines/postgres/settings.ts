import type { PoolConfig } from 'pg'
import type { Pace } from '../../engine.ts'
import { POSTGRES_TYPES } from './values.ts'

/** What all connections have in common. */
export interface PostgresSettings {
  /** FULL: a commit survives a power cut of the database server. NORMAL: the last ones may be lost. */
  readonly synchronous: 'FULL' | 'NORMAL'
  /** Most connections that read at the same time; one more writes, and one listens. */
  readonly connections: number
  /** Milliseconds after which the server gives up a statement of a write. */
  readonly statementTimeout: number
  /** Milliseconds that a read may wait for a connection, and after which the server gives it up. */
  readonly readTimeout: number
  /** Milliseconds without a sign of life after which a server is taken for absent. */
  readonly silence: number
  /** Whether a pooler that gives each transaction another connection stands before the database. */
  readonly pooled: boolean
}

/**
 * Milliseconds: to get a connection, until an unused one is closed, for a job that does nothing in its transaction,
 * between signs of life, to get a connection to a replica.
 */
const LIMITS = { connect: 10_000, idle: 60_000, openJob: 30_000, keepAlive: 10_000, replica: 1000 } as const

/** Key of the lock that makes one line of the writes of all processes; any number that nobody else uses. */
const WRITE_LOCK = 0x6b616c656e64

/** A connection that writes or listens. */
export function poolConfig(options: PostgresSettings, client: PoolConfig): PoolConfig {
  return {
    application_name: 'kalends',
    ...client,
    types: POSTGRES_TYPES,
    keepAlive: true,
    keepAliveInitialDelayMillis: LIMITS.keepAlive,
    connectionTimeoutMillis: LIMITS.connect,
    idleTimeoutMillis: LIMITS.idle,
    // The server gives a statement up by itself, unless it has vanished.
    query_timeout: options.statementTimeout + options.silence,
    // A pooler refuses settings of a connection that is not the caller's own: see `beginStatement`.
    ...(!options.pooled && {
      statement_timeout: options.statementTimeout,
      idle_in_transaction_session_timeout: LIMITS.openJob,
    }),
  }
}

/** A connection that cannot write. */
export function readOnly(config: PoolConfig, settings: PostgresSettings): PoolConfig {
  const { pooled, connections, readTimeout, silence } = settings
  const options = [config.options, '-c default_transaction_read_only=on'].filter((part) => part !== undefined).join(' ')
  const limits = { max: connections, query_timeout: readTimeout + silence }
  return { ...config, ...limits, ...(!pooled && { options, statement_timeout: readTimeout }) }
}

/** A connection to a replica: it is known soon that it is away, and no read waits for ever. */
export function replicaConfig(settings: PostgresSettings, client: PoolConfig): PoolConfig {
  return {
    ...readOnly(poolConfig(settings, client), settings),
    connectionTimeoutMillis: LIMITS.replica,
    query_timeout: settings.readTimeout + LIMITS.replica,
  }
}

/**
 * What a transaction without limits has in their place: a machine that vanished is noticed within two minutes, and what it
 * had begun is undone. `0` is no limit.
 */
const WITHOUT_LIMITS = [
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
  'set local tcp_keepalives_idle = 60',
  'set local tcp_keepalives_interval = 10',
  'set local tcp_keepalives_count = 6',
]

/** The statement that begins a transaction and waits for its turn among all processes. */
export function beginStatement({ synchronous, pooled, statementTimeout }: PostgresSettings, pace: Pace): string {
  const durable =
    synchronous === 'NORMAL'
      ? 'set local synchronous_commit = off'
      : // Whoever has asked for more than `on`, such as waiting for a replica, keeps it.
        `select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'`
  const limits = [
    `set local statement_timeout = ${statementTimeout}`,
    `set local idle_in_transaction_session_timeout = ${LIMITS.openJob}`,
  ]
  return [
    'begin isolation level read committed read write',
    durable,
    ...(pace === 'long' ? WITHOUT_LIMITS : pooled ? limits : []),
    `select pg_advisory_xact_lock(${WRITE_LOCK})`,
  ].join('; ')
}
