import type { Config } from '../../base/config.ts'
import { fold } from '../../base/text/fold.ts'

/** Which ways in lead in at present: what people have of the others is of no use to them. */
export interface OpenWays {
  /** Whether the user with a name may sign in with a password. */
  mayUsePassword(name: string): boolean
  /** The issuers of the providers that are set up; absent where that is unknown, and any will do. */
  readonly issuers?: readonly string[]
}

/** The ways in of a configuration: passwords of everybody, or of those who are named for emergencies. */
export function openWaysOf(
  { passwordSignIn, breakGlass }: Pick<Config, 'passwordSignIn' | 'breakGlass'>,
  issuers?: readonly string[],
): OpenWays {
  const named = new Set(breakGlass.map(fold))
  return { mayUsePassword: (name) => passwordSignIn || named.has(fold(name)), ...(issuers && { issuers }) }
}
