import { fail } from '../../base/errors.ts'
import { millisFromUtc, utcFromMillis } from '../../base/time/zones.ts'
import { digestOf, newSecret } from '../sessions/index.ts'
import type { UserBook } from '../users/index.ts'
import type { Secrets } from './client.ts'
import { insertPending, takePending } from './store.ts'

/** How long a sign-in may take, milliseconds. */
const LIFETIME = 10 * 60_000

/** The same in seconds: that of the cookie. */
export const PENDING_SECONDS = LIFETIME / 1000

/** What somebody wants from a provider. */
export interface WantedSignIn {
  /** ID of the provider. */
  readonly provider: string
  /** Value of the cookie of the browser. */
  readonly browser: string
  /** Path of the administration that follows. */
  readonly next: string
  /** Who connects the identity; absent for a sign-in. */
  readonly userId?: number
  /** Token of the link that was opened before, or with `userId` the session that is confirmed; absent for neither. */
  readonly link?: string
}

/** A sign-in whose browser has come back. */
export interface Returned extends Pick<WantedSignIn, 'next'> {
  readonly secrets: Secrets
  readonly userId: number | undefined
  /** Names the link, or the session, without opening it. */
  readonly linkId: string | undefined
  /** Unix milliseconds. */
  readonly startedAt: number
}

/** Starts a sign-in, which waits ten minutes for its browser. */
export async function beginSignIn(book: UserBook, wanted: WantedSignIn): Promise<Secrets> {
  const secrets = { state: newSecret(), nonce: newSecret(), verifier: newSecret() }
  const { provider, browser, next, userId, link } = wanted
  const now = book.now()
  const row = {
    id: digestOf(secrets.state),
    browser: digestOf(browser),
    provider,
    nonce: secrets.nonce,
    verifier: secrets.verifier,
    next,
    user_id: userId ?? null,
    link_id: link === undefined ? null : digestOf(link),
    expires_at: utcFromMillis(now + LIFETIME),
  }
  await book.storage.write((tx) => insertPending(tx, row, utcFromMillis(now)))
  return secrets
}

/**
 * Uses up the sign-in with a state, which belongs to a browser and a provider: the answer of another one ends it.
 * @throws sign_in_expired
 */
export async function resumeSignIn(
  book: UserBook,
  { provider, state, browser }: Pick<WantedSignIn, 'provider' | 'browser'> & Pick<Secrets, 'state'>,
): Promise<Returned> {
  const asked = { id: digestOf(state), browser: digestOf(browser), now: utcFromMillis(book.now()) }
  const row = await book.storage.write((tx) => takePending(tx, asked))
  if (row?.provider !== provider) throw fail('sign_in_expired')
  const { nonce, verifier, next, user_id, link_id } = row
  return {
    secrets: { state, nonce, verifier },
    next,
    userId: user_id ?? undefined,
    linkId: link_id ?? undefined,
    startedAt: millisFromUtc(row.expires_at) - LIFETIME,
  }
}
