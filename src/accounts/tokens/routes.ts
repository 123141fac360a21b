import type { Logger } from '../../base/log.ts'
import { type Caller, isAtLeast, TOKEN_SCOPES } from '../../http/auth/rights.ts'
import { type AnyRoute, route } from '../../http/route.ts'
import { choices } from '../../model/kinds/choice.ts'
import { date } from '../../model/kinds/date.ts'
import { field } from '../../model/kinds/field.ts'
import { type Kind, refuse } from '../../model/kinds/kind.ts'
import { line } from '../../model/kinds/text.ts'
import type { UserBook } from '../users/index.ts'
import { addToken, listTokens, revokeToken } from './manage.ts'
import { aboutToken, presentToken } from './present.ts'
import { CREATED_TOKEN, TOKEN, TOKENS } from './schema.ts'

/** What the routes need. */
interface TokenRouteDeps extends UserBook {
  readonly log: Pick<Logger, 'info'>
}

const PATH = '/tokens'

/** A moment as programs write it, on the clock of UTC without an offset; words such as `tomorrow` say too little. */
const moment: Kind<string> = {
  declared: date.declared,
  schema: { type: 'string', maxLength: 64, examples: date.schema['examples'] },
  parse(value, context) {
    const isDated = typeof value === 'string' && /^\s*\d{4}-\d\d-\d\d/.test(value)
    const reading = isDated ? date.parse(value, { ...context, siteZone: 'UTC' }) : refuse('bad_date')
    if (!reading.ok) return reading
    return { ok: true, value: reading.value.kind === 'local' ? reading.value.local : reading.value.utc }
  },
}

const FIELDS = [
  field('name', line, 'api.tokens.name', { required: true, example: 'Search index of the city' }),
  field('scopes', choices(TOKEN_SCOPES, 'bad_choice'), 'api.tokens.scopes', { example: ['events:write'] }),
  field('expires_at', moment, 'api.tokens.expiry', { cleared: null, example: '2027-04-17 09:30:00' }),
] as const

const COMMON = {
  group: { name: 'tokens', about: 'api.tokens.about' },
  pathFields: [],
  fields: [],
  hasBody: false,
  fillsDefaults: false,
  errors: [],
  open: (role: Caller['role']) => role !== 'anonymous',
  // An application password that leaked is of no use any more once it is revoked.
  permit: ({ caller }: { readonly caller: Caller }) =>
    caller.inSession === true || caller.scopes !== undefined || 'rest_forbidden',
} as const

/** The routes of the tokens of the caller, for people in a session and tokens that may do everything. */
export function tokenRoutes(deps: TokenRouteDeps): AnyRoute[] {
  return [listRoute(deps), createRoute(deps), removeRoute(deps)]
}

function listRoute(deps: TokenRouteDeps): AnyRoute {
  return route({
    ...COMMON,
    method: 'GET',
    path: PATH,
    operation: 'listTokens',
    summary: 'api.tokens.list',
    description: 'api.tokens.listsOwn',
    response: { status: 200, schema: TOKENS },
    handle: async ({ caller }) => {
      const tokens = await listTokens(deps, { user: caller.name })
      return { status: 200, body: { tokens: tokens.map(presentToken) } }
    },
  })
}

function createRoute(deps: TokenRouteDeps): AnyRoute {
  return route<typeof FIELDS>({
    ...COMMON,
    method: 'POST',
    path: PATH,
    operation: 'createToken',
    summary: 'api.tokens.create',
    description: 'api.tokens.createsOwn',
    fields: FIELDS,
    // Whoever finds the browser of somebody gets no way in that outlasts its session.
    permit: ({ caller }) => caller.isConfirmed === true || caller.scopes !== undefined || 'rest_forbidden',
    fillsDefaults: true,
    hasBody: true,
    response: { status: 201, schema: CREATED_TOKEN },
    errors: ['bad_token'],
    handle: async (call) => {
      const { caller, values } = call
      const { name = '', scopes, expires_at: expiresAt } = values
      const by = caller.scopes === undefined ? undefined : caller
      const created = await addToken(deps, { user: caller.name, name, scopes, expiresAt }, by)
      deps.log.info({ change: 'token added', ...aboutToken(created), by: caller.name }, 'audit')
      const headers = { Location: call.urls.api(`${PATH}/${created.id}`) }
      // The text is shown once: a repetition of the request does not get it.
      const shown = presentToken(created)
      return { status: 201, body: { ...shown, token: created.token }, replayed: shown, headers }
    },
  })
}

function removeRoute(deps: TokenRouteDeps): AnyRoute {
  return route({
    ...COMMON,
    method: 'DELETE',
    path: `${PATH}/:token_id`,
    operation: 'deleteToken',
    summary: 'api.tokens.revoke',
    description: 'api.tokens.revokes',
    pathFields: [field('token_id', line, 'api.tokens.id', { required: true, example: 'Ab3dE6gH' })],
    response: { status: 200, schema: TOKEN },
    errors: ['token-not-found'],
    handle: async ({ caller, path }) => {
      const user = isAtLeast(caller.role, 'administrator') ? undefined : caller.name
      const revoked = await revokeToken(deps, { id: path['token_id'] ?? '', user })
      deps.log.info({ change: 'token revoked', ...aboutToken(revoked), by: caller.name }, 'audit')
      return { status: 200, body: presentToken(revoked) }
    },
  })
}
