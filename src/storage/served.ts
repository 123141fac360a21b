import type { Storage } from './engine.ts'
import { engineOf } from './open.ts'
import { written } from './statement-builder.ts'

/** Appended to the name of the program in the list of connections, so that a repair is not mistaken for a server. */
const SUFFIX = '-doctor'

/** The address of a database under which a repair opens it. */
export function addressForRepair(database: string): string {
  if (engineOf(database) !== 'postgres') return database
  const address = new URL(database)
  address.searchParams.set('application_name', `${address.searchParams.get('application_name') ?? 'kalends'}${SUFFIX}`)
  return address.href
}

/**
 * Whether servers are connected to a database that was opened under `addressForRepair`. Those that come with another name
 * or through another role are not seen; they write beside the repair.
 */
export async function isServed(storage: Storage): Promise<boolean> {
  if (storage.engine !== 'postgres') return false
  const sql = `select 1 as found from pg_stat_activity where datname = current_database()
    and application_name || '${SUFFIX}' = current_setting('application_name') limit 1`
  return (await storage.first(written(sql))) !== undefined
}
