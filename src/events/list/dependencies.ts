import type { Part } from '../../http/cache/versions.ts'
import type { EventQuery } from './filters.ts'

/** What decides which events an anonymous reader's list holds, also by what its parameters name. */
export function dependenciesOf(query: EventQuery): Part[] {
  const { include, venue = [], organizer = [], categories, tags, post_parent, search, located, near } = query
  // These ask for more than lists are read from: then any change of an event counts.
  const isOpen = [post_parent, search, located, near].some((one) => one !== undefined)
  const parts: Part[] = include?.map((id) => ({ of: 'event', id })) ?? [
    { of: 'event', ...(!isOpen && { listed: true }) },
  ]
  // They were found, and may be read.
  parts.push(...venue.map((id) => ({ of: 'venue', id }) as const))
  parts.push(...organizer.map((id) => ({ of: 'organizer', id }) as const))
  if (post_parent !== undefined) parts.push({ of: 'event', id: post_parent })
  // Their slugs were looked up, and what stands above them decides, too.
  if (categories !== undefined) parts.push({ of: 'category', uncounted: true })
  if (tags !== undefined) parts.push({ of: 'tag', uncounted: true })
  if (located !== undefined || near !== undefined) parts.push({ of: 'venue' })
  return parts
}
