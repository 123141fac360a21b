import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Site } from '../model/site.ts'
import type { Storage } from '../storage/engine.ts'

/** The site that a calendar belongs to: as configured, with a host that stays the same. */
export async function siteOf(storage: Storage, config: Config): Promise<Site> {
  const { siteName, siteZone, currencySymbol, currencyPosition, perPageMax } = config
  const host = config.siteHost === '' ? await ownHost(storage, config) : config.siteHost
  return { name: siteName, zone: siteZone, host, currencySymbol, currencyPosition, perPageMax }
}

/**
 * The host of global identifiers, fixed in the database on first start: that of the public address, else a name that no
 * other calendar has (architecture: Identity of the site).
 */
async function ownHost(storage: Storage, config: Config): Promise<string> {
  const stored = storage.db.selectFrom('meta').select('value').where('key', '=', 'site_host')
  const known = await storage.first(stored)
  if (known !== undefined) return known.value
  const made =
    config.baseUrl === '' ? `kalends-${randomBytes(4).toString('hex')}.invalid` : new URL(config.baseUrl).hostname
  const entry = storage.db.insertInto('meta').values({ key: 'site_host', value: made })
  return storage.write(async (tx) => {
    await tx.run(entry.onConflict((conflict) => conflict.doNothing()))
    return (await tx.first(stored))?.value ?? made
  })
}
