import { fail } from '../../base/errors.ts'
import { type LogInWatch, placeAmongHashes } from './authenticate.ts'
import type { Caller } from './rights.ts'
import { readToken, type TokenParts } from './token.ts'

/** A token that has not expired, of a user who may sign in. */
export interface StoredToken {
  readonly hash: string
  /** Who sends it. */
  readonly caller: Caller
  /** Called where it was right; absent where nobody notes it. */
  used?(): void
}

/** Where the tokens are: given by the module for tokens, which knows the tables. */
export interface TokenLookup {
  find(id: string): Promise<StoredToken | undefined>
  /** The hash of a secret under the key of this installation. */
  hash(secret: string): string
}

/**
 * The sender of a request with a token (RFC 6750). A text that is no token is refused without a query.
 * @throws invalid_token, rest_too_many_requests
 */
export async function authenticateBearer(text: string, tokens: TokenLookup, watch?: LogInWatch): Promise<Caller> {
  const parts = readToken(text)
  const login = parts === undefined ? 'kal_' : `kal_${parts.id}`
  const attempt = await watch?.begin(login, `token ${tokens.hash(text)}`)
  try {
    const stored = parts && (await findRight(tokens, parts))
    if (stored !== undefined) {
      attempt?.succeeded()
      stored.used?.()
      return stored.caller
    }
  } catch (error) {
    attempt?.gaveUp()
    throw error
  }
  await attempt?.failed()
  throw fail('invalid_token')
}

async function findRight(tokens: TokenLookup, { id, secret }: TokenParts): Promise<StoredToken | undefined> {
  const stored = await tokens.find(id)
  return stored !== undefined && placeAmongHashes(tokens.hash(secret), [stored.hash]) === 0 ? stored : undefined
}
