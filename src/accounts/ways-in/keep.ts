import { fail } from '../../base/errors.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import type { OpenWays } from './open.ts'
import { type Entrant, enabledAdministrators, type WayIn, waysInOf } from './store.ts'

/**
 * The administrators without whom nobody could administer: those who can sign in with a password or a passkey, or else those
 * who can at a provider.
 */
async function administratorsWithWay(reader: Reader, open: OpenWays | undefined): Promise<readonly number[]> {
  const local: number[] = []
  const elsewhere: number[] = []
  for (const user of await enabledAdministrators(reader)) {
    const { password, passkey, identity } = await waysInOf(reader, user, open)
    if (password + passkey > 0) local.push(user.id)
    else if (identity > 0) elsewhere.push(user.id)
  }
  return local.length > 0 ? local : elsewhere
}

/**
 * Called inside the transaction that takes the role of administrator, or the sign-in, from a user; `open` are the ways in that
 * work.
 * @throws last_administrator
 */
export async function keepAnAdministrator(tx: Transaction, user: Entrant, open: OpenWays | undefined): Promise<void> {
  const administrators = await administratorsWithWay(tx, open)
  if (administrators.length === 1 && administrators[0] === user.id)
    throw fail('last_administrator', { name: user.name })
}

/** What is taken from a user, and the ways in that work. */
interface Taking {
  readonly taken: WayIn
  readonly open: OpenWays | undefined
  /** Whether the last way in may go, as when an administrator has decided so. */
  readonly mayBeLast?: boolean | undefined
}

/**
 * Called inside the transaction that takes one of the ways in from a user, before it does.
 * @throws last_way_in; last_administrator when nobody could administer, or only with ways in that depend on others
 */
export async function keepAWayIn(
  tx: Transaction,
  user: Entrant,
  { taken, open, mayBeLast = false }: Taking,
): Promise<void> {
  const ways = await waysInOf(tx, user, open)
  const left = { ...ways, [taken]: ways[taken] - 1 }
  const isLast = Object.values(left).every((count) => count <= 0)
  if (isLast && !mayBeLast) throw fail('last_way_in', { name: user.name })
  const isLastLocal = taken !== 'identity' && left.password <= 0 && left.passkey <= 0
  if (isLast || isLastLocal) await keepAnAdministrator(tx, user, open)
}
