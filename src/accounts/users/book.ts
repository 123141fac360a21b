import { fail } from '../../base/errors.ts'
import { fold } from '../../base/text/fold.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { checkRole, type Role } from '../../http/auth/rights.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import { record } from '../../storage/journal/append.ts'
import type { UserTable } from '../../storage/schema.ts'
import type { OpenWays } from '../ways-in/index.ts'
import { findUser, lastRevision, type PasswordRow, passwordsOf } from './store.ts'

/** What every operation on users works with. */
export interface UserBook {
  readonly storage: Storage
  /** Unix milliseconds. */
  readonly now: () => number
  /** Key under which application passwords are hashed, see `loadSecret`. */
  readonly secret: string
  /** The ways in that work; all of them if absent. */
  readonly openWays?: OpenWays
  /** Tells people of new ways into their accounts, inside the write; nobody is told if absent. */
  readonly mailer?: { queueNotice(tx: Transaction, notice: SignInNotice): Promise<boolean> }
}

/** A new way into an account; `what` is its name or the label of a provider. */
export interface SignInNotice {
  readonly userId: number
  readonly kind: 'token' | 'passkey' | 'identity' | 'application' | 'password'
  readonly what: string
}

/** A user as it is shown; moments are UTC, `YYYY-MM-DD HH:MM:SS`. */
export interface User {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly displayName: string
  readonly createdAt: string
  /** null for a user who may sign in. */
  readonly disabledAt: string | null
}

/** The present moment, UTC. */
export function momentOf(book: Pick<UserBook, 'now'>): string {
  return utcFromMillis(book.now())
}

/**
 * The row of the user with this name, disabled or not.
 * @throws no_such_user
 */
export async function userNamed(reader: Reader, name: string): Promise<UserTable> {
  const row = await findUser(reader, 'name_folded', fold(name))
  if (row === undefined) throw fail('no_such_user', { name })
  return row
}

/** The user as shown. */
export function presentUser(row: UserTable): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: checkRole(row.role),
    displayName: row.display_name,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
  }
}

/** Appends the user's present state to the journal, application passwords included but never their hashes. */
export async function recordUser(tx: Transaction, row: UserTable, at: string): Promise<void> {
  const revision = (await lastRevision(tx, row.id)) + 1
  const passwords = await passwordsOf(tx, row.id)
  const snapshot = { ...row, application_passwords: passwords.map(withoutOwner) }
  const action = revision === 1 ? 'create' : 'update'
  record(tx, { actor: null, resource: 'user', id: row.id, revision, action, at, snapshot })
}

function withoutOwner({
  user_id: _owner,
  used_at: _use,
  ...password
}: PasswordRow): Omit<PasswordRow, 'user_id' | 'used_at'> {
  return password
}
