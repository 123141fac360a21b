import { Failure } from '../../base/errors.ts'
import type { Caller } from '../auth/rights.ts'
import type { ServerDeps } from '../server-deps.ts'
import type { ServerRequest } from './server-request.ts'

/** Credentials that are being looked up: requests with the same ones share the answer. */
type LookUps = Map<string, Promise<Caller | undefined>>

const lookUps = new WeakMap<ServerDeps['authenticate'], LookUps>()

/**
 * Whether the credentials of a request that continues still are those of the same user with the same role. Always true for
 * an anonymous caller.
 * @throws rest_unavailable, rest_too_busy where that cannot be read now
 */
export async function isSameCaller(deps: ServerDeps, request: ServerRequest): Promise<boolean> {
  const { user: before } = request
  if (before === undefined || before.id === 0) return true
  const now = await lookUp(deps, request)
  return now?.id === before.id && now.role === before.role
}

/** Undefined where the credentials are right no more. */
function lookUp(deps: ServerDeps, request: ServerRequest): Promise<Caller | undefined> {
  const { authenticate, authenticateAgain = authenticate } = deps
  const { authorization, cookie } = request.headers
  const running: LookUps = lookUps.get(authenticate) ?? new Map()
  lookUps.set(authenticate, running)
  const key = authorization ?? `cookie ${cookie}`
  const shared = running.get(key)
  if (shared !== undefined) return shared
  const found = authenticateAgain(authorization, request).catch(unlessRefused)
  running.set(key, found)
  return found.finally(() => running.delete(key))
}

function unlessRefused(error: unknown): undefined {
  if (error instanceof Failure && error.status < 500) return undefined
  throw error
}
