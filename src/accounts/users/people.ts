import { fail } from '../../base/errors.ts'
import { fold } from '../../base/text/fold.ts'
import { generatePassword } from '../../http/auth/authenticate.ts'
import { checkRole } from '../../http/auth/rights.ts'
import { TOKEN_LIFETIME } from '../../http/auth/token.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { nextUserId } from '../../storage/identifiers.ts'
import type { UserTable } from '../../storage/schema.ts'
import { keepAnAdministrator } from '../ways-in/index.ts'
import { momentOf, presentUser, recordUser, type User, type UserBook, userNamed } from './book.ts'
import { keepPassword } from './passwords.ts'
import { checkEmail, checkName } from './rules.ts'
import { allUsers, endTokens, findUser, findUserRow, hasUsers, insertUser, someUsers, updateUser } from './store.ts'

/** A user to add; the texts come from a person and are checked. */
export interface NewUser {
  readonly name: string
  readonly email: string
  readonly role: string
  /** Shown instead of the name; the name if absent or ''. */
  readonly displayName?: string | undefined
  /** Whether the user cannot sign in before someone enables it. */
  readonly isDisabled?: boolean
}

/**
 * Adds a user, who cannot sign in before an application password is added.
 * @throws bad_user_name, bad_user_email, unknown_role, name_taken, email_taken
 */
export async function addUser(book: UserBook, user: NewUser): Promise<User> {
  const at = momentOf(book)
  return book.storage.write(async (tx) => {
    const row = await keepUser(tx, user, at)
    await recordUser(tx, row, at)
    return presentUser(row)
  })
}

/** The user with this ID, who may be disabled; undefined when there never was one. */
export async function findUserById(reader: Reader, id: number): Promise<User | undefined> {
  const row = await findUserRow(reader, id)
  return row && presentUser(row)
}

/** The user with this name or email address, disabled or not; undefined if there is none. */
export async function findLogin(reader: Reader, login: string): Promise<User | undefined> {
  const row = await findUser(reader, login.includes('@') ? 'email_folded' : 'name_folded', fold(login))
  return row && presentUser(row)
}

/** So many users at most with a higher ID, by ID, disabled ones included. */
export async function usersAfter(reader: Reader, id: number, limit: number): Promise<User[]> {
  return (await someUsers(reader, id, limit)).map(presentUser)
}

/** All users by ID, disabled ones included. */
export async function listUsers({ storage }: Pick<UserBook, 'storage'>): Promise<User[]> {
  return (await allUsers(storage)).map(presentUser)
}

/**
 * Gives a user another role; the same one again changes nothing. Tokens without an end are for administrators only: those of
 * a former one get the usual end.
 * @throws no_such_user, unknown_role, last_administrator
 */
export async function setRole(book: UserBook, input: { name: string; role: string }): Promise<User> {
  const role = checkRole(input.role)
  return changeUser(book, input.name, async (row, _at, tx) => {
    if (row.role === role) return {}
    if (role !== 'administrator') await keepAnAdministrator(tx, row, book.openWays)
    if (row.role === 'administrator') await endTokens(tx, row.id, TOKEN_LIFETIME)
    return { role }
  })
}

/**
 * Gives a user another shown name and email address; the same ones again change nothing.
 * @throws no_such_user, bad_user_email, email_taken
 */
export async function changeNames(
  book: UserBook,
  input: { readonly name: string; readonly displayName: string; readonly email: string },
): Promise<User> {
  const email = checkEmail(input.email)
  return changeUser(book, input.name, async (row, _at, tx) => {
    const other = await findUser(tx, 'email_folded', fold(email))
    if (other !== undefined && other.id !== row.id) throw fail('email_taken', { email })
    const display_name = input.displayName || row.name
    const isSame = row.display_name === display_name && row.email === email
    return isSame ? {} : { display_name, email, email_folded: fold(email) }
  })
}

/**
 * Keeps a user from signing in; what the user wrote stays. Disabling again changes nothing.
 * @throws no_such_user, last_administrator
 */
export async function disableUser(book: UserBook, input: { name: string }): Promise<User> {
  return changeUser(book, input.name, async (row, at, tx) => {
    if (row.disabled_at !== null) return {}
    await keepAnAdministrator(tx, row, book.openWays)
    return { disabled_at: at }
  })
}

/**
 * Lets a disabled user sign in again, with the application passwords of before.
 * @throws no_such_user
 */
export async function enableUser(book: UserBook, input: { name: string }): Promise<User> {
  return changeUser(book, input.name, (row) => (row.disabled_at === null ? {} : { disabled_at: null }))
}

/**
 * Adds the administrator `admin` with an application password when there is no user at all.
 * Returns name and password, which is stored nowhere; undefined when there are users.
 */
export async function addFirstAdministrator(book: UserBook): Promise<{ name: string; password: string } | undefined> {
  const at = momentOf(book)
  const password = generatePassword()
  const first: NewUser = { name: 'admin', email: 'admin@localhost', role: 'administrator' }
  return book.storage.write(async (tx) => {
    if (await hasUsers(tx)) return undefined
    const row = await keepUser(tx, first, at)
    await keepPassword(tx, { user_id: row.id, name: 'first start', created_at: at }, { secret: book.secret, password })
    await recordUser(tx, row, at)
    return { name: row.name, password }
  })
}

async function keepUser(tx: Transaction, user: NewUser, at: string): Promise<UserTable> {
  const name = checkName(user.name)
  const email = checkEmail(user.email)
  const role = checkRole(user.role)
  if (await findUser(tx, 'name_folded', fold(name))) throw fail('name_taken', { name })
  if (await findUser(tx, 'email_folded', fold(email))) throw fail('email_taken', { email })
  const row: UserTable = {
    id: await nextUserId(tx),
    name,
    name_folded: fold(name),
    email,
    email_folded: fold(email),
    role,
    display_name: user.displayName || name,
    created_at: at,
    disabled_at: user.isDisabled === true ? at : null,
  }
  await insertUser(tx, row)
  return row
}

type Changes = Partial<Omit<UserTable, 'id'>>

/** Changes what `decide` returns of the user with a name, and records it; `{}` changes nothing. */
function changeUser(
  book: UserBook,
  name: string,
  decide: (row: UserTable, at: string, tx: Transaction) => Changes | Promise<Changes>,
): Promise<User> {
  const at = momentOf(book)
  return book.storage.write(async (tx) => {
    const row = await userNamed(tx, name)
    const changes = await decide(row, at, tx)
    if (Object.keys(changes).length === 0) return presentUser(row)
    const changed = { ...row, ...changes }
    await updateUser(tx, row.id, changes)
    await recordUser(tx, changed, at)
    return presentUser(changed)
  })
}
