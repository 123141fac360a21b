import { fail } from '../../base/errors.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { localAdministrators, type WayIn, waysInOf } from './store.ts'

/** Whether nobody else is an enabled administrator who can sign in with a password or a passkey. */
async function isLastAdministrator(reader: Reader, userId: number): Promise<boolean> {
  const administrators = await localAdministrators(reader)
  return administrators.length === 1 && administrators[0]?.id === userId
}

/**
 * Called inside the transaction that takes the role of administrator, or the sign-in, from a user.
 * @throws last_administrator
 */
export async function keepAnAdministrator(
  tx: Transaction,
  user: { readonly id: number; readonly name: string },
): Promise<void> {
  if (await isLastAdministrator(tx, user.id)) throw fail('last_administrator', { name: user.name })
}

/**
 * Called inside the transaction that takes one of the ways in from a user, before it does.
 * @throws last_way_in; last_administrator when only ways in are left that depend on others
 */
export async function keepAWayIn(
  tx: Transaction,
  user: { readonly id: number; readonly name: string },
  taken: WayIn,
): Promise<void> {
  const ways = await waysInOf(tx, user.id)
  const left = { ...ways, [taken]: ways[taken] - 1 }
  if (Object.values(left).every((count) => count <= 0)) throw fail('last_way_in', { name: user.name })
  if (left.password <= 0 && left.passkey <= 0) await keepAnAdministrator(tx, user)
}
