/** Roles from the most to the least powerful; each may do everything that the later ones may. */
export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const

/** What a user is trusted with. */
export type Role = (typeof ROLES)[number]

/** Role of a caller; `anonymous` without credentials. */
export type CallerRole = Role | 'anonymous'

/** True for the name of a role, in lower case as in `ROLES`. */
export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text)
}

/** True when `role` may do at least what `least` may; never for `anonymous`. */
export function isAtLeast(role: CallerRole, least: Role): boolean {
  return role !== 'anonymous' && ROLES.indexOf(role) <= ROLES.indexOf(least)
}
