import { sql } from 'kysely'
import { fail } from '../../base/errors.ts'
import { storedJson } from '../../base/text/stored-json.ts'
import { type Caller, mayRead } from '../../http/auth/rights.ts'
import type { Ticket } from '../../model/kinds/tickets.ts'
import type { Reader } from '../../storage/engine.ts'
import type { EventTable } from '../../storage/schema.ts'
import { asStatement } from '../../storage/statement-builder.ts'

/** Most tickets that one list reads. */
const MOST_TICKETS = 10_000

/** What of an event decides who may read its tickets, and where they stand on lists. */
export type TicketedEvent = Pick<
  EventTable,
  'id' | 'slug' | 'author_id' | 'status' | 'published_at' | 'password_hash' | 'tickets'
>

/** A ticket with its event. */
export interface StoredTicket {
  readonly id: number
  readonly event: TicketedEvent
  readonly ticket: Ticket
}

const ON_LISTS = sql`event.status = 'publish' and event.hide_from_listings = 0`

/** The tickets of an event, or of the event of a date that has no tickets of its own. */
function ofEvent(id: number) {
  return sql`(event.id = ${id} or exists (
    select 1 from series_date left join event as own on own.id = series_date.exception_id
    where series_date.id = ${id} and series_date.series_id = event.id
      and (own.id is null or own.tickets = event.tickets)))`
}

/**
 * The tickets that a caller may read if no password hides them, by their IDs: those of an event or date, else those of all
 * events on public lists. @throws rest_query_too_costly
 */
export async function readableTickets(
  reader: Reader,
  caller: Caller,
  { event }: { readonly event?: number | undefined },
): Promise<StoredTicket[]> {
  const tickets = await ticketsWith(reader, event === undefined ? ON_LISTS : ofEvent(event))
  return tickets.filter((one) => isReadable(caller, one))
}

/** The ticket with an ID; undefined where the caller may not read its event, or there is none. */
export async function readableTicket(reader: Reader, caller: Caller, id: number): Promise<StoredTicket | undefined> {
  const [found] = await ticketsWith(reader, sql`ticket.id = ${id}`)
  return found !== undefined && isReadable(caller, found) ? found : undefined
}

function isReadable(caller: Caller, { event }: StoredTicket): boolean {
  const { status, author_id: authorId } = event
  return status !== 'trash' && mayRead(caller, { status, authorId })
}

/** A row of a ticket with its event. */
interface Row extends TicketedEvent {
  readonly ticket_id: number
  /** Among the tickets of the event. */
  readonly position: number
}

async function ticketsWith(reader: Reader, condition: ReturnType<typeof sql>): Promise<StoredTicket[]> {
  const query = sql<Row>`select ticket.id as ticket_id, ticket.position, event.id, event.slug, event.author_id, event.status,
      event.published_at, event.password_hash, event.tickets
    from ticket inner join event on event.id = ticket.event_id where ${condition}
    order by ticket.id limit ${sql.lit(MOST_TICKETS + 1)}`
  const rows = await reader.all(asStatement(reader, query))
  if (rows.length > MOST_TICKETS) throw fail('rest_query_too_costly')
  const tickets = new Map<number, readonly Ticket[]>()
  return rows.flatMap(({ ticket_id: id, position, ...event }) => {
    const ofEvent = tickets.get(event.id) ?? ticketsIn(event)
    tickets.set(event.id, ofEvent)
    const ticket = ofEvent[position]
    return ticket === undefined ? [] : [{ id, event, ticket }]
  })
}

function ticketsIn({ tickets }: TicketedEvent): readonly Ticket[] {
  return tickets === null ? [] : storedJson<readonly Ticket[]>(tickets)
}
