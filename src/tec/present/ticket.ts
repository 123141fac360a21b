import { encodeText } from '../../base/text/entities.ts'
import type { PresentedEvent } from '../../calendar/events/index.ts'
import { withoutEmpty } from '../../calendar/shared/present.ts'
import type { Urls } from '../../http/address.ts'
import type { Ticket } from '../../model/kinds/tickets.ts'
import { commonMembers, type Members, textOf } from './common.ts'

/** A ticket of an event that the caller sees whole; the dates, the status and the page are those of the event. */
export function presentTicket(
  { id, ticket }: { readonly id: number; readonly ticket: Ticket },
  { row, shown }: PresentedEvent,
  urls: Pick<Urls, 'page'>,
): Members {
  const isProtected = row.password_hash !== null
  const ofEvent = commonMembers('event', shown, { urls })
  const { excerpt: _excerpt, author: _author, featured_media: _media, ...common } = ofEvent
  const price = ticket.price === undefined ? null : Number(ticket.price)
  return {
    ...common,
    id,
    slug: `${textOf(shown['slug'])}-ticket-${id}`,
    type: 'tec_tc_ticket',
    title: { rendered: encodeText(ticket.name) },
    content: { rendered: '', protected: isProtected },
    description: '',
    on_sale: false,
    sale_price: null,
    price,
    regular_price: price,
    show_description: false,
    start_date: ticket.available_from ?? null,
    end_date: ticket.available_until ?? null,
    sale_price_start_date: null,
    sale_price_end_date: null,
    event_id: row.id,
    manage_stock: ticket.capacity !== undefined,
    stock: ticket.sold_out === true ? 0 : (ticket.capacity ?? null),
    sold: 0,
    sku: '',
    ...withoutEmpty({ currency: ticket.currency, url: ticket.url }),
  }
}
