/** The module for passkeys: key pairs of people with which they sign in (WebAuthn). */

export type { Answer } from './answer.ts'
export { type Asking, creationOptions, requestOptions } from './challenges.ts'
export { relyingPartyOf } from './party.ts'
export {
  addPasskey,
  PASSKEYS,
  removePasskey,
  renamePasskey,
  usePasskeyLink,
} from './register.ts'
export { signInWithPasskey } from './sign-in.ts'
export { passkeysOf } from './store.ts'
