import { STATUSES } from '../../model/status.ts'
import {
  address,
  flag,
  integer,
  list,
  moment,
  object,
  one,
  ref,
  type Schema,
  text,
  withheldFlag,
  word,
} from './parts.ts'
import { SHARED_SCHEMAS } from './shared.ts'

const JSON_LD: Schema = {
  type: 'object',
  description: 'The item for search engines (schema.org); only where one item is read',
}

/** Members of every event, venue and organizer; `required` of them are the names below. */
const ENTRY = {
  id: integer('Identifier', 1),
  global_id: text('Identifier across sites'),
  global_id_lineage: list(
    'The identifier across sites, then those at the sites that it was imported from',
    text('Identifier across sites'),
  ),
  author: text('Identifier of the author, as text', { pattern: '^\\d+$' }),
  status: word('Publication state', STATUSES),
  date: moment('When it is published, in the zone of the site'),
  date_utc: moment('When it is published, in UTC'),
  modified: moment('When it was last changed, in the zone of the site'),
  modified_utc: moment('When it was last changed, in UTC'),
  url: address('Address of its page'),
  slug: text('Part of the address that names it'),
}

const TEXTS = {
  description: text('Text, as HTML'),
  excerpt: text('Short text, as HTML'),
}

const LINKED_ENTRY = { ...ENTRY, ...TEXTS, image: ref('Image') }

const ALWAYS = Object.keys(ENTRY)

const Event = object(
  'An event',
  {
    ...ENTRY,
    rest_url: address('Address of the event in this interface'),
    title: text('Title, with &, < and > as HTML entities'),
    ...TEXTS,
    image: { description: 'Picture; false when there is none', oneOf: [{ const: false }, ref('Image')] },
    all_day: withheldFlag('Whether it lasts the whole day'),
    start_date: moment('When it starts, in its own time zone'),
    start_date_details: one('DateDetails', 'start_date taken apart'),
    end_date: moment('When it ends, in its own time zone'),
    end_date_details: one('DateDetails', 'end_date taken apart'),
    utc_start_date: moment('When it starts, in UTC'),
    utc_start_date_details: one('DateDetails', 'utc_start_date taken apart'),
    utc_end_date: moment('When it ends, in UTC'),
    utc_end_date_details: one('DateDetails', 'utc_end_date taken apart'),
    timezone: text('Time zone', { examples: ['Europe/Berlin', 'UTC+3'] }),
    timezone_abbr: text('Short name of the time zone at the start', { examples: ['CET'] }),
    cost: text('Cost to show; empty when none is known'),
    cost_details: one('CostDetails', 'The cost taken apart'),
    website: text('Address of its web site'),
    show_map: withheldFlag('Whether to show a map'),
    show_map_link: withheldFlag('Whether to show a link to a map'),
    hide_from_listings: withheldFlag('Whether it is left out of lists'),
    sticky: withheldFlag('Whether it stays on top in calendar views'),
    featured: withheldFlag('Whether it is featured'),
    categories: list('Categories by name', ref('Term')),
    tags: list('Tags by name', ref('Term')),
    venue: {
      description: 'The venue; an empty list when there is none, a list of all when there are several',
      oneOf: [ref('Venue'), { type: 'array', items: ref('Venue') }],
    },
    organizer: list('Organizers in their order', ref('Organizer')),
    custom_fields: {
      type: ['array', 'object'],
      description: 'Further fields of the site by name; an empty list when there are none',
    },
    tickets: list('Tickets; absent when there are none', ref('Ticket')),
    post_parent: integer('Event that this one is a part of; absent when there is none', 1),
    json_ld: JSON_LD,
  },
  [
    ...ALWAYS,
    'rest_url',
    'title',
    'description',
    'excerpt',
    'image',
    'all_day',
    ...['start_date', 'end_date', 'utc_start_date', 'utc_end_date'].flatMap((name) => [name, `${name}_details`]),
    ...['timezone', 'timezone_abbr', 'cost', 'cost_details', 'website', 'show_map', 'show_map_link'],
    ...['hide_from_listings', 'sticky', 'featured', 'categories', 'tags', 'venue', 'organizer', 'custom_fields'],
  ],
)

const Venue = object(
  'A venue. Members without content are absent',
  {
    ...LINKED_ENTRY,
    venue: text('Name, with &, < and > as HTML entities'),
    address: text('Street and number'),
    city: text('City'),
    country: text('Country'),
    province: text('Province'),
    state: text('State'),
    zip: text('Postal code'),
    phone: text('Telephone number'),
    website: text('Address of its web site'),
    stateprovince: text('State or province, whichever applies'),
    geo_lat: { type: 'number', description: 'Latitude in degrees', minimum: -90, maximum: 90 },
    geo_lng: { type: 'number', description: 'Longitude in degrees', minimum: -180, maximum: 180 },
    json_ld: JSON_LD,
    show_map: flag('Whether to show a map'),
    show_map_link: flag('Whether to show a link to a map'),
  },
  [...ALWAYS, 'venue', 'show_map', 'show_map_link'],
)

const Organizer = object(
  'An organizer. Members without content are absent',
  {
    ...LINKED_ENTRY,
    organizer: text('Name, with &, < and > as HTML entities'),
    phone: text('Telephone number'),
    website: text('Address of its web site'),
    email: text('E-mail address'),
    json_ld: JSON_LD,
  },
  [...ALWAYS, 'organizer'],
)

const TERM = {
  id: integer('Identifier', 1),
  name: text('Name, with &, < and > as HTML entities'),
  slug: text('Part of the address that names it'),
  taxonomy: word('What kind of term it is', ['tribe_events_cat', 'post_tag']),
  description: text('Text, as HTML'),
  count: integer('Number of published events with the term'),
  urls: object(
    'Addresses in this interface',
    {
      self: address('Address of the term'),
      collection: address('Address of the list'),
      up: address('Address of the category above; absent at the top'),
    },
    ['self', 'collection'],
  ),
}

const PARENT = integer('Identifier of the category above; 0 for none')

const Term = object(
  'A category or tag inside an event',
  {
    ...TERM,
    parent: PARENT,
    term_group: { type: 'integer', const: 0, description: 'Always 0' },
    term_taxonomy_id: integer('The identifier once more', 1),
    filter: { type: 'string', const: 'raw', description: 'Always "raw"' },
  },
  [...Object.keys(TERM), 'parent', 'term_group', 'term_taxonomy_id', 'filter'],
)

const OWN_TERM = {
  ...TERM,
  meta: { type: 'array', description: 'Always empty' },
  url: address('Address of its page'),
  _links: { type: 'object', description: 'Related addresses; only where one term is read or written' },
}

const Category = object('An event category', { ...OWN_TERM, parent: PARENT }, [
  ...Object.keys(TERM),
  'parent',
  'meta',
  'url',
])
const Tag = object('An event tag', OWN_TERM, [...Object.keys(TERM), 'meta', 'url'])

/** Schemas of answers by name, in the order of wire: rest 5.2, then those of ours. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  ...SHARED_SCHEMAS,
  Term,
  Event,
  Venue,
  Organizer,
  Category,
  Tag,
}

/** The envelope of a list whose items are in `member` (wire: events 2.1, rest 2). */
export function listSchema(member: string, schema: string): Schema {
  return object(
    'One page of a list',
    {
      [member]: list('The items of the page', ref(schema)),
      rest_url: address('Address of this page'),
      next_rest_url: address('Address of the next page; absent on the last'),
      previous_rest_url: address('Address of the page before; absent on the first'),
      total: integer('Number of items on all pages'),
      total_pages: integer('Number of pages'),
    },
    [member, 'rest_url', 'total', 'total_pages'],
  )
}
