import type { IncomingHttpHeaders } from 'node:http'
import { hasSessionCookie, SESSION_COOKIE } from './server-request.ts'

/** The parts of a request that decide which cookie it has. */
interface Asked {
  readonly headers: Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>
  readonly host: string
  readonly protocol: string
}

/** The options of a site that do. */
export interface CookieOptions {
  /** Public base address; '' where it is that of the request. */
  readonly baseUrl: string
  /** Whether people may sign in over plain HTTP from other machines. */
  readonly plainSessions?: boolean
}

/** The cookie for sessions on the connection of a request. */
interface SessionCookie {
  readonly name: string
  readonly isSecure: boolean
}

/**
 * The cookie of a session on this connection: over HTTPS with the prefix `__Host-`, which browsers accept from this
 * host alone and never send unencrypted; over plain HTTP without it on the machine itself, and elsewhere only if the
 * site allows that. Undefined where nobody may sign in.
 */
export function sessionCookieOf(request: Asked, { baseUrl, plainSessions }: CookieOptions): SessionCookie | undefined {
  const called = URL.parse(`${request.protocol === 'https' ? 'https' : 'http'}://${request.host}`)
  const isPublic = URL.parse(baseUrl)?.protocol === 'https:' && URL.parse(baseUrl)?.host === called?.host
  if (called?.protocol === 'https:' || isPublic) return { name: `__Host-${SESSION_COOKIE}`, isSecure: true }
  const isAllowed = plainSessions === true || isLoopback(called?.hostname ?? '')
  return isAllowed ? { name: SESSION_COOKIE, isSecure: false } : undefined
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** The cookie of a page on which somebody signs in, for the connection of a session cookie. */
export function pageCookieOf({ name, isSecure }: SessionCookie, page: string): SessionCookie {
  return { name: name.replace(SESSION_COOKIE, page), isSecure }
}

/** Value of a session cookie: 256 bits in base64url. */
const ID = /^[\w-]{43}$/

/** The session ID in a request; undefined if there is none. */
export function sessionIdIn(request: Asked, options: CookieOptions): string | undefined {
  if (!hasSessionCookie(request.headers)) return undefined
  const cookie = sessionCookieOf(request, options)
  return cookie === undefined ? undefined : cookieIn(request, cookie)
}

/** The value of a cookie in a request, 256 bits in base64url; undefined if there is none. */
export function cookieIn(
  { headers }: Pick<Asked, 'headers'>,
  { name }: Pick<SessionCookie, 'name'>,
): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const cut = pair.indexOf('=')
    if (cut > 0 && pair.slice(0, cut).trim() === name && ID.test(pair.slice(cut + 1).trim()))
      return pair.slice(cut + 1).trim()
  }
  return undefined
}

/** The Set-Cookie header of a session that lasts so many seconds; 0 takes the cookie away. */
export function setSessionCookie({ name, isSecure }: SessionCookie, id: string, seconds: number): string {
  return `${name}=${id}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}
