import {
  address,
  flag,
  id,
  integer,
  list,
  moment,
  NOTHING,
  named,
  object,
  one,
  open,
  ref,
  type Schema,
  text,
  withheldFlag,
  word,
} from '../../http/openapi/parts.ts'
import { EVENT_STATUSES, VIRTUAL_TYPES } from '../../model/attendance.ts'
import type { Column } from '../../model/column.ts'
import { EVENT_FIELDS } from '../../model/event.ts'
import { ORGANIZER } from '../organizers/index.ts'
import { EVENT_LD } from '../shared/json-ld-schema.ts'
import { entryMembers, IMAGE } from '../shared/schema.ts'
import { TERM } from '../terms/index.ts'
import { VENUE } from '../venues/index.ts'

const pair = (description: string, example: string): Schema => text(description, example, { pattern: '^\\d\\d$' })

/** An address that was sent or imported; it may contain letters of all scripts. */
function sentAddress(description: string, example: string): Schema {
  return text(description, example, { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$' })
}

const COST_DETAILS = named(
  'CostDetails',
  object('A cost taken apart', {
    currency_symbol: text('Symbol of the currency as it was sent; empty when none was', '€'),
    currency_code: text('Code of the currency; empty when it is not known', ''),
    currency_position: word('Where the symbol stands', ['', 'prefix', 'postfix']),
    values: list(
      'The amounts, smallest first',
      text('A decimal number, or the text itself where there is none', '12.50'),
    ),
  }),
)

const DATE_DETAILS = named(
  'DateDetails',
  object('A date and time taken apart; every part has leading zeros', {
    year: text('Year', '2027', { pattern: '^\\d{4}$' }),
    month: pair('Month', '04'),
    day: pair('Day', '17'),
    hour: pair('Hour', '09'),
    minutes: pair('Minute', '30'),
    seconds: pair('Second', '00'),
  }),
)

const TICKET = named(
  'Ticket',
  object(
    'A ticket of an event',
    {
      name: text('Name of the ticket', 'Standing', { minLength: 1 }),
      price: text('Price as a decimal number', '12.50', { pattern: '^\\d+(\\.\\d+)?$' }),
      currency: text('Code of the currency (ISO 4217)', 'EUR', { pattern: '^[A-Z]{3}$' }),
      url: sentAddress('Where to get the ticket', 'https://tickets.example/regatta'),
      capacity: integer('Number of tickets', 120),
      available_from: moment('When the sale begins', '2027-03-01 09:00:00'),
      available_until: moment('When the sale ends', '2027-04-16 18:00:00'),
      sold_out: flag('Whether none is left'),
    },
    ['name'],
  ),
)

const SERIES_DATE = named(
  'SeriesDate',
  open(
    'A date',
    {
      id: id('Identifier', 10),
      recurrence_id: moment('Start on the clock of the event as the rule gives it', '2027-04-24 09:30:00'),
      position: integer('Number of the date in the series', 2),
      text: text('The recurrence in words, in the language of the request', 'every Saturday, 8 times'),
      exception: flag('Whether the date differs from the event'),
      start_date: moment('When it starts, on the clock of the event', '2027-04-17 09:30:00'),
      end_date: moment('When it ends, on the clock of the event', '2027-04-17 15:00:00'),
    },
    ['id', 'recurrence_id', 'exception'],
  ),
)

const RECURRENCE_LINE = text('A line of RFC 5545', 'RRULE:FREQ=WEEKLY;COUNT=8', { minLength: 7 })

const ENTRY = entryMembers('event')

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

/** Members without code of their own: null, or '' for texts, where a list withholds the content of an event. */
function plainMembers(): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    EVENT_FIELDS.flatMap(({ name, column, description }) => {
      if (column === undefined) return []
      const { kind }: Column = column
      if (kind === 'flag' || kind === 'mark') return [[name, withheldFlag(description)]]
      return [[name, { type: kind === 'number' ? ['number', 'null'] : 'string', description }]]
    }),
  )
}

/** Members of every event after those of all entries. */
const EVENT = {
  rest_url: address('Address of the event in this interface', 'https://calendar.example/cal/events/v1/events/10'),
  // Imported events may be without a title.
  title: text('Title, with &, < and > as HTML entities', 'Spring Regatta &amp; Picnic'),
  ...TEXTS,
  image: { description: 'Picture; false when there is none', anyOf: [ref('Image'), { type: 'boolean', const: false }] },
  all_day: withheldFlag('Whether it lasts the whole day'),
  ...times(),
  timezone: text('Time zone', 'America/Los_Angeles', { minLength: 1 }),
  timezone_abbr: text('Short name of the time zone at the start', 'PDT', { minLength: 1 }),
  cost: text('Cost to show; empty when none is known', '€12.50'),
  cost_details: one('CostDetails', 'The cost taken apart'),
  website: text('Address of its web site', 'https://regatta.example/'),
  ...plainMembers(),
  categories: list('Categories by name', ref('Term')),
  tags: list('Tags by name', ref('Term')),
  venue: {
    description: 'The venue; an empty list when there is none, a list of all when there are several',
    anyOf: [ref('Venue'), { type: 'array', items: ref('Venue') }],
  },
  organizer: list('Organizers in their order', ref('Organizer')),
  custom_fields: {
    description: 'Further fields of the site by name; an empty list when there are none',
    anyOf: [NOTHING, { type: 'object' }],
  },
} satisfies Readonly<Record<string, Schema>>

const ICALENDAR_ORIGIN = named(
  'ICalendarOrigin',
  open(
    'What an event from an iCalendar file is known by, and what of it has no place of its own',
    {
      uid: text('UID of the file; absent where it is that of this calendar', '7f3a@regatta.example'),
      lines: list(
        'Properties as they were written; absent when there are none',
        text('A content line of RFC 5545', 'COLOR:navy'),
      ),
    },
    [],
  ),
)

/** An event as responses show it. */
export const EVENT_SCHEMA = named(
  'Event',
  open(
    'An event',
    {
      ...ENTRY,
      ...EVENT,
      tickets: { ...list('Tickets; absent when there are none', ref('Ticket')), minItems: 1 },
      post_parent: id('Event that this one is a part of; absent when there is none', 9),
      event_status: word(
        'What has become of it; absent where it takes place as planned',
        EVENT_STATUSES.filter((status) => status !== 'scheduled'),
      ),
      event_status_reason: text('Why; absent when nothing is known', 'The hall is flooded', { minLength: 1 }),
      previous_start_date: moment('When a rescheduled event was to start', '2027-04-10 09:30:00'),
      is_virtual: { const: true, description: 'Present where people can attend online' },
      virtual_url: sentAddress(
        'Address at which people attend online; absent when none is known',
        'https://stream.example/regatta',
      ),
      virtual_type: word('Whether it takes place at its venue as well; absent when it is not known', VIRTUAL_TYPES),
      language: text('Language in which it is written (BCP 47); absent when it is not known', 'de-AT', {
        minLength: 2,
      }),
      has_password: {
        const: true,
        description: 'Present where a password protects the event, for those who may edit it',
      },
      json_ld: EVENT_LD,
      icalendar: ref('ICalendarOrigin'),
      recurrence: {
        ...list('The lines in their normal form', RECURRENCE_LINE),
        minItems: 1,
      },
      recurrence_until: moment('How far the dates of a rule without end are stored', '2031-11-20 13:00:00'),
      series: ref('SeriesDate'),
    },
    [...Object.keys(ENTRY), ...Object.keys(EVENT)],
  ),
  [IMAGE, COST_DETAILS, DATE_DETAILS, TICKET, TERM, VENUE, ORGANIZER, SERIES_DATE, ICALENDAR_ORIGIN],
)

/** What the events are, for the documents. */
export const EVENTS_ABOUT = 'Events: what happens, when and where'
