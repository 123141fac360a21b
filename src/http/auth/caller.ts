import type { CallerRole } from './roles.ts'

/** Who sent a request. */
export interface Caller {
  /** Id of the user; 0 for an anonymous caller. */
  readonly id: number
  readonly role: CallerRole
  /** Name of the user; '' for an anonymous caller. */
  readonly name: string
}

/** The caller of a request without credentials. */
export const ANONYMOUS: Caller = Object.freeze({ id: 0, role: 'anonymous', name: '' })

/** True for a caller without credentials. */
export function isAnonymous(caller: Caller): boolean {
  return caller.id === 0
}
