import type { PageRequest } from './page-request.ts'

/** Whether a user may sign in with a password: everybody, or those who are named for emergencies. */
export function mayUsePassword({ deps }: PageRequest, name: string): boolean {
  return deps.openWays.mayUsePassword(name)
}

/** Whether the form for passwords is shown at once, behind a link for emergencies, or not at all. */
export function passwordForm({ deps, method, query }: PageRequest): 'shown' | 'behind link' | 'absent' {
  const { passwordSignIn, breakGlass } = deps.config
  if (passwordSignIn) return 'shown'
  if (breakGlass.length === 0) return 'absent'
  return method === 'POST' || query('with') === 'password' ? 'shown' : 'behind link'
}
