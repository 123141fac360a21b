import { randomBytes } from 'node:crypto'
import type { Config } from '../base/config.ts'
import type { Site } from '../model/site.ts'
import type { Storage } from '../storage/engine.ts'

/** The site that a calendar belongs to: as configured, with a host that stays the same. */
export async function siteOf(storage: Storage, config: Config): Promise<Site> {
  const { siteName, siteZone, currencySymbol, currencyPosition, perPageMax, submissions: takesSubmissions } = config
  const map = { tiles: config.mapTiles, attribution: config.mapAttribution }
  const host = config.siteHost === '' ? await ownHost(storage, config) : config.siteHost
  return { name: siteName, zone: siteZone, host, currencySymbol, currencyPosition, perPageMax, takesSubmissions, map }
}

/**
 * The host of global identifiers, fixed in the database at the first start: that of the public address, or else a
 * unique name (architecture: Identity of the site).
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

/**
 * The warning for a calendar whose identifiers contain a generated host; undefined where the host is real. The name
 * stays the same until `--site-host` overrides it, which changes every identifier.
 */
export function temporaryIdentity({ host }: Pick<Site, 'host'>): string | undefined {
  if (!/^kalends-[0-9a-f]{8}\.invalid$/.test(host)) return undefined
  return (
    `The UIDs of feeds and every global_id carry ${host}, a name that was made up because the first start knew no ` +
    '--base-url: take them for temporary. Set --site-host to the public host name before anybody subscribes, because ' +
    'setting it later changes all of them; --base-url alone no longer does.'
  )
}
