import type { Occurrences } from '../event-store/copies.ts'
import type { Area } from '../http/cache/moves.ts'
import type { Part } from '../http/cache/versions.ts'
import type { Move, Place } from '../journal/entry.ts'
import { LINK_KIND, TRAIT } from '../storage/schema.ts'
import type { EventQuery } from './list/filters.ts'
import { regionOf } from './list/region.ts'

/** What a write means to the lists of anonymous readers; undefined for an event that is new, or gone for good. */
export function moveOf(before: Occurrences | undefined, after: Occurrences | undefined): Move {
  return { before: before && placeOf(before), after: after && placeOf(after) }
}

function placeOf({ occurrence, occurrenceLinks }: Occurrences): Place | undefined {
  const { status, listed, start_local: start, end_local: end, published_at: published } = occurrence
  if (status !== 'publish' || listed !== 1) return undefined
  return { start, end, published, targets: occurrenceLinks.map((link) => targetName(link.kind, link.target_id)) }
}

/** What decides which events an anonymous reader's list holds, also by what its parameters name. */
export function membershipOf(query: EventQuery): Part[] {
  const { include, venue = [], organizer = [], categories, tags, post_parent, located, near } = query
  const parts: Part[] = include === undefined ? areaOf(query) : include.map((id) => ({ of: 'event', id }))
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

function areaOf(query: EventQuery): Part[] {
  const region = regionOf(query.bounds)
  if (region === undefined) return [{ of: 'event' }]
  const { search, located, near, post_parent, featured, ticketed } = query
  const others = [search, located, near, post_parent].some((one) => one !== undefined)
  const isOpen = others || featured === false || ticketed === false
  return [{ list: { ...region, targets: groupsOf(query), isOpen } satisfies Area }]
}

/** The targets that a query asks for; an event needs one of each group. */
function groupsOf({ venue, organizer, categories, tags, featured, ticketed }: EventQuery): string[][] {
  const named = [
    [LINK_KIND.venue, venue],
    [LINK_KIND.organizer, organizer],
    [LINK_KIND.category, categories],
    [LINK_KIND.tag, tags],
    [LINK_KIND.trait, featured === true ? [TRAIT.featured] : undefined],
    [LINK_KIND.trait, ticketed === true ? [TRAIT.ticketed] : undefined],
  ] as const
  return named.flatMap(([kind, ids]) => (ids === undefined ? [] : [ids.map((id) => targetName(kind, id))]))
}

function targetName(kind: number, id: number): string {
  return `${kind}:${id}`
}
