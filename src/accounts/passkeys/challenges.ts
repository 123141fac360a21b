import { utcFromMillis } from '../../base/time/zones.ts'
import type { ChallengeTable } from '../../storage/schema.ts'
import { digestOf, newSecret } from '../sessions/index.ts'
import type { User, UserBook } from '../users/index.ts'
import type { RelyingParty } from './party.ts'
import { insertChallenge, passkeysOf } from './store.ts'

/** How long a challenge can be answered, milliseconds. */
const LIFETIME = 5 * 60_000

/** EdDSA, ES256 and RS256, as the library checks them. */
const ALGORITHMS = [-8, -7, -257] as const

/** The page that asks for a challenge. */
export interface Asking {
  readonly party: RelyingParty
  /** Stands for its session, or for its cookie. */
  readonly boundTo: string
}

/** What a browser needs to create a passkey for a user: PublicKeyCredentialCreationOptionsJSON (WebAuthn 5.1.8). */
export async function creationOptions(
  book: UserBook,
  { party, boundTo }: Asking,
  { user, siteName }: { readonly user: User; readonly siteName: string },
): Promise<object> {
  const known = await passkeysOf(book.storage, user.id)
  // All passkeys of a person have one handle: an authenticator that has two of them asks whose it is only once.
  const handle = known[0]?.user_handle ?? newSecret()
  const challenge = await newChallenge(book, {
    kind: 'create',
    bound_to: boundTo,
    user_id: user.id,
    user_handle: handle,
  })
  return {
    challenge,
    rp: { id: party.id, name: siteName },
    user: { id: handle, name: user.name, displayName: user.displayName },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: known.map(({ id }) => ({ type: 'public-key', id })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
    timeout: LIFETIME,
  }
}

/** What a browser needs to use a passkey: of anybody, or of one user (WebAuthn 5.1.8). */
export async function requestOptions(book: UserBook, { party, boundTo }: Asking, userId?: number): Promise<object> {
  const allowed = userId === undefined ? [] : await passkeysOf(book.storage, userId)
  return {
    challenge: await newChallenge(book, { kind: 'get', bound_to: boundTo, user_id: userId ?? null, user_handle: '' }),
    rpId: party.id,
    allowCredentials: allowed.map(({ id }) => ({ type: 'public-key', id })),
    userVerification: 'required',
    timeout: LIFETIME,
  }
}

async function newChallenge(book: UserBook, row: Omit<ChallengeTable, 'id' | 'expires_at'>): Promise<string> {
  const challenge = newSecret()
  const now = book.now()
  const full = { ...row, id: digestOf(challenge), expires_at: utcFromMillis(now + LIFETIME) }
  await book.storage.write((tx) => insertChallenge(tx, full, utcFromMillis(now)))
  return challenge
}
