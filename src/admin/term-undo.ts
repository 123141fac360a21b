import { Failure } from '../base/errors.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import { restoreTerm } from '../calendar/terms/index.ts'
import type { PageResponse } from '../http/page.ts'
import type { TermKey } from '../model/resource.ts'
import { sameAddress } from './address.ts'
import { type Asking, redirect } from './asking.ts'
import { passOver } from './refusals.ts'
import { type ChosenItem, type UndoableAt, undoParameter } from './undo.ts'

/** Whether a term cannot be taken back because another one has its slug or its name by now. */
function isTaken(error: unknown): boolean {
  return error instanceof Failure && (error.code === 'duplicate_term_slug' || error.code === 'term_exists')
}

/**
 * Takes deletions of categories or tags of this user back, the last one first: what was deleted with a category above it
 * finds that again. The same list follows; where a name or slug is taken it says so, and offers the rest again.
 */
export async function takeBackTerms(
  asking: Asking,
  { key, collection }: { readonly key: TermKey; readonly collection: string },
  { items, at }: UndoableAt,
): Promise<PageResponse> {
  const { parts, incoming } = asking
  const { caller, now } = incoming
  const moment = utcFromMillis(at)
  const [refused, taken]: [ChosenItem[], ChosenItem[]] = [[], []]
  for (const item of items.toReversed()) {
    const deletion = { id: Number(item.id), by: caller.id, since: moment, until: moment }
    const restoration = { deletion, caller, at: utcFromMillis(now) }
    await parts.storage
      .write((tx) => restoreTerm(tx, key, restoration))
      .catch((error: unknown) => {
        passOver(error)
        refused.push(item)
        if (isTaken(error)) taken.unshift(item)
      })
  }
  const counts = { count: String(items.length - refused.length), of: String(items.length) }
  const undo = undoParameter(asking, collection, { action: 'delete', items: taken, at })
  return redirect(sameAddress(asking, { done: 'back', ...counts, why: taken.length > 0 ? 'taken' : '', undo }))
}
