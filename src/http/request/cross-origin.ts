import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Failure, fail } from '../../base/errors.ts'
import type { ServerOptions } from '../server-deps.ts'
import type { RawInput } from './body.ts'
import { type ServerRequest, WRITE_METHODS } from './server-request.ts'

type Asked = Pick<ServerRequest, 'headers' | 'isWrite' | 'host' | 'target'>

/**
 * Why a change is refused that a browser sends on behalf of a page of another site; undefined where it is not: with
 * remembered credentials, such a page could act for its visitors. It is recognized by `Sec-Fetch-Site: cross-site` and by an `Origin` that is neither the
 * site itself nor listed for CORS; programs send neither header. `_method` in the URL is for forms of the site itself:
 * the scripts of listed origins can use the method.
 */
export function crossOriginRefusal(request: Asked, options: ServerOptions): Failure | undefined {
  const { origin, 'sec-fetch-site': site } = request.headers
  if ((origin === undefined && site === undefined) || !request.isWrite) return undefined
  const from = String(site ?? 'none')
  const isForeign = origin !== undefined && !isOwnOrigin(origin, request.host, options.baseUrl)
  if (/[?&]_method=/.test(request.target) && (isForeign || !/^(same-origin|none)$/i.test(from)))
    return fail('rest_cross_origin')
  if (!/cross-site/i.test(from) && !isForeign) return undefined
  return origin !== undefined && options.corsOrigins.includes(origin) ? undefined : fail('rest_cross_origin')
}

/**
 * Whether an origin is the site itself, at its public address or at the one that was called; a proxy may have
 * terminated TLS.
 */
export function isOwnOrigin(origin: string, host: string, baseUrl: string): boolean {
  if (baseUrl !== '' && URL.parse(baseUrl)?.origin === origin) return true
  const scheme = /^https?:\/\//.exec(origin)?.[0]
  return scheme !== undefined && URL.parse(scheme + host)?.origin === origin
}

/** Field of forms, and header of scripts, with the token. */
export const CSRF_FIELD = '_csrf'
const CSRF_HEADER = 'x-kalends-csrf'

/** The token that changes in a session need. It follows from the ID of the session, which no page can read. */
export function csrfTokenOf(session: string): string {
  return createHmac('sha256', session).update('csrf token').digest('base64url')
}

type InSession = Pick<ServerRequest, 'headers' | 'sentMethod' | 'method' | 'host' | 'session'>

/**
 * A change in a session needs the token of the session and an `Origin` of this site, whatever origins may send
 * credentials otherwise: browsers send the cookie on their own.
 * @throws rest_csrf_token
 */
export function requireCsrfToken(
  request: InSession,
  body: RawInput,
  { baseUrl }: Pick<ServerOptions, 'baseUrl'>,
): void {
  const { session, headers } = request
  if (session === undefined || (!WRITE_METHODS.has(request.sentMethod) && !WRITE_METHODS.has(request.method))) return
  const sent = headers[CSRF_HEADER] ?? body[CSRF_FIELD]
  const isOwn = headers.origin !== undefined && isOwnOrigin(headers.origin, request.host, baseUrl)
  if (!isOwn || typeof sent !== 'string' || !isSame(sent, csrfTokenOf(session))) throw fail('rest_csrf_token')
}

function isSame(sent: string, token: string): boolean {
  const [given, expected] = [Buffer.from(sent), Buffer.from(token)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
