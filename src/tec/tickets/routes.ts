import { fold } from '../../base/text/fold.ts'
import type { Search } from '../../base/text/search.ts'
import { PASSWORD_FIELD, type PresentedEvent, storedEvents } from '../../calendar/events/index.ts'
import { mayEdit } from '../../http/auth/rights.ts'
import { PAGE_FIELDS } from '../../http/paging.ts'
import { type AnyRoute, type Call, type Reply, route } from '../../http/route.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { choice } from '../../model/kinds/choice.ts'
import { field, type ValuesOf } from '../../model/kinds/field.ts'
import { pathId, positive } from '../../model/kinds/integer.ts'
import { search } from '../../model/kinds/text.ts'
import { COMMON_FIELDS } from '../fields.ts'
import { eventKind, type TecDeps } from '../items.ts'
import { arrayReply, pageOf } from '../lists.ts'
import { presentTicket, TICKET } from '../present/ticket.ts'
import { innerRoute, itemLike, listLike } from '../reading.ts'
import { requireReadable } from '../refuse.ts'
import { readableTicket, readableTickets, type StoredTicket } from './store.ts'

const ORDERS = ['date', 'id', 'title', 'slug', 'include', 'relevance', 'include_slugs'] as const

const LIST_FIELDS = [
  ...PAGE_FIELDS,
  field('search', search, 'api.tec.ticketSearch'),
  field('event', positive, 'api.tec.ticketsOfEvent'),
  field('orderby', choice(ORDERS, 'not_listed'), 'api.fieldSortList', { shownDefault: 'date' }),
  ...COMMON_FIELDS,
  field('show_hidden', boolean, 'api.tec.withoutEffect', { shownDefault: false }),
  PASSWORD_FIELD,
] as const

type ListCall = Call<ValuesOf<typeof LIST_FIELDS>>

/** Whoever sends the password of an event, or none. */
type TicketCall = Call<{ readonly password?: string | undefined }>

/** The routes of tickets: they are read here, and written with their events. */
export function ticketRoutes(deps: TecDeps): AnyRoute[] {
  const events = eventKind(deps)
  const group = { name: 'tickets', about: 'fields.tickets' } as const
  return [
    route({
      ...listLike(innerRoute(events, 'GET', false), TICKET),
      ...{ path: '/tickets', group, summary: 'fields.tickets', fields: LIST_FIELDS, isCostly: true },
      response: { status: 200, schema: TICKET, list: 'tickets' },
      handle: (call) => listTickets(deps, call),
    }),
    route({
      ...itemLike(innerRoute(events, 'GET'), TICKET),
      ...{ path: '/tickets/:id', group, summary: 'api.events.ticketEvent' },
      fields: [PASSWORD_FIELD],
      resolve: (call) => readTicket(deps, call),
      permit: (call, _item, found) => requireReadable(call, found),
      handle: async (_call, _item, found) => {
        if (found === undefined) throw new Error('an unreadable ticket was not refused')
        return found
      },
    }),
  ]
}

async function readTicket(deps: TecDeps, call: TicketCall): Promise<Reply | undefined> {
  const id = pathId.parse(call.path['id'], call.context)
  const ticket = id.ok ? await readableTicket(deps.storage, call.caller, id.value) : undefined
  if (ticket === undefined) return undefined
  const event = (await openEvents(deps, call, [ticket])).get(ticket.event.id)
  if (event === undefined) return undefined
  const secret = ticket.event.password_hash !== null
  return { status: 200, body: presentTicket(ticket, event, call), secret }
}

async function listTickets(deps: TecDeps, call: ListCall): Promise<Reply> {
  const { values } = call
  const readable = await readableTickets(deps.storage, call.caller, values)
  const wanted = readable.filter((one) => isWanted(one, values))
  const open = await withoutLocked(deps, call, inOrder(wanted, values))
  const paging = pageOf(call, deps.site)
  const page = open.slice(paging.offset, paging.offset + paging.perPage)
  const events = await openEvents(deps, call, page)
  const items = page.flatMap((one) => {
    const event = events.get(one.event.id)
    return event === undefined ? [] : [presentTicket(one, event, call)]
  })
  return arrayReply(call, { items, total: open.length, paging, path: '/tickets', secret: hasPassword(call) })
}

function hasPassword({ values }: TicketCall): boolean {
  return values.password !== undefined
}

function isWanted({ id, ticket }: StoredTicket, { search, include, exclude = [] }: ListCall['values']): boolean {
  return (include?.includes(id) ?? true) && !exclude.includes(id) && (search === undefined || isFound(ticket, search))
}

function isFound({ name }: StoredTicket['ticket'], { words, excluded }: Search): boolean {
  const text = fold(name)
  return words.every((word) => text.includes(word)) && !excluded.some((word) => text.includes(word))
}

/** What each order compares, before the IDs. */
const KEYS: Readonly<Partial<Record<(typeof ORDERS)[number], (one: StoredTicket) => string>>> = {
  id: () => '',
  title: ({ ticket }) => fold(ticket.name),
  slug: ({ event }) => event.slug,
}

function inOrder(
  tickets: readonly StoredTicket[],
  { orderby = 'date', order = 'desc', include = [] }: ListCall['values'],
) {
  if (orderby === 'include')
    return tickets.toSorted((one, other) => include.indexOf(one.id) - include.indexOf(other.id))
  const keyOf = KEYS[orderby] ?? (({ event }: StoredTicket) => event.published_at)
  const keyed = tickets.map((one) => ({ one, key: keyOf(one) }))
  keyed.sort((a, b) => (a.key === b.key ? a.one.id - b.one.id : a.key < b.key ? -1 : 1))
  const sorted = keyed.map(({ one }) => one)
  return order === 'asc' ? sorted : sorted.reverse()
}

/** The tickets of events that no password hides from this caller. */
async function withoutLocked(deps: TecDeps, call: TicketCall, tickets: readonly StoredTicket[]) {
  const isGuarded = ({ event: { password_hash, author_id: authorId, status } }: StoredTicket): boolean =>
    password_hash !== null && !mayEdit(call.caller, { authorId, status })
  const guarded = tickets.filter(isGuarded)
  const opened = hasPassword(call) ? await openEvents(deps, call, guarded) : new Map<number, PresentedEvent>()
  return tickets.filter((one) => !isGuarded(one) || opened.has(one.event.id))
}

/** The events of some tickets as this caller sees them, by ID, without those that a password hides. */
async function openEvents({ storage, events }: TecDeps, call: TicketCall, tickets: readonly StoredTicket[]) {
  const rows = await storedEvents(storage, [...new Set(tickets.map(({ event }) => event.id))])
  const all = await events.queries().shown(call, rows)
  return new Map(all.filter(({ isLocked }) => !isLocked).map((event) => [event.row.id, event]))
}
