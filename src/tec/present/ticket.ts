import { encodeText } from '../../base/text/entities.ts'
import type { PresentedEvent } from '../../calendar/events/index.ts'
import type { Ticket } from '../../model/kinds/tickets.ts'
import { commonMembers, constant, type ItemViewer, type Members, type ShownItem, shapeOf, textOf } from './members.ts'
import { FLAG, ID, MOMENT, orNull, sample, TEXT } from './schemas.ts'

/** A ticket of an event that the caller sees whole. */
interface Offer {
  readonly id: number
  readonly ticket: Ticket
}

interface Showing extends Offer, ShownItem {
  readonly event: number
}

const PRICE = orNull({ type: 'number', minimum: 0, examples: [12.5] })

/** The dates, the status and the page are those of the event. */
const { excerpt: _excerpt, author: _author, featured_media: _media, ...OF_EVENT } = commonMembers('event')

const TICKETS = shapeOf<Showing>('Ticket', {
  always: {
    ...OF_EVENT,
    id: [ID, ({ id }) => id],
    slug: [OF_EVENT.slug[0], ({ id, shown }) => `${textOf(shown['slug'])}-ticket-${id}`],
    type: constant('tec_tc_ticket'),
    title: [OF_EVENT.title[0], ({ ticket }) => ({ rendered: encodeText(ticket.name) })],
    content: [OF_EVENT.content[0], ({ isProtected }) => ({ rendered: '', protected: isProtected })],
    description: constant(''),
    on_sale: constant(false),
    sale_price: [PRICE, () => null],
    price: [PRICE, priceOf],
    regular_price: [PRICE, priceOf],
    show_description: constant(false),
    start_date: [orNull(MOMENT), ({ ticket }) => ticket.available_from ?? null],
    end_date: [orNull(MOMENT), ({ ticket }) => ticket.available_until ?? null],
    sale_price_start_date: [orNull(MOMENT), () => null],
    sale_price_end_date: [orNull(MOMENT), () => null],
    event_id: [ID, ({ event }) => event],
    manage_stock: [FLAG, ({ ticket }) => ticket.capacity !== undefined],
    stock: [orNull(sample(120, { minimum: 0 })), ({ ticket }) => (ticket.sold_out ? 0 : (ticket.capacity ?? null))],
    sold: constant(0),
    sku: constant(''),
  },
  further: {
    currency: [sample('EUR'), ({ ticket }) => ticket.currency],
    url: [TEXT, ({ ticket }) => ticket.url],
  },
})

/** A ticket as responses show it. */
export const TICKET = TICKETS.schema

/** A ticket of an event that the caller sees whole. */
export function presentTicket(offer: Offer, { row, shown }: PresentedEvent, { urls }: ItemViewer): Members {
  const isProtected = row.password_hash !== null
  return TICKETS.present({ ...offer, event: row.id, shown, urls, isProtected })
}

function priceOf({ ticket: { price } }: Showing): number | null {
  return price === undefined ? null : Number(price)
}
