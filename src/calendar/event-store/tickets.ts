import { isDeepStrictEqual } from 'node:util'
import { storedJson } from '../../base/text/stored-json.ts'
import type { Ticket } from '../../model/kinds/tickets.ts'
import type { Transaction } from '../../storage/engine.ts'
import { nextEntryIds } from '../../storage/identifiers.ts'
import { deleteRows, insertRows } from '../../storage/row-writes.ts'
import type { EventRow } from './event-row.ts'

type TicketsRow = Pick<EventRow, 'id' | 'tickets' | 'exception'>

/** Tickets of an event that have IDs, as stored: those of a date that differs are shown as tickets of the whole series. */
function ticketsOf(row: TicketsRow | undefined): string | null {
  // A row that was imported may be without the members that are null.
  return row === undefined || typeof row.exception === 'string' ? null : (row.tickets ?? null)
}

/** Whether the tickets of an event are other ones than before, so that their IDs have to be stored. */
export function hasOtherTickets(before: TicketsRow | undefined, after: TicketsRow): boolean {
  return ticketsOf(before) !== ticketsOf(after)
}

/** What makes a ticket the one of before, the surest sign first. */
const SIGNS: readonly ((one: Ticket, other: Ticket) => boolean)[] = [
  isDeepStrictEqual,
  (one, other) => one.name === other.name,
  (one, other) => isDeepStrictEqual({ ...one, name: '' }, { ...other, name: '' }),
]

/** Stores the IDs of the tickets of an event: each keeps its own while its name stays, or all but its name. */
export async function storeTickets(tx: Transaction, before: TicketsRow | undefined, after: TicketsRow): Promise<void> {
  const { id: event_id } = after
  const wanted = listOf(ticketsOf(after))
  const former = before === undefined ? [] : await knownTickets(tx, event_id, listOf(before.tickets))
  if (former.length > 0) await deleteRows(tx, 'ticket', { column: 'event_id', value: event_id })
  const ids = new Map<Ticket, number>()
  for (const isSame of SIGNS) {
    for (const ticket of wanted.filter((one) => !ids.has(one))) {
      const found = former.findIndex(({ ticket: known }) => isSame(known, ticket))
      const [kept] = found === -1 ? [] : former.splice(found, 1)
      if (kept !== undefined) ids.set(ticket, kept.id)
    }
  }
  const fresh = wanted.filter((one) => !ids.has(one))
  const taken = await nextEntryIds(tx, 'ticket', fresh.length)
  for (const [index, ticket] of fresh.entries()) ids.set(ticket, taken[index] ?? 0)
  const rows = wanted.map((ticket, position) => ({ id: ids.get(ticket) ?? 0, event_id, position }))
  await insertRows(tx, 'ticket', rows)
}

function listOf(tickets: string | null): readonly Ticket[] {
  return tickets === null ? [] : storedJson<readonly Ticket[]>(tickets)
}

async function knownTickets(tx: Transaction, event: number, tickets: readonly Ticket[]) {
  const rows = await tx.all(
    tx.db.selectFrom('ticket').select(['id', 'position']).where('event_id', '=', event).orderBy('position'),
  )
  return rows.flatMap(({ id, position }) => {
    const ticket = tickets[position]
    return ticket === undefined ? [] : { id, ticket }
  })
}
