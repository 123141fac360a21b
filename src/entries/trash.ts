import type { Status } from '../model/status.ts'

/** Ending of the slugs of trashed entries: it frees the slug for others (wire: events 6). */
const TRASHED = '__trashed'

/** Slug of an entry in the trash; before uniqueness. It is never cut, so that a restoration brings the old one back. */
export function trashedSlug(slug: string): string {
  return isTrashedSlug(slug) ? slug : slug + TRASHED
}

/** Whether a slug is one of the trash, without a number behind it. */
export function isTrashedSlug(slug: string): boolean {
  return slug.endsWith(TRASHED)
}

/** Slug that an entry wants back when it leaves the trash. */
export function restoredSlug(slug: string): string {
  return slug.replace(/__trashed(-\d+)?$/, '')
}

/** What moving in or out of the trash changes besides the status; undefined when the move is neither. */
export function trashMove(from: Status | undefined, to: Status): 'in' | 'out' | undefined {
  if (from === to) return undefined
  if (to === 'trash') return 'in'
  return from === 'trash' ? 'out' : undefined
}
