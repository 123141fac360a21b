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
  field('author', positive, 'api.events.idUserWhoOwns', { isCommon: true }),
  field('date', publicationDate, 'api.events.publicationDateEventSites', {
    label: 'fields.publicationDate',
    section: 'form.section.publishing',
    isCommon: true,
  }),
  field('date_utc', utcDate, 'api.events.publicationDateEventUtc', { isCommon: true }),
  field('title', name(), 'api.events.titleEvent', {
    label: 'fields.title',
    section: 'form.section.what',
    required: true,
    example: 'Spring Regatta',
    csv: { also: ['name', 'summary', 'subject'] },
    icalendar: 'SUMMARY',
  }),
  field('description', html, 'api.events.fullDescriptionEvent', {
    label: 'fields.description',
    section: 'form.section.text',
    cleared: '',
    example: '<p>Bring a dry bag.</p>',
    csv: { also: ['content', 'details'] },
    icalendar: 'DESCRIPTION',
  }),
  field('slug', slug, 'api.events.partUrlIdentifiesEvent', {
    label: 'fields.slug',
    section: 'form.section.publishing',
    csv: { also: [] },
  }),
  field('excerpt', html, 'api.events.summaryEvent', {
    label: 'fields.summary',
    section: 'form.section.details',
    cleared: '',
    csv: { also: ['shortdescription'] },
  }),
  field('status', exactChoice(STATUSES, 'bad_status'), 'api.events.publicationStatusEvent', {
    example: 'publish',
    isCommon: true,
    csv: { also: ['publishstatus'], label: 'fields.status' },
    icalendar: 'STATUS',
    stored: { columns: ['status', 'trashed_from'] },
  }),
  field('timezone', zone, 'api.events.timeZoneEvent', {
    label: 'fields.timeZone',
    section: 'form.section.when',
    example: 'America/Los_Angeles',
    csv: { also: ['zone'] },
    stored: { columns: [], part: 'dates' },
  }),
  field('all_day', boolean, 'api.events.whetherEventLastsAll', {
    label: 'fields.allDay',
    section: 'form.section.when',
    default: false,
    csv: { also: ['alldayevent', 'wholeday'] },
    stored: { columns: [], part: 'dates' },
  }),
  field('start_date', eventDate, 'api.events.startEvent', {
    label: 'fields.starts',
    section: 'form.section.when',
    required: true,
    example: '2027-04-17 09:30:00',
    csv: { also: ['start', 'date', 'begin'] },
    icalendar: 'DTSTART',
    stored: { columns: MOMENTS, part: 'dates' },
  }),
  field('end_date', eventDate, 'api.events.endEvent', {
    label: 'fields.ends',
    section: 'form.section.when',
    required: true,
    example: '2027-04-17 15:00:00',
    csv: { also: ['end'] },
    icalendar: 'DTEND',
    stored: { columns: [], part: 'dates' },
  }),
  field('image', image, 'api.events.idUrlEventsImage', {
    label: 'fields.image',
    section: 'form.section.image',
    cleared: { by: 'none' },
    csv: { also: ['featuredimage', 'picture'] },
    icalendar: 'IMAGE',
    stored: { columns: ['image_id', 'image_recorded'] },
  }),
  field('cost', cost, 'api.events.whatCostsAttend', {
    label: 'fields.cost',
    section: 'form.section.price',
    cleared: { text: '', symbol: '', position: '' },
    example: '€12.50',
    csv: { also: ['price'] },
    stored: { columns: ['cost', 'cost_symbol', 'cost_position'] },
  }),
  field('website', website, 'api.events.urlEventsWebsite', {
    label: 'fields.website',
    section: 'form.section.details',
    cleared: '',
    declared: {},
    shownDefault: null,
    example: 'https://regatta.example/',
    csv: { also: ['link'] },
    icalendar: 'URL',
  }),
  field('show_map', boolean, 'api.whetherShowMapVenue', {
    column: flag(),
    csv: { also: ['showgooglemap'], isOnlyRead: true, label: 'fields.showMap' },
  }),
  field('show_map_link', boolean, 'api.whetherShowLinkMapVenue', {
    column: flag(),
    csv: { also: ['showgooglemaplink'], isOnlyRead: true, label: 'fields.showMapLink' },
  }),
  field('hide_from_listings', boolean, 'api.events.whetherHideEventLists', {
    label: 'fields.hideFromLists',
    section: 'form.section.publishing',
    column: flag(),
    csv: { also: ['hidefromeventlistings', 'hideeventfromeventlistings', 'hidefromupcoming'], isOnlyRead: true },
  }),
  field('sticky', boolean, 'api.events.whetherEventPinnedTop', {
    column: flag(),
    csv: { also: ['stickyinmonthview'], isOnlyRead: true, label: 'fields.pinToTop' },
  }),
  field('featured', boolean, 'api.events.whetherEventFeaturedSite', {
    label: 'fields.featured',
    section: 'form.section.publishing',
    example: true,
    column: flag(),
    csv: { also: ['feature', 'featureevent'] },
  }),
  field('categories', termList, 'api.events.idsNamesEventsCategories', {
    label: 'fields.categories',
    section: 'form.section.terms',
    cleared: [],
    shownDefault: null,
    example: ['Water sports'],
    csv: { also: ['category'] },
    icalendar: 'CATEGORIES',
    stored: { columns: [], links: 'category' },
  }),
  field('tags', termList, 'api.events.idsNamesEventsTags', {
    label: 'fields.tags',
    section: 'form.section.terms',
    cleared: [],
    shownDefault: null,
    example: ['Outdoors', 'Family'],
    csv: { also: ['tag'] },
    icalendar: 'X-TAGS',
    stored: { columns: [], links: 'tag' },
  }),
  field('venue', linkedList('VenueCreate'), 'api.events.idDataEventsVenue', {
    label: 'fields.venue',
    section: 'form.section.where',
    cleared: [],
    shownDefault: null,
    example: [{ venue: 'Heron Point Boathouse', city: 'Astoria' }],
    csv: { also: ['venuename', 'location', 'place'] },
    icalendar: 'LOCATION',
    stored: { columns: [], links: 'venue' },
  }),
  field('organizer', linkedList('OrganizerCreate'), 'api.events.idsDataEventsOrganizers', {
    label: 'fields.organizers',
    section: 'fields.organizers',
    cleared: [],
    shownDefault: null,
    example: [{ organizer: 'Lower Bay Rowers' }],
    csv: { also: ['organizername', 'organizernames', 'organizers'] },
    icalendar: 'ORGANIZER',
    stored: { columns: [], links: 'organizer' },
  }),
  field('password', secretText, 'api.eventPassword', {
    label: 'fields.eventPassword',
    section: 'form.section.publishing',
    cleared: '',
    isCommon: true,
  }),
  field('post_parent', positiveOrNone, 'api.events.idParentEvent', {
    cleared: 0,
    isCommon: true,
  }),
  field('tickets', tickets, 'api.events.ticketsEvent', {
    label: 'fields.tickets',
    section: 'form.section.price',
    cleared: [],
    example: [{ name: 'Standing', price: '12.50', currency: 'EUR' }],
  }),
  field('recurrence', recurrenceLines, 'api.events.rruleRdateExdateLines', {
    label: 'admin.repeats',
    section: 'form.section.repeats',
    cleared: [],
    shownDefault: null,
    unlisted: true,
    example: ['RRULE:FREQ=WEEKLY;COUNT=8'],
    isCommon: true,
  }),
  field('event_status', choice(EVENT_STATUSES), 'api.events.eventStatusWhetherEvent', {
    label: 'fields.status',
    section: 'form.section.status',
    cleared: 'scheduled',
    unlisted: true,
    csv: { also: [], label: 'admin.import.eventStatus' },
    icalendar: 'STATUS',
    stored: { along: ['previous_start'], group: 'cancellation' },
  }),
  field('event_status_reason', line, 'api.events.reasonEventStatusPeople', {
    label: 'fields.reason',
    section: 'form.section.status',
    cleared: '',
    unlisted: true,
    icalendar: 'COMMENT',
    stored: { group: 'cancellation' },
  }),
  field('is_virtual', boolean, 'api.events.whetherPeopleAttendOnline', {
    label: 'fields.onlineEvent',
    section: 'form.section.where',
    unlisted: true,
    stored: { group: 'attendance' },
  }),
  field('virtual_url', website, 'api.events.urlAttendingOnline', {
    label: 'fields.linkToJoin',
    section: 'form.section.where',
    cleared: '',
    unlisted: true,
    csv: { also: ['onlineurl'] },
    icalendar: 'CONFERENCE',
    stored: { group: 'attendance' },
  }),
  field('virtual_type', choice(VIRTUAL_TYPES), 'api.events.whetherEventAlsoTakes', {
    label: 'fields.howPeopleAttend',
    section: 'form.section.where',
    cleared: '',
    unlisted: true,
    stored: { group: 'attendance' },
  }),
  field('custom_fields', customFields, 'api.events.customFieldsSiteName', {
    cleared: {},
    unlisted: true,
    example: { dress_code: 'Oilskins' },
  }),
  field('language', language, 'api.events.languageEventsTextBcp', {
    label: 'fields.language',
    section: 'form.section.details',
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
  /** Cost text as sent, normalized; '' when none. */
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
