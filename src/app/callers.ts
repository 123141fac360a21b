import { SESSION_USES, sessionCaller } from '../accounts/sessions/index.ts'
import { tokenLookup } from '../accounts/tokens/index.ts'
import { PASSWORD_USES, userLookup } from '../accounts/users/index.ts'
import type { Logger } from '../base/log.ts'
import { authenticate, bearerIn } from '../http/auth/authenticate.ts'
import { authenticateBearer } from '../http/auth/bearer.ts'
import type { ClientLimits } from '../http/request/client-limits.ts'
import { networkOf } from '../http/request/clients.ts'
import type { ServerDeps } from '../http/server-deps.ts'
import type { Report, Storage } from '../storage/engine.ts'
import { lastUse } from '../storage/last-use.ts'

/** What callers are identified with. */
interface CallerGround {
  readonly storage: Storage
  /** Key under which application passwords and tokens are hashed. */
  readonly secret: string
  readonly options: ServerDeps['options']
  readonly limits: ClientLimits
  readonly report: Report
  readonly log: Logger
  /** Unix milliseconds. */
  now(): number
}

/** Identifies who sends requests: by a session without an Authorization header, by a token, or by an application password. */
export function callersOf(ground: CallerGround): Pick<ServerDeps, 'authenticate' | 'authenticateAgain'> {
  const { storage, secret, limits } = ground
  const users = userLookup(storage, secret, lastUse(ground, PASSWORD_USES))
  const tokens = tokenLookup(ground)
  const inSession = { ...ground, noteUse: lastUse(ground, SESSION_USES) }
  return {
    authenticate: (header, request) => {
      if (header === undefined) return sessionCaller(request, inSession)
      const token = bearerIn(header)
      if (token === undefined) return authenticate(header, users, limits.watch(request))
      return authenticateBearer(token, tokens(networkOf(request.client)), limits.watch(request))
    },
    authenticateAgain: (header, request) => {
      if (header === undefined) return sessionCaller(request, inSession)
      const token = bearerIn(header)
      return token === undefined ? authenticate(header, users) : authenticateBearer(token, tokens())
    },
  }
}
