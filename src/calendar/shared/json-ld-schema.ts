import { object, type Schema } from '../../http/openapi/parts.ts'

const DESCRIPTION = 'api.itemStructuredDataSearch'
const TEXT = { type: 'string', minLength: 1 }
const NAME = { ...TEXT, examples: ['Spring Regatta'] }
const URL = { type: 'string', format: 'uri', examples: ['https://calendar.example/event/spring-regatta/'] }
/** All-day events have dates. */
const MOMENT = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d)?$',
  examples: ['2027-04-17T09:30:00-07:00'],
}

type Members = Readonly<Record<string, Schema>>

/** A schema.org object: its type, the members that are always there, and those with content only. */
function thing(type: string, always: Members, further: Members): Schema {
  const properties = { '@type': { const: type }, ...always, ...further }
  return object(DESCRIPTION, properties, ['@type', ...Object.keys(always)])
}

function texts(...names: readonly string[]): Members {
  return Object.fromEntries(names.map((name): [string, Schema] => [name, TEXT]))
}

const ADDRESS = thing(
  'PostalAddress',
  {},
  texts('streetAddress', 'addressLocality', 'addressRegion', 'postalCode', 'addressCountry'),
)
const GEO = thing('GeoCoordinates', { latitude: { type: 'number' }, longitude: { type: 'number' } }, {})

/** The place of a venue (wire: rest 1.4); only imported ones may be without a name. */
export const PLACE: Schema = thing(
  'Place',
  {},
  { name: NAME, ...texts('description', 'image', 'url', 'telephone', 'sameAs'), address: ADDRESS, geo: GEO },
)

/** An organizer (wire: rest 1.4); only imported ones may be without a name. */
export const ORGANIZATION: Schema = thing(
  'Organization',
  {},
  { name: NAME, ...texts('description', 'image', 'url', 'telephone', 'email', 'sameAs') },
)

const OFFER = thing(
  'Offer',
  { url: { ...TEXT, examples: URL.examples } },
  {
    price: { type: 'string', pattern: '^\\d+(\\.\\d+)?$', examples: ['12.50'] },
    ...texts('name', 'priceCurrency', 'category', 'availability', 'validFrom', 'validThrough'),
  },
)

const ONLINE = thing('VirtualLocation', { url: TEXT }, {})

const DAY = '^\\d{4}-\\d\\d-\\d\\d'

/** When a recurring event takes place: by a rule, or at one date. */
const SCHEDULE = thing(
  'Schedule',
  { startDate: { type: 'string', pattern: `${DAY}$`, examples: ['2027-04-17'] } },
  {
    ...texts('startTime', 'endTime', 'duration', 'scheduleTimezone', 'repeatFrequency'),
    repeatCount: { type: 'integer', minimum: 1 },
    endDate: { type: 'string', pattern: `${DAY}$` },
    byDay: { type: 'array', items: TEXT },
    byMonth: { type: 'array', items: { type: 'integer' } },
    byMonthDay: { type: 'array', items: { type: 'integer' } },
    exceptDate: { type: 'array', items: { type: 'string', pattern: DAY } },
  },
)

const SERIES = thing('EventSeries', { name: { type: 'string', examples: ['Rowing lessons'] }, url: URL }, {})

/** An event (wire: events 1.6; decisions: JSON-LD). */
export const EVENT_LD: Schema = object(
  DESCRIPTION,
  {
    '@context': { const: 'http://schema.org' },
    '@type': { const: 'Event' },
    name: { type: 'string', examples: NAME.examples },
    description: { ...TEXT, examples: ['Rowing day on the bay'] },
    image: TEXT,
    url: URL,
    eventAttendanceMode: {
      enum: ['Offline', 'Online', 'Mixed'].map((mode) => `https://schema.org/${mode}EventAttendanceMode`),
    },
    eventStatus: {
      enum: ['Scheduled', 'Cancelled', 'Postponed', 'Rescheduled', 'MovedOnline'].map(
        (status) => `https://schema.org/Event${status}`,
      ),
    },
    startDate: MOMENT,
    endDate: MOMENT,
    previousStartDate: MOMENT,
    location: { anyOf: [PLACE, ONLINE, { type: 'array', items: { anyOf: [PLACE, ONLINE] } }] },
    organizer: ORGANIZATION,
    offers: { anyOf: [OFFER, { type: 'array', items: OFFER }] },
    superEvent: SERIES,
    eventSchedule: { anyOf: [SCHEDULE, { type: 'array', items: SCHEDULE }] },
    inLanguage: TEXT,
  },
  [...['@context', '@type', 'name', 'url', 'eventAttendanceMode', 'eventStatus'], ...['startDate', 'endDate']],
)
