import type { Reader, Transaction } from '../../storage/engine.ts'
import type { UsesOf } from '../../storage/last-use.ts'
import { tellReplicas } from '../../storage/numbers.ts'
import type { SessionTable, SignInLinkTable, UserTable } from '../../storage/schema.ts'

/** Who is signed in with a session, and when that person proved it. */
type SignedIn = Pick<UserTable, 'id' | 'name' | 'role'> &
  Pick<SessionTable, 'used_at' | 'created_at' | 'authenticated_at'>

/** The enabled user of a session that has not expired; undefined if there is none. */
export function findSignedIn(
  reader: Reader,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<SignedIn | undefined> {
  const query = reader.db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(['user.id', 'user.name', 'user.role', 'session.used_at', 'session.created_at', 'session.authenticated_at'])
    .where('session.id', '=', id)
    .where('session.expires_at', '>', now)
    .where('user.disabled_at', 'is', null)
  return reader.first(query)
}

/** A session as its owner sees it: its ID does not open it. */
export type Session = Pick<SessionTable, 'id' | 'created_at' | 'used_at' | 'agent' | 'address'>

/** The sessions of a user that have not expired, the newest first. */
export function sessionsOf(reader: Reader, userId: number, now: string): Promise<Session[]> {
  const query = reader.db.selectFrom('session').select(['id', 'created_at', 'used_at', 'agent', 'address'])
  const own = query.where('user_id', '=', userId).where('expires_at', '>', now)
  return reader.all(own.orderBy('created_at', 'desc').orderBy('id'))
}

/** Most sessions of a user: with another one the oldest ends. */
const MOST_SESSIONS = 100

/** Adds a session and removes those of its user that have expired, and the oldest where there are too many. */
export async function insertSession(tx: Transaction, row: SessionTable): Promise<void> {
  const old = tx.db.deleteFrom('session').where('user_id', '=', row.user_id)
  await tx.run(old.where('expires_at', '<=', row.created_at))
  const own = tx.db.selectFrom('session').select('id').where('user_id', '=', row.user_id)
  const kept = own
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MOST_SESSIONS - 1)
  await tx.run(old.where('id', 'not in', kept))
  await tx.run(tx.db.insertInto('session').values(row))
  await tellReplicas(tx)
}

/** How the last use of sessions is stored, by the digests of their IDs. */
export const SESSION_USES: UsesOf = {
  table: 'session',
  step: 60_000,
  doing: 'noting when a session was used',
}

/** Notes that the person of a session has proved who they are. */
export async function noteAuthentication(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.run(tx.db.updateTable('session').set({ authenticated_at: at }).where('id', '=', id))
  await tellReplicas(tx)
}

/** Ends one session of a user. */
export async function deleteSession(tx: Transaction, id: string, userId?: number): Promise<void> {
  const query = tx.db.deleteFrom('session').where('id', '=', id)
  const { changes } = await tx.run(userId === undefined ? query : query.where('user_id', '=', userId))
  if (changes > 0) await tellReplicas(tx)
}

/** Ends all sessions of a user. */
export async function deleteSessionsOf(tx: Transaction, userId: number): Promise<void> {
  const { changes } = await tx.run(tx.db.deleteFrom('session').where('user_id', '=', userId))
  if (changes > 0) await tellReplicas(tx)
}

/** Ends the sessions that started with an identity, but for one. */
export async function deleteSessionsFrom(
  tx: Transaction,
  { identityId, except }: { readonly identityId: string; readonly except?: string },
): Promise<void> {
  const query = tx.db.deleteFrom('session').where('identity_id', '=', identityId)
  const { changes } = await tx.run(except === undefined ? query : query.where('id', '!=', except))
  if (changes > 0) await tellReplicas(tx)
}

/** Ends the sessions that started in a session of a provider, by its `sid`. */
export async function deleteSessionsOfProvider(
  tx: Transaction,
  { issuer, providerSession }: { readonly issuer: string; readonly providerSession: string },
): Promise<void> {
  const own = tx.db.selectFrom('identity').select('id').where('issuer', '=', issuer)
  const query = tx.db.deleteFrom('session').where('provider_session', '=', providerSession)
  const { changes } = await tx.run(query.where('identity_id', 'in', own))
  if (changes > 0) await tellReplicas(tx)
}

/** What a session started with; undefined where it has ended, or started in another way. */
export function findOrigin(
  reader: Reader,
  id: string,
): Promise<{ readonly issuer: string; readonly id_token: string | null } | undefined> {
  const query = reader.db.selectFrom('session').innerJoin('identity', 'identity.id', 'session.identity_id')
  return reader.first(query.select(['identity.issuer', 'session.id_token']).where('session.id', '=', id))
}

/** The stored part of the password of a user; undefined for one who has none. */
export async function findPasswordHash(reader: Reader, userId: number): Promise<string | undefined> {
  const query = reader.db.selectFrom('user_password').select('hash').where('user_id', '=', userId)
  return (await reader.first(query))?.hash
}

/** Sets the password of a user. */
export async function storePassword(
  tx: Transaction,
  row: { readonly user_id: number; readonly hash: string; readonly changed_at: string },
): Promise<void> {
  const { user_id: _owner, ...changes } = row
  const query = tx.db.insertInto('user_password').values(row)
  await tx.run(query.onConflict((conflict) => conflict.column('user_id').doUpdateSet(changes)))
}

/** Takes the password from a user. */
export async function deletePassword(tx: Transaction, userId: number): Promise<void> {
  await tx.run(tx.db.deleteFrom('user_password').where('user_id', '=', userId))
}

/** Gives a user recovery codes by their hashes, in place of those of before; `[]` takes them away. */
export async function replaceRecoveryCodes(tx: Transaction, userId: number, hashes: readonly string[]): Promise<void> {
  await tx.run(tx.db.deleteFrom('recovery_code').where('user_id', '=', userId))
  if (hashes.length === 0) return
  await tx.run(tx.db.insertInto('recovery_code').values(hashes.map((hash) => ({ user_id: userId, hash }))))
}

/** The hashes of the recovery codes that a user has not used. */
export async function recoveryCodesOf(reader: Reader, userId: number): Promise<string[]> {
  const query = reader.db.selectFrom('recovery_code').select('hash').where('user_id', '=', userId)
  return (await reader.all(query)).map(({ hash }) => hash)
}

/** Uses up a recovery code; false when the user has none with this hash, or it was used meanwhile. */
export async function takeRecoveryCode(tx: Transaction, userId: number, hash: string): Promise<boolean> {
  const query = tx.db.deleteFrom('recovery_code').where('user_id', '=', userId).where('hash', '=', hash)
  return (await tx.run(query)).changes > 0
}

/** Adds a link and removes all that have expired, and the earlier one of its user for the same purpose. */
export async function insertLink(tx: Transaction, row: SignInLinkTable): Promise<void> {
  await tx.run(tx.db.deleteFrom('sign_in_link').where('expires_at', '<=', row.created_at))
  const earlier = tx.db.deleteFrom('sign_in_link').where('user_id', '=', row.user_id)
  await tx.run(earlier.where('purpose', '=', row.purpose))
  await tx.run(tx.db.insertInto('sign_in_link').values(row))
}

/** A link that has not expired; undefined if there is none. */
export function findLink(reader: Reader, id: string, now: string): Promise<SignInLinkTable | undefined> {
  const query = reader.db.selectFrom('sign_in_link').selectAll().where('id', '=', id)
  return reader.first(query.where('expires_at', '>', now))
}

/** Removes all links of a user. */
export async function deleteLinksOf(tx: Transaction, userId: number): Promise<void> {
  await tx.run(tx.db.deleteFrom('sign_in_link').where('user_id', '=', userId))
}
