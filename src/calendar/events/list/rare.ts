import { sql } from 'kysely'
import type { EVENT_STATUSES } from '../../../model/attendance.ts'
import type { Candidates } from './conditions.ts'

// What only some events have: a partial index leads to them. Its condition is repeated word for word, because SQLite
// compares the texts.

type EventStatus = (typeof EVENT_STATUSES)[number]

/** The events with these statuses, none of which is the usual one. */
export function eventsWithStatus(statuses: readonly EventStatus[]): Candidates {
  return {
    events: sql`(select event.id from event
      where event.event_status <> 'scheduled' and event.event_status in (${sql.join(statuses)}))`,
  }
}

/** The events that people can attend online. */
export function eventsOnline(): Candidates {
  return { events: sql`(select event.id from event where event.is_virtual = 1)` }
}

/** The events that are written in a language, in its canonical form, or in that of a region or script. */
export function eventsWrittenIn(tag: string): Candidates {
  const written = sql`select event.id from event where event.language <> '' and`
  return {
    events: sql`(${written} event.language = ${tag}
      union all ${written} event.language >= ${`${tag}-`} and event.language < ${`${tag}.`})`,
  }
}
