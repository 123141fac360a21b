import { isHttpUrl } from '../../base/text/http-url.ts'
import { isCurrencyCode } from '../../base/text/prices.ts'
import { endOfDay } from '../../base/time/ranges.ts'
import { hasLocal, hasUtc, toLocal } from '../../base/time/zones.ts'
import { boolean } from './boolean.ts'
import { type DateInZone, eventDate } from './date.ts'
import { type FieldContext, type Kind, type ParseResult, refuse } from './kind.ts'
import { name, textOf } from './text.ts'

/** A ticket of an event as stored; every member but `name` may be absent (decisions: ticketed). */
export interface Ticket {
  /** Plain text; answers encode it like titles. */
  readonly name: string
  /** Decimal text such as `12.50`. */
  readonly price?: string
  /** ISO 4217 code. */
  readonly currency?: string
  readonly url?: string
  readonly capacity?: number
  /** First and last moment of the sale: wall clock text of the event's zone, `YYYY-MM-DD HH:MM:SS`. */
  readonly available_from?: string
  readonly available_until?: string
  readonly sold_out?: boolean
}

/** A ticket as sent: its sale is read on the clock of the event's zone, which is not known yet. */
export type SentTicket = Omit<Ticket, 'available_from' | 'available_until'> & {
  readonly available_from?: DateInZone
  readonly available_until?: DateInZone
}

const TICKET_LIMIT = 200

/** Reads a member of a ticket: the value, or undefined if it is refused. */
type MemberReader = (value: unknown, context: FieldContext) => unknown

const MEMBERS: Readonly<Record<keyof SentTicket, MemberReader>> = {
  name: by(name()),
  price: (value) => matching(value, /^\d{1,12}(\.\d{1,4})?$/),
  currency: (value) => (isCurrencyCode(value) ? value.toUpperCase() : undefined),
  url: (value) => (typeof value === 'string' && isHttpUrl(value) ? value : undefined),
  capacity: (value) => (matching(value, /^\d{1,9}$/) === undefined ? undefined : Number(value)),
  available_from: by(eventDate),
  available_until: by(eventDate),
  sold_out: by(boolean),
}

function by(kind: Kind<unknown>): MemberReader {
  return (value, context) => {
    const reading = kind.parse(value, context)
    return reading.ok ? reading.value : undefined
  }
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  const text = typeof value === 'boolean' ? undefined : textOf(value)
  return text !== undefined && pattern.test(text) ? text : undefined
}

/** A ticket as sent; numbers may be text, and further members are ignored. */
const TICKET_SCHEMA = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1 },
    price: { type: ['string', 'number'] },
    currency: { type: 'string', pattern: '^[A-Za-z]{3}$' },
    url: { type: 'string', format: 'uri' },
    capacity: { type: ['integer', 'string'] },
    available_from: eventDate.schema,
    available_until: eventDate.schema,
    sold_out: boolean.schema,
  },
}

/** Tickets of an event; `[]`, '' and false are none. */
export const tickets: Kind<readonly SentTicket[]> = {
  control: 'tickets',
  declared: { type: 'array' },
  schema: { type: ['array', 'null'], items: TICKET_SCHEMA, maxItems: TICKET_LIMIT },
  parse(value, context): ParseResult<readonly SentTicket[]> {
    if (value === '' || value === false || value === 0) return { ok: true, value: [] }
    if (!Array.isArray(value) || value.length > TICKET_LIMIT) return refuse('bad_tickets')
    const all = value.map((item) => ticketOf(item, context))
    const known = all.filter((one) => one !== undefined)
    return known.length === all.length ? { ok: true, value: known } : refuse('bad_tickets')
  },
}

function ticketOf(item: unknown, context: FieldContext): SentTicket | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const made: Record<string, unknown> = {}
  for (const [member, readMember] of Object.entries(MEMBERS)) {
    const sent = (item as Record<string, unknown>)[member]
    if (sent === undefined || sent === null || sent === '') continue
    const value = readMember(sent, context)
    if (value === undefined) return undefined
    made[member] = value
  }
  // `name` is the one required member; the reader above has given every other its declared type.
  return 'name' in made ? (made as unknown as SentTicket) : undefined
}

/** Whether all sales lie within the years 1000 to 9999, on the clock of a zone and in UTC. */
export function areWithinYears(zone: string, sent: readonly SentTicket[]): boolean {
  return sent.every(({ available_from, available_until }) =>
    [available_from, available_until].every((edge) => {
      const date = edge?.inZone(zone)
      return date === undefined || (date.kind === 'local' ? hasUtc(date.local, zone) : hasLocal(date.utc, zone))
    }),
  )
}

/**
 * Tickets as stored, their sales on the clock of a zone: a last day without a time is sold to its end. Undefined when a
 * sale ends before it starts.
 */
export function ticketsIn(zone: string, sent: readonly SentTicket[]): readonly Ticket[] | undefined {
  const made = sent.map(({ available_from, available_until, sold_out, ...ticket }): Ticket => {
    const from = saleEdge(available_from, zone)
    const until = saleEdge(available_until, zone)
    return {
      ...ticket,
      ...(from !== undefined && { available_from: from.local }),
      ...(until !== undefined && { available_until: until.hasTime ? until.local : endOfDay(until.local) }),
      ...(sold_out !== undefined && { sold_out }),
    }
  })
  const isBackwards = ({ available_from: from, available_until: until }: Ticket): boolean =>
    from !== undefined && until !== undefined && until < from
  return made.some(isBackwards) ? undefined : made
}

function saleEdge(sent: DateInZone | undefined, zone: string): { local: string; hasTime: boolean } | undefined {
  const date = sent?.inZone(zone)
  if (date === undefined) return undefined
  return { local: date.kind === 'local' ? date.local : toLocal(date.utc, zone), hasTime: date.hasTime }
}
