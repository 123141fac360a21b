import type { Logger } from '../../base/log.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { StoredToken, TokenLookup } from '../../http/auth/bearer.ts'
import { type Caller, isRole, TOKEN_SCOPES } from '../../http/auth/rights.ts'
import { hashToken } from '../../http/auth/token.ts'
import type { Report, Storage } from '../../storage/engine.ts'
import { lastUse } from '../../storage/last-use.ts'
import { sharedReads } from '../../storage/reads.ts'
import { findOwned, noteNetwork, type OwnedToken, TOKEN_USES } from './store.ts'

/** What tokens are looked up with. */
interface TokenGround {
  readonly storage: Storage
  /** Key under which they are hashed. */
  readonly secret: string
  readonly report: Report
  readonly log: Pick<Logger, 'info'>
  /** Unix milliseconds. */
  now(): number
}

/**
 * Finds tokens for requests. Every call reads the database, so that a revoked token is refused from the next request on,
 * whichever process revoked it. With a network their use from there is noted: the hour, and in the audit the first time.
 */
export function tokenLookup(ground: TokenGround): (network?: string) => TokenLookup {
  const { storage, secret, report, log, now } = ground
  const byId = sharedReads((id) => findOwned(storage, id))
  const noteHour = lastUse<string>(ground, TOKEN_USES)
  const noteNew = ({ id, user_name: user }: OwnedToken, network: string): void => {
    storage
      .write((tx) => noteNetwork(tx, id, network))
      .then((isNew) => {
        if (isNew) log.info({ change: 'token used from a new network', user, tokenId: id, network, by: user }, 'audit')
      })
      .catch((error: unknown) => report(error, TOKEN_USES.doing))
  }
  const noteUse = (row: OwnedToken, network: string): void => {
    noteHour({ id: row.id, usedAt: row.used_at })
    if (!row.networks.split(' ').includes(network)) noteNew(row, network)
  }
  return (network) => ({
    hash: hashToken.bind(undefined, secret),
    find: async (id) => {
      const row = await byId(id)
      const stored = row && validToken(row, utcFromMillis(now()))
      return stored && network !== undefined ? { ...stored, used: () => noteUse(row, network) } : stored
    },
  })
}

function validToken(row: OwnedToken, now: string): StoredToken | undefined {
  if (!isRole(row.role) || (row.expires_at !== null && row.expires_at <= now)) return undefined
  const own = row.scopes.split(' ')
  const scopes = TOKEN_SCOPES.filter((scope) => own.includes(scope))
  const { user_id: id, user_name: name, role, name: token, expires_at: expiresAt } = row
  const caller: Caller = { id, name, role, scopes, token, expiresAt }
  return { hash: row.hash, caller }
}
