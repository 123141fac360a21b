import { EVENT_SCHEMA } from '../calendar/events/index.ts'
import { IMAGE } from '../calendar/shared/schema.ts'
import { type NamedSchema, named, ref, type Schema } from '../http/openapi/parts.ts'
import { STATUSES } from '../model/status.ts'
import { FURTHER } from './present/event.ts'

/*
 * What answers of this namespace look like. Every item may have further members.
 */

type Members = Readonly<Record<string, Schema>>

const SITE = 'https://calendar.example'

/** A value with an example of it. */
function sample(example: string | number, more: Schema = {}): Schema {
  return { type: typeof example === 'string' ? 'string' : 'integer', ...more, examples: [example] }
}

function orNull(schema: Schema): Schema {
  return { ...schema, type: [schema['type'], 'null'] }
}

function item(properties: Members, optional: Members = {}): Schema {
  return { type: 'object', properties: { ...properties, ...optional }, required: Object.keys(properties) }
}

const TEXT = sample('')
const FLAG = { type: 'boolean' }
const ID = sample(7, { minimum: 1 })
const IDS = { type: 'array', items: ID }
const RENDERED = item({ rendered: sample('Spring Regatta') })
const PROTECTED = item({ rendered: sample('<p>Bring a dry bag.</p>'), protected: FLAG })

/** A moment without a zone, with `T` between day and time. */
const ISO = sample('2027-01-10T09:00:00', { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$' })
const MOMENT = sample('2027-04-17 09:30:00', { pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' })
const PHP_DATE = item({
  date: sample('2027-04-17 09:30:00.000000', { pattern: '\\.000000$' }),
  timezone_type: { type: 'integer', enum: [1, 3] },
  timezone: sample('America/Los_Angeles'),
})

/** A member that has one value only. */
function only(value: string | number | false): Schema {
  return { type: typeof value === 'number' ? 'integer' : typeof value, enum: [value] }
}

/** Members that every item starts with. */
function commonMembers(type: string, path: string): Members {
  const link = sample(`${SITE}/${path}/`, { format: 'uri' })
  return {
    ...{ id: ID, date: ISO, date_gmt: ISO, guid: item({ rendered: link }), modified: ISO, modified_gmt: ISO },
    ...{ slug: sample('spring-regatta'), status: { type: 'string', enum: STATUSES }, type: only(type), link },
    ...{ title: RENDERED, content: PROTECTED, excerpt: PROTECTED, author: sample(2, { minimum: 0 }) },
    ...{ featured_media: sample(6, { minimum: 0 }), template: only('') },
  }
}

/** A member that depends on a week that nobody has asked for. */
const OF_A_WEEK = { type: ['integer', 'null'], enum: [null] }

/** Members of an event that say when it takes place. */
const WHEN = {
  ...{ start_date: MOMENT, start_date_utc: MOMENT, end_date: MOMENT, end_date_utc: MOMENT },
  dates: item(
    Object.fromEntries(
      ['start', 'end'].flatMap((edge) => ['', '_utc', '_site', '_display'].map((clock) => [edge + clock, PHP_DATE])),
    ),
  ),
  timezone: sample('America/Los_Angeles'),
  duration: sample('19800', { pattern: '^\\d+$' }),
  multiday: { anyOf: [sample(2, { minimum: 2 }), only(false)] },
  ...{ is_past: FLAG, is_now: FLAG, all_day: orNull(FLAG), starts_this_week: OF_A_WEEK, ends_this_week: OF_A_WEEK },
  ...{ this_week_duration: OF_A_WEEK, happens_this_week: OF_A_WEEK },
}

/** The schemas that events of the interface are made of, by name. */
const PARTS = new Map(EVENT_SCHEMA.uses.map((part) => [part.name, part]))
const SHOWN = EVENT_SCHEMA.schema['properties'] as Members

/** What the interface calls a ticket, as events embed it. */
const OFFER = named('Offer', PARTS.get('Ticket')?.schema ?? {})
const SERIES_DATE = PARTS.get('SeriesDate') as NamedSchema

/** A venue as responses show it. */
export const VENUE = named(
  'Venue',
  item(
    {
      ...commonMembers('tribe_venue', 'venue/heron-point'),
      ...{ address: sample('48 Slipway Lane'), country: TEXT, city: sample('Astoria'), state_province: sample('OR') },
      ...{ state: TEXT, province: TEXT, zip: TEXT, phone: TEXT, directions_link: TEXT, website: TEXT },
    },
    { geo_lat: { type: 'number' }, geo_lng: { type: 'number' }, image: ref('Image') },
  ),
  [IMAGE],
)

/** An organizer as responses show it. */
export const ORGANIZER = named(
  'Organizer',
  item(
    { ...commonMembers('tribe_organizer', 'organizer/rowers'), phone: TEXT, website: TEXT, email: TEXT },
    { image: ref('Image') },
  ),
  [IMAGE],
)

/** An event as responses show it, whole or locked. */
export const EVENT = named(
  'Event',
  item(
    {
      ...commonMembers('tribe_events', 'event/spring-regatta'),
      ...{ tags: IDS, tribe_events_cat: IDS, class_list: { type: 'array', items: sample('post-7') }, ...WHEN },
      ...{ displays_on: { type: 'array', items: TEXT, maxItems: 0 }, featured: orNull(FLAG), sticky: orNull(FLAG) },
      ...{ cost: sample('€12.50'), organizer_names: { type: 'array', items: TEXT } },
      ...{ organizers: { type: 'array', items: ref('Organizer') }, venues: { type: 'array', items: ref('Venue') } },
      ...{ schedule_details: TEXT, short_schedule_details: TEXT },
    },
    {
      ...Object.fromEntries(FURTHER.map((name) => [name, SHOWN[name] ?? {}])),
      image: ref('Image'),
      tickets: { type: 'array', items: ref('Offer') },
    },
  ),
  [VENUE, ORGANIZER, IMAGE, OFFER, SERIES_DATE],
)

const OF_ALL = commonMembers('tec_tc_ticket', 'event/spring-regatta')
const { excerpt: _excerpt, author: _author, featured_media: _media, ...OF_TICKETS } = OF_ALL
const PRICE = orNull({ type: 'number', minimum: 0, examples: [12.5] })

/** A ticket as responses show it. */
export const TICKET = named(
  'Ticket',
  item(
    {
      ...OF_TICKETS,
      ...{ description: only(''), on_sale: only(false), sale_price: PRICE, price: PRICE, regular_price: PRICE },
      ...{ show_description: only(false), start_date: orNull(MOMENT), end_date: orNull(MOMENT) },
      ...{ sale_price_start_date: orNull(MOMENT), sale_price_end_date: orNull(MOMENT), event_id: ID },
      ...{ manage_stock: FLAG, stock: orNull(sample(120, { minimum: 0 })), sold: only(0), sku: only('') },
    },
    { currency: sample('EUR'), url: TEXT },
  ),
)

/** What a deletion answers. */
export const NOTHING_LEFT = named('NothingLeft', { type: 'array', items: {}, maxItems: 0 })
