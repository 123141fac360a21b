import { fail } from '../base/errors.ts'
import type { EngineName, Storage } from './engine.ts'
import { DEFAULTS, type StorageOptions } from './options.ts'

/**
 * Opens the database, with the one engine that it needs; a SQLite file is made if there is none. `migrate` gives it its tables.
 * @throws database_not_usable when the engine is unknown or the database cannot be opened
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const settings = { ...DEFAULTS, ...options }
  const { database, replica } = settings
  switch (engineOf(database)) {
    case 'sqlite':
      if (replica !== undefined) throw fail('database_not_usable', { reason: 'a file of SQLite has no replica' })
      return (await import('./engines/sqlite/open.ts')).openSqlite(sqlitePath(database), settings)
    case 'postgres':
      return (await import('./engines/postgres/open.ts')).openPostgres(settings)
    default: {
      // Only the scheme is shown: an address may contain a password.
      const known = 'use sqlite:/path/to/file or postgres://host/database'
      const scheme = database.split(':', 1)[0]
      throw fail('database_not_usable', { reason: `"${scheme}:" is not a known database, ${known}` })
    }
  }
}

/** The engine that an address belongs to; `undefined` if there is none. */
export function engineOf(database: string): EngineName | undefined {
  if (sqlitePath(database) !== '') return 'sqlite'
  return /^postgres(ql)?:\/\//.test(database) && URL.canParse(database) ? 'postgres' : undefined
}

/** The path of a `sqlite:` address; empty for other addresses and for one without a path. */
export function sqlitePath(database: string): string {
  return /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(database)?.[1] ?? ''
}
