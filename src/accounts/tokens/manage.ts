import { fail } from '../../base/errors.ts'
import { checkRole, TOKEN_SCOPES, type TokenScope } from '../../http/auth/rights.ts'
import { generateToken, hashToken } from '../../http/auth/token.ts'
import type { Transaction } from '../../storage/engine.ts'
import { findUserById, momentOf, recordUser, type UserBook, userNamed } from '../users/index.ts'
import { decideToken, MOST_TOKENS, type TokenTerms, type WantedToken } from './rules.ts'
import { deleteToken, findToken, insertToken, type TokenRow, tokensOf } from './store.ts'

/** A token as it is shown: never its text, which only its creator has seen. */
export interface AccessToken {
  readonly id: string
  readonly name: string
  readonly scopes: readonly TokenScope[]
  /** UTC, `YYYY-MM-DD HH:MM:SS`, as the other times. */
  readonly createdAt: string
  /** null for never. */
  readonly expiresAt: string | null
  /** Start of the hour in which it was used last; null for never. */
  readonly usedAt: string | null
}

/** A new token with its text, which is shown once. */
export type CreatedToken = AccessToken & { readonly user: string; readonly token: string }

/** A token to add to a user, who is named. */
export interface NewToken extends WantedToken {
  readonly user: string
}

/**
 * Adds a token to a user; `by` are the credentials with which that is done, where they are a token.
 * @throws no_such_user, bad_token, insufficient_scope
 */
export async function addToken(book: UserBook, wanted: NewToken, by?: TokenTerms['by']): Promise<CreatedToken> {
  const at = momentOf(book)
  const { id, secret, token } = generateToken()
  return book.storage.write(async (tx) => {
    const user = await userNamed(tx, wanted.user)
    const { name, scopes, expiresAt } = decideToken(wanted, { role: checkRole(user.role), now: book.now(), by })
    if ((await tokensOf(tx, user.id, at)).length >= MOST_TOKENS)
      throw fail('bad_token', { reason: 'tokens.problem.tooMany' })
    const draft = { id, user_id: user.id, name, scopes: scopes.join(' '), created_at: at, expires_at: expiresAt }
    const row: TokenRow = { ...draft, used_at: null, networks: '' }
    await insertToken(tx, { ...row, hash: hashToken(book.secret, secret) })
    await recordUser(tx, user, at)
    return { ...shown(row), user: user.name, token }
  })
}

/**
 * The tokens of a user that have not expired, the newest first; `[]` when there are none.
 * @throws no_such_user
 */
export async function listTokens(book: Omit<UserBook, 'secret'>, { user }: { user: string }): Promise<AccessToken[]> {
  const { id } = await userNamed(book.storage, user)
  return (await tokensOf(book.storage, id, momentOf(book))).map(shown)
}

/**
 * Makes a token invalid at once, which ends its streams; of a certain user if `user` is not absent.
 * @throws token-not-found
 */
export async function revokeToken(
  book: Omit<UserBook, 'secret'>,
  { id, user: name }: { readonly id: string; readonly user?: string | undefined },
): Promise<AccessToken & { readonly user: string }> {
  return book.storage.write(async (tx) => {
    const row = await findToken(tx, id)
    const user = row && (await findUserById(tx, row.user_id))
    if (row === undefined || user === undefined || (name !== undefined && user.name !== name))
      throw fail('token-not-found')
    await deleteToken(tx, id)
    await tellOthers(tx, user.name, momentOf(book))
    return { ...shown(row), user: user.name }
  })
}

/** The journal is where other processes, with the streams that they send, hear of a change. */
async function tellOthers(tx: Transaction, name: string, at: string): Promise<void> {
  await recordUser(tx, await userNamed(tx, name), at)
}

function shown({ id, name, scopes, created_at, expires_at, used_at }: TokenRow): AccessToken {
  const own = scopes.split(' ')
  const known = TOKEN_SCOPES.filter((scope) => own.includes(scope))
  return { id, name, scopes: known, createdAt: created_at, expiresAt: expires_at, usedAt: used_at }
}
