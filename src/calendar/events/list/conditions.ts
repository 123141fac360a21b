import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Search } from '../../../base/text/search.ts'
import type { EngineName } from '../../../storage/engine.ts'
import { entriesWithText } from '../../../storage/entries-with-text.ts'
import { containsText } from '../../../storage/expressions.ts'
import type { Database, EventTable } from '../../../storage/schema.ts'
import { type Condition, isVisible } from '../../shared/filters.ts'
import { type Circle, liesWithin, metresTo } from '../../shared/filters-distance.ts'
import type { Visibility } from '../../shared/listing.ts'
import type { OccurrenceRow } from './bounds.ts'

/** The row of `occurrence` that conditions refer to, and the engine whose dialect they use. */
export interface RowContext {
  readonly row: OccurrenceRow
  readonly engine: EngineName
}

/** A text search of events. */
export interface EventSearch extends Search {
  /** The protected events whose hidden text is searched as well, because the caller may edit them. */
  readonly hidden?: Visibility | undefined
}

/** A circle that must contain a venue that the caller may read. */
export interface Vicinity {
  readonly circle: Circle
  readonly venues: Visibility
}

/** Events that a list is read from, because no other can be on it. */
export interface Candidates {
  /** A subquery in parentheses: rows with the `id` of an event, each once. */
  readonly events: Expression<{ id: number }>
  /** Whether the ID of a protected event is below zero where its hidden text was searched. */
  readonly isSigned?: boolean
  /** Further conditions on them; their rows are named `found`. */
  readonly also?: readonly Condition[]
}

/** Whether the caller may see a row of `occurrence`. */
export function isShown(row: OccurrenceRow, visibility: Visibility): Condition {
  return isVisible(row, visibility, { status: row.ref('occurrence.status'), author: row.ref('occurrence.author_id') })
}

/** Whether lists show a row of `occurrence`; with hidden ones all but the first date of a series that was taken out of it. */
export function isListed(row: OccurrenceRow, { withHidden }: Visibility): Condition {
  if (withHidden === undefined) return row('occurrence.listed', '=', 1)
  return sql<SqlBool>`not exists (select 1 from series_date
    where series_date.id = occurrence.id and series_date.position = 0)`
}

/** A column of the event of a row. */
export function columnOf(column: keyof EventTable): Expression<unknown> {
  return sql`(select event.${sql.ref(column)} from event where event.id = occurrence.event_id)`
}

/** Whether a column of the event of a row has a value; booleans are stored as 1 and 0. */
export function eventColumn(column: keyof EventTable, value: string | number | boolean): Condition {
  return sql<SqlBool>`${columnOf(column)} = ${typeof value === 'boolean' ? Number(value) : value}`
}

/** Whether a relation of the event of a row meets a condition. */
export function linkedTo(table: 'event_venue' | 'event_organizer' | 'event_tag', condition: Condition): Condition {
  return sql<SqlBool>`exists (select 1 from ${sql.table(table)}
    where ${sql.ref(`${table}.event_id`)} = occurrence.event_id and ${condition})`
}

/**
 * Whether lists show a row of `occurrence` under a target, given by a condition on the first columns of
 * `occurrence_link`: compares the whole primary key, so that it is a single lookup.
 */
export function listedUnder(target: Expression<unknown>): Condition {
  return sql<SqlBool>`exists (select 1 from occurrence_link where ${target}
    and occurrence_link.listed = occurrence.listed and occurrence_link.status = occurrence.status
    and occurrence_link.start_local = occurrence.start_local and occurrence_link.published_at = occurrence.published_at
    and occurrence_link.occurrence_id = occurrence.id)`
}

/** Whether the text of the event of a row has all words and none of those that are excluded. */
export function hasWords({ words, excluded, hidden }: EventSearch, { row, engine }: RowContext): Condition {
  const id = searchedText(row, hidden)
  return row.and([
    ...words.map((word) => containsText(engine, id, word)),
    ...excluded.map((word) => row.not(containsText(engine, id, word))),
  ])
}

/** The events whose texts an index finds, with conditions for whatever the index does not cover. */
export function eventsWithWords({ hidden, ...search }: EventSearch, { row, engine }: RowContext): Candidates {
  const found = entriesWithText(engine, search)
  if (found === undefined) throw new Error('no index knows the words of the search')
  const rest = found.rest && hasWords({ ...found.rest, hidden }, { row, engine })
  const named = hidden && sql<SqlBool>`found.id = ${searchedText(row, hidden)}`
  const also = [named, rest].filter((condition) => condition !== undefined)
  return { events: found.entries, isSigned: hidden !== undefined, also }
}

/** The ID of the text that a search covers for a row of `occurrence`: negative where a password hides the text. */
function searchedText(row: OccurrenceRow, hidden: Visibility | undefined): Expression<number> {
  const id = row.ref('occurrence.event_id')
  if (hidden === undefined) return id
  return sql<number>`case when ${isShown(row, hidden)}
    and ${id} in (select event.id from event where event.password_hash is not null) then -${id} else ${id} end`
}

/** Whether the event of a row has a venue with coordinates that the caller may read, or has none. */
export function isLocated(wanted: boolean, venues: Visibility): Condition {
  const venue = sql<SqlBool>`exists (select 1 from event_venue inner join venue on venue.id = event_venue.venue_id
    where event_venue.event_id = occurrence.event_id and venue.geo_lat is not null and venue.geo_lng is not null
      and ${readable(venues)})`
  return wanted ? venue : sql<SqlBool>`not ${venue}`
}

/** The events within a circle: a subquery in parentheses with the `id` of each, once. */
export function eventsWithin({ circle, venues }: Vicinity): Expression<{ id: number }> {
  return sql`(select distinct event_venue.event_id as id from event_venue
    inner join venue on venue.id = event_venue.venue_id where ${readable(venues)} and ${liesWithin(circle)})`
}

/** Metres between the center of a circle and the nearest venue of the event of a row that the caller may read. */
export function distanceFrom({ circle, venues }: Vicinity): Expression<number> {
  return sql`(select min(${metresTo(circle)}) from event_venue
    inner join venue on venue.id = event_venue.venue_id
    where event_venue.event_id = occurrence.event_id and ${readable(venues)})`
}

const venueRow = expressionBuilder<Database, 'venue'>()

/** Only venues that the caller may see count: otherwise a hidden one could be located by distance. */
function readable(venues: Visibility): Condition {
  return isVisible(venueRow, venues, { status: venueRow.ref('venue.status'), author: venueRow.ref('venue.author_id') })
}
