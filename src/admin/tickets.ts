import { decodeEntities } from '../base/text/entities.ts'
import type { RawInput } from '../http/request/body.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import type { PageRequest } from './page-request.ts'

/** The inputs of tickets; each is a list with an entry for each row. */
export const TICKET_INPUTS = [
  'ticket_name',
  'ticket_price',
  'ticket_currency',
  'ticket_url',
  'ticket_capacity',
  'ticket_sold',
  'ticket_rest',
] as const

type Lists = Readonly<Record<string, string | readonly string[]>>

/** What the inputs show of the tickets of an event. */
export function ticketValues(tickets: readonly RawInput[]): Readonly<Record<string, readonly string[]>> {
  const column = (of: (ticket: RawInput) => unknown): readonly string[] => tickets.map((one) => String(of(one) ?? ''))
  return {
    ticket_name: column(({ name }) => decodeEntities(String(name))),
    ticket_price: column(({ price }) => price),
    ticket_currency: column(({ currency }) => currency),
    ticket_url: column(({ url }) => url),
    ticket_capacity: column(({ capacity }) => capacity),
    ticket_sold: column(({ sold_out }) => (sold_out === true ? 'true' : '')),
    // Members without a control go back as they came.
    ticket_rest: column(({ available_from, available_until }) => JSON.stringify({ available_from, available_until })),
  }
}

/** The tickets that the inputs say; rows without anything in them are none. */
export function ticketsIn(values: Lists): readonly RawInput[] {
  const [names = [], ...others] = TICKET_INPUTS.map((name) => listIn(values, name))
  return names.flatMap((name, row) => {
    const [price, currency, url, capacity, sold, rest] = others.map((list) => (list[row] ?? '').trim())
    const said = { name: name.trim(), price, currency, url, capacity, ...(sold === 'true' && { sold_out: true }) }
    const members = Object.entries(said).filter(([, value]) => value !== '' && value !== undefined)
    return members.length === 0 ? [] : [{ ...restIn(rest), ...Object.fromEntries(members) }]
  })
}

function listIn(values: Lists, name: string): readonly string[] {
  const value = values[name]
  return typeof value === 'object' ? value : []
}

function restIn(text: string | undefined): RawInput {
  try {
    const { available_from, available_until } = JSON.parse(text || '{}') as RawInput
    return {
      ...(available_from !== undefined && { available_from }),
      ...(available_until !== undefined && { available_until }),
    }
  } catch {
    return {}
  }
}

/** Number of rows up to the last one in which something stands. */
function rowsIn(values: Lists): number {
  const lists = TICKET_INPUTS.filter((name) => name !== 'ticket_rest').map((name) => listIn(values, name))
  return Math.max(0, ...lists.map((list) => list.findLastIndex((text) => text.trim() !== '') + 1))
}

/** A row for each ticket, and an empty one. */
export function ticketControls({ t }: Pick<PageRequest, 't'>, values: Lists, wrong: string | undefined): Markup {
  const rows = rowsIn(values)
  const input = (name: string, row: number, label: string): Markup =>
    html`<div class="field"><label for="f-${name}-${row}">${label}</label><input id="f-${name}-${row}" name="${name}[]" type="text" value="${listIn(values, name)[row] ?? ''}"></div>`
  const row = (index: number): Markup => {
    const isSold = listIn(values, 'ticket_sold')[index] === 'true'
    const sold = html`<div class="field"><label for="f-ticket_sold-${index}">${t('admin.tickets.availability')}</label><select id="f-ticket_sold-${index}" name="ticket_sold[]"><option value="">${t('admin.tickets.onSale')}</option><option value="true"${isSold ? html` selected` : NOTHING}>${t('admin.tickets.soldOut')}</option></select></div>`
    const rest = html`<input type="hidden" name="ticket_rest[]" value="${listIn(values, 'ticket_rest')[index] ?? ''}">`
    return html`<fieldset class="ticket"><legend>${t('admin.tickets.ticketNumber', { number: index + 1 })}</legend>${input('ticket_name', index, t('admin.tickets.ticketName'))}<div class="pair">${input('ticket_price', index, t('admin.tickets.amount'))}${input('ticket_currency', index, t('admin.tickets.currency'))}${input('ticket_capacity', index, t('admin.tickets.capacity'))}${sold}</div>${input('ticket_url', index, t('admin.tickets.whereToBuy'))}${rest}</fieldset>\n`
  }
  const refused = wrong === undefined ? NOTHING : html`<p class="wrong" id="f-ticket_name-0-wrong">${wrong}</p>`
  return html`<details${rows > 0 || wrong !== undefined ? html` open` : NOTHING}><summary>${t('fields.tickets')}</summary>${refused}${Array.from({ length: rows + 1 }, (_, index) => row(index))}<p class="hint">${t('admin.tickets.hint')}</p></details>\n`
}
