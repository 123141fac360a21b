import { createHmac, timingSafeEqual } from 'node:crypto'
import { fail } from '../../base/errors.ts'
import type { ServerOptions } from '../server-parts.ts'
import type { RawInput } from './body.ts'
import { isOwnOrigin } from './cross-origin.ts'
import { type ServerRequest, WRITE_METHODS } from './server-request.ts'

/** Field of forms, and header of scripts, with the token. */
export const CSRF_FIELD = '_csrf'
const CSRF_HEADER = 'x-kalends-csrf'

/** The token that changes in a session need. It follows from the id of the session, which no page can read. */
export function csrfTokenOf(session: string): string {
  return createHmac('sha256', session).update('csrf token').digest('base64url')
}

type Asked = Pick<ServerRequest, 'headers' | 'sentMethod' | 'method' | 'host' | 'session'>

/**
 * A change in a session needs the token of the session and an `Origin` of this site, whatever origins may send
 * credentials otherwise: browsers send the cookie on their own.
 * @throws rest_csrf_token
 */
export function requireCsrfToken(request: Asked, body: RawInput, { baseUrl }: Pick<ServerOptions, 'baseUrl'>): void {
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
