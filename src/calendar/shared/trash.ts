import type { Status } from '../../model/status.ts'

/** Ending of the slugs of trashed entries: it frees the slug for others (wire: events 6). */
const TRASHED = '__trashed'

/** Slug of an entry in the trash, before uniqueness. It is never cut, so that restoring the entry restores its old slug. */
export function trashedSlug(slug: string): string {
  return isTrashedSlug(slug) ? slug : slug + TRASHED
}

/** Whether a slug is one of the trash, without a number behind it. */
export function isTrashedSlug(slug: string): boolean {
  return slug.endsWith(TRASHED)
}

/** The slug that an entry gets back when it leaves the trash. */
export function restoredSlug(slug: string): string {
  return slug.replace(/__trashed(-\d+)?$/, '')
}

/** What moving in or out of the trash changes besides the status; undefined when the move is neither. */
export function trashMove(from: string | undefined, to: string): 'in' | 'out' | undefined {
  if (from === to) return undefined
  if (to === 'trash') return 'in'
  return from === 'trash' ? 'out' : undefined
}

/**
 * The status that an entry of this status had before it went to the trash, null outside the trash; `stored` is undefined
 * for a new one, which counts as a draft there.
 */
export function statusBeforeTrash(
  stored: { readonly status: Status; readonly trashed_from: Status | null } | undefined,
  status: Status,
): Status | null {
  if (status !== 'trash') return null
  return stored?.status === 'trash' ? stored.trashed_from : (stored?.status ?? 'draft')
}

/** The journal's name for a change of status. */
export function changeAction(from: string, to: string): 'update' | 'trash' | 'restore' {
  const move = trashMove(from, to)
  return move === 'in' ? 'trash' : move === 'out' ? 'restore' : 'update'
}
