import type { Reader, Transaction } from '../../storage/engine.ts'
import type { UsesOf } from '../../storage/last-use.ts'
import type { TokenTable } from '../../storage/schema.ts'

/** Networks that are stored of a token: from others it may be new again. */
const MOST_NETWORKS = 50

/** A token with its owner. */
export interface OwnedToken extends TokenTable {
  readonly user_name: string
  readonly role: string
}

/** The token with an ID whose owner may sign in, expired or not; undefined if there is none. */
export function findOwned(reader: Reader, id: string): Promise<OwnedToken | undefined> {
  return reader.first(tokensWith(reader).where('token.id', '=', id).where('user.disabled_at', 'is', null))
}

/** A token by its ID; undefined if there is none. */
export function findToken(reader: Reader, id: string): Promise<OwnedToken | undefined> {
  return reader.first(tokensWith(reader).where('token.id', '=', id))
}

/** The tokens of a user, or of all, that have not expired, the newest first. */
export function tokensOf(reader: Reader, userId: number | undefined, now: string): Promise<OwnedToken[]> {
  const query = tokensWith(reader).where((of) =>
    of.or([of('token.expires_at', 'is', null), of('token.expires_at', '>', now)]),
  )
  const wanted = userId === undefined ? query : query.where('token.user_id', '=', userId)
  return reader.all(wanted.orderBy('token.created_at', 'desc').orderBy('token.id'))
}

function tokensWith({ db }: Reader) {
  const query = db.selectFrom('token').innerJoin('user', 'user.id', 'token.user_id')
  return query.selectAll('token').select(['user.name as user_name', 'user.role'])
}

/** Adds a token, and removes those of its owner that have expired. */
export async function insertToken(tx: Transaction, row: TokenTable): Promise<void> {
  const old = tx.db.deleteFrom('token').where('user_id', '=', row.user_id)
  await tx.run(old.where('expires_at', '<=', row.created_at))
  await tx.run(tx.db.insertInto('token').values(row))
}

/** Removes a token. */
export async function deleteToken(tx: Transaction, id: string): Promise<void> {
  await tx.run(tx.db.deleteFrom('token').where('id', '=', id))
}

/** How the last use of tokens is stored, by their IDs; the journal does not record it. */
export const TOKEN_USES: UsesOf = {
  table: 'token',
  step: 3_600_000,
  hourOnly: true,
  doing: 'noting when a token was used',
}

/** Notes that a token is used from a network; false where that is known, or the token is gone. */
export async function noteNetwork(tx: Transaction, id: string, network: string): Promise<boolean> {
  const known = (await findToken(tx, id))?.networks.split(' ').filter((one) => one !== '')
  if (known === undefined || known.includes(network)) return false
  const networks = [...known, network].slice(-MOST_NETWORKS).join(' ')
  await tx.run(tx.db.updateTable('token').set({ networks }).where('id', '=', id))
  return true
}
