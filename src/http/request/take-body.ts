import type { ServerParts } from '../server-parts.ts'
import { callerOf } from './caller-of.ts'
import { ANONYMOUS_BODY_LIMIT, type Intake } from './intake.ts'
import type { ServerRequest } from './server-request.ts'

/**
 * Takes in the body of a request. Who calls is known before anything of it is read, because that decides how much is.
 * @throws 401 failures, and those of `Intake`
 */
export async function takeBody(
  { authenticate, intake }: Pick<ServerParts, 'authenticate'> & { readonly intake: Intake },
  request: ServerRequest,
  bodyLimit: number,
): Promise<Buffer> {
  const isKnown = (await callerOf({ authenticate }, request)).id > 0
  const limit = isKnown ? bodyLimit : Math.min(bodyLimit, ANONYMOUS_BODY_LIMIT)
  return intake.take({ request, limit, isKnown })
}
