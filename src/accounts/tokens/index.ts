/** The module for tokens: with them programs act for a user, and may do no more than their scopes say. */

export { tokenLookup } from './lookup.ts'
export { type AccessToken, addToken, type CreatedToken, listTokens, revokeToken } from './manage.ts'
export { aboutToken } from './present.ts'
export { tokenRoutes } from './routes.ts'
export type { WantedToken } from './rules.ts'
