import type { IncomingMessage } from 'node:http'
import { fail } from '../errors.ts'
import { methodSent } from './arrival.ts'
import { isWrite } from './hand-over.ts'
import type { ServerOptions } from './server-parts.ts'

/** A request with its address as the client wrote it, and with the host that it was sent to. */
interface Asked {
  readonly raw: IncomingMessage
  readonly host: string
  readonly originalUrl: string
}

/**
 * Refuses changes that a browser sends for a page of another site: with credentials that it remembers, such a page would
 * act for whoever looks at it. `Sec-Fetch-Site: cross-site` and an `Origin` that is neither the site itself nor listed for
 * CORS tell. Programs send neither header. `_method` in the address is for forms of the site itself: those of listed
 * origins have scripts, which can name a method. @throws rest_cross_origin
 */
export function refuseCrossOrigin({ raw, host, originalUrl }: Asked, options: ServerOptions): void {
  const { origin, 'sec-fetch-site': site } = raw.headers
  if ((origin === undefined && site === undefined) || !isWrite(methodSent(raw))) return
  const isCrossSite = site !== undefined && /cross-site/i.test(String(site))
  const isForeign = origin !== undefined && !isOwn(origin, host, options.baseUrl)
  if (!isCrossSite && !isForeign) return
  const isListed = origin !== undefined && options.corsOrigins.includes(origin)
  if (!isListed || /[?&]_method=/.test(originalUrl)) throw fail('rest_cross_origin')
}

/** The site itself, at its public address or at the one that was called; a proxy may have taken TLS away. */
function isOwn(origin: string, host: string, baseUrl: string): boolean {
  if (baseUrl !== '' && URL.parse(baseUrl)?.origin === origin) return true
  const scheme = /^https?:\/\//.exec(origin)?.[0]
  return scheme !== undefined && URL.parse(scheme + host)?.origin === origin
}
