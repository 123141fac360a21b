import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { fail } from '../../base/errors.ts'
import type { Attempt } from '../limits/log-ins.ts'
import { ANONYMOUS, type Caller, type Role } from './rights.ts'

/** A valid application password as it is stored. */
export interface StoredPassword {
  readonly id: number
  readonly hash: string
  /** When it was used last, UTC text; null for never. */
  readonly usedAt: string | null
}

/** A user who may sign in, with the stored data of the valid application passwords. */
export interface Account {
  readonly id: number
  readonly name: string
  readonly role: Role
  /** `[]` when the user has none. */
  readonly passwords: readonly StoredPassword[]
}

/** Where the users are: given by the module for users, which knows the tables. */
export interface UserLookup {
  /** The enabled user with this name, or with this email address if the text has an `@`; letter case does not matter. */
  findAccount(login: string): Promise<Account | undefined>
  /** The hash of a password under the key of this installation. */
  hash(password: string): string
  /** Told of the password with which someone has signed in; absent where nobody notes it. */
  used?(password: StoredPassword): void
}

/** Watches over attempts to sign in; see `LogIns`. */
export interface LogInWatch {
  /**
   * Starts an attempt under a name as it was typed; `proof` is the same for the same credentials alone.
   * @throws rest_too_many_requests
   */
  begin(login: string, proof: string): Promise<Attempt>
}

/**
 * The sender of a request with this `Authorization` header: HTTP Basic with a username or email address and an
 * application password (wire: rest 4.1). Without the header, or with another scheme, the caller is anonymous.
 *
 * Whatever is wrong, the response is the same and takes the same work, so that nobody learns which users exist
 * (decisions: Bad credentials).
 * @throws incorrect_password (401), also for a malformed Basic header; rest_too_many_requests
 */
export async function authenticate(header: string | undefined, users: UserLookup, watch?: LogInWatch): Promise<Caller> {
  const credentials = credentialsIn(header)
  if (credentials === undefined) return ANONYMOUS
  const { login, password } = credentials
  const hash = users.hash(password)
  const attempt = await watch?.begin(login, `${login.toLowerCase()} ${hash}`)
  const account = await users.findAccount(login).catch((error: unknown) => {
    attempt?.gaveUp()
    throw error
  })
  const stored = account?.passwords ?? []
  const place = placeAmongHashes(
    hash,
    stored.map((one) => one.hash),
  )
  const right = stored[place]
  if (account === undefined || right === undefined || password === '') {
    await attempt?.failed()
    throw fail('incorrect_password')
  }
  attempt?.succeeded()
  users.used?.(right)
  return { id: account.id, role: account.role, name: account.name }
}

/**
 * The application password or the token in an `Authorization` header, in a normal form however it is written there (with
 * spaces, by name or by email address): with its user it identifies a caller. '' if there is none.
 */
export function secretIn(header: string | undefined): string {
  return bearerIn(header) ?? credentialsIn(header)?.password ?? ''
}

/** The token in an `Authorization` header, whatever it is; undefined for another scheme. */
export function bearerIn(header: string | undefined): string | undefined {
  const bearer = /^\s*bearer(?:\s+(.*?))?\s*$/is.exec(header ?? '')
  return bearer === null ? undefined : (bearer[1] ?? '')
}

/** Undefined for no header and any scheme but Basic. */
function credentialsIn(header: string | undefined): { login: string; password: string } | undefined {
  const basic = /^\s*basic(?:\s+(.*?))?\s*$/is.exec(header ?? '')
  return basic === null ? undefined : readCredentials(basic[1] ?? '')
}

/** Both parts of the credentials of RFC 7617; `login` is '' when the text is not base64 or has no colon. */
function readCredentials(encoded: string): { login: string; password: string } {
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && encoded.replace(/=+$/, '').length % 4 !== 1
  const text = isBase64 ? Buffer.from(encoded, 'base64').toString('utf8') : ''
  const colon = text.indexOf(':')
  if (colon < 0) return { login: '', password: '' }
  return { login: text.slice(0, colon).trim(), password: plainPassword(text.slice(colon + 1)) }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 24

/** A new application password: 24 letters and digits, 142 bits of chance, without spaces. */
export function generatePassword(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** The password as it is shown to people: groups of four. */
export function groupPassword(password: string): string {
  return password.replace(/(.{4})(?=.)/g, '$1 ')
}

/** The password as it is compared: without the spaces between its groups. */
export function plainPassword(typed: string): string {
  return typed.replace(/\s+/g, '')
}

/**
 * The stored hash of an application password: HMAC-SHA-256 in hexadecimal. The passwords are long and random, so the
 * hash cannot be guessed, and a slow one would only slow every request.
 */
export function hashPassword(secret: string, password: string): string {
  return createHmac('sha256', secret).update(plainPassword(password)).digest('hex')
}

/** Compared with where nothing is stored; no hash is all zeros. */
const NOTHING_STORED: readonly string[] = ['0'.repeat(64)]

/**
 * The place of `hash` among the stored ones, 0 for the first; -1 when it is none of them. Takes the same time whichever it is,
 * and as long as for one if there is none.
 */
export function placeAmongHashes(hash: string, stored: readonly string[]): number {
  const wanted = Buffer.from(hash)
  let found = -1
  for (const [place, candidate] of (stored.length === 0 ? NOTHING_STORED : stored).entries()) {
    const known = Buffer.from(candidate)
    if (known.length === wanted.length && timingSafeEqual(known, wanted)) found = place
  }
  return found
}
