import { ANONYMOUS, type Caller } from '../../http/auth/rights.ts'
import { isOwnOrigin } from '../../http/request/cross-origin.ts'
import type { ServerRequest } from '../../http/request/server-request.ts'
import { type CookieOptions, sessionIdIn } from '../../http/request/session-cookie.ts'
import type { Reader } from '../../storage/engine.ts'
import type { Use } from '../../storage/last-use.ts'
import { callerOfSession } from './sessions.ts'

/** What sessions are looked up in. */
interface SessionGround {
  readonly storage: Reader
  /** Unix milliseconds. */
  now(): number
  readonly options: CookieOptions
  noteUse(use: Use<string>): void
}

/**
 * Who sent a request, by the session in its cookie, which the request then carries, and notes that it is used; nobody where
 * it has ended, and where a page of another site reads: those that may send credentials send their own. What they may not
 * change is refused elsewhere.
 */
export async function sessionCaller(
  request: ServerRequest,
  { storage, now, options, noteUse }: SessionGround,
): Promise<Caller> {
  const id = sessionIdIn(request, options)
  if (id === undefined || isForeignRead(request, options)) return ANONYMOUS
  const { caller, use } = await callerOfSession(storage, id, now())
  if (use === undefined) return caller
  request.session = id
  noteUse(use)
  return caller
}

/** Whether a script of another site asks to read: browsers name it, and nobody in its place. */
function isForeignRead({ headers, host, isWrite }: ServerRequest, { baseUrl }: CookieOptions): boolean {
  return !isWrite && headers.origin !== undefined && !isOwnOrigin(headers.origin, host, baseUrl)
}
