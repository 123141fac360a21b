import { TOKEN_SCOPES } from '../../http/auth/rights.ts'
import { list, moment, named, object, ref, text, word } from '../../http/openapi/parts.ts'

const AT = '2027-04-17 09:30:00'

const nullable = (schema: object) => ({ ...schema, type: ['string', 'null'] })

const MEMBERS = {
  id: text('api.tokens.id', 'Ab3dE6gH'),
  name: text('api.tokens.name', 'Search index of the city'),
  scopes: list('api.tokens.scopes', word('api.tokens.scope', TOKEN_SCOPES)),
  created_at: moment('api.tokens.created', '2027-01-17 09:30:00'),
  expires_at: nullable(moment('api.tokens.expiry', AT)),
  last_used_at: nullable(moment('api.tokens.lastUse', '2027-02-01 12:00:00')),
}

/** A token as responses show it. */
export const TOKEN = named('Token', object('api.tokens.token', MEMBERS))

/** A new token with its text. */
export const CREATED_TOKEN = named(
  'CreatedToken',
  object(
    'api.tokens.createdToken',
    { ...MEMBERS, token: text('api.tokens.text', `kal_Ab3dE6gH_${'x'.repeat(43)}0aB1cD`) },
    Object.keys(MEMBERS),
  ),
)

/** The tokens of the caller. */
export const TOKENS = named(
  'Tokens',
  object('api.tokens.all', { tokens: list('api.tokens.newestFirst', ref('Token')) }),
  [TOKEN],
)
