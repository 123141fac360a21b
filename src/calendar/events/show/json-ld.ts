import { costRange, presentCost } from '../../../base/text/cost.ts'
import { sentencesOfHtml } from '../../../base/text/html.ts'
import { storedJson } from '../../../base/text/stored-json.ts'
import { offsetIn, offsetText } from '../../../base/time/zones.ts'
import { webAddress } from '../../../model/kinds/address.ts'
import type { Ticket } from '../../../model/kinds/tickets.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { presentImage } from '../../shared/stored-image.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { seriesJsonLd } from './json-ld-series.ts'
import { costOf, type EventParts } from './present.ts'

/** Longest description, in words, if it is made from the full text. */
const WORD_LIMIT = 55

/**
 * schema.org Event of an event, complete enough for rich results (wire: events 1.6; decisions: JSON-LD). It has no member
 * without content and none that would be a guess: no place without a venue, no performer.
 */
export function eventJsonLd(row: EventRow, parts: EventParts, viewer: Viewer): Readonly<Record<string, unknown>> {
  const url = viewer.urls.page(`/event/${row.occasion?.page ?? row.slug}/`)
  const image = presentImage(row, parts.picture, viewer.urls)
  const offers = offersOf(row, viewer, url)
  const [organizer] = parts.organizers
  const online = onlinePlace(row, url)
  const isMixed = online !== undefined && row.virtual_type === 'hybrid'
  const venue = parts.venues[0]?.['json_ld']
  const location = isMixed && venue !== undefined ? [venue, online] : (online ?? venue)
  const mode = isMixed ? 'Mixed' : online === undefined ? 'Offline' : 'Online'
  const description = descriptionOf(row)
  return {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: row.title,
    ...(description !== '' && { description }),
    ...(image !== false && typeof image['url'] === 'string' && { image: image['url'] }),
    url,
    eventAttendanceMode: `https://schema.org/${mode}EventAttendanceMode`,
    eventStatus: statusType(row),
    ...datesOf(row),
    ...previousStart(row),
    ...(location !== undefined && { location }),
    ...(organizer !== undefined && { organizer: organizer['json_ld'] }),
    ...(offers !== undefined && { offers }),
    ...(row.occasion !== undefined && seriesJsonLd(row.occasion, viewer.urls)),
    ...(row.language !== '' && { inLanguage: row.language }),
  }
}

function statusType(row: EventRow): string {
  return `https://schema.org/${statusName(row)}`
}

/** What schema.org calls what has become of an event: `EventCancelled`. */
export function statusName({ event_status }: Pick<EventRow, 'event_status'>): string {
  return STATUS_NAMES.get(event_status) ?? 'EventScheduled'
}

/** What lists say of an event that has changed, takes place online or recurs; nothing of others. */
export function attendanceJsonLd(row: EventRow, urls: Viewer['urls']): Readonly<Record<string, unknown>> {
  const online = onlinePlace(row, urls.page(`/event/${row.occasion?.page ?? row.slug}/`))
  const mode = row.virtual_type === 'hybrid' ? 'Mixed' : 'Online'
  return {
    ...(row.event_status !== 'scheduled' && { eventStatus: statusType(row), ...previousStart(row) }),
    ...(online !== undefined && {
      eventAttendanceMode: `https://schema.org/${mode}EventAttendanceMode`,
      location: online,
    }),
    ...(row.occasion !== undefined && seriesJsonLd(row.occasion, urls)),
  }
}

const STATUS_NAMES: ReadonlyMap<string, string> = new Map([
  ['canceled', 'EventCancelled'],
  ['postponed', 'EventPostponed'],
  ['rescheduled', 'EventRescheduled'],
  ['moved_online', 'EventMovedOnline'],
])

/** Where people attend online. Imported events may say so in members that are not ours (`is_virtual`, `virtual_url`). */
function onlinePlace(row: EventRow, page: string): Readonly<Record<string, string>> | undefined {
  const extra = row.extra === null ? {} : storedJson<Readonly<Record<string, unknown>>>(row.extra)
  const isOnline = row.is_virtual === 1 || row.event_status === 'moved_online' || extra['is_virtual'] === true
  if (!isOnline) return undefined
  const address = row.virtual_url || extra['virtual_url']
  const url = typeof address === 'string' ? webAddress(address) : undefined
  return { '@type': 'VirtualLocation', url: url ?? page }
}

/** When a rescheduled event was to start. */
function previousStart({ event_status, previous_start, all_day, timezone }: EventRow): object {
  if (event_status !== 'rescheduled' || previous_start === null) return {}
  return {
    previousStartDate:
      all_day === 1 ? previous_start.slice(0, 10) : iso(previous_start, offsetIn(previous_start, timezone)),
  }
}

/** All-day events have dates, the last of which is a day of the event; others have moments. */
function datesOf({ all_day, ...row }: EventRow): { readonly startDate: string; readonly endDate: string } {
  if (all_day === 1) return { startDate: row.start_local.slice(0, 10), endDate: row.end_local.slice(0, 10) }
  return {
    startDate: iso(row.start_local, offsetText(row.start_utc, row.timezone)),
    endDate: iso(row.end_local, offsetText(row.end_utc, row.timezone)),
  }
}

function descriptionOf(row: EventRow): string {
  const text = sentencesOfHtml(row.excerpt === '' ? row.description : row.excerpt)
  let end = -1
  for (let words = 0; words < WORD_LIMIT; words += 1) {
    end = text.indexOf(' ', end + 1)
    if (end < 0) return text
  }
  return `${text.slice(0, end)} …`
}

/** A moment as ISO 8601 writes it. */
function iso(local: string, offset: string): string {
  return `${local.replace(' ', 'T')}${offset}`
}

function offersOf(row: EventRow, viewer: Viewer, url: string): unknown {
  if (row.tickets !== null) {
    const tickets = storedJson<readonly Ticket[]>(row.tickets)
    return tickets.map((ticket) => ticketOffer(ticket, { row, viewer, url }))
  }
  if (row.cost === '') return undefined
  const { cost_details } = presentCost(costOf(row), {
    symbol: viewer.site.currencySymbol,
    position: viewer.site.currencyPosition,
  })
  // The lowest amount; a text without one, such as "Donation", has no price.
  const [lowest = ''] = cost_details.values
  const price = costRange(row.cost)?.low === 0 ? '0' : lowest
  return {
    '@type': 'Offer',
    ...(/^\d/.test(price) && {
      price,
      priceCurrency: currencyCode(cost_details.currency_symbol || viewer.site.currencySymbol),
    }),
    url,
    category: 'primary',
    availability: 'https://schema.org/InStock',
    validFrom: publicationDay(row),
  }
}

function publicationDay(row: EventRow): string {
  return `${row.published_at.slice(0, 10)}T00:00:00+00:00`
}

interface OfferOf {
  readonly row: EventRow
  readonly viewer: Viewer
  readonly url: string
}

/** A ticket without a price is not free: it is left out. */
function ticketOffer(ticket: Ticket, { row, viewer, url }: OfferOf): Readonly<Record<string, unknown>> {
  const { price, currency, available_from: from, available_until: until } = ticket
  const moment = (local: string): string => iso(local, offsetIn(local, row.timezone))
  return {
    '@type': 'Offer',
    name: ticket.name,
    ...(price !== undefined && { price, priceCurrency: currency ?? currencyCode(viewer.site.currencySymbol) }),
    url: webAddress(ticket.url ?? '') ?? url,
    category: 'primary',
    availability: ticket.sold_out === true ? 'https://schema.org/SoldOut' : 'https://schema.org/InStock',
    validFrom: from === undefined ? publicationDay(row) : moment(from),
    ...(until !== undefined && { validThrough: moment(until) }),
  }
}

/** ISO 4217 codes of common currency signs; unknown signs count as the dollar. */
const CURRENCY_CODES: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  zł: 'PLN',
  Fr: 'CHF',
  CHF: 'CHF',
  kr: 'SEK',
  R$: 'BRL',
}

function currencyCode(symbol: string): string {
  return CURRENCY_CODES[symbol] ?? (/^[A-Z]{3}$/.test(symbol) ? symbol : 'USD')
}
