import fc from 'fast-check'
import { anyHtml } from './any-text.ts'
import type { Answer } from './app.ts'
import { anyName } from './names.ts'

/** A value, or none. */
export const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(one, { nil: undefined, freq: 2 })
const linkedItem = (key: 'venue' | 'organizer'): fc.Arbitrary<Record<string, unknown>> =>
  fc.record({ [key]: anyName, description: anyHtml, website: fc.constantFrom('', 'https://l.example/?a=1&b=2') })

const ticket = fc.record(
  {
    name: anyName,
    price: fc.constantFrom('0', '12.50', '7.5', 9),
    currency: fc.constantFrom('eur', 'USD'),
    url: fc.constant('https://t.example/?a=1&b=2'),
    capacity: fc.nat(500),
    available_from: fc.constantFrom('2027-01-01', '2027-01-01 10:00:00'),
    sold_out: fc.boolean(),
  },
  { requiredKeys: ['name'] },
)

/** Start and end in their order: gaps and overlaps of clocks, ends of the calendar, whole days. */
const anyTimes = fc.constantFrom(
  ['2027-03-28 02:30:00', '2027-03-28 03:30:00'],
  ['2027-10-31 02:30:00', '2027-10-31 02:45:00'],
  ['2027-10-31T02:30:00+01:00', '2027-11-01T00:00:00Z'],
  ['1000-01-02 00:00:00', '9999-12-30 23:59:59'],
  ['1883-11-18 12:00:01', '1916-05-01'],
  ['2027-05-01', '2027-05-03'],
  ['2027-05-01 23:59:59', '2027-05-01 23:59:59'],
  [1803891600, 1803895200],
)

/** The ways to name an image. */
const anyImageOf = (picture: Answer['body']): fc.Arbitrary<unknown> =>
  fc.constantFrom<unknown>(picture.id, String(picture.id), picture.image.url, picture.image, false)

/** What makes an event, with all that the interface takes; some have the image. */
export const anyEventWith = (picture: Answer['body']) =>
  fc
    .record({
      title: anyName,
      times: anyTimes,
      timezone: maybe(
        fc.constantFrom(
          'Europe/Berlin',
          'UTC',
          'UTC+5:30',
          'UTC-3',
          'America/New_York',
          'Asia/Kathmandu',
          'Pacific/Apia',
        ),
      ),
      all_day: maybe(fc.boolean()),
      description: maybe(anyHtml),
      excerpt: maybe(anyHtml),
      slug: maybe(fc.constantFrom('fête', 'a b', '日本', 'x'.repeat(300), 'Ä Ö')),
      status: maybe(fc.constantFrom('publish', 'draft', 'pending', 'future', 'private')),
      date: maybe(fc.constantFrom('2020-02-29 12:00:00', '2031-01-01 00:00:00', '2026-10-25 02:30:00', '1000-01-02')),
      image: maybe(anyImageOf(picture)),
      cost: maybe(
        fc.constantFrom(
          '',
          0,
          '5',
          '£5-£9',
          '1,000.50',
          'free',
          '12 €',
          '5.555',
          ['5', '9'],
          '€ 0',
          '-5',
          '1.000,50',
          'USD 5',
          'from 5 to 9 <b>&',
        ),
      ),
      website: maybe(
        fc.constantFrom('', null, 'https://a.example/?x=1&y=2', 'http://ö.example/ü?q=%26#x', 'HTTPS://A.example'),
      ),
      show_map: maybe(fc.boolean()),
      show_map_link: maybe(fc.boolean()),
      hide_from_listings: maybe(fc.boolean()),
      sticky: maybe(fc.boolean()),
      featured: maybe(fc.boolean()),
      categories: maybe(fc.array(anyName, { maxLength: 3 })),
      tags: maybe(fc.array(anyName, { maxLength: 3 })),
      venue: maybe(fc.array(linkedItem('venue'), { maxLength: 2 })),
      organizer: maybe(fc.array(linkedItem('organizer'), { maxLength: 3 })),
      tickets: maybe(fc.array(ticket, { maxLength: 2 })),
      password: maybe(fc.constantFrom('open', 'pass & word')),
    })
    .map(({ times: [start_date, end_date], ...event }) => ({ ...event, start_date, end_date }))

const anyFlag = fc.constantFrom<unknown>(true, false, 'true', '0', 'yes', 'no')
const anyMoment = fc.constantFrom('2020-02-29 12:00:00', '2026-10-25 02:30:00', '1000-01-02')

/** Fields that venues and organizers share. */
const commonWith = (picture: Answer['body']) => ({
  description: maybe(anyHtml),
  status: maybe(fc.constantFrom('publish', 'draft', 'pending', 'private')),
  date: maybe(anyMoment),
  phone: maybe(anyName),
  image: maybe(anyImageOf(picture)),
  website: maybe(
    fc.constantFrom('', null, 'https://a.example/?x=1&y=2', 'http://ö.example/ü?q=%26#x', 'HTTPS://A.example'),
  ),
})

/** What makes a venue or an organizer; `geo` is a pair of coordinates. */
export const anyLinkedWith = (picture: Answer['body']) => ({
  venues: fc.record({
    ...commonWith(picture),
    venue: anyName,
    show_map: maybe(anyFlag),
    show_map_link: maybe(anyFlag),
    address: maybe(anyName),
    city: maybe(anyName),
    country: maybe(anyName),
    province: maybe(anyName),
    state: maybe(anyName),
    stateprovince: maybe(anyName),
    zip: maybe(fc.constantFrom<unknown>('012', 12345, 'A1 & B2')),
    geo: maybe(
      fc.tuple(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true })),
    ),
  }),
  organizers: fc.record({
    ...commonWith(picture),
    organizer: anyName,
    email: maybe(fc.constantFrom('', 'a@b.example', "o'neil+x@b.example", 'ö@ü.example')),
  }),
})
