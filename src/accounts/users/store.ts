import { sql } from 'kysely'
import { millisFromUtc, utcFromMillis } from '../../base/time/zones.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import type { UsesOf } from '../../storage/last-use.ts'
import type { ApplicationPasswordTable, UserTable } from '../../storage/schema.ts'
import { type GivenAll, operand, statementTemplate } from '../../storage/statement-template.ts'

/** A valid application password of an enabled user, as a sign-in needs it; all of it is null for a user without any. */
export interface CredentialRow {
  readonly id: number
  readonly name: string
  readonly role: string
  readonly password_id: number | null
  readonly hash: string | null
  readonly used_at: string | null
}

/** The stored part of an application password, without its hash. */
export type PasswordRow = Omit<ApplicationPasswordTable, 'hash'>

const USER_COLUMNS = [
  'id',
  'name',
  'name_folded',
  'email',
  'email_folded',
  'role',
  'display_name',
  'created_at',
  'disabled_at',
] as const satisfies (keyof UserTable)[]

const PASSWORD_COLUMNS = [
  'id',
  'user_id',
  'name',
  'created_at',
  'revoked_at',
  'used_at',
] as const satisfies (keyof PasswordRow)[]

const credentialsWith = statementTemplate(
  (reader: Reader, column: 'name_folded' | 'email_folded', { folded }: GivenAll<{ readonly folded: string }>) =>
    reader.db
      .selectFrom('user')
      .leftJoin('application_password', (join) =>
        join.onRef('application_password.user_id', '=', 'user.id').on('application_password.revoked_at', 'is', null),
      )
      .select(['user.id', 'user.name', 'user.role', 'application_password.id as password_id'])
      .select(['application_password.hash', 'application_password.used_at'])
      .where(`user.${column}`, '=', operand(folded))
      .where('user.disabled_at', 'is', null),
)

/** The valid credentials of the enabled user with a folded name or email address; `[]` when there is no such user. */
export function credentialsOf(
  reader: Reader,
  column: 'name_folded' | 'email_folded',
  folded: string,
): Promise<CredentialRow[]> {
  return reader.all(credentialsWith(reader, { shape: column, values: { folded } }))
}

/** The user with this folded name or email address, disabled ones included; undefined if there is none. */
export function findUser(
  reader: Reader,
  column: 'name_folded' | 'email_folded',
  folded: string,
): Promise<UserTable | undefined> {
  return reader.first(reader.db.selectFrom('user').select(USER_COLUMNS).where(column, '=', folded))
}

/** The user with this ID, disabled ones included; undefined if there is none. */
export function findUserRow(reader: Reader, id: number): Promise<UserTable | undefined> {
  return reader.first(reader.db.selectFrom('user').select(USER_COLUMNS).where('id', '=', id))
}

/** So many users at most with a higher ID, by ID. */
export function someUsers(reader: Reader, after: number, limit: number): Promise<UserTable[]> {
  return reader.all(
    reader.db.selectFrom('user').select(USER_COLUMNS).where('id', '>', after).orderBy('id').limit(limit),
  )
}

/** All users by ID, disabled ones included. */
export function allUsers(reader: Reader): Promise<UserTable[]> {
  return reader.all(reader.db.selectFrom('user').select(USER_COLUMNS).orderBy('id'))
}

/** True when there is a user, disabled or not. */
export async function hasUsers(reader: Reader): Promise<boolean> {
  return (await reader.first(reader.db.selectFrom('user').select('id').limit(1))) !== undefined
}

/** Application passwords of a user by ID, revoked ones included. */
export function passwordsOf(reader: Reader, userId: number): Promise<PasswordRow[]> {
  const query = reader.db.selectFrom('application_password').select(PASSWORD_COLUMNS)
  return reader.all(query.where('user_id', '=', userId).orderBy('id'))
}

/** Revision of the last change of a user; 0 when the journal knows none. */
export async function lastRevision(reader: Reader, userId: number): Promise<number> {
  const query = reader.db.selectFrom('journal').select(sql<number | null>`max(revision)`.as('last'))
  const row = await reader.first(query.where('resource', '=', 'user').where('id', '=', userId))
  return row?.last ?? 0
}

/** Adds the row of a user. */
export async function insertUser(tx: Transaction, row: UserTable): Promise<void> {
  await tx.run(tx.db.insertInto('user').values(row))
}

/** Changes columns of a user. */
export async function updateUser(tx: Transaction, id: number, changes: Partial<Omit<UserTable, 'id'>>): Promise<void> {
  await tx.run(tx.db.updateTable('user').set(changes).where('id', '=', id))
}

/** Gives tokens of a user that would be valid forever an end, so many milliseconds after they were created. */
export async function endTokens(tx: Transaction, userId: number, lifetime: number): Promise<void> {
  const query = tx.db.selectFrom('token').select(['id', 'created_at']).where('user_id', '=', userId)
  for (const { id, created_at } of await tx.all(query.where('expires_at', 'is', null))) {
    const expires_at = utcFromMillis(millisFromUtc(created_at) + lifetime)
    await tx.run(tx.db.updateTable('token').set({ expires_at }).where('id', '=', id))
  }
}

/** Adds the row of an application password. */
export async function insertPassword(tx: Transaction, row: ApplicationPasswordTable): Promise<void> {
  await tx.run(tx.db.insertInto('application_password').values(row))
}

/** How the last use of application passwords is stored, by their IDs; the journal does not record it. */
export const PASSWORD_USES: UsesOf = {
  table: 'application_password',
  step: 300_000,
  doing: 'noting when an application password was used',
}

/** Makes an application password invalid from `at` on; false when the user has no valid one with this ID. */
export async function revokeById(tx: Transaction, row: { id: number; userId: number; at: string }): Promise<boolean> {
  const query = tx.db.updateTable('application_password').set({ revoked_at: row.at })
  const mine = query.where('id', '=', row.id).where('user_id', '=', row.userId).where('revoked_at', 'is', null)
  return (await tx.run(mine)).changes > 0
}
