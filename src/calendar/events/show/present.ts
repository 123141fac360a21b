import { presentCost } from '../../../base/text/cost.ts'
import { encodeText } from '../../../base/text/entities.ts'
import { storedJson } from '../../../base/text/stored-json.ts'
import { zoneAbbreviation } from '../../../base/time/zones.ts'
import { mayEdit } from '../../../http/auth/rights.ts'
import { plainNamesOf } from '../../../model/column.ts'
import { EVENT_COLUMNS } from '../../../model/event.ts'
import type { Ticket } from '../../../model/kinds/tickets.ts'
import type { MediaTable } from '../../../storage/schema.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { presentHead, presentLineage, shownAs, withExtra } from '../../shared/present.ts'
import { presentImage } from '../../shared/stored-image.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { seriesMembers } from './series.ts'

/** What an event's representation embeds, each already presented to the same viewer. */
export interface EventParts {
  readonly lineage: readonly string[] | undefined
  /** The event's own image; undefined when it has none of ours. */
  readonly picture: MediaTable | undefined
  readonly venues: readonly Readonly<Record<string, unknown>>[]
  readonly organizers: readonly Readonly<Record<string, unknown>>[]
  /** Sorted by name. */
  readonly categories: readonly unknown[]
  readonly tags: readonly unknown[]
  /** schema.org data of a single read; absent elsewhere. */
  readonly json_ld?: unknown
}

/**
 * A representation for lists and writes: without its `json_ld` and those of what it embeds, which JSON leaves out where they
 * are undefined.
 */
export function eventWithoutJsonLd(event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const without = (items: unknown) => (Array.isArray(items) ? items.map(itemWithoutJsonLd) : itemWithoutJsonLd(items))
  return { ...event, json_ld: undefined, venue: without(event['venue']), organizer: without(event['organizer']) }
}

function itemWithoutJsonLd(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !('json_ld' in item)) return item
  return { ...item, json_ld: undefined }
}

/** The parts of a moment, all zero-padded text (wire: events 1.1, row 19). */
interface DateDetails {
  readonly year: string
  readonly month: string
  readonly day: string
  readonly hour: string
  readonly minutes: string
  readonly seconds: string
}

/** An event as on the wire, key for key (wire: events 1.1); unknown members of an import come last. */
export function presentEvent(row: EventRow, parts: EventParts, viewer: Viewer): Readonly<Record<string, unknown>> {
  const { currencySymbol: symbol, currencyPosition: position } = viewer.site
  const head = headOf(row, parts, viewer)
  const { cost, cost_details } = presentCost(costOf(row), { symbol, position })
  const shown = {
    ...head,
    cost,
    cost_details,
    website: row.website ?? head.url,
    ...plainMembers(row),
    categories: parts.categories,
    tags: parts.tags,
    venue: presentVenues(parts.venues),
    organizer: parts.organizers,
    custom_fields: row.custom_fields === null ? [] : storedJson<unknown>(row.custom_fields),
    tickets: row.tickets === null ? undefined : presentTickets(row.tickets),
    post_parent: row.post_parent === 0 ? undefined : row.post_parent,
    ...attendanceMembers(row),
    language: row.language === '' ? undefined : row.language,
    has_password: isGuarded(row, viewer) || undefined,
    json_ld: parts.json_ld,
  }
  const { occasion } = row
  return withExtra(
    occasion === undefined ? shown : { ...shown, ...seriesMembers({ id: row.id, occasion }, viewer.language) },
    row.extra,
  )
}

/** Whether a password protects the event, for those who may edit it: its content does not show that. */
function isGuarded({ password_hash, author_id, status }: EventRow, { caller }: Viewer): boolean {
  return password_hash !== null && mayEdit(caller, { authorId: author_id, status })
}

const PLAIN = plainNamesOf(EVENT_COLUMNS).filter((name) => EVENT_COLUMNS[name].kind !== 'language')

/** The members without special rules that are always shown. */
function plainMembers(row: EventRow): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {}
  for (const name of PLAIN) members[name] = shownAs(EVENT_COLUMNS[name].kind, row[name])
  return members
}

/** What has become of the event and whether it takes place online: only what has content. What an import recorded stays. */
function attendanceMembers(row: EventRow): Readonly<Record<string, unknown>> {
  if (isAttendedAsUsual(row)) return {}
  const recorded = row.extra === null ? {} : storedJson<Readonly<Record<string, unknown>>>(row.extra)
  const own = {
    event_status: row.event_status === 'scheduled' ? '' : row.event_status,
    event_status_reason: encodeText(row.event_status_reason),
    previous_start_date: row.event_status === 'rescheduled' ? row.previous_start : null,
    is_virtual: row.is_virtual === 1,
    virtual_url: row.virtual_url,
    virtual_type: row.virtual_type,
  }
  return Object.fromEntries(Object.entries(own).filter(([name, value]) => value && !Object.hasOwn(recorded, name)))
}

function isAttendedAsUsual(row: EventRow): boolean {
  const { event_status, event_status_reason, is_virtual, virtual_url, virtual_type } = row
  const isPlain = event_status === 'scheduled' && event_status_reason === '' && is_virtual === 0
  return isPlain && virtual_url === '' && virtual_type === ''
}

/** The members up to the dates. */
function headOf(row: EventRow, parts: EventParts, viewer: Viewer) {
  const ids = presentLineage(viewer.site.host, row.id, parts.lineage)
  const head = presentHead('event', row, viewer)
  return {
    id: row.id,
    global_id: ids.global_id,
    global_id_lineage: ids.global_id_lineage,
    author: head.author,
    status: head.status,
    date: head.date,
    date_utc: head.date_utc,
    modified: head.modified,
    modified_utc: head.modified_utc,
    url: head.url,
    rest_url: viewer.urls.api(`/events/${row.id}`),
    title: encodeText(row.title),
    description: row.description,
    excerpt: row.excerpt,
    slug: row.slug,
    image: presentImage(row, parts.picture, viewer.urls),
    all_day: row.all_day === 1,
    start_date: row.start_local,
    start_date_details: details(row.start_local),
    end_date: row.end_local,
    end_date_details: details(row.end_local),
    utc_start_date: row.start_utc,
    utc_start_date_details: details(row.start_utc),
    utc_end_date: row.end_utc,
    utc_end_date_details: details(row.end_utc),
    timezone: row.timezone,
    timezone_abbr: zoneAbbreviation(row.start_local, row.timezone, row.start_utc),
  }
}

/** Names of tickets are texts like titles (decisions: Text). */
function presentTickets(stored: string): readonly Ticket[] {
  return storedJson<readonly Ticket[]>(stored).map((ticket) => ({ ...ticket, name: encodeText(ticket.name) }))
}

/** The stored cost of an event. */
export function costOf(row: EventRow): { text: string; symbol: string; position: '' | 'prefix' | 'postfix' } {
  const position = row.cost_position === 'prefix' || row.cost_position === 'postfix' ? row.cost_position : ''
  return { text: row.cost, symbol: row.cost_symbol, position }
}

/** One venue is an object, none is an empty array, several are an array (wire: events 1.1, row 38). */
function presentVenues(venues: readonly unknown[]): unknown {
  return venues.length === 1 ? venues[0] : venues
}

function details(moment: string): DateDetails {
  return {
    year: moment.slice(0, 4),
    month: moment.slice(5, 7),
    day: moment.slice(8, 10),
    hour: moment.slice(11, 13),
    minutes: moment.slice(14, 16),
    seconds: moment.slice(17, 19),
  }
}

/** How people attend a protected event, and why it has changed, is part of its content. */
export const SECRET_BLANK = { event_status_reason: '', virtual_url: '' } as const

/** What a list shows of a protected event to those without its password (wire: events 7). */
const REDACTED: Readonly<Record<string, unknown>> = {
  description: '',
  excerpt: '',
  image: false,
  all_day: null,
  cost: '',
  cost_details: { currency_symbol: '', currency_position: '', currency_code: '', values: [] },
  website: '',
  ...Object.fromEntries(PLAIN.map((name) => [name, typeof EVENT_COLUMNS[name].blank === 'string' ? '' : null])),
  categories: [],
  tags: [],
  venue: [],
  organizer: [],
  custom_fields: [],
}

/** A protected event without its content; key order and title, slug and dates stay. */
export function redactEvent(row: EventRow, parts: EventParts, viewer: Viewer): Readonly<Record<string, unknown>> {
  const bare = { ...row, extra: null, tickets: null, custom_fields: null, post_parent: 0, ...SECRET_BLANK }
  return { ...presentEvent(bare, parts, viewer), ...REDACTED }
}
