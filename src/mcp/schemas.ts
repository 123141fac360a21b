import { z } from 'zod'
import { EVENT_STATUSES, VIRTUAL_TYPES } from '../model/attendance.ts'
import { STATUSES } from '../model/status.ts'

/** The ID of an event, venue, organizer, term or image. */
export const id = z.int().positive()

/** What pages of results are asked for with. */
export const cursor = z.string().max(200).describe('The cursor of the previous result, with the same arguments')

/** Where the next page of results starts. */
export const next = z
  .string()
  .optional()
  .describe('Absent at the end, and after 5,000 rows though total is larger: narrow the search then')

/** A moment or day in a result. */
const moment = z.string().describe('RFC 3339 with offset; a date for an all-day event')

/** A moment or day as it is sent. */
export const when = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?)?$/, {
    error: 'Must be a moment such as 2027-04-17T19:30, with an offset or without, or a date such as 2027-04-17',
  })
  .describe('2027-04-17T19:30, with an offset, or a date. Without an offset it is on the clock of the time zone')

/** Whether an event lasts from one day to another; without an end it is the day of its start. */
export function areDays(start: string | undefined, end = start): boolean {
  return start?.length === 10 && end?.length === 10
}

/** Which dates of a series a write is for. */
export const scope = z
  .enum(['this', 'following', 'all'])
  .describe(
    'Which dates of a recurring event. It has to be sent for the ID of the event, which is that of its first date, too; by default this for that of a further date',
  )

/** The version that a write changes. */
export const ifMatch = z
  .string()
  .regex(/^"?[\w.-]{1,100}"?$/, { error: 'Must be the version of the event, as its last result has it' })
  .describe(
    'The version of the event as it was last read. After precondition_failed read it again, compare, then repeat',
  )

/** When something takes place. */
export const span = { start: moment, end: moment }

const venue = z.strictObject({ id, name: z.string(), city: z.string().optional() })

/** An event in a list. */
export const row = z.strictObject({
  id,
  title: z.string(),
  ...span,
  all_day: z.boolean(),
  timezone: z.string(),
  status: z.enum(STATUSES),
  event_status: z.enum(EVENT_STATUSES).optional(),
  venue: venue.optional(),
  categories: z.array(z.string()),
  cost: z.string().optional(),
  url: z.string(),
  series: z.strictObject({ id, text: z.string().describe('The recurrence in words') }).optional(),
})

/** A kind of tickets; other members are dropped. */
export const ticket = z.object({
  name: z.string(),
  price: z.string().optional(),
  currency: z.string().optional(),
  url: z.string().optional(),
  capacity: z.int().optional(),
  available_from: moment.optional(),
  available_until: moment.optional(),
  sold_out: z.boolean().optional(),
})

/** An event by itself. */
export const event = row.extend({
  description: z.string().describe('Without formatting, and cut if truncated'),
  truncated: z.boolean().describe('Whether the description is longer'),
  excerpt: z.string().optional(),
  organizers: z.array(z.strictObject({ id, name: z.string() })),
  venue: venue
    .extend({
      address: z.string().optional(),
      zip: z.string().optional(),
      country: z.string().optional(),
      lat: z.number().optional(),
      lng: z.number().optional(),
    })
    .optional(),
  tags: z.array(z.string()),
  event_status_reason: z.string().optional().describe('Why it is canceled, postponed or moved'),
  website: z.string().optional(),
  image: z.strictObject({ url: z.string(), alt: z.string() }).optional(),
  online: z.strictObject({ url: z.string(), type: z.enum(VIRTUAL_TYPES) }).optional(),
  recurrence: z.array(z.string()).optional(),
  dates: z.array(z.strictObject({ id, ...span })).optional(),
  tickets: z.array(ticket.strict()).optional(),
  conflicts: z
    .strictObject({ ids: z.array(id), others: z.boolean().describe('Whether there are more, or hidden ones') })
    .optional()
    .describe(
      'After a change of time, place or status: events that take the venue at the same time; absent where there are none',
    ),
  modified: moment,
  version: z.string().describe('For if_match'),
})

/** An event in a list. */
export type RowResult = z.infer<typeof row>

/** An event by itself. */
export type EventResult = z.infer<typeof event>

/** A kind of tickets. */
export type TicketResult = z.infer<typeof ticket>

/** A date of a recurring event. */
export type DateResult = NonNullable<EventResult['dates']>[number]

const name = z.string().min(1).max(1000)
const line = z.string().max(2000)
const place = { address: line.optional(), city: line.optional(), zip: line.optional(), country: line.optional() }
const html = z.string().max(100_000).describe('HTML or plain text; replaces the whole text')
/** A term by its ID or a text. */
export const term = z.union([id, z.string().min(1).max(200)], {
  error: 'Must be an ID, or a name of at most 200 characters',
})
const terms = z.array(term).max(100).describe('IDs or names; new names need a token with terms:write')

/** A time zone as it is sent. */
export const timezone = z.string().min(1).max(64).describe('Name of the tz database, by default that of the site')

/** A recurrence as it is sent. */
export const recurrence = z
  .array(z.string().min(1).max(20_000))
  .max(20)
  .describe('RRULE, RDATE and EXDATE lines of RFC 5545')

/** What is written of an event beside its title and times; null clears. */
export const FIELDS = {
  timezone,
  all_day: z.boolean().describe('By default whether start and end are dates'),
  description: html
    .nullable()
    .describe(
      'HTML or plain text. It replaces everything, and what was read has no formatting. Where get_event says truncated, clear it with null before writing it anew',
    ),
  excerpt: html.nullable(),
  venue: z
    .union([id, z.strictObject({ name, ...place }), z.null()], {
      error: 'Must be the ID of a venue, or {name, address, city, zip, country} of a new one',
    })
    .describe('ID of a venue, see find_references, or the data of a new one'),
  organizers: z
    .array(z.union([id, z.strictObject({ name })], { error: 'Must be the ID of an organizer, or {name} of a new one' }))
    .max(100)
    .nullable(),
  categories: terms.nullable(),
  tags: terms.nullable(),
  cost: line.nullable(),
  website: line.nullable(),
  image: id.nullable().describe('ID of an image of this site'),
  online: z.strictObject({ url: line.optional(), type: z.enum(VIRTUAL_TYPES).optional() }).nullable(),
  recurrence: recurrence.nullable(),
} as const

/** What every event has: its title and times. */
export const TIMES = {
  title: name,
  start: when,
  end: when.describe('As start; for an all-day event its last day'),
} as const
