import type { Reader, Transaction } from '../../storage/engine.ts'
import { tellReplicas } from '../../storage/numbers.ts'
import type { ChallengeTable, PasskeyTable } from '../../storage/schema.ts'

/** The passkeys of a user, the oldest first; `[]` for none. */
export function passkeysOf(reader: Reader, userId: number): Promise<PasskeyTable[]> {
  const query = reader.db.selectFrom('passkey').selectAll().where('user_id', '=', userId)
  return reader.all(query.orderBy('created_at').orderBy('id'))
}

/** A passkey by its ID; undefined if there is none. */
export function findPasskey(reader: Reader, id: string): Promise<PasskeyTable | undefined> {
  return reader.first(reader.db.selectFrom('passkey').selectAll().where('id', '=', id))
}

/** Adds a passkey. */
export async function insertPasskey(tx: Transaction, row: PasskeyTable): Promise<void> {
  await tx.run(tx.db.insertInto('passkey').values(row))
  await tellReplicas(tx)
}

/** Changes a passkey of a user; false when the user has none with this ID. */
export async function updatePasskey(
  tx: Transaction,
  { id, user_id }: Pick<PasskeyTable, 'id' | 'user_id'>,
  changes: Partial<Pick<PasskeyTable, 'name' | 'counter' | 'used_at'>>,
): Promise<boolean> {
  const query = tx.db.updateTable('passkey').set(changes).where('id', '=', id).where('user_id', '=', user_id)
  const { changes: count } = await tx.run(query)
  await tellReplicas(tx)
  return count > 0
}

/** Removes a passkey. */
export async function deletePasskey(tx: Transaction, id: string): Promise<void> {
  await tx.run(tx.db.deleteFrom('passkey').where('id', '=', id))
  await tellReplicas(tx)
}

/** Challenges that people who are not signed in can have open at once: whoever asks for more takes the place of the oldest. */
const MOST_ANONYMOUS = 1000

/** Adds a challenge, and removes all that have expired. */
export async function insertChallenge(tx: Transaction, row: ChallengeTable, now: string): Promise<void> {
  await tx.run(tx.db.deleteFrom('challenge').where('expires_at', '<=', now))
  if (row.user_id === null) await makeRoom(tx)
  await tx.run(tx.db.insertInto('challenge').values(row))
}

async function makeRoom(tx: Transaction): Promise<void> {
  const anonymous = tx.db.selectFrom('challenge').select('id').where('user_id', 'is', null)
  const oldest = anonymous
    .orderBy('expires_at', 'desc')
    .orderBy('id')
    .offset(MOST_ANONYMOUS - 1)
    .limit(10)
  const ids = (await tx.all(oldest)).map(({ id }) => id)
  if (ids.length > 0) await tx.run(tx.db.deleteFrom('challenge').where('id', 'in', ids))
}

/** Uses up a challenge; undefined when there is none for this. */
export function takeChallenge(
  tx: Transaction,
  { id, kind, bound_to }: Pick<ChallengeTable, 'id' | 'kind' | 'bound_to'>,
  now: string,
): Promise<ChallengeTable | undefined> {
  const query = tx.db.deleteFrom('challenge').where('id', '=', id).where('kind', '=', kind)
  return tx.first(query.where('bound_to', '=', bound_to).where('expires_at', '>', now).returningAll())
}
