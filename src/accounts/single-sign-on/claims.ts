import type { Logger } from '../../base/log.ts'
import { ROLES, type Role } from '../../http/auth/rights.ts'
import type { Provider } from './providers.ts'

/** What a provider says about somebody, by name. */
export type Claims = Readonly<Record<string, unknown>>

/** A claim that is text; '' for none. */
export function textClaim(claims: Claims, name: string): string {
  const value = claims[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** The first characters of a text, none of them in halves. */
export function shortened(text: string, count: number): string {
  return [...text].slice(0, count).join('')
}

/** When somebody last proved there who they are, Unix milliseconds; undefined where the provider does not say. */
export function authTime(claims: Claims): number | undefined {
  const seconds = claims['auth_time']
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined
}

/** The address that the provider has verified; '' for none. */
export function verifiedEmail(claims: Claims): string {
  return claims['email_verified'] === true ? textClaim(claims, 'email') : ''
}

/**
 * The highest role that the claim of a provider is mapped to; undefined where the claim is missing or maps to none. A
 * provider that leaves values out because there are too many says so with a marker, which is logged.
 */
export function mappedRole(
  { id, roleClaim, roles }: Provider,
  claims: Claims,
  log: Pick<Logger, 'warn'>,
): Role | undefined {
  if (roleClaim === '') return undefined
  const left = claims['_claim_names']
  if (typeof left === 'object' && left !== null && Object.hasOwn(left, roleClaim)) {
    log.warn({ provider: id, claim: roleClaim }, 'the provider leaves out the roles because they are too many')
    return undefined
  }
  const said = claimAt(claims, roleClaim)
  if (said === undefined)
    log.warn({ provider: id, claim: roleClaim }, 'neither the ID token nor userinfo has the claim of the roles')
  const found = [said].flat()
  const mapped = found.flatMap((value) =>
    typeof value === 'string' && Object.hasOwn(roles, value) ? roles[value] : [],
  )
  return ROLES.find((role) => mapped.includes(role))
}

/** The value at a path such as `realm_access.roles`; a claim whose name has dots comes first. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((value, name) => {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? (value as Claims)[name]
      : undefined
  }, claims)
}
