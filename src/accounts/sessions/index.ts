/** The module for sessions: people who sign in with a password, and the links by which they get one. */

export { sessionCaller } from './caller.ts'
export {
  findOpenLink,
  makeLink,
  type OpenLink,
  takePasswordLink,
  useAddressLink,
  usePasswordLink,
} from './links.ts'
export { codesForPassword, countRecoveryCodes, removePassword } from './recovery.ts'
export {
  beginSession,
  confirmSession,
  digestOf,
  endSession,
  endSessionOf,
  endSessionsOf,
  listSessions,
  newSecret,
  SESSION_SECONDS,
  type SessionOrigin,
} from './sessions.ts'
export { changePassword, endAccess, isPasswordOf, signIn } from './sign-in.ts'
export { deleteSessionsFrom, deleteSessionsOfProvider, findOrigin, SESSION_USES } from './store.ts'
