import { Failure, fail } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import type { AddressGate } from '../../base/outgoing/addresses.ts'
import { type Caller, TOKEN_SCOPES, type TokenScope } from '../../http/auth/rights.ts'
import type { Reader } from '../../storage/engine.ts'
import { findUserById } from '../users/index.ts'
import type { Claims } from './claims.ts'
import { identityIdOf } from './identities.ts'
import { publishedBy } from './metadata.ts'
import { providerFetch } from './outgoing.ts'
import type { Provider } from './providers.ts'
import { findIdentity } from './store.ts'
import { verifiedClaims } from './tokens.ts'

/** How long keys of access tokens are used, milliseconds. */
const KEYS_LIFETIME = 600_000

/** What access tokens of a provider are read with. */
export interface AccessDeps {
  readonly provider: Provider
  /** For whom they have to be. */
  audience(): string
  readonly storage: Reader
  readonly gate: AddressGate
  readonly log: Pick<Logger, 'warn'>
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * Reads access tokens that a provider has signed for an audience (RFC 9068): whose they are, by a connected identity, and what
 * they allow. The function throws invalid_token, rest_unavailable.
 */
export function openAccess({ provider, audience, storage, gate, log, now }: AccessDeps) {
  const published = publishedBy(provider, providerFetch(provider.label, gate), { now, lifetime: KEYS_LIFETIME })
  const lines = new Lines(now)
  const refuse = (reason: string): never => {
    // Whoever sets up the provider sees nothing but 401 otherwise.
    if (lines.take())
      log.warn({ provider: provider.id, reason: reason.slice(0, REASON_SHOWN) }, 'an access token was refused')
    throw fail('invalid_token')
  }
  return async (token: string): Promise<Caller> => {
    const checking = { provider: { ...provider, clientId: audience() }, published, now }
    const claims = await verifiedClaims(token, 'access token', checking).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'provider_unavailable') throw fail('rest_unavailable')
      return refuse(error instanceof Error ? error.message : 'it cannot be read')
    })
    const { sub, exp } = claims
    // One that is valid forever could be stolen forever.
    if (exp === undefined) return refuse('it never expires')
    const identity = typeof sub === 'string' ? await findIdentity(storage, identityIdOf(provider, sub)) : undefined
    const user = identity && (await findUserById(storage, identity.user_id))
    if (user === undefined) return refuse('nobody has the identity that it names: its user has to sign in here once')
    if (user.disabledAt !== null) return refuse('its user is disabled')
    return { id: user.id, name: user.name, role: user.role, token: provider.label, scopes: scopesIn(claims) }
  }
}

/** Lines of refused tokens in a minute, and the longest reason, which may quote the token. */
const [LINES, REASON_SHOWN, MINUTE] = [30, 300, 60_000]

/** Bounds what anybody could write to the log. */
class Lines {
  readonly #now: () => number
  #since = 0
  #written = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether another line may be written. */
  take(): boolean {
    if (this.#now() - this.#since >= MINUTE) [this.#since, this.#written] = [this.#now(), 0]
    this.#written += 1
    return this.#written <= LINES
  }
}

/** Our scopes among those of a token, but for `admin`, by which others mean other things. */
function scopesIn({ scope, scp = scope }: Claims): TokenScope[] {
  const named = Array.isArray(scp) ? scp : String(scp ?? '').split(' ')
  return TOKEN_SCOPES.filter((one) => one !== 'admin' && named.includes(one))
}
