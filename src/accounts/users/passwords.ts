import { fail } from '../../base/errors.ts'
import { generatePassword, hashPassword } from '../../http/auth/authenticate.ts'
import type { Transaction } from '../../storage/engine.ts'
import { nextApplicationPasswordId } from '../../storage/identifiers.ts'
import { momentOf, recordUser, type UserBook, userNamed } from './book.ts'
import { insertPassword, type PasswordRow, passwordsOf, revokeById } from './store.ts'

/** An application password as shown: never its text, which only its creator has seen. */
export interface ApplicationPassword {
  readonly id: number
  /** Its purpose; '' when none was given. */
  readonly label: string
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  readonly createdAt: string
  /** null while it is valid. */
  readonly revokedAt: string | null
  /** When it was used last, to five minutes, UTC; null for never. */
  readonly usedAt: string | null
}

/** A new application password with its text, which is shown once. */
export type NewPassword = ApplicationPassword & { readonly user: string; readonly password: string }

/**
 * Adds an application password to a user.
 * @throws no_such_user
 */
export async function addPassword(
  book: UserBook,
  input: { name: string; label?: string | undefined },
): Promise<NewPassword> {
  const at = momentOf(book)
  const password = generatePassword()
  return book.storage.write(async (tx) => {
    const user = await userNamed(tx, input.name)
    const draft = { user_id: user.id, name: input.label ?? '', created_at: at }
    const row = await keepPassword(tx, draft, { secret: book.secret, password })
    await recordUser(tx, user, at)
    return { user: user.name, password, ...presentPassword(row) }
  })
}

/**
 * Application passwords of a user by ID, revoked ones included; `[]` when there are none.
 * @throws no_such_user
 */
export async function listPasswords(book: UserBook, input: { name: string }): Promise<ApplicationPassword[]> {
  const user = await userNamed(book.storage, input.name)
  return (await passwordsOf(book.storage, user.id)).map(presentPassword)
}

/**
 * Makes an application password invalid for all later requests.
 * @throws no_such_user, no_such_password (also when it was revoked before)
 */
export async function revokePassword(
  book: UserBook,
  input: { name: string; id: number },
): Promise<ApplicationPassword> {
  const at = momentOf(book)
  return book.storage.write(async (tx) => {
    const user = await userNamed(tx, input.name)
    const revoked = await revokeById(tx, { id: input.id, userId: user.id, at })
    const row = (await passwordsOf(tx, user.id)).find((password) => password.id === input.id)
    if (!revoked || row === undefined) throw fail('no_such_password', { name: user.name, id: input.id })
    await recordUser(tx, user, at)
    return presentPassword(row)
  })
}

/** Stores the hash of an application password; part of a larger write, which appends to the journal. */
export async function keepPassword(
  tx: Transaction,
  draft: Pick<PasswordRow, 'user_id' | 'name' | 'created_at'>,
  text: { secret: string; password: string },
): Promise<PasswordRow> {
  const row = { ...draft, id: await nextApplicationPasswordId(tx), revoked_at: null, used_at: null }
  await insertPassword(tx, { ...row, hash: hashPassword(text.secret, text.password) })
  return row
}

function presentPassword(row: PasswordRow): ApplicationPassword {
  return { id: row.id, label: row.name, createdAt: row.created_at, revokedAt: row.revoked_at, usedAt: row.used_at }
}
