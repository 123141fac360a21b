import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { deleteSessionsFrom, deleteSessionsOfProvider, digestOf } from '../sessions/index.ts'
import type { UserBook } from '../users/index.ts'
import { textClaim } from './claims.ts'
import type { ProviderClient } from './client.ts'
import { identityIdOf } from './identities.ts'
import { notUsable } from './metadata.ts'
import { useLogoutToken } from './store.ts'

/** How old a logout token may be, milliseconds; it is remembered for twice as long. */
const LIFETIME = 5 * 60_000

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0): those of one session of the
 * provider, or all of an identity. @throws provider_unavailable, provider_not_usable, sign_in_expired
 */
export async function endByToken(
  book: UserBook,
  { provider, logoutClaims }: ProviderClient,
  token: string,
): Promise<void> {
  const claims = await logoutClaims(token)
  const { events, nonce, iat } = claims
  const [sid, subject, jti] = ['sid', 'sub', 'jti'].map((name) => textClaim(claims, name))
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT)
  if (!isLogout || nonce !== undefined || (!sid && !subject) || !jti)
    throw notUsable(provider.label, 'this is no logout token')
  const now = book.now()
  if (typeof iat !== 'number' || iat * 1000 < now - LIFETIME) throw fail('sign_in_expired')
  const used = { id: digestOf(JSON.stringify([provider.issuer, jti])), expires_at: utcFromMillis(now + 2 * LIFETIME) }
  await book.storage.write(async (tx) => {
    if (!(await useLogoutToken(tx, used, utcFromMillis(now)))) throw fail('sign_in_expired')
    if (sid) await deleteSessionsOfProvider(tx, { issuer: provider.issuer, providerSession: sid })
    else await deleteSessionsFrom(tx, { identityId: identityIdOf(provider, subject ?? '') })
  })
}
