import { isIP } from 'node:net'

/** The site, as passkeys know it. */
export interface RelyingParty {
  /** Host of the public address. */
  readonly id: string
  /** `https://example.org` */
  readonly origin: string
}

/** Why there are no passkeys: no public address is set, it is no secure one, or the page was opened at another one. */
type NoPasskeys = 'noAddress' | 'ipAddress' | 'plainHttp' | 'elsewhere'

/** The site at a public address, for a page at a host; or why there are no passkeys there. */
export function relyingPartyOf(baseUrl: string, host: string): RelyingParty | NoPasskeys {
  const address = URL.parse(baseUrl)
  if (address === null) return 'noAddress'
  const { hostname, origin, protocol } = address
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'ipAddress'
  if (protocol !== 'https:' && hostname !== 'localhost') return 'plainHttp'
  if (URL.parse(`${protocol}//${host}`)?.origin !== origin) return 'elsewhere'
  return { id: hostname, origin }
}
