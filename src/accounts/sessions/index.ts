/** The module for sessions: people who sign in with a password, and the links by which they get one. */

export { sessionCaller } from './caller.ts'
export { findOpenLink, makeLink, type OpenLink, useAddressLink, usePasswordLink } from './links.ts'
export {
  beginSession,
  confirmSession,
  digestOf,
  endSession,
  endSessionOf,
  endSessionsOf,
  isRecentlyAuthenticated,
  listSessions,
  SESSION_SECONDS,
  type Session,
} from './sessions.ts'
export { changePassword, isPasswordOf, signIn } from './sign-in.ts'
export { SESSION_USES } from './store.ts'
