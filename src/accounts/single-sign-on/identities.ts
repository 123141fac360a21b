import { fail } from '../../base/errors.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import type { IdentityTable } from '../../storage/schema.ts'
import { deleteSessionsFrom, digestOf } from '../sessions/index.ts'
import type { UserBook } from '../users/index.ts'
import { keepAWayIn } from '../ways-in/index.ts'
import { authTime, type Claims, shortened, textClaim } from './claims.ts'
import { notUsable } from './metadata.ts'
import type { Provider } from './providers.ts'
import { deleteIdentity, findIdentity, insertIdentity } from './store.ts'

/** Names the identity of a subject at an issuer. */
export function identityIdOf({ issuer }: Pick<Provider, 'issuer'>, subject: string): string {
  return digestOf(JSON.stringify([issuer, subject]))
}

/** Somebody who is signed in here, and wants to prove it at a provider. */
interface Proof {
  readonly provider: Provider
  readonly claims: Claims
  readonly userId: number
  /** When the sign-in there was started, Unix milliseconds. */
  readonly startedAt: number
}

/** Milliseconds by which the clock of a provider may differ. */
const TOLERANCE = 30_000

/**
 * Checks that a user has just proved at a provider who they are, with an account that is connected already.
 * @throws identity_unknown, provider_not_usable, sign_in_expired
 */
export async function checkProof({ storage }: { readonly storage: Reader }, proof: Proof): Promise<void> {
  const { provider, claims, userId, startedAt } = proof
  const identity = await findIdentity(storage, identityIdOf(provider, String(claims['sub'])))
  if (identity?.user_id !== userId) throw fail('identity_unknown', { provider: provider.label })
  const at = authTime(claims)
  if (at === undefined) throw notUsable(provider.label, 'the ID token has no auth_time')
  if (at < startedAt - TOLERANCE) throw fail('sign_in_expired')
}

/** Connects whoever signed in at a provider to a user; part of a larger write. */
export async function connect(tx: Transaction, { provider, claims, userId, at }: Connecting): Promise<IdentityTable> {
  const subject = String(claims['sub'])
  const row = {
    id: identityIdOf(provider, subject),
    issuer: provider.issuer,
    subject,
    user_id: userId,
    name: nameIn(claims),
    created_at: at,
    used_at: null,
  }
  await insertIdentity(tx, row)
  return row
}

interface Connecting {
  readonly provider: Provider
  readonly claims: Claims
  readonly userId: number
  readonly at: string
}

/** What people recognize an account at a provider by; '' for nothing. */
export function nameIn(claims: Claims): string {
  const names = ['email', 'preferred_username', 'name'].map((name) => textClaim(claims, name))
  return shortened(names.find((name) => name !== '') ?? '', 200)
}

/** Which identity is disconnected from whom. */
export interface Disconnecting {
  readonly user: { readonly id: number; readonly name: string }
  readonly id: string
  /** Whether the last way in may go, as when somebody else has decided so. */
  readonly mayBeLast?: boolean
  /** The session that stays, as `listSessions` names it. */
  readonly except?: string
}

/**
 * Disconnects an identity; its sessions end. False where the user has no such identity.
 * @throws last_way_in, last_administrator
 */
export function disconnect(book: UserBook, { user, id, mayBeLast, except }: Disconnecting): Promise<boolean> {
  return book.storage.write(async (tx) => {
    const identity = await findIdentity(tx, id)
    if (identity?.user_id !== user.id) return false
    await keepAWayIn(tx, user, { taken: 'identity', open: book.openWays, mayBeLast })
    await deleteIdentity(tx, id)
    await deleteSessionsFrom(tx, { identityId: id, ...(except !== undefined && { except }) })
    return true
  })
}
