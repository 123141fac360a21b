import { STATUSES } from '../../model/status.ts'
import { EVENT_LD, PERSON, PLACE } from './json-ld.ts'
import {
  address,
  flag,
  id,
  list,
  moment,
  NOTHING,
  one,
  open,
  ref,
  type Schema,
  text,
  withheldFlag,
  word,
} from './parts.ts'

const SITE = 'https://calendar.example'

/** What the examples say of the entries of each kind. */
const SAMPLES = {
  event: { id: 10, slug: 'spring-regatta', page: `${SITE}/event/spring-regatta/` },
  venue: { id: 7, slug: 'heron-point', page: `${SITE}/venue/heron-point/` },
  organizer: { id: 8, slug: 'lower-bay-rowers', page: `${SITE}/organizer/lower-bay-rowers/` },
} as const

/** Members of every event, venue and organizer: all of them are always there. */
function entry(sample: (typeof SAMPLES)[keyof typeof SAMPLES]): Readonly<Record<string, Schema>> {
  const globalId = `calendar.example?id=${sample.id}`
  return {
    id: id('Identifier', sample.id),
    global_id: text('Identifier across sites', globalId, { pattern: '.\\?id=\\d+$' }),
    global_id_lineage: {
      ...list(
        'The identifier across sites, then those at the sites that it was imported from',
        text('Identifier across sites', globalId, { minLength: 1 }),
      ),
      minItems: 1,
    },
    author: text('Identifier of the author, as text', '2', { pattern: '^\\d+$' }),
    status: word('Publication state', STATUSES),
    date: moment('When it is published, in the zone of the site', '2026-11-20 13:00:00'),
    date_utc: moment('When it is published, in UTC', '2026-11-20 18:00:00'),
    modified: moment('When it was last changed, in the zone of the site', '2026-11-20 13:00:00'),
    modified_utc: moment('When it was last changed, in UTC', '2026-11-20 18:00:00'),
    url: address('Address of its page', sample.page),
    slug: text('Part of the address that names it', sample.slug, { minLength: 1 }),
  }
}

const ENTRY = Object.keys(entry(SAMPLES.event))

const TEXTS = {
  description: text('Text, as HTML', '<p>Bring a dry bag.</p>'),
  excerpt: text('Short text, as HTML', '<p>Rowing day on the bay</p>'),
}

/** The moments of an event, each followed by its parts. */
function times(): Readonly<Record<string, Schema>> {
  const named = [
    ['start_date', 'When it starts, in its own time zone', '2027-04-17 09:30:00'],
    ['end_date', 'When it ends, in its own time zone', '2027-04-17 15:00:00'],
    ['utc_start_date', 'When it starts, in UTC', '2027-04-17 16:30:00'],
    ['utc_end_date', 'When it ends, in UTC', '2027-04-17 22:00:00'],
  ] as const
  const members = named.flatMap(([name, description, example]): [string, Schema][] => [
    [name, moment(description, example)],
    [`${name}_details`, one('DateDetails', `${name} taken apart`, partsOf(example))],
  ])
  return Object.fromEntries(members)
}

function partsOf(example: string): Readonly<Record<string, string | undefined>> {
  const [year, month, day, hour, minutes, seconds] = example.split(/[-: ]/)
  return { year, month, day, hour, minutes, seconds }
}

/** Members of every event after those of all entries. */
const EVENT = {
  rest_url: address('Address of the event in this interface', `${SITE}/cal/events/v1/events/10`),
  // Imported events may be without a title.
  title: text('Title, with &, < and > as HTML entities', 'Spring Regatta &amp; Picnic'),
  ...TEXTS,
  image: { description: 'Picture; false when there is none', oneOf: [ref('Image'), { const: false }] },
  all_day: withheldFlag('Whether it lasts the whole day'),
  ...times(),
  timezone: text('Time zone', 'America/Los_Angeles', { minLength: 1 }),
  timezone_abbr: text('Short name of the time zone at the start', 'PDT', { minLength: 1 }),
  cost: text('Cost to show; empty when none is known', '€12.50'),
  cost_details: one('CostDetails', 'The cost taken apart'),
  website: text('Address of its web site', 'https://regatta.example/'),
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
    description: 'Further fields of the site by name; an empty list when there are none',
    oneOf: [NOTHING, { type: 'object' }],
  },
} satisfies Readonly<Record<string, Schema>>

const Event = open(
  'An event',
  {
    ...entry(SAMPLES.event),
    ...EVENT,
    tickets: { ...list('Tickets; absent when there are none', ref('Ticket')), minItems: 1 },
    post_parent: id('Event that this one is a part of; absent when there is none', 9),
    json_ld: EVENT_LD,
  },
  [...ENTRY, ...Object.keys(EVENT)],
)

/** Text that is absent rather than empty. */
function content(description: string, example: string): Schema {
  return text(description, example, { minLength: 1 })
}

const LINKED = {
  description: content('Text, as HTML', '<p>Timber hall by the slipway.</p>'),
  excerpt: content('Short text, as HTML', '<p>By the slipway</p>'),
  image: ref('Image'),
}

const Venue = open(
  'A venue. Members without content are absent',
  {
    ...entry(SAMPLES.venue),
    ...LINKED,
    venue: content('Name, with &, < and > as HTML entities', 'Heron Point Boathouse'),
    address: content('Street and number', '48 Slipway Lane'),
    city: content('City', 'Astoria'),
    country: content('Country', 'United States'),
    province: content('Province', 'Ontario'),
    state: content('State', 'OR'),
    zip: content('Postal code', '97103'),
    phone: content('Telephone number', '+1 555 0140'),
    website: content('Address of its web site', 'https://heronpoint.example/'),
    stateprovince: content('State or province, whichever applies', 'OR'),
    geo_lat: { type: 'number', description: 'Latitude in degrees', minimum: -90, maximum: 90 },
    geo_lng: { type: 'number', description: 'Longitude in degrees', minimum: -180, maximum: 180 },
    json_ld: PLACE,
    show_map: flag('Whether to show a map'),
    show_map_link: flag('Whether to show a link to a map'),
  },
  [...ENTRY, 'show_map', 'show_map_link'],
)

const Organizer = open(
  'An organizer. Members without content are absent',
  {
    ...entry(SAMPLES.organizer),
    ...LINKED,
    organizer: content('Name, with &, < and > as HTML entities', 'Lower Bay Rowers'),
    phone: content('Telephone number', '+1 555 0141'),
    website: content('Address of its web site', 'https://rowers.example/'),
    email: content('E-mail address', 'info@rowers.example'),
    json_ld: PERSON,
  },
  ENTRY,
)

/** Schemas of events, venues and organizers as they are answered. */
export const ENTRY_SCHEMAS: Readonly<Record<string, Schema>> = { Event, Venue, Organizer }
