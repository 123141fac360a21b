import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { isHost } from '../base/config/kinds.ts'
import type { Config } from '../base/config.ts'
import { isMadeUpHost } from '../model/site.ts'
import type { Storage, Transaction } from '../storage/engine.ts'

/** Where the host of global identifiers is stored. */
export const SITE_HOST = 'site_host'

/**
 * Fixes the host of global identifiers in the database at the first start: that of the public address, or else a unique
 * name, which stays until the calendar gets a public address (architecture: Identity of the site).
 */
export async function fixHost(storage: Storage, { baseUrl }: Pick<Config, 'baseUrl'>): Promise<void> {
  const value = baseUrl === '' ? `kalends-${randomBytes(4).toString('hex')}.invalid` : new URL(baseUrl).hostname
  const entry = storage.db.insertInto('meta').values({ key: SITE_HOST, value })
  await storage.write(async (tx) => {
    await tx.run(entry.onConflict((conflict) => conflict.doNothing()))
    await takeHostOf(tx, baseUrl)
  })
}

/**
 * Takes the host of a new public address for global identifiers, if the present one was made up and nothing has an
 * identifier yet: later they would change, and every subscribed calendar would get its events twice.
 */
export async function takeHostOf(tx: Transaction, address: string): Promise<void> {
  const host = URL.parse(address)?.hostname
  if (host === undefined || !isPublicHost(host)) return
  const known = await tx.first(tx.db.selectFrom('meta').select('value').where('key', '=', SITE_HOST))
  if (known === undefined || !isMadeUpHost(known.value) || (await hasIdentifiers(tx))) return
  await tx.run(tx.db.updateTable('meta').set({ value: host }).where('key', '=', SITE_HOST))
}

/** Whether a host has one meaning everywhere: no address of a network of its own, and no name that only that knows. */
function isPublicHost(host: string): boolean {
  return (
    isHost(host) &&
    isIP(host) === 0 &&
    /\.[a-z][a-z0-9-]*$/i.test(host) &&
    !/\.(local|lan|internal|invalid)$/i.test(host)
  )
}

async function hasIdentifiers(tx: Transaction): Promise<boolean> {
  const tables = ['event', 'venue', 'organizer'] as const
  for (const table of tables) {
    if ((await tx.first(tx.db.selectFrom(table).select('id').limit(1))) !== undefined) return true
  }
  return false
}
