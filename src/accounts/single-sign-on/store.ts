import type { ExpressionBuilder } from 'kysely'
import { fold } from '../../base/text/fold.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { tellReplicas } from '../../storage/numbers.ts'
import type { Database, IdentityTable, PendingSignInTable } from '../../storage/schema.ts'

/** Adds a pending sign-in and removes those that have expired. */
export async function insertPending(tx: Transaction, row: PendingSignInTable, now: string): Promise<void> {
  await tx.run(tx.db.deleteFrom('pending_sign_in').where('expires_at', '<=', now))
  await tx.run(tx.db.insertInto('pending_sign_in').values(row))
}

/** Takes a pending sign-in of a browser away; undefined where there is none, or it has expired. */
export function takePending(
  tx: Transaction,
  { id, browser, now }: { readonly id: string; readonly browser: string; readonly now: string },
): Promise<PendingSignInTable | undefined> {
  const query = tx.db.deleteFrom('pending_sign_in').where('id', '=', id).where('browser', '=', browser)
  return tx.first(query.where('expires_at', '>', now).returningAll())
}

/** The identity with this ID; undefined for one that is connected to nobody. */
export function findIdentity(reader: Reader, id: string): Promise<IdentityTable | undefined> {
  return reader.first(reader.db.selectFrom('identity').selectAll().where('id', '=', id))
}

/** The identities of a user, the oldest first. */
export function identitiesOfUser(reader: Reader, userId: number): Promise<IdentityTable[]> {
  const query = reader.db.selectFrom('identity').selectAll().where('user_id', '=', userId)
  return reader.all(query.orderBy('created_at').orderBy('id'))
}

/** Connects an identity to a user. */
export async function insertIdentity(tx: Transaction, row: IdentityTable): Promise<void> {
  await tx.run(tx.db.insertInto('identity').values(row))
  await tellReplicas(tx)
}

/** Notes that somebody signs in with an identity, and what the provider calls them now. */
export async function updateIdentity(
  tx: Transaction,
  id: string,
  changes: Pick<IdentityTable, 'used_at' | 'name'>,
): Promise<void> {
  await tx.run(tx.db.updateTable('identity').set(changes).where('id', '=', id))
}

/** Disconnects an identity from its user. */
export async function deleteIdentity(tx: Transaction, id: string): Promise<void> {
  await tx.run(tx.db.deleteFrom('identity').where('id', '=', id))
  await tellReplicas(tx)
}

/** The enabled user whose link for one of some purposes has this ID; undefined where it has expired or was used. */
export function userWithLink(
  reader: Reader,
  { linkId, purposes }: { readonly linkId: string; readonly purposes: readonly string[] },
  now: string,
): Promise<{ id: number } | undefined> {
  return reader.first(openLinks(reader, purposes, now).where('sign_in_link.id', '=', linkId))
}

/** The enabled user who was invited by an address and has no way in yet; undefined for none. */
export async function invitedUser(reader: Reader, email: string, now: string): Promise<{ id: number } | undefined> {
  const query = openLinks(reader, ['invitation'], now).select('user.email')
  const found = await reader.first(query.where('user.email_folded', '=', fold(email)).where(hasNoWayIn))
  // Folding takes accents away, but who has an address without one does not get what was sent to another one.
  return found !== undefined && plain(found.email) === plain(email) ? found : undefined
}

function plain(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

/** Whether a user has had no way in so far, whether it works today or not. */
export async function isNewcomer(reader: Reader, userId: number): Promise<boolean> {
  const query = reader.db.selectFrom('user').select('user.id').where('user.id', '=', userId)
  return (await reader.first(query.where(hasNoWayIn))) !== undefined
}

/** The enabled users whose invitation still works, and who have not signed in yet; `now` is UTC text. */
export async function invitedUsers(reader: Reader, now: string): Promise<ReadonlySet<number>> {
  const query = openLinks(reader, ['invitation'], now).where(hasNoWayIn)
  const rows = await reader.all(query.where((of) => hasNone(of, ['session'])))
  return new Set(rows.map(({ id }) => id))
}

const WAYS_IN = ['user_password', 'passkey', 'identity', 'application_password'] as const

function hasNoWayIn(of: ExpressionBuilder<Database, 'user'>) {
  return hasNone(of, WAYS_IN)
}

function hasNone(of: ExpressionBuilder<Database, 'user'>, tables: readonly ((typeof WAYS_IN)[number] | 'session')[]) {
  return of.and(
    tables.map((table) =>
      of.not(of.exists(of.selectFrom(table).select(of.lit(1).as('one')).whereRef('user_id', '=', 'user.id'))),
    ),
  )
}

function openLinks(reader: Reader, purposes: readonly string[], now: string) {
  return reader.db
    .selectFrom('sign_in_link')
    .innerJoin('user', 'user.id', 'sign_in_link.user_id')
    .select('user.id')
    .where('sign_in_link.purpose', 'in', purposes)
    .where('sign_in_link.expires_at', '>', now)
    .where('user.disabled_at', 'is', null)
}

/** Notes a logout token and removes those that have expired; false for one that has come before. */
export async function useLogoutToken(
  tx: Transaction,
  row: { readonly id: string; readonly expires_at: string },
  now: string,
): Promise<boolean> {
  await tx.run(tx.db.deleteFrom('used_logout_token').where('expires_at', '<=', now))
  const query = tx.db.insertInto('used_logout_token').values(row)
  return (await tx.run(query.onConflict((conflict) => conflict.doNothing()))).changes === 1
}
