import type { ClientConfig } from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'
import { fail } from '../../../base/errors.ts'

/** Where a PostgreSQL database is and how to get in. */
export interface PostgresAddress {
  /** For the driver; may contain a password. */
  readonly client: ClientConfig
  /** `postgres://host:port/database`, for messages: without user, password and options. */
  readonly location: string
}

/** What `sslmode` may be. `prefer` and `allow` are missing: they promise a protection that they do not give. */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full']

/**
 * Reads a `postgres://user:password@host:port/database?options` address. `sslmode` and `sslrootcert` mean the same as
 * for PostgreSQL's own programs (https://www.postgresql.org/docs/current/libpq-ssl.html): `require` encrypts and
 * accepts any certificate unless `sslrootcert` names a file, `verify-full` also checks the host. Without `sslmode`
 * nothing is encrypted.
 * @throws database_not_usable when an option is unknown or a certificate file cannot be read
 */
export function readPostgresAddress(address: string): PostgresAddress {
  const location = locationOf(address)
  const mode = new URL(address).searchParams.get('sslmode')
  if (mode !== null && !TLS_MODES.includes(mode)) {
    throw fail('database_not_usable', { reason: `${location}: sslmode must be one of ${TLS_MODES.join(', ')}` })
  }
  try {
    return { client: toClientConfig(parse(address, { useLibpqCompat: true })), location }
  } catch (error) {
    throw fail('database_not_usable', { reason: `${location}: ${(error as Error).message}` })
  }
}

function locationOf(address: string): string {
  const { host, pathname } = new URL(address)
  return `postgres://${host}${pathname}`
}
