import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { type Caller, type Role, requireScope, TOKEN_SCOPES, type TokenScope } from '../../http/auth/rights.ts'
import { TOKEN_LIFETIME } from '../../http/auth/token.ts'

/** Most tokens of a user. */
export const MOST_TOKENS = 20

/** Longest name, in characters. */
const NAME_LENGTH = 100

/** What somebody wants a token to be. */
export interface WantedToken {
  readonly name: string
  /** `["read"]` if absent. */
  readonly scopes?: readonly string[] | undefined
  /** UTC text; null for never, 90 days from now if absent. */
  readonly expiresAt?: string | null | undefined
}

/** Who gets it, when, and what the credentials allow with which it is made. */
export interface TokenTerms {
  readonly role: Role
  /** Unix milliseconds. */
  readonly now: number
  /** Absent where no token makes it. */
  readonly by?: Pick<Caller, 'scopes' | 'expiresAt'> | undefined
}

/** What a token is made of. */
export interface DecidedToken {
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly expiresAt: string | null
}

/**
 * A token as it may be made: no token makes one that may do more than itself, or does it longer.
 * @throws bad_token, insufficient_scope
 */
export function decideToken(wanted: WantedToken, { role, now, by }: TokenTerms): DecidedToken {
  const name = wanted.name.trim()
  if (name === '' || name.length > NAME_LENGTH || /\p{Cc}/u.test(name)) throw bad('name')
  const scopes = TOKEN_SCOPES.filter((scope) => (wanted.scopes ?? ['read']).includes(scope))
  const isKnown = (wanted.scopes ?? []).every((scope) => TOKEN_SCOPES.some((one) => one === scope))
  if (scopes.length === 0 || !isKnown) throw bad('scopes')
  for (const scope of scopes) if (by !== undefined) requireScope(by, scope)
  const own = by?.expiresAt ?? null
  const usual = utcFromMillis(now + TOKEN_LIFETIME)
  const { expiresAt = own !== null && own < usual ? own : usual } = wanted
  if (own !== null && (expiresAt === null || expiresAt > own)) throw bad('later')
  if (expiresAt === null && role !== 'administrator') throw bad('endless')
  if (expiresAt !== null && (expiresAt <= utcFromMillis(now) || expiresAt > aYearAfter(now))) throw bad('expiry')
  return { name, scopes, expiresAt }
}

function bad(problem: 'name' | 'scopes' | 'later' | 'endless' | 'expiry'): Error {
  return fail('bad_token', { reason: `tokens.problem.${problem}` })
}

function aYearAfter(now: number): string {
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() + 1)
  return utcFromMillis(end.getTime())
}
