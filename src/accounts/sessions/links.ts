import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { hashPersonPassword } from '../../http/auth/person-password.ts'
import type { Reader } from '../../storage/engine.ts'
import { insideTransaction } from '../../storage/reads.ts'
import { findUserById, type User, type UserBook, userNamed } from '../users/index.ts'
import { digestOf, newSecret } from './sessions.ts'
import { keepPersonPassword, newPasswordHash } from './sign-in.ts'
import { deleteLinksOf, findLink, insertLink } from './store.ts'

/** What a link is for: to set up the site on the first start, or to choose a password. */
export type LinkPurpose = 'setup' | 'password'

/** How long links work, milliseconds. */
const LIFETIME = 7 * 24 * 3_600_000

/** A link that works once. */
export interface SignInLink {
  /** Name of its user. */
  readonly name: string
  /** Path with the token, which is shown only now: `/admin/link?token=...`. */
  readonly path: string
  /** UTC text. */
  readonly expiresAt: string
}

/** Makes a link for a user, with which earlier ones of the user stop to work. @throws no_such_user, user_disabled */
export async function makeLink(
  book: UserBook,
  { name, purpose = 'password' }: { readonly name: string; readonly purpose?: LinkPurpose },
): Promise<SignInLink> {
  const token = newSecret()
  const now = book.now()
  const expiresAt = utcFromMillis(now + LIFETIME)
  const user = await book.storage.write(async (tx) => {
    const row = await userNamed(tx, name)
    if (row.disabled_at !== null) throw fail('user_disabled', { name: row.name })
    const link = {
      id: digestOf(token),
      user_id: row.id,
      purpose,
      created_at: utcFromMillis(now),
      expires_at: expiresAt,
    }
    await insertLink(tx, link)
    return row
  })
  const page = purpose === 'setup' ? 'setup' : 'link'
  return { name: user.name, path: `/admin/${page}?token=${token}`, expiresAt }
}

/** The enabled user whose link has this token; undefined when it has expired, was used or never was. */
export async function userOfLink(
  reader: Reader,
  asked: { readonly token: string; readonly purpose: LinkPurpose; readonly now: number },
): Promise<User | undefined> {
  const link = await findLink(reader, digestOf(asked.token), utcFromMillis(asked.now))
  const user = link?.purpose === asked.purpose ? await findUserById(reader, link.user_id) : undefined
  return user?.disabledAt === null ? user : undefined
}

/** What someone does who has opened a link. */
export interface LinkUse {
  readonly token: string
  readonly purpose: LinkPurpose
  readonly password: string
  /** Who gets the password, found in the transaction that uses up the link; the user of the link if absent. */
  receiver?(): Promise<User>
}

/**
 * Gives a user the password; the link stops to work. @throws bad_person_password; bad_link, also when the link has been
 * used meanwhile
 */
export async function usePasswordLink(book: UserBook, { token, purpose, password, receiver }: LinkUse): Promise<User> {
  const asked = { token, purpose, now: book.now() }
  const owner = await userOfLink(book.storage, asked)
  if (owner === undefined) throw fail('bad_link')
  const hash = receiver === undefined ? await newPasswordHash(owner, password) : await hashPersonPassword(password)
  return book.storage.write(async (tx) => {
    if ((await userOfLink(tx, asked)) === undefined) throw fail('bad_link')
    const user = receiver === undefined ? owner : await insideTransaction(tx, receiver)
    await keepPersonPassword(tx, { userId: user.id, hash, at: utcFromMillis(asked.now) })
    await deleteLinksOf(tx, owner.id)
    return user
  })
}
