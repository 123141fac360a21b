import { website } from '../fields/address.ts'
import { boolean } from '../fields/boolean.ts'
import { exactChoice } from '../fields/choice.ts'
import { cost } from '../fields/cost.ts'
import { eventDate, siteDate, utcDate } from '../fields/date.ts'
import { field, type ValuesOf } from '../fields/field.ts'
import { image } from '../fields/image.ts'
import { positive, positiveOrNone } from '../fields/integer.ts'
import { linkedList } from '../fields/linked.ts'
import { termList } from '../fields/term-list.ts'
import { html, name, secretText, slug } from '../fields/text.ts'
import { tickets } from '../fields/tickets.ts'
import { zone } from '../fields/zone.ts'
import { flag, special, specialOr } from './column.ts'
import { STATUSES } from './status.ts'

/** The fields of an event in the interface's order (interface: Event), then ours (decisions: Password, post_parent, ticketed). */
export const EVENT_FIELDS = [
  field('author', positive, 'Identifier of the user who owns the event'),
  field('date', siteDate, 'When the event is published, in the zone of the site'),
  field('date_utc', utcDate, 'When the event is published, in UTC'),
  field('title', name(), 'Title of the event', { required: true, example: 'Spring Regatta' }),
  field('description', html, 'Full text of the event', { cleared: '', example: '<p>Bring a dry bag.</p>' }),
  field('slug', slug, 'Part of the address that names the event'),
  field('excerpt', html, 'Short text of the event', { cleared: '' }),
  field('status', exactChoice(STATUSES, 'bad_status'), 'State of the event', { example: 'publish' }),
  field('timezone', zone, 'Time zone in which the event takes place', { example: 'America/Los_Angeles' }),
  field('all_day', boolean, 'Whether the event lasts the whole day', { default: false }),
  field('start_date', eventDate, 'When the event starts', { required: true, example: '2027-04-17 09:30:00' }),
  field('end_date', eventDate, 'When the event ends', { required: true, example: '2027-04-17 15:00:00' }),
  field('image', image, 'Identifier or address of the picture of the event', { cleared: { by: 'none' } }),
  field('cost', cost, 'What it costs to take part', {
    cleared: { text: '', symbol: '', position: '' },
    example: '€12.50',
  }),
  field('website', website, 'Address of the web site of the event', {
    cleared: '',
    declared: {},
    shownDefault: null,
    example: 'https://regatta.example/',
  }),
  field('show_map', boolean, 'Whether to show a map of the venue'),
  field('show_map_link', boolean, 'Whether to show a link to a map of the venue'),
  field('hide_from_listings', boolean, 'Whether to leave the event out of lists'),
  field('sticky', boolean, 'Whether the event stays on top in calendar views'),
  field('featured', boolean, 'Whether the event is featured on the site', { example: true }),
  field('categories', termList, 'Identifiers or names of the categories of the event', {
    cleared: [],
    shownDefault: null,
    example: ['Water sports'],
  }),
  field('tags', termList, 'Identifiers or names of the tags of the event', {
    cleared: [],
    shownDefault: null,
    example: ['Outdoors', 'Family'],
  }),
  field('venue', linkedList('VenueCreate'), 'Identifier or data of the venue of the event', {
    cleared: [],
    shownDefault: null,
    example: [{ venue: 'Heron Point Boathouse', city: 'Astoria' }],
  }),
  field('organizer', linkedList('OrganizerCreate'), 'Identifiers or data of the organizers of the event', {
    cleared: [],
    shownDefault: null,
    example: [{ organizer: 'Lower Bay Rowers' }],
  }),
  field('password', secretText, 'Password that opens the event', { cleared: '' }),
  field('post_parent', positiveOrNone, 'Identifier of the event that this one is a part of', { cleared: 0 }),
  field('tickets', tickets, 'Tickets of the event', {
    cleared: [],
    example: [{ name: 'Standing', price: '12.50', currency: 'EUR' }],
  }),
] as const

/** The values of an event that were sent. */
export type EventValues = ValuesOf<typeof EVENT_FIELDS>

/** The columns of an event beside those of every entry. Wire names where the wire has one (interface: Event). */
export const EVENT_COLUMNS = {
  /** Plain text. */
  title: special<string>(),
  all_day: special<number>(),
  start_local: special<string>(),
  end_local: special<string>(),
  start_utc: special<string>(),
  end_utc: special<string>(),
  /** Zone as sent. */
  timezone: special<string>(),
  /** Cost text as sent, normalised; '' when none. */
  cost: specialOr(''),
  cost_symbol: specialOr(''),
  /** '', 'prefix' or 'postfix'. */
  cost_position: specialOr(''),
  /** null: never sent (responses show the event's own page); '': sent empty. */
  website: specialOr<string | null>(null),
  show_map: flag(),
  show_map_link: flag(),
  hide_from_listings: flag(),
  sticky: flag(),
  featured: flag(),
  /** Salted hash of the event password; null when the event has none. */
  password_hash: specialOr<string | null>(null),
  /** Event this one is a part of; 0 when none. */
  post_parent: specialOr(0),
  /** JSON array of tickets; null when none. */
  tickets: specialOr<string | null>(null),
  /** JSON object of site-level fields of an import; null when none. */
  custom_fields: specialOr<string | null>(null),
} as const
