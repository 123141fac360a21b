import { createHash, randomBytes } from 'node:crypto'
import { utcFromMillis } from '../../base/time/zones.ts'
import { ANONYMOUS, type Caller, isRole } from '../../http/auth/rights.ts'
import type { Reader } from '../../storage/engine.ts'
import type { Use } from '../../storage/last-use.ts'
import type { UserBook } from '../users/index.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findSignedIn,
  insertSession,
  noteAuthentication,
  type Session,
  sessionsOf,
} from './store.ts'

/** How long a session lasts, milliseconds. */
const LIFETIME = 14 * 24 * 3_600_000

/** How long sensitive changes may be made after somebody proved who they are, milliseconds. */
const RECENT = 10 * 60_000

/** Longest text about a browser that is stored, in characters. */
const AGENT_LENGTH = 300

/** The browser that signs in. */
export interface Browser {
  readonly agent: string
  readonly address: string
  /** Of the page; that of the site if absent. */
  readonly language?: string
  /** Where it comes from after single sign-on; absent for other ways in. */
  readonly origin?: SessionOrigin
}

/** The identity that a session started with, and what its provider needs to know for the sign-out. */
export interface SessionOrigin {
  readonly identityId: string
  /** `sid` of the provider; '' where it does not say. */
  readonly providerSession: string
  readonly idToken: string
  /** When the person proved there who they are, Unix milliseconds; absent where the provider does not say. */
  readonly authenticatedAt?: number | undefined
}

/** Longest ID token that is stored: a longer one would not fit into an address, and the provider asks who signs out. */
const LONGEST_TOKEN = 6000

/** How long a session lasts, in seconds: that of its cookie. */
export const SESSION_SECONDS = LIFETIME / 1000

/** What is stored of a random secret: it is long, so a quick hash will do. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** A new secret of 256 random bits, in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Starts a session of a user; returns the ID for the cookie, which is stored nowhere. */
export async function beginSession(book: UserBook, userId: number, browser: Browser): Promise<string> {
  const secret = newSecret()
  const now = book.now()
  const { origin } = browser
  const row = {
    id: digestOf(secret),
    user_id: userId,
    created_at: utcFromMillis(now),
    expires_at: utcFromMillis(now + LIFETIME),
    agent: browser.agent.slice(0, AGENT_LENGTH),
    address: browser.address,
    used_at: null,
    authenticated_at: utcFromMillis(Math.min(now, origin?.authenticatedAt ?? now)),
    language: browser.language ?? '',
    identity_id: origin?.identityId ?? null,
    provider_session: origin?.providerSession || null,
    id_token: origin !== undefined && origin.idToken.length <= LONGEST_TOKEN ? origin.idToken : null,
  }
  await book.storage.write((tx) => insertSession(tx, row))
  return secret
}

/**
 * Who has the session with this ID, and its use; nobody if it has ended. Reads the database, so that an end takes effect
 * at once.
 */
export async function callerOfSession(
  reader: Reader,
  secret: string,
  now: number,
): Promise<{ readonly caller: Caller; readonly use?: Use<string> }> {
  const id = digestOf(secret)
  const found = await findSignedIn(reader, { id, now: utcFromMillis(now) })
  if (found === undefined || !isRole(found.role)) return { caller: ANONYMOUS }
  const isConfirmed = found.authenticated_at > utcFromMillis(now - RECENT)
  const caller: Caller = { id: found.id, name: found.name, role: found.role, inSession: true, isConfirmed }
  return { caller, use: { id, usedAt: found.used_at ?? found.created_at } }
}

/** Notes that the person of a session, by its ID in the cookie, has proved again who they are. */
export async function confirmSession(
  { storage, now }: Pick<UserBook, 'storage' | 'now'>,
  secret: string,
): Promise<void> {
  await storage.write((tx) => noteAuthentication(tx, digestOf(secret), utcFromMillis(now())))
}

/** The sessions of a user, the newest first. */
export function listSessions(book: Omit<UserBook, 'secret'>, userId: number): Promise<Session[]> {
  return sessionsOf(book.storage, userId, utcFromMillis(book.now()))
}

/** Ends the session with the ID of a cookie. */
export async function endSession({ storage }: Pick<UserBook, 'storage'>, secret: string): Promise<void> {
  await storage.write((tx) => deleteSession(tx, digestOf(secret)))
}

/** Ends a session of a user by the name that `listSessions` gives it. */
export async function endSessionOf({ storage }: Pick<UserBook, 'storage'>, userId: number, id: string): Promise<void> {
  await storage.write((tx) => deleteSession(tx, id, userId))
}

/** Ends all sessions of a user. */
export async function endSessionsOf({ storage }: Pick<UserBook, 'storage'>, userId: number): Promise<void> {
  await storage.write((tx) => deleteSessionsOf(tx, userId))
}
