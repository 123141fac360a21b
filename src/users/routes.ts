import { isAnonymous } from '../auth/caller.ts'
import { fail } from '../errors.ts'
import { CONTEXT_FIELD } from '../fields/context.ts'
import { type AnyRoute, route } from '../http/route.ts'
import type { Reader } from '../storage/engine.ts'
import { findUserById } from './people.ts'
import { presentMe } from './present.ts'
import { USER } from './schema.ts'

/**
 * The calling user, as programs ask for it that write into calendars of this kind: to try their credentials, and to
 * learn what they may do.
 */
export function userRoutes(reader: Reader): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/users/me',
      operation: 'getMe',
      summary: 'Read the calling user',
      description: 'Returns the user whose credentials were sent.',
      pathFields: [],
      fields: [CONTEXT_FIELD],
      hasBody: false,
      fillsDefaults: true,
      response: { status: 200, schema: USER },
      errors: ['rest_not_logged_in'],
      open: () => true,
      permit: ({ caller }) => (isAnonymous(caller) ? 'rest_not_logged_in' : true),
      handle: async ({ caller, urls, language, values }) => {
        const user = await findUserById(reader, caller.id)
        if (user === undefined) throw fail('rest_not_logged_in')
        return { status: 200, body: presentMe(user, { urls, language, context: values.context ?? 'view' }) }
      },
    }),
  ]
}
