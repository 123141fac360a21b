import { ANONYMOUS, type Caller } from '../../auth/caller.ts'
import type { ServerParts } from '../server-parts.ts'
import type { ServerRequest } from './server-request.ts'

/** Who sent a request; its credentials are looked up once. @throws 401 failures, rest_too_many_requests */
export function callerOf({ authenticate }: Pick<ServerParts, 'authenticate'>, request: ServerRequest): Promise<Caller> {
  const { authorization } = request.headers
  if (authorization === undefined) return NOBODY
  request.caller ??= identify(authenticate(authorization, request), request)
  return request.caller
}

const NOBODY = Promise.resolve(ANONYMOUS)

async function identify(caller: Promise<Caller>, request: ServerRequest): Promise<Caller> {
  request.user = await caller
  return request.user
}
