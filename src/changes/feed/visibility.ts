import { visibilityOf } from '../../calendar/shared/listing.ts'
import type { Caller } from '../../http/auth/rights.ts'
import type { ChangeRow, PastState } from './store.ts'

/** What has become of an item for someone. */
export type ChangeAction = 'created' | 'updated' | 'deleted'

/** Says what a change means to one caller; undefined where it does not concern what they see. */
export type ChangeView = (row: ChangeRow) => ChangeAction | undefined

/**
 * How a caller sees changes: as if the lists of the interface had been read before and after. What leaves the lists,
 * into the trash for instance, is `deleted`, and what comes to them `created`. With `withHidden` events that are on no list
 * count as if they were, for those who may read them.
 */
export function changesSeenBy(caller: Caller, { withHidden = false } = {}): ChangeView {
  const { ofAll, ofOwn, ownerId } = visibilityOf(caller, undefined)
  const all: ReadonlySet<string> = new Set(ofAll)
  const own: ReadonlySet<string> = new Set(ofOwn)
  const isSeen = (state: PastState | undefined): boolean => {
    if (state === undefined || (state.hidden === 1 && !withHidden)) return false
    const { status, author } = state
    return status === null || all.has(status) || (author === ownerId && own.has(status))
  }
  return ({ before, after, isException }) => {
    const is = isSeen(after)
    // The date is on the lists without its exception, too.
    const was = isSeen(before) || (is && isException && before === undefined)
    if (was && is) return 'updated'
    if (is) return 'created'
    return was ? (isException && after === undefined ? 'updated' : 'deleted') : undefined
  }
}

/** Callers with the same key see the same changes. */
export function viewKey(caller: Caller): string {
  const { ofAll, ofOwn } = visibilityOf(caller, undefined)
  return `${ofAll.join()} ${ofOwn.length === 0 ? '' : `${caller.id} ${ofOwn.join()}`}`
}
