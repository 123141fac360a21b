import { type Expression, sql } from 'kysely'
import type { Visibility } from '../../entries/listing.ts'
import type { EngineName } from '../../storage/engine.ts'
import { entriesWithText } from '../../storage/entries-with-text.ts'
import { inList } from '../../storage/expressions.ts'
import { LINK_KIND } from '../../storage/schema.ts'
import { type BuiltQuery, type EventQuery, eventsWithin } from './filters.ts'

/** Events that a list is read from, because no other event can be on it, and what else it asks of them. */
export interface Candidates {
  /** A subquery in parentheses: rows with the `id` of an event, each event once. */
  readonly events: Expression<{ id: number }>
  readonly rest: BuiltQuery
  /** The protected events that are named by the negative of their id, because their hidden text was searched. */
  readonly hidden?: Visibility | undefined
}

/**
 * The events to begin with where a query names few: parts of an event, texts with a word, places near a point, several
 * venues, organizers, categories or tags. Undefined where an index of dates or of one target serves better.
 */
export function candidatesOf(engine: EngineName, query: BuiltQuery): Candidates | undefined {
  const { include, post_parent, near } = query
  if (include !== undefined) return undefined
  if (post_parent !== undefined) {
    const events = sql<{ id: number }>`(select event.id from event where event.post_parent = ${post_parent})`
    return { events, rest: { ...query, post_parent: undefined } }
  }
  const found = query.search && entriesWithText(engine, query.search)
  const hidden = query.search?.hidden
  if (found !== undefined) {
    const search = found.rest && { ...found.rest, ...(hidden && { hidden }) }
    return { events: found.entries, rest: { ...query, search }, hidden }
  }
  if (near !== undefined) return { events: eventsWithin(near), rest: { ...query, near: undefined } }
  return linkedToAny(engine, query)
}

const TARGETS = [
  ['venue', LINK_KIND.venue],
  ['organizer', LINK_KIND.organizer],
  ['categories', LINK_KIND.category],
  ['tags', LINK_KIND.tag],
] as const

function linkedToAny(engine: EngineName, query: BuiltQuery): Candidates | undefined {
  const several = severalTargets(query)
  if (several === undefined) return undefined
  const { name, kind, ids } = several
  const { start_date } = query.bounds
  const start = start_date === undefined ? sql`` : sql`and occurrence_link.start_local >= ${start_date}`
  const events = sql<{ id: number }>`(select distinct occurrence_link.event_id as id from occurrence_link
    where occurrence_link.kind = ${kind} and ${inList(engine, 'occurrence_link.target_id', ids)} ${start})`
  return { events, rest: { ...query, [name]: undefined } }
}

/** Several venues, organizers, categories or tags, one of which an event must have. */
export interface SeveralTargets {
  readonly name: (typeof TARGETS)[number][0]
  readonly kind: number
  readonly ids: readonly number[]
}

/** The several targets of a list that begins with nothing better, such as a single target or a word. */
export function severalTargets(query: Omit<EventQuery, 'bounds'>): SeveralTargets | undefined {
  const { include, post_parent, search, near } = query
  if ([include, post_parent, search, near].some((part) => part !== undefined)) return undefined
  if (TARGETS.some(([name]) => query[name]?.length === 1)) return undefined
  for (const [name, kind] of TARGETS) {
    const ids = query[name]
    if (ids !== undefined) return { name, kind, ids: [...new Set(ids)] }
  }
  return undefined
}
