import { createHmac } from 'node:crypto'
import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { LogInWatch } from '../../http/auth/authenticate.ts'
import { hashPersonPassword, isGoodPassword, isPersonPassword } from '../../http/auth/person-password.ts'
import type { Transaction } from '../../storage/engine.ts'
import { findLogin, findUserById, type User, type UserBook } from '../users/index.ts'
import { useRecoveryCode } from './recovery.ts'
import { deleteLinksOf, deleteSessionsOf, findPasswordHash, replaceRecoveryCodes, storePassword } from './store.ts'

/** What someone types to sign in. */
export interface Typed {
  /** Username or email address. */
  readonly login: string
  readonly password: string
  /** Whether a user may sign in with a password at all; everybody may if absent. */
  isAllowed?(user: User): boolean
}

/**
 * The user with this name and password, or with a recovery code in its place, which is used up; undefined after the
 * same time whatever is wrong.
 * @throws rest_too_many_requests
 */
export async function signIn(
  book: UserBook,
  { login, password, isAllowed = () => true }: Typed,
  watch?: LogInWatch,
): Promise<{ readonly user: User; readonly usedCode: boolean } | undefined> {
  const name = login.trim()
  // Tells the same credentials apart from others without telling them.
  const digest = createHmac('sha256', book.secret).update(`sign-in ${password}`).digest('hex')
  const attempt = await watch?.begin(name, `${name.toLowerCase()} ${digest}`)
  try {
    const user = await findLogin(book.storage, name)
    const stored = user === undefined ? undefined : await findPasswordHash(book.storage, user.id)
    const isPassword = await isPersonPassword(password, stored)
    const enabled = user?.disabledAt === null && isAllowed(user) ? user : undefined
    const usedCode = !isPassword && (await useRecoveryCode(book, enabled?.id ?? 0, password))
    if (enabled !== undefined && (isPassword || usedCode)) {
      attempt?.succeeded()
      return { user: enabled, usedCode }
    }
  } catch (error) {
    attempt?.gaveUp()
    throw error
  }
  await attempt?.failed()
  return undefined
}

/** Whether this is the password of a user. */
export async function isPasswordOf({ storage }: UserBook, userId: number, password: string): Promise<boolean> {
  return isPersonPassword(password, await findPasswordHash(storage, userId))
}

/** The hash of a password that a person may have. @throws bad_person_password */
export async function newPasswordHash(user: Pick<User, 'name' | 'email'>, password: string): Promise<string> {
  if (!isGoodPassword(password, [user.name, user.email])) throw fail('bad_person_password')
  return hashPersonPassword(password)
}

/** Gives a user a password inside a write; all sessions and links of the user end. */
export async function keepPersonPassword(
  tx: Transaction,
  { userId, hash, at }: { readonly userId: number; readonly hash: string; readonly at: string },
): Promise<void> {
  await storePassword(tx, { user_id: userId, hash, changed_at: at })
  await replaceRecoveryCodes(tx, userId, [])
  await endAccess(tx, userId)
}

/** All sessions and links of a user end, inside a write. */
export async function endAccess(tx: Transaction, userId: number): Promise<void> {
  await deleteSessionsOf(tx, userId)
  await deleteLinksOf(tx, userId)
}

/** Tells a user that the password has changed, inside that write. */
export async function tellOfPassword({ mailer }: UserBook, tx: Transaction, userId: number): Promise<void> {
  await mailer?.queueNotice(tx, { userId, kind: 'password', what: '' })
}

/** Changes the password of a user; all sessions and links of the user end. @throws bad_person_password, no_such_user */
export async function changePassword(book: UserBook, userId: number, password: string): Promise<void> {
  const user = await findUserById(book.storage, userId)
  if (user === undefined) throw fail('no_such_user', { name: String(userId) })
  const hash = await newPasswordHash(user, password)
  await book.storage.write(async (tx) => {
    await keepPersonPassword(tx, { userId, hash, at: utcFromMillis(book.now()) })
    await tellOfPassword(book, tx, userId)
  })
}
