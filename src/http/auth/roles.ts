/** Roles from the most to the least powerful; each may do everything that the later ones may. */
export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const

/** The role of a user. */
export type Role = (typeof ROLES)[number]

/** Role of a caller; `anonymous` without credentials. */
export type CallerRole = Role | 'anonymous'

/** True for the name of a role, in lower case as in `ROLES`. */
export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text)
}
