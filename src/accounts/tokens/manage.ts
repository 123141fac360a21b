import { fail } from '../../base/errors.ts'
import { checkRole, TOKEN_SCOPES, type TokenScope } from '../../http/auth/rights.ts'
import { generateToken, hashToken } from '../../http/auth/token.ts'
import { momentOf, recordUser, type UserBook, userNamed } from '../users/index.ts'
import { decideToken, MOST_TOKENS, type TokenTerms, type WantedToken } from './rules.ts'
import { deleteToken, findToken, insertToken, type OwnedToken, tokensOf } from './store.ts'

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
  /** Name of its owner. */
  readonly user: string
}

/** A new token with its text, which is shown once. */
export type CreatedToken = AccessToken & { readonly token: string }

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
    const row = { id, user_id: user.id, name, scopes: scopes.join(' '), created_at: at, expires_at: expiresAt }
    const unused = { ...row, used_at: null, networks: '' }
    await insertToken(tx, { ...unused, hash: hashToken(book.secret, secret) })
    await recordUser(tx, user, at)
    await book.mailer?.queueNotice(tx, { userId: user.id, kind: 'token', what: name })
    return { ...shown({ ...unused, user_name: user.name }), token }
  })
}

/**
 * The tokens of a user that have not expired, or of all users, the newest first; `[]` when there are none.
 * @throws no_such_user
 */
export async function listTokens(
  book: Omit<UserBook, 'secret'>,
  { user }: { readonly user?: string | undefined },
): Promise<AccessToken[]> {
  const owner = user === undefined ? undefined : await userNamed(book.storage, user)
  return (await tokensOf(book.storage, owner?.id, momentOf(book))).map(shown)
}

/**
 * Makes a token invalid at once, which ends its streams; only one of a certain user if `user` is not absent.
 * @throws token-not-found
 */
export async function revokeToken(
  book: Omit<UserBook, 'secret'>,
  { id, user }: { readonly id: string; readonly user?: string | undefined },
): Promise<AccessToken> {
  return book.storage.write(async (tx) => {
    const row = await findToken(tx, id)
    if (row === undefined || (user !== undefined && row.user_name !== user)) throw fail('token-not-found')
    await deleteToken(tx, id)
    // The journal is where other processes hear of it, with the streams that they send.
    await recordUser(tx, await userNamed(tx, row.user_name), momentOf(book))
    return shown(row)
  })
}

type Shown = Omit<OwnedToken, 'user_id' | 'hash' | 'networks' | 'role'>

function shown({ id, name, scopes, created_at, expires_at, used_at, user_name: user }: Shown): AccessToken {
  const own = scopes.split(' ')
  const known = TOKEN_SCOPES.filter((scope) => own.includes(scope))
  return { id, name, scopes: known, createdAt: created_at, expiresAt: expires_at, usedAt: used_at, user }
}
