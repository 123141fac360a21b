import type { MessageId } from '../../base/i18n/translate.ts'
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

const pair = (description: MessageId, example: string): Schema => text(description, example, { pattern: '^\\d\\d$' })

/** An address that was sent or imported; it may contain letters of all scripts. */
function sentAddress(description: MessageId, example: string): Schema {
  return text(description, example, { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$' })
}

const COST_DETAILS = named(
  'CostDetails',
  object('api.events.costSplitIntoParts', {
    currency_symbol: text('api.events.currencySymbolSentEmpty', '€'),
    currency_code: text('api.events.currencyCodeEmptyUnknown', ''),
    currency_position: word('api.events.positionCurrencySymbol', ['', 'prefix', 'postfix']),
    values: list('api.events.amountsSmallestFirst', text('api.events.decimalNumberOriginalText', '12.50')),
  }),
)

const DATE_DETAILS = named(
  'DateDetails',
  object('api.events.dateTimeSplitInto', {
    year: text('api.events.year', '2027', { pattern: '^\\d{4}$' }),
    month: pair('common.month', '04'),
    day: pair('common.day', '17'),
    hour: pair('api.events.hour', '09'),
    minutes: pair('api.events.minute', '30'),
    seconds: pair('api.events.second', '00'),
  }),
)

const TICKET = named(
  'Ticket',
  object(
    'api.events.ticketEvent',
    {
      name: text('api.events.nameTicket', 'Standing', { minLength: 1 }),
      price: text('api.events.priceDecimalNumber', '12.50', { pattern: '^\\d+(\\.\\d+)?$' }),
      currency: text('api.events.currencyCodeIso4217', 'EUR', { pattern: '^[A-Z]{3}$' }),
      url: sentAddress('api.events.urlWhereTicketSold', 'https://tickets.example/regatta'),
      capacity: integer('api.events.numberOfTickets', 120),
      available_from: moment('api.events.startTicketSales', '2027-03-01 09:00:00'),
      available_until: moment('api.events.endTicketSales', '2027-04-16 18:00:00'),
      sold_out: flag('api.events.whetherTicketSoldOut'),
    },
    ['name'],
  ),
)

const SERIES_DATE = named(
  'SeriesDate',
  open(
    'api.events.dateOfSeries',
    {
      id: id('common.id', 10),
      recurrence_id: moment('api.events.startAccordingRuleEvents', '2027-04-24 09:30:00'),
      position: integer('api.events.positionDateSeries', 2),
      text: text('api.events.recurrenceWordsLanguageRequest', 'every Saturday, 8 times'),
      exception: flag('api.events.whetherDateDiffersSeries'),
      start_date: moment('api.events.localStart', '2027-04-17 09:30:00'),
      end_date: moment('api.events.localEnd', '2027-04-17 15:00:00'),
    },
    ['id', 'recurrence_id', 'exception'],
  ),
)

const RECURRENCE_LINE = text('api.events.lineRfc5545', 'RRULE:FREQ=WEEKLY;COUNT=8', { minLength: 7 })

const ENTRY = entryMembers('event')

const TEXTS = {
  description: text('api.descriptionAsHtml', '<p>Bring a dry bag.</p>'),
  excerpt: text('api.summaryAsHtml', '<p>Rowing day on the bay</p>'),
}

/** The moments of an event, each followed by its parts. */
function times(): Readonly<Record<string, Schema>> {
  const named = [
    ['start_date', 'api.events.ownStart', '2027-04-17 09:30:00'],
    ['end_date', 'api.events.ownEnd', '2027-04-17 15:00:00'],
    ['utc_start_date', 'api.startInUtc', '2027-04-17 16:30:00'],
    ['utc_end_date', 'api.events.endInUtc', '2027-04-17 22:00:00'],
  ] as const
  const members = named.flatMap(([name, description, example]): [string, Schema][] => [
    [name, moment(description, example)],
    [`${name}_details`, one('DateDetails', `api.events.details.${name}`, partsOf(example))],
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
  rest_url: address('api.events.urlEventApi', 'https://calendar.example/cal/events/v1/events/10'),
  // Imported events may be without a title.
  title: text('api.titleHtmlEntities', 'Spring Regatta &amp; Picnic'),
  ...TEXTS,
  image: { description: 'api.events.imageFalseNone', anyOf: [ref('Image'), { type: 'boolean', const: false }] },
  all_day: withheldFlag('api.events.whetherLastsAllDay'),
  ...times(),
  timezone: text('fields.timeZone', 'America/Los_Angeles', { minLength: 1 }),
  timezone_abbr: text('api.events.abbreviationTimeZoneStart', 'PDT', { minLength: 1 }),
  cost: text('api.events.costDisplayedEmptyUnknown', '€12.50'),
  cost_details: one('CostDetails', 'api.events.theCostTakenApart'),
  website: text('api.urlWebsite', 'https://regatta.example/'),
  ...plainMembers(),
  categories: list('api.events.categoriesSortedName', ref('Term')),
  tags: list('api.events.tagsSortedName', ref('Term')),
  venue: {
    description: 'api.events.venueEmptyListNone',
    anyOf: [ref('Venue'), { type: 'array', items: ref('Venue') }],
  },
  organizer: list('api.events.organizersInOrder', ref('Organizer')),
  custom_fields: {
    description: 'api.events.customFieldsSiteNameEmpty',
    anyOf: [NOTHING, { type: 'object' }],
  },
} satisfies Readonly<Record<string, Schema>>

const ICALENDAR_ORIGIN = named(
  'ICalendarOrigin',
  open(
    'api.events.dataEventIcalendarFile',
    {
      uid: text('api.events.uidFileOmittedCalendar', '7f3a@regatta.example'),
      lines: list('api.events.propertiesTheyAppearFile', text('api.events.contentLineRfc5545', 'COLOR:navy')),
    },
    [],
  ),
)

/** An event as responses show it. */
export const EVENT_SCHEMA = named(
  'Event',
  open(
    'api.anEvent',
    {
      ...ENTRY,
      ...EVENT,
      tickets: { ...list('api.events.ticketsOmittedNone', ref('Ticket')), minItems: 1 },
      post_parent: id('api.events.idParentEventOmitted', 9),
      event_status: word(
        'api.events.eventStatusOmittedEvent',
        EVENT_STATUSES.filter((status) => status !== 'scheduled'),
      ),
      event_status_reason: text('api.events.reasonEventStatusOmitted', 'The hall is flooded', { minLength: 1 }),
      previous_start_date: moment('api.events.originalStartRescheduledEvent', '2027-04-10 09:30:00'),
      is_virtual: { const: true, description: 'api.events.presentPeopleAttendOnline' },
      virtual_url: sentAddress('api.events.urlAttendingOnlineOmitted', 'https://stream.example/regatta'),
      virtual_type: word('api.events.whetherAlsoTakesPlace', VIRTUAL_TYPES),
      language: text('api.events.languageTextBcp47', 'de-AT', {
        minLength: 2,
      }),
      has_password: {
        const: true,
        description: 'api.events.presentEventPasswordProtected',
      },
      json_ld: EVENT_LD,
      icalendar: ref('ICalendarOrigin'),
      recurrence: {
        ...list('api.events.theNormalizedLines', RECURRENCE_LINE),
        minItems: 1,
      },
      recurrence_until: moment('api.events.timeUpDatesRule', '2031-11-20 13:00:00'),
      series: ref('SeriesDate'),
    },
    [...Object.keys(ENTRY), ...Object.keys(EVENT)],
  ),
  [IMAGE, COST_DETAILS, DATE_DETAILS, TICKET, TERM, VENUE, ORGANIZER, SERIES_DATE, ICALENDAR_ORIGIN],
)

/** What the events are, for the documents. */
export const EVENTS_ABOUT = 'api.events.eventsWhatHappensWhen'
