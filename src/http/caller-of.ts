import type { IncomingMessage } from 'node:http'
import { ANONYMOUS, type Caller } from '../auth/caller.ts'
import type { ServerParts } from './server-parts.ts'

/** Callers of requests with credentials, which are asked for before the body is read and again by the route. */
const known = new WeakMap<IncomingMessage, Promise<Caller>>()

/** Who sent a request; its credentials are looked up once. @throws 401 failures, rest_too_many_requests */
export function callerOf(
  { authenticate, access }: Pick<ServerParts, 'authenticate' | 'access'>,
  request: IncomingMessage,
): Promise<Caller> {
  const { authorization } = request.headers
  if (authorization === undefined) return NOBODY
  const caller = known.get(request) ?? authenticate(authorization, request)
  known.set(request, caller)
  access?.identify(request, caller)
  return caller
}

const NOBODY = Promise.resolve(ANONYMOUS)
