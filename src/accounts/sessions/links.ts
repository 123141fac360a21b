import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { hashPersonPassword } from '../../http/auth/person-password.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { insideTransaction } from '../../storage/reads.ts'
import { changeNames, findUserById, type User, type UserBook, userNamed } from '../users/index.ts'
import { digestOf, newSecret } from './sessions.ts'
import { endAccess, keepPersonPassword, newPasswordHash, tellOfPassword } from './sign-in.ts'
import { deleteLinksOf, findLink, findPasswordHash, insertLink } from './store.ts'

const HOUR = 3_600_000

/** How long links work, milliseconds, by what they are for. */
const LIFETIMES = {
  /** To set up the site on the first start. */
  setup: 168 * HOUR,
  /** To choose the first password. */
  invitation: 168 * HOUR,
  /** To choose another password, from an administrator. */
  password: 168 * HOUR,
  /** The same for whoever has forgotten it. */
  reset: HOUR,
  /** To confirm a new email address. */
  address: 24 * HOUR,
} as const

/** What a link is for. */
type LinkPurpose = keyof typeof LIFETIMES

/** The purposes of links with which people choose a password. */
const PASSWORD_PURPOSES: readonly LinkPurpose[] = ['invitation', 'password', 'reset']

/** A link that is to be made. */
export interface NewLink {
  /** Of its user. */
  readonly name: string
  /** An invitation for whoever has no password, if absent, or else one to choose another. */
  readonly purpose?: LinkPurpose
  /** The address that it confirms. */
  readonly detail?: string
  /** How long it works, if not as long as others for its purpose. */
  readonly hours?: number
}

/** A link that works once. */
export interface SignInLink {
  /** Name of its user. */
  readonly name: string
  readonly purpose: LinkPurpose
  /** Path with the token, which is shown only now: `/admin/link/...`. */
  readonly path: string
  /** UTC text. */
  readonly expiresAt: string
}

/** Makes a link for a user, with which the earlier one for the same purpose stops to work. @throws no_such_user, user_disabled */
export function makeLink(
  book: Omit<UserBook, 'secret'>,
  { name, detail = '', hours, ...wanted }: NewLink,
): Promise<SignInLink> {
  const token = newSecret()
  const now = book.now()
  return book.storage.write(async (tx) => {
    const user = await userNamed(tx, name)
    if (user.disabled_at !== null) throw fail('user_disabled', { name: user.name })
    const usual = (await findPasswordHash(tx, user.id)) === undefined ? 'invitation' : 'password'
    const purpose = wanted.purpose ?? usual
    const expiresAt = utcFromMillis(now + (hours === undefined ? LIFETIMES[purpose] : hours * HOUR))
    const created_at = utcFromMillis(now)
    await insertLink(tx, { id: digestOf(token), user_id: user.id, purpose, created_at, expires_at: expiresAt, detail })
    const path = purpose === 'setup' ? `/admin/setup?token=${token}` : `/admin/link/${token}`
    return { name: user.name, purpose, path, expiresAt }
  })
}

/** A link that still works. */
export interface OpenLink {
  readonly user: User
  readonly purpose: string
  /** The address that it confirms; ''. */
  readonly detail: string
}

/** A token, and when it is used, Unix milliseconds. */
interface Asked {
  readonly token: string
  readonly now: number
}

/** What the link with this token is for; undefined when it has expired, was used or never was, or its user is disabled. */
export async function findOpenLink(reader: Reader, { token, now }: Asked): Promise<OpenLink | undefined> {
  const link = await findLink(reader, digestOf(token), utcFromMillis(now))
  const user = link && (await findUserById(reader, link.user_id))
  return link && user?.disabledAt === null ? { user, purpose: link.purpose, detail: link.detail } : undefined
}

/** The same where it is for one of some purposes. @throws bad_link */
async function linkFor(reader: Reader, asked: Asked, purposes: readonly string[]): Promise<OpenLink> {
  const link = await findOpenLink(reader, asked)
  if (link === undefined || !purposes.includes(link.purpose)) throw fail('bad_link')
  return link
}

/** What someone does who has opened a link. */
export interface LinkUse {
  readonly token: string
  readonly password: string
  /** Who gets the password of a link to set up, found in the transaction that uses it up; else it is the user of the link. */
  receiver?(): Promise<User>
}

/**
 * Gives a user the password; the link stops to work, and all sessions of the user end. @throws bad_person_password; bad_link,
 * also when the link has been used meanwhile
 */
export async function usePasswordLink(book: UserBook, { token, password, receiver }: LinkUse): Promise<User> {
  const asked = { token, now: book.now() }
  const purposes = receiver === undefined ? PASSWORD_PURPOSES : ['setup']
  const { user: owner } = await linkFor(book.storage, asked, purposes)
  const hash = receiver === undefined ? await newPasswordHash(owner, password) : await hashPersonPassword(password)
  return book.storage.write(async (tx) => {
    const { purpose } = await linkFor(tx, asked, purposes)
    const user = receiver === undefined ? owner : await insideTransaction(tx, receiver)
    await keepPersonPassword(tx, { userId: user.id, hash, at: utcFromMillis(asked.now) })
    await deleteLinksOf(tx, owner.id)
    // Whoever had none before knows of it.
    if (purpose === 'password' || purpose === 'reset') await tellOfPassword(book, tx, user.id)
    return user
  })
}

/** Uses up a link with which a user chooses a password, inside a write; all sessions and links of the user end. @throws bad_link */
export async function takePasswordLink(tx: Transaction, asked: Asked): Promise<User> {
  const { user } = await linkFor(tx, asked, PASSWORD_PURPOSES)
  await endAccess(tx, user.id)
  return user
}

/** Gives a user the address that a link confirms; all links of the user stop to work. @throws bad_link, email_taken */
export function useAddressLink(book: UserBook, token: string): Promise<User> {
  return book.storage.write(async (tx) => {
    const { user, detail } = await linkFor(tx, { token, now: book.now() }, ['address'])
    await deleteLinksOf(tx, user.id)
    const { name, displayName } = user
    return insideTransaction(tx, () => changeNames(book, { name, displayName, email: detail }))
  })
}
