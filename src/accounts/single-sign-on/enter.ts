import { Failure, fail } from '../../base/errors.ts'
import { isAddress } from '../../base/text/mailbox.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Role } from '../../http/auth/rights.ts'
import type { Transaction } from '../../storage/engine.ts'
import { insideTransaction } from '../../storage/reads.ts'
import { endAccess } from '../sessions/index.ts'
import { addUser, findLogin, findUserById, setRole, type User, type UserBook } from '../users/index.ts'
import { type Claims, shortened, textClaim, verifiedEmail } from './claims.ts'
import { connect, identityIdOf, nameIn } from './identities.ts'
import type { Returned } from './pending.ts'
import type { Provider } from './providers.ts'
import { findIdentity, invitedUser, isNewcomer, updateIdentity, userWithLink } from './store.ts'

/** Somebody whom a provider has signed in, and what was wanted. */
export interface Arrival extends Pick<Returned, 'userId' | 'linkId'> {
  readonly provider: Provider
  readonly claims: Claims
  /** What the claims are mapped to; undefined for nothing. */
  readonly role: Role | undefined
}

/** What became of it. */
export interface Entered {
  readonly user: User
  readonly identityId: string
  /** What changed, as the audit calls it; `[]` for nothing. */
  readonly changes: readonly string[]
}

/**
 * Finds out who somebody is here whom a provider has signed in, and connects them where the rules allow it; never by an
 * address alone. @throws identity_unknown, identity_taken, identity_email_taken, user_disabled, sign_in_expired
 */
export function arrive(book: UserBook, arrival: Arrival): Promise<Entered> {
  const at = utcFromMillis(book.now())
  return book.storage.write((tx) => insideTransaction(tx, () => identify(book, tx, { ...arrival, at })))
}

type Arriving = Arrival & { readonly at: string }

async function identify(book: UserBook, tx: Transaction, arriving: Arriving): Promise<Entered> {
  const { provider, claims, userId, at } = arriving
  const known = await findIdentity(tx, identityIdOf(provider, String(claims['sub'])))
  const wanted = await wantedUser(tx, arriving)
  if (known !== undefined && wanted !== undefined && known.user_id !== wanted)
    throw fail('identity_taken', { provider: provider.label })
  const before = known?.user_id ?? wanted ?? (await invitedBy(tx, arriving))
  const owner = before ?? (await addNewcomer(book, tx, arriving))
  const user = await findUserById(tx, owner)
  if (user === undefined) throw fail('identity_unknown', { provider: provider.label })
  if (user.disabledAt !== null) throw fail('user_disabled', { name: user.name })
  // Whoever was here before has a role already, which an account that is connected to it does not change.
  const isNew = known === undefined && (await isNewcomer(tx, owner))
  const identity = known ?? (await connect(tx, { provider, claims, userId: owner, at }))
  const added = before === undefined ? ['user added'] : []
  const connected = known === undefined ? [...added, 'identity connected'] : []
  // Whoever was here before and does not know of it learns of it.
  if (known === undefined && before !== undefined)
    await book.mailer?.queueNotice(tx, { userId: owner, kind: 'identity', what: provider.label })
  if (userId !== undefined) return { user, identityId: identity.id, changes: connected }
  if (known === undefined) await endAccess(tx, owner)
  const role = await applyRole(book, { ...arriving, user, isNew })
  await updateIdentity(tx, identity.id, { used_at: at, name: nameIn(claims) })
  return { user, identityId: identity.id, changes: [...connected, ...role] }
}

/** Who is meant, by the session that connects or the link that was opened; undefined where neither is. */
async function wantedUser(tx: Transaction, { provider, userId, linkId, at }: Arriving): Promise<number | undefined> {
  if (userId !== undefined) return userId
  if (linkId === undefined) return undefined
  const isClosed = provider.create === 'no'
  const purposes = isClosed ? ['password'] : ['invitation', 'password']
  const owner = await userWithLink(tx, { linkId, purposes }, at)
  if (owner === undefined && !isClosed) throw fail('sign_in_expired')
  return owner?.id
}

/** Who was invited by an address that the provider has verified; undefined for nobody. */
async function invitedBy(tx: Transaction, { provider, claims, at }: Arriving): Promise<number | undefined> {
  const email = verifiedEmail(claims)
  if (!provider.trustEmail || provider.create === 'no' || email === '') return undefined
  return (await invitedUser(tx, email, at))?.id
}

/** Adds somebody who is unknown here. @throws identity_unknown, identity_email_taken */
async function addNewcomer(book: UserBook, tx: Transaction, { provider, claims, role }: Arriving): Promise<number> {
  const first = role ?? provider.defaultRole
  if (provider.create !== 'yes' || first === undefined) throw fail('identity_unknown', { provider: provider.label })
  const name = await freeName(tx, claims)
  const verified = verifiedEmail(claims)
  // An address that nobody has verified could be that of somebody else.
  const email = isAddress(verified) ? verified : `${name}@${provider.id}.invalid`
  if ((await findLogin(tx, email)) !== undefined)
    throw fail('identity_email_taken', { provider: provider.label, email })
  const displayName = shortened(textClaim(claims, 'name'), 200)
  return (await addUser(book, { name, email, role: first, displayName })).id
}

/** A username from what the provider says, with a number where it is taken. */
async function freeName(tx: Transaction, claims: Claims): Promise<string> {
  const said = textClaim(claims, 'preferred_username') || textClaim(claims, 'email') || textClaim(claims, 'name')
  const local = said.replace(/^@+/, '').split('@')[0] ?? ''
  const plain = shortened(local.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-'), 50)
  const base = /[\p{L}\p{N}]/u.test(plain) ? plain : 'user'
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`
    if ((await findLogin(tx, name)) === undefined) return name
  }
}

/** Applies the mapped role to whoever is new, or at each sign-in; the last administrator stays one. */
async function applyRole(
  book: UserBook,
  { provider, role, user, isNew }: Arriving & { readonly user: User; readonly isNew: boolean },
): Promise<string[]> {
  const isDue = provider.roleSync === 'always' || isNew
  if (role === undefined || role === user.role || !isDue) return []
  try {
    await setRole(book, { name: user.name, role })
    return [`role set to ${role}`]
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'last_administrator') throw error
    return [`role ${role} refused: ${error.code}`]
  }
}
