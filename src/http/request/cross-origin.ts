import { fail } from '../../errors.ts'
import type { ServerOptions } from '../server-parts.ts'
import { isWrite } from './hand-over.ts'
import type { ServerRequest } from './server-request.ts'

type Asked = Pick<ServerRequest, 'headers' | 'sentMethod' | 'host' | 'target'>

/**
 * Refuses changes that a browser sends for a page of another site: with credentials that it remembers, such a page would
 * act for whoever looks at it. `Sec-Fetch-Site: cross-site` and an `Origin` that is neither the site itself nor listed for
 * CORS tell. Programs send neither header. `_method` in the address is for forms of the site itself: those of listed
 * origins have scripts, which can name a method. @throws rest_cross_origin
 */
export function refuseCrossOrigin(request: Asked, options: ServerOptions): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  if ((origin === undefined && site === undefined) || !isWrite(request.sentMethod)) return
  const isCrossSite = site !== undefined && /cross-site/i.test(String(site))
  const isForeign = origin !== undefined && !isOwn(origin, request.host, options.baseUrl)
  if (!isCrossSite && !isForeign) return
  const isListed = origin !== undefined && options.corsOrigins.includes(origin)
  if (!isListed || /[?&]_method=/.test(request.target)) throw fail('rest_cross_origin')
}

/** The site itself, at its public address or at the one that was called; a proxy may have taken TLS away. */
function isOwn(origin: string, host: string, baseUrl: string): boolean {
  if (baseUrl !== '' && URL.parse(baseUrl)?.origin === origin) return true
  const scheme = /^https?:\/\//.exec(origin)?.[0]
  return scheme !== undefined && URL.parse(scheme + host)?.origin === origin
}
