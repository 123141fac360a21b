/** The module for single sign-on: providers of OpenID Connect, and the identities of people there. */

export { openAccess } from './access.ts'
export { authTime, mappedRole, textClaim } from './claims.ts'
export { openClient, type ProviderClient } from './client.ts'
export { arrive } from './enter.ts'
export { checkProof, disconnect } from './identities.ts'
export { endByToken } from './logout.ts'
export { beginSignIn, PENDING_SECONDS, type Returned, resumeSignIn, type WantedSignIn } from './pending.ts'
export { type Provider, readProviders } from './providers.ts'
export { identitiesOfUser, invitedUsers, isNewcomer } from './store.ts'
