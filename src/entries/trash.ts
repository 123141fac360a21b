/** Ending of the slugs of trashed entries: it frees the slug for others (wire: events 6). */
const TRASHED = '__trashed'

/** Slug of an entry in the trash, before uniqueness. It is never cut, so that restoring brings back the old one. */
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

/** The journal's name for a change of status. */
export function changeAction(from: string, to: string): 'update' | 'trash' | 'restore' {
  const move = trashMove(from, to)
  return move === 'in' ? 'trash' : move === 'out' ? 'restore' : 'update'
}
