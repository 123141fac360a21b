import { fail } from '../../base/errors.ts'
import { isAnonymous, isAtLeast } from '../../http/auth/rights.ts'
import { type AnyRoute, route } from '../../http/route.ts'
import { CONTEXT_FIELD } from '../../model/kinds/context.ts'
import { field } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import type { Reader } from '../../storage/engine.ts'
import { findUserById, usersAfter } from './people.ts'
import { presentAccount, presentMe } from './present.ts'
import { ACCOUNTS, USER } from './schema.ts'

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
      pathFields: [],
      fields: [CONTEXT_FIELD],
      hasBody: false,
      fillsDefaults: true,
      response: { status: 200, schema: USER },
      errors: ['rest_not_logged_in'],
      scope: 'read',
      open: () => true,
      permit: ({ caller }) => (isAnonymous(caller) ? 'rest_not_logged_in' : true),
      handle: async ({ caller, urls, language, values }) => {
        const user = await findUserById(reader, caller.id)
        if (user === undefined) throw fail('rest_not_logged_in')
        return { status: 200, body: presentMe(user, { caller, urls, language, context: values.context ?? 'view' }) }
      },
    }),
  ]
}

/** Most users of a page. */
const PAGE = 100

const LIST_FIELDS = [
  field('after', positive, 'api.users.onlyUsersHigherId'),
  field('limit', positive, 'api.users.maximumNumberUsersReturn', { default: PAGE }),
] as const

/** The list of users, for administrators: whoever moves a calendar needs to know whose its items are. */
export function accountsRoute(reader: Reader): AnyRoute {
  return route<typeof LIST_FIELDS>({
    group: { name: 'users', about: 'common.users' },
    method: 'GET',
    path: '/users',
    operation: 'listUsers',
    summary: 'api.users.listUsers',
    description: 'api.users.listsUsersIdIncluding',
    pathFields: [],
    fields: LIST_FIELDS,
    hasBody: false,
    fillsDefaults: true,
    response: { status: 200, schema: ACCOUNTS },
    errors: [],
    scope: 'read',
    open: (role) => isAtLeast(role, 'administrator'),
    permit: ({ caller }) => isAtLeast(caller.role, 'administrator') || 'rest_forbidden',
    handle: async ({ values: { after = 0, limit = PAGE } }) => {
      const users = await usersAfter(reader, after, Math.min(limit, PAGE))
      return { status: 200, body: { users: users.map(presentAccount) } }
    },
  })
}
