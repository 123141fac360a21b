import { offsetIn, offsetText } from '../base/time/zones.ts'
import { EVENT_STATUSES, VIRTUAL_TYPES } from '../model/attendance.ts'
import { DESCRIPTION_LIMIT, plainLine, plainLines } from './plain.ts'
import { type DateResult, type EventResult, type RowResult, type TicketResult, ticket } from './schemas.ts'

/** Members of a response whose type nobody knows: ours may lack them, and an import may have them of any type. */
type Unknown<Name extends string> = { readonly [Member in Name]?: unknown }
type Texts<Name extends string> = { readonly [Member in Name]: string }

/** What says when an event, or a date of one, takes place; `all_day` is null where a password hides it. */
export type WireSpan = Texts<'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'timezone'> & {
  readonly all_day?: boolean | null
}

/** A category or tag, or the head of anything else that has a name. */
interface WireNamed {
  readonly id: number
  readonly name?: string
}

/** A venue, or an organizer, in a response of the interface. */
export type WireVenue = WireNamed &
  Partial<Texts<'venue' | 'organizer' | 'address' | 'city' | 'zip' | 'country'>> &
  Unknown<'geo_lat' | 'geo_lng'>

/** An event in a response of the interface: what is read of it. */
export type WireEvent = WireSpan &
  Texts<'title' | 'description' | 'excerpt' | 'url' | 'modified_utc' | 'cost' | 'website'> &
  Unknown<'event_status' | 'event_status_reason' | 'is_virtual' | 'virtual_url' | 'virtual_type'> &
  Unknown<'series' | 'recurrence' | 'tickets' | 'hide_from_listings'> & {
    readonly id: number
    readonly status: RowResult['status']
    readonly image: false | Unknown<'id' | 'url'>
    readonly categories: readonly WireNamed[]
    readonly tags: readonly WireNamed[]
    /** `[]` for none, several in an array. */
    readonly venue: WireVenue | readonly WireVenue[]
    readonly organizer: readonly WireVenue[]
  }

/** Which date of which series an event is. */
interface WireSeries {
  readonly id: number
  readonly recurrence_id: string
  readonly text?: string
  /** Absent for a date that was taken out. */
  readonly position?: number
}

/** Longest address of the web: a longer one is left out, since a part of it leads elsewhere. */
const URL_LIMIT = 2_000

/** Most characters of the lines of a recurrence. */
const RECURRENCE_LIMIT = 4_000

/** A wall clock reading as RFC 3339, by its reading in UTC. */
export function momentOf(local: string, utc: string, zone: string): string {
  return `${local.replace(' ', 'T')}${local === utc ? '+00:00' : offsetText(utc, zone)}`
}

/** A moment in UTC as RFC 3339. */
export function utcMoment(utc: string): string {
  return `${utc.replace(' ', 'T')}Z`
}

/** Start and end in the form of results: days of an event that lasts whole ones. */
export function spanOf(one: WireSpan): Pick<RowResult, 'start' | 'end'> {
  const { start_date, end_date, utc_start_date, utc_end_date, timezone } = one
  if (one.all_day === true) return { start: start_date.slice(0, 10), end: end_date.slice(0, 10) }
  return { start: momentOf(start_date, utc_start_date, timezone), end: momentOf(end_date, utc_end_date, timezone) }
}

/** An event in a list. What is undefined in results is no member of their JSON. */
export function rowOf(one: WireEvent): RowResult {
  const venue = venueOf(one)
  const series = seriesOf(one)
  return {
    id: one.id,
    title: plainLine(one.title),
    ...spanOf(one),
    all_day: one.all_day === true,
    timezone: plainLine(one.timezone),
    status: one.status,
    event_status: EVENT_STATUSES.find((status) => status === one.event_status),
    venue: venue && { id: venue.id, name: plainLine(venue.venue), city: lineOf(venue.city) },
    categories: namesOf(one.categories),
    cost: lineOf(one.cost),
    url: one.url,
    series: series && { id: series.id, text: plainLine(series.text) },
  }
}

/** The first venue of an event. */
function venueOf({ venue }: WireEvent): WireVenue | undefined {
  return [venue].flat()[0]
}

/** The series that an event is a date of; undefined for other events. */
export function seriesOf({ series }: Pick<WireEvent, 'series'>): WireSeries | undefined {
  const known = series as WireSeries | null | undefined
  return typeof known?.recurrence_id === 'string' && Number.isSafeInteger(known.id) ? known : undefined
}

/** Whether it is a date that was taken out of its series; the first one still shows the status of that. */
export function isTakenOut(one: Pick<WireEvent, 'series'>): boolean {
  const series = seriesOf(one)
  return series !== undefined && series.position === undefined
}

/** What a response says of an event elsewhere than in its body. */
export interface EventExtras {
  /** Its ETag. */
  readonly version: string
  /** The alternative text of its image, as on the wire. */
  readonly alt: string
  readonly dates: readonly DateResult[]
  /** What `X-Kalends-Conflicts` names, after a write. */
  readonly conflicts: string | undefined
}

/** An event by itself. */
export function eventOf(one: WireEvent, { version, alt, dates, conflicts }: EventExtras): EventResult {
  const { venue, ...row } = rowOf(one)
  const description = plainLines(one.description, DESCRIPTION_LIMIT)
  const image = one.image === false ? undefined : webAddress(one.image.url)
  return {
    ...row,
    venue: venue && { ...venue, ...placeOf(venueOf(one)) },
    description: description.text,
    truncated: description.isCut,
    excerpt: plainLines(one.excerpt).text || undefined,
    organizers: one.organizer.map((organizer) => ({ id: organizer.id, name: plainLine(organizer.organizer) })),
    tags: namesOf(one.tags),
    event_status_reason: lineOf(one.event_status_reason),
    website: one.website === one.url ? undefined : webAddress(one.website),
    image: image === undefined ? undefined : { url: image, alt: plainLine(alt) },
    online: onlineOf(one),
    recurrence: filled(isTexts(one.recurrence) ? wholeRecurrence(one.recurrence) : []),
    dates: filled(dates),
    tickets: filled(ticketsOf(one)),
    conflicts: conflictsIn(conflicts),
    modified: utcMoment(one.modified_utc),
    version,
  }
}

function conflictsIn(header: string | undefined): EventResult['conflicts'] {
  if (header === undefined) return undefined
  const named = header.split(', ')
  const ids = named.map(Number).filter(Number.isSafeInteger)
  return { ids, others: ids.length < named.length }
}

function placeOf({ address, zip, country, geo_lat: lat, geo_lng: lng }: Partial<WireVenue> = {}) {
  const isPlaced = typeof lat === 'number' && typeof lng === 'number'
  return { address: lineOf(address), zip: lineOf(zip), country: lineOf(country), ...(isPlaced && { lat, lng }) }
}

function onlineOf({ is_virtual, virtual_url, virtual_type }: WireEvent): EventResult['online'] {
  const url = webAddress(virtual_url)
  if (is_virtual !== true && url === undefined) return undefined
  return { url: url ?? '', type: VIRTUAL_TYPES.find((one) => one === virtual_type) ?? 'virtual' }
}

function ticketsOf({ tickets, timezone }: WireEvent): TicketResult[] {
  if (!Array.isArray(tickets)) return []
  return tickets
    .map((one: unknown) => ticket.safeParse(one))
    .flatMap(({ data }) => (data ? [ticketOf(data, timezone)] : []))
}

/** @param sent with wall clock readings */
function ticketOf(sent: TicketResult, zone: string): TicketResult {
  const edge = (local: string | undefined): string | undefined =>
    local === undefined ? undefined : `${local.replace(' ', 'T')}${offsetIn(local, zone)}`
  return {
    name: plainLine(sent.name),
    price: lineOf(sent.price),
    currency: lineOf(sent.currency),
    url: webAddress(sent.url),
    capacity: sent.capacity,
    available_from: edge(sent.available_from),
    available_until: edge(sent.available_until),
    sold_out: sent.sold_out,
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** The lines of a recurrence; `[]` for very many dates: a part of them would be another recurrence. */
export function wholeRecurrence(sent: readonly string[]): string[] {
  const isShort = sent.join('').length <= RECURRENCE_LIMIT
  return isShort ? sent.map((line) => plainLine(line, RECURRENCE_LIMIT)) : []
}

/** The names of terms; those without anything to be seen are left out. */
function namesOf(terms: readonly WireNamed[]): string[] {
  return terms.map(({ name }) => plainLine(name)).filter((name) => name !== '')
}

function webAddress(sent: unknown): string | undefined {
  const address = plainLine(sent, URL_LIMIT + 1)
  return address === '' || address.length > URL_LIMIT ? undefined : address
}

/** A text as a plain line; undefined without anything to be seen. */
export function lineOf(sent: unknown): string | undefined {
  return plainLine(sent) || undefined
}

function filled<Item>(list: readonly Item[]): Item[] | undefined {
  return list.length === 0 ? undefined : [...list]
}
