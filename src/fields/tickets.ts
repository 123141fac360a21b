import { plainText } from '../text/plain.ts'
import { parseDate } from '../time/parse.ts'
import { isHttpUrl } from './address.ts'
import { booleanOf } from './boolean.ts'
import { type Kind, type Reading, read, refuse } from './kind.ts'

/** A ticket of an event as answered; every member but `name` may be absent (decisions: ticketed). */
export interface Ticket {
  readonly name: string
  /** Decimal text such as `12.50`. */
  readonly price?: string
  /** ISO 4217 code. */
  readonly currency?: string
  readonly url?: string
  readonly capacity?: number
  /** Wall clock text of the event's zone as sent. */
  readonly available_from?: string
  readonly available_until?: string
  readonly sold_out?: boolean
}

const TICKET_LIMIT = 200

/** The members of a ticket and how each is read; undefined means refused. */
const MEMBERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  name: (value) => (typeof value === 'string' && plainText(value) !== '' ? plainText(value) : undefined),
  price: (value) => (/^\d{1,12}(\.\d{1,4})?$/.test(scalarText(value)) ? scalarText(value) : undefined),
  currency: (value) => (typeof value === 'string' && /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : undefined),
  url: (value) => (typeof value === 'string' && isHttpUrl(value) ? value : undefined),
  capacity: (value) => (/^\d{1,9}$/.test(scalarText(value)) ? Number(value) : undefined),
  available_from: (value) => (isLocal(value) ? value : undefined),
  available_until: (value) => (isLocal(value) ? value : undefined),
  sold_out: booleanOf,
}

function isLocal(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/.test(value)) return false
  return parseDate(value, { now: 0, zone: 'UTC' }).ok
}

function scalarText(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : ''
}

/** Tickets of an event; `[]`, '' and false are none. */
export const tickets: Kind<readonly Ticket[]> = {
  declared: { type: 'array' },
  schema: {
    type: ['array', 'null'],
    items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  },
  parse(value): Reading<readonly Ticket[]> {
    if (value === '' || value === false || value === 0) return read([])
    if (!Array.isArray(value) || value.length > TICKET_LIMIT) return refuse('bad_tickets')
    const all = value.map(ticketOf)
    const known = all.filter((one) => one !== undefined)
    return known.length === all.length ? read(known) : refuse('bad_tickets')
  },
}

function ticketOf(item: unknown): Ticket | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const made: Record<string, unknown> = {}
  for (const [member, readMember] of Object.entries(MEMBERS)) {
    const sent = (item as Record<string, unknown>)[member]
    if (sent === undefined || sent === null || sent === '') continue
    const value = readMember(sent)
    if (value === undefined) return undefined
    made[member] = value
  }
  // `name` is the one required member; the reader above has given every other its declared type.
  return 'name' in made ? (made as unknown as Ticket) : undefined
}
