import type { Config } from '../config.ts'
import type { StorageOptions } from './open.ts'

/** What the configuration says of the database. */
export function storageOptions(config: Config): StorageOptions {
  const { database, synchronous, offloadWorkers, databaseConnections, statementTimeout, databasePooler } = config
  const { readTimeout } = config
  const pooled = databasePooler === 'transaction'
  const replica = config.databaseRead === '' ? undefined : config.databaseRead
  const limits = { connections: databaseConnections, statementTimeout, readTimeout }
  return { replica, database, synchronous, offloadWorkers, ...limits, pooled }
}
