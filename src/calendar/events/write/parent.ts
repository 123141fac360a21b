import { type Caller, mayRead } from '../../../http/auth/rights.ts'
import type { Reason } from '../../../model/kinds/kind.ts'
import type { Reader } from '../../../storage/engine.ts'
import { findEvent } from '../../event-store/rows.ts'

/** An event that is to become a part of another one. */
export interface ParentChange {
  readonly caller: Caller
  /** ID of the wanted parent. */
  readonly parent: number
  /** ID of the event itself; undefined when it is new. */
  readonly self: number | undefined
}

/**
 * Why an event cannot be a part of another one: that one is unknown or unreadable, or it is the event itself or below
 * it (decisions: post_parent). Undefined when it can.
 */
export async function parentProblem(
  reader: Reader,
  { caller, parent, self }: ParentChange,
): Promise<Reason | undefined> {
  let above = await findEvent(reader, { by: 'id', id: parent })
  if (above === undefined || !mayRead(caller, { authorId: above.author_id, status: above.status })) return 'unknown_id'
  const seen = new Set<number>()
  while (above !== undefined && !seen.has(above.id)) {
    if (above.id === self) return 'own_descendant'
    seen.add(above.id)
    above = above.post_parent === 0 ? undefined : await findEvent(reader, { by: 'id', id: above.post_parent })
  }
  return undefined
}
