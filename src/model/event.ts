import { EVENT_STATUSES, VIRTUAL_TYPES } from './attendance.ts'
import { blankOf, flag, language as languageColumn, special, specialOr } from './column.ts'
import { website } from './kinds/address.ts'
import { boolean } from './kinds/boolean.ts'
import { choice, exactChoice } from './kinds/choice.ts'
import { cost } from './kinds/cost.ts'
import { customFields } from './kinds/custom-fields.ts'
import { eventDate, publicationDate, utcDate } from './kinds/date.ts'
import { columnsOfFields, field, type ValuesOf } from './kinds/field.ts'
import { image } from './kinds/image.ts'
import { positive, positiveOrNone } from './kinds/integer.ts'
import { language } from './kinds/language.ts'
import { linkedList } from './kinds/linked.ts'
import { recurrenceLines } from './kinds/recurrence.ts'
import { termList } from './kinds/term-list.ts'
import { html, line, name, secretText, slug } from './kinds/text.ts'
import { tickets } from './kinds/tickets.ts'
import { zone } from './kinds/zone.ts'
import { STATUSES } from './status.ts'

/** When an event takes place, on its clock and in UTC. */
const MOMENTS = ['start_local', 'end_local', 'start_utc', 'end_utc', 'timezone', 'all_day']

/** The fields of an event in the interface's order (interface: Event), then ours (decisions: Password, post_parent, ticketed). */
export const EVENT_FIELDS = [
  field('author', positive, 'Identifier of the user who owns the event', { isCommon: true }),
  field('date', publicationDate, 'When the event is published, in the zone of the site', {
    label: 'Publication date',
    section: 'Publishing',
    isCommon: true,
  }),
  field('date_utc', utcDate, 'When the event is published, in UTC', { isCommon: true }),
  field('title', name(), 'Title of the event', {
    label: 'Title',
    section: 'What',
    required: true,
    example: 'Spring Regatta',
    csv: { also: ['name', 'summary', 'subject'] },
    icalendar: 'SUMMARY',
  }),
  field('description', html, 'Full text of the event', {
    label: 'Description',
    section: 'What',
    cleared: '',
    example: '<p>Bring a dry bag.</p>',
    csv: { also: ['content', 'details'] },
    icalendar: 'DESCRIPTION',
  }),
  field('slug', slug, 'Part of the address that names the event', {
    label: 'Slug',
    section: 'Publishing',
    csv: { also: [] },
  }),
  field('excerpt', html, 'Short text of the event', {
    label: 'Summary',
    section: 'What',
    cleared: '',
    csv: { also: ['shortdescription'] },
  }),
  field('status', exactChoice(STATUSES, 'bad_status'), 'State of the event', {
    example: 'publish',
    isCommon: true,
    csv: { also: ['publishstatus'], label: 'Status' },
    icalendar: 'STATUS',
    stored: { columns: ['status', 'trashed_from'] },
  }),
  field('timezone', zone, 'Time zone in which the event takes place', {
    label: 'Time zone',
    section: 'When',
    example: 'America/Los_Angeles',
    csv: { also: ['zone'] },
    stored: { columns: [], part: 'dates' },
  }),
  field('all_day', boolean, 'Whether the event lasts the whole day', {
    label: 'All day',
    section: 'When',
    default: false,
    csv: { also: ['alldayevent', 'wholeday'] },
    stored: { columns: [], part: 'dates' },
  }),
  field('start_date', eventDate, 'When the event starts', {
    label: 'Starts',
    section: 'When',
    required: true,
    example: '2027-04-17 09:30:00',
    csv: { also: ['start', 'date', 'begin'] },
    icalendar: 'DTSTART',
    stored: { columns: MOMENTS, part: 'dates' },
  }),
  field('end_date', eventDate, 'When the event ends', {
    label: 'Ends',
    section: 'When',
    required: true,
    example: '2027-04-17 15:00:00',
    csv: { also: ['end'] },
    icalendar: 'DTEND',
    stored: { columns: [], part: 'dates' },
  }),
  field('image', image, 'Identifier or address of the picture of the event', {
    label: 'Picture',
    section: 'Picture',
    cleared: { by: 'none' },
    csv: { also: ['featuredimage', 'picture'] },
    icalendar: 'IMAGE',
    stored: { columns: ['image_id', 'image_recorded'] },
  }),
  field('cost', cost, 'What it costs to take part', {
    label: 'Cost',
    section: 'Price',
    cleared: { text: '', symbol: '', position: '' },
    example: '€12.50',
    csv: { also: ['price'] },
    stored: { columns: ['cost', 'cost_symbol', 'cost_position'] },
  }),
  field('website', website, 'Address of the web site of the event', {
    label: 'Website',
    section: 'What',
    cleared: '',
    declared: {},
    shownDefault: null,
    example: 'https://regatta.example/',
    csv: { also: ['link'] },
    icalendar: 'URL',
  }),
  field('show_map', boolean, 'Whether to show a map of the venue', {
    label: 'Show map',
    section: 'Where',
    column: flag(),
    csv: { also: ['showgooglemap'], isOnlyRead: true },
  }),
  field('show_map_link', boolean, 'Whether to show a link to a map of the venue', {
    label: 'Show map link',
    section: 'Where',
    column: flag(),
    csv: { also: ['showgooglemaplink'], isOnlyRead: true },
  }),
  field('hide_from_listings', boolean, 'Whether to leave the event out of lists', {
    label: 'Leave out of lists',
    section: 'Publishing',
    column: flag(),
    csv: { also: ['hidefromeventlistings', 'hideeventfromeventlistings', 'hidefromupcoming'], isOnlyRead: true },
  }),
  field('sticky', boolean, 'Whether the event stays on top in calendar views', {
    label: 'Stays on top',
    section: 'Publishing',
    column: flag(),
    csv: { also: ['stickyinmonthview'], isOnlyRead: true },
  }),
  field('featured', boolean, 'Whether the event is featured on the site', {
    label: 'Featured',
    section: 'Publishing',
    example: true,
    column: flag(),
    csv: { also: ['feature', 'featureevent'] },
  }),
  field('categories', termList, 'Identifiers or names of the categories of the event', {
    label: 'Categories',
    section: 'What',
    cleared: [],
    shownDefault: null,
    example: ['Water sports'],
    csv: { also: ['category'] },
    icalendar: 'CATEGORIES',
    stored: { columns: [], links: 'category' },
  }),
  field('tags', termList, 'Identifiers or names of the tags of the event', {
    label: 'Tags',
    section: 'What',
    cleared: [],
    shownDefault: null,
    example: ['Outdoors', 'Family'],
    csv: { also: ['tag'] },
    icalendar: 'X-TAGS',
    stored: { columns: [], links: 'tag' },
  }),
  field('venue', linkedList('VenueCreate'), 'Identifier or data of the venue of the event', {
    label: 'Venue',
    section: 'Where',
    cleared: [],
    shownDefault: null,
    example: [{ venue: 'Heron Point Boathouse', city: 'Astoria' }],
    csv: { also: ['venuename', 'location', 'place'] },
    icalendar: 'LOCATION',
    stored: { columns: [], links: 'venue' },
  }),
  field('organizer', linkedList('OrganizerCreate'), 'Identifiers or data of the organizers of the event', {
    label: 'Organizers',
    section: 'Who',
    cleared: [],
    shownDefault: null,
    example: [{ organizer: 'Lower Bay Rowers' }],
    csv: { also: ['organizername', 'organizernames', 'organizers'] },
    icalendar: 'ORGANIZER',
    stored: { columns: [], links: 'organizer' },
  }),
  field('password', secretText, 'Password that opens the event', {
    label: 'Event password',
    section: 'Publishing',
    cleared: '',
    isCommon: true,
  }),
  field('post_parent', positiveOrNone, 'Identifier of the event that this one is a part of', {
    cleared: 0,
    isCommon: true,
  }),
  field('tickets', tickets, 'Tickets of the event', {
    label: 'Tickets',
    section: 'Price',
    cleared: [],
    example: [{ name: 'Standing', price: '12.50', currency: 'EUR' }],
  }),
  field('recurrence', recurrenceLines, 'RRULE, RDATE and EXDATE lines of RFC 5545', {
    label: 'Repeats',
    section: 'Repeats',
    cleared: [],
    shownDefault: null,
    unlisted: true,
    example: ['RRULE:FREQ=WEEKLY;COUNT=8'],
    isCommon: true,
  }),
  field('event_status', choice(EVENT_STATUSES), 'What has become of the event', {
    label: 'Status',
    section: 'Status',
    cleared: 'scheduled',
    unlisted: true,
    csv: { also: [], label: 'event_status' },
    icalendar: 'STATUS',
    stored: { along: ['previous_start'], group: 'cancellation' },
  }),
  field('event_status_reason', line, 'Why, for the people who wanted to come', {
    label: 'Reason',
    section: 'Status',
    cleared: '',
    unlisted: true,
    icalendar: 'COMMENT',
    stored: { group: 'cancellation' },
  }),
  field('is_virtual', boolean, 'Whether people can attend online', {
    label: 'Online event',
    section: 'Online',
    unlisted: true,
    stored: { group: 'attendance' },
  }),
  field('virtual_url', website, 'Address at which people attend online', {
    label: 'Address to take part',
    section: 'Online',
    cleared: '',
    unlisted: true,
    csv: { also: ['onlineurl'] },
    icalendar: 'CONFERENCE',
    stored: { group: 'attendance' },
  }),
  field('virtual_type', choice(VIRTUAL_TYPES), 'Whether the event takes place at its venue as well: hybrid', {
    label: 'How people attend',
    section: 'Online',
    cleared: '',
    unlisted: true,
    stored: { group: 'attendance' },
  }),
  field('custom_fields', customFields, 'Further fields of the site by name', {
    cleared: {},
    unlisted: true,
    example: { dress_code: 'Oilskins' },
  }),
  field('language', language, 'Language in which the event is written, as a BCP 47 tag', {
    label: 'Language',
    section: 'What',
    cleared: '',
    unlisted: true,
    example: 'en',
    csv: { also: [] },
    icalendar: 'SUMMARY;LANGUAGE',
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
  ...columnsOfFields(EVENT_FIELDS),
  /** Salted hash of the event password; null when the event has none. */
  password_hash: specialOr<string | null>(null),
  /** Event this one is a part of; 0 when none. */
  post_parent: specialOr(0),
  /** JSON array of tickets; null when none. */
  tickets: specialOr<string | null>(null),
  /** JSON object of further fields of the site; null when none. */
  custom_fields: specialOr<string | null>(null),
  /** JSON of what the event recurs by (`Recurring`); null when it does not. */
  recurrence: specialOr<string | null>(null),
  /** JSON of which date the row is an exception of (`Exception`); null for events. */
  exception: specialOr<string | null>(null),
  /** One of EVENT_STATUSES. */
  event_status: specialOr('scheduled'),
  event_status_reason: specialOr(''),
  /** Wall clock reading at which the event started before it was first moved; null when it never was. */
  previous_start: specialOr<string | null>(null),
  /** The first `previous_start` that was forgotten because the event was scheduled again: old addresses of its dates are found by it; null without one. */
  address_start: specialOr<string | null>(null),
  is_virtual: specialOr(0),
  virtual_url: specialOr(''),
  /** One of VIRTUAL_TYPES, or ''. */
  virtual_type: specialOr(''),
  language: languageColumn,
} as const

/** The row of an event of which nothing was sent: the columns that have a blank value, those of every entry among them. */
export const BLANK_EVENT = {
  trashed_from: null,
  description: '',
  excerpt: '',
  image_id: null,
  image_recorded: null,
  extra: null,
  revision: 1,
  ...blankOf(EVENT_COLUMNS),
} as const
