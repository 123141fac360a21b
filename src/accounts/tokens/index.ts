/** The module for tokens: with them programs act for a user, and may do no more than their scopes say. */

export { tokenLookup } from './lookup.ts'
export { addToken, listTokens, revokeToken } from './manage.ts'
export { tokenRoutes } from './routes.ts'
