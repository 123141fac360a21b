import type { PoolConfig } from 'pg'
import type { Pace } from '../../engine.ts'
import type { StorageSettings } from '../../options.ts'
import { POSTGRES_TYPES } from './values.ts'

/**
 * Milliseconds: to get a connection, until an unused one is closed, for a job that does nothing in its transaction,
 * between signs of life, to get a connection to a replica.
 */
const LIMITS = { connect: 10_000, idle: 60_000, openJob: 30_000, keepAlive: 10_000, replica: 1000 } as const

/** Key of the lock that serializes the writes of all processes; any number that nothing else uses. */
const WRITE_LOCK = 0x6b616c656e64

/** A connection that writes or listens. */
export function poolConfig(options: StorageSettings, client: PoolConfig): PoolConfig {
  return {
    application_name: 'kalends',
    ...client,
    types: POSTGRES_TYPES,
    keepAlive: true,
    keepAliveInitialDelayMillis: LIMITS.keepAlive,
    connectionTimeoutMillis: LIMITS.connect,
    idleTimeoutMillis: LIMITS.idle,
    // The server cancels a statement itself, unless it has vanished.
    query_timeout: options.statementTimeout + options.silence,
    statement_timeout: options.statementTimeout,
    idle_in_transaction_session_timeout: LIMITS.openJob,
  }
}

/** A connection that cannot write. */
export function readOnly(config: PoolConfig, settings: StorageSettings): PoolConfig {
  const { connections, readTimeout, silence } = settings
  const options = [config.options, '-c default_transaction_read_only=on'].filter((part) => part !== undefined).join(' ')
  const limits = { max: connections, query_timeout: readTimeout + silence, statement_timeout: readTimeout }
  return { ...config, ...limits, options }
}

/** A connection to a replica: an outage is detected soon, and no read waits forever. */
export function replicaConfig(settings: StorageSettings, client: PoolConfig): PoolConfig {
  return {
    ...readOnly(poolConfig(settings, client), settings),
    connectionTimeoutMillis: LIMITS.replica,
    query_timeout: settings.readTimeout + LIMITS.replica,
  }
}

/**
 * The limits of a transaction without limits: a vanished machine is noticed within two minutes, and its work is undone.
 * `0` is no limit.
 */
const WITHOUT_LIMITS = [
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
  'set local tcp_keepalives_idle = 60',
  'set local tcp_keepalives_interval = 10',
  'set local tcp_keepalives_count = 6',
]

/** The statement that starts a transaction and waits for its turn among all processes. */
export function beginStatement({ synchronous }: StorageSettings, pace: Pace): string {
  const durable =
    synchronous === 'NORMAL'
      ? 'set local synchronous_commit = off'
      : // Whoever has asked for more than `on`, such as waiting for a replica, keeps it.
        `select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'`
  return [
    'begin isolation level read committed read write',
    durable,
    ...(pace === 'long' ? WITHOUT_LIMITS : []),
    `select pg_advisory_xact_lock(${WRITE_LOCK})`,
  ].join('; ')
}
