import { type Caller, isAnonymous, isEditor } from '../../http/auth/rights.ts'

/** A caller who does not see the events of everybody: the ID of the own ones; undefined for those who are not signed in. */
export interface TermViewer {
  readonly ownerId: number | undefined
}

/** The viewer who decides which terms are shown; undefined for editors, who see all events. */
export function termViewerOf(caller: Caller): TermViewer | undefined {
  if (isEditor(caller.role)) return undefined
  return { ownerId: isAnonymous(caller) ? undefined : caller.id }
}
