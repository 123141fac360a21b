import { LINK_KIND, TRAIT } from '../../storage/schema.ts'
import type { EventQuery } from './filters.ts'

/** What `occurrence_link` and `event_count` know a list by. */
export interface Target {
  /** The part of the query that names it. */
  readonly name: keyof EventQuery
  readonly kind: number
  readonly id: number
}

const NAMED = [
  ['venue', LINK_KIND.venue],
  ['organizer', LINK_KIND.organizer],
  ['categories', LINK_KIND.category],
  ['tags', LINK_KIND.tag],
] as const

/** The one venue, organizer, category or tag that events must have, else the trait; undefined where there is none. */
export function singleTarget(query: Omit<EventQuery, 'bounds'>): Target | undefined {
  for (const [name, kind] of NAMED) {
    const ids = query[name]
    const [id] = ids ?? []
    if (ids?.length === 1 && id !== undefined) return { name, kind, id }
  }
  return traitOf(query, true)
}

/** A trait that events must have or, when not `wanted`, must not have. */
export function traitOf({ featured, ticketed }: Omit<EventQuery, 'bounds'>, wanted: boolean): Target | undefined {
  const { trait: kind } = LINK_KIND
  if (featured === wanted) return { name: 'featured', kind, id: TRAIT.featured }
  if (ticketed === wanted) return { name: 'ticketed', kind, id: TRAIT.ticketed }
  return undefined
}
