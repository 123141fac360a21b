import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../../../../test/support/app.ts'
import { MEETING, make } from '../../../../test/support/events.ts'

const app = await openTestApp({ after }, { siteName: 'Town calendar' })

/** What everybody reads of an event that was just made. */
async function read(event: object) {
  const { id } = await make(app, event)
  const { status, body } = await app.call('anonymous', 'GET', `/events/${id}`)
  assert.equal(status, 200)
  return body
}

test('the hour that the clock shows twice has the letters and the offset of the moment that was meant', async () => {
  const second = await read({ start_date: '2027-11-07T01:30:00-05:00', end_date: '2027-11-07T01:40:00-05:00' })
  assert.equal(second.timezone_abbr, 'EST')
  assert.equal(second.json_ld.startDate, '2027-11-07T01:30:00-05:00')
  assert.equal(second.json_ld.endDate, '2027-11-07T01:40:00-05:00')
  const first = await read({ start_date: '2027-11-07 01:30', end_date: '2027-11-07T01:40:00-05:00' })
  assert.equal(first.timezone_abbr, 'EDT')
  assert.equal(first.json_ld.startDate, '2027-11-07T01:30:00-04:00')
  assert.equal(first.json_ld.endDate, '2027-11-07T01:40:00-05:00')
  const page = await (await fetch(second.url)).text()
  assert.match(page, /datetime="2027-11-07T01:30:00-05:00"/)
})

test('fixed zones have their offset too', async () => {
  const { json_ld } = await read({ timezone: 'UTC+5:30' })
  assert.deepEqual([json_ld.startDate, json_ld.endDate], ['2027-03-01T10:00:00+05:30', '2027-03-01T12:00:00+05:30'])
})

test('what is left out of an event is left out here, and nothing is invented', async () => {
  const { url, json_ld } = await read({ title: 'Tom & Jerry' })
  assert.deepEqual(json_ld, {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: 'Tom & Jerry',
    url,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: '2027-03-01T10:00:00-05:00',
    endDate: '2027-03-01T12:00:00-05:00',
  })
})

test('venue, organizer and cost are told as schema.org has them', async () => {
  const { url, json_ld } = await read({
    description: 'Long text',
    excerpt: 'Short & <b>sweet</b>',
    venue: { venue: 'Hall & yard', address: 'Street 1', city: 'Bern', zip: 3000, country: 'Switzerland' },
    organizer: [{ organizer: 'Club & co', email: 'club@example.org' }, { organizer: 'Town' }],
    cost: '€5 - €9',
  })
  assert.equal(json_ld.description, 'Short & sweet')
  assert.deepEqual(json_ld.location, {
    '@type': 'Place',
    name: 'Hall & yard',
    address: {
      '@type': 'PostalAddress',
      streetAddress: 'Street 1',
      addressLocality: 'Bern',
      postalCode: '3000',
      addressCountry: 'Switzerland',
    },
  })
  assert.deepEqual(json_ld.organizer, { '@type': 'Organization', name: 'Club & co', email: 'club@example.org' })
  assert.ok(!('performer' in json_ld))
  assert.deepEqual(json_ld.offers, {
    '@type': 'Offer',
    price: '5',
    priceCurrency: 'EUR',
    url,
    category: 'primary',
    availability: 'https://schema.org/InStock',
    validFrom: '2026-11-20T00:00:00+00:00',
  })
})

test('a venue that a reader may not see is no location, and a free event costs 0', async () => {
  const { json_ld } = await read({ venue: { venue: 'Secret cellar', status: 'draft' }, cost: 'Free' })
  assert.ok(!('location' in json_ld))
  assert.equal(json_ld.offers.price, '0')
  assert.ok(!JSON.stringify(json_ld).includes('cellar'))
})

test('all-day events have dates, the last day included', async () => {
  const days = { all_day: true, start_date: '2027-04-30', end_date: '2027-05-01', timezone: 'Asia/Tokyo' }
  const { json_ld } = await read(days)
  assert.deepEqual([json_ld.startDate, json_ld.endDate], ['2027-04-30', '2027-05-01'])
})

test('a cost in words has no price', async () => {
  const { json_ld } = await read({ cost: 'Donation' })
  assert.equal(json_ld.offers['@type'], 'Offer')
  assert.ok(!('price' in json_ld.offers || 'priceCurrency' in json_ld.offers))
})

test('imported addresses without a scheme get one, and what is no address is left out', async () => {
  const json = { ...MEETING, venue: { venue: 'Old hall' }, organizer: { organizer: 'Old club' } }
  const { body: made } = await app.call('administrator', 'POST', '/events', { json })
  const { id, venue, organizer } = made
  const store = (table: 'venue' | 'organizer', of: number, website: string) =>
    app.app.storage.write((tx) => tx.run(tx.db.updateTable(table).set({ website }).where('id', '=', of)))
  await store('venue', venue.id, 'www.hall.example/contact')
  await store('organizer', organizer[0].id, 'ask at the door')
  const { body } = await app.call('anonymous', 'GET', `/events/${id}`)
  const address = 'https://www.hall.example/contact'
  assert.deepEqual(body.json_ld.location, { '@type': 'Place', name: 'Old hall', url: address, sameAs: address })
  assert.deepEqual(body.json_ld.organizer, { '@type': 'Organization', name: 'Old club' })
  assert.equal(body.venue.website, 'www.hall.example/contact', 'the field itself stays as it was imported')
  const own = await app.call('anonymous', 'GET', `/organizers/${organizer[0].id}`)
  assert.deepEqual(own.body.json_ld, { '@type': 'Organization', name: 'Old club' })
})

test('the structured data is with single reads alone, and never with a protected event', async () => {
  const event = await make(app, { title: 'Closed', password: 'open sesame', venue: { venue: 'Hall' } })
  for (const path of [`/events/${event.id}`, '/events/by-slug/closed']) {
    const { status, body } = await app.call('anonymous', 'GET', path, { query: { password: 'open sesame' } })
    assert.deepEqual([status, 'json_ld' in body, body.venue.venue], [200, false, 'Hall'])
  }
  const { body } = await app.call('anonymous', 'GET', '/events', { query: { per_page: 50 } })
  assert.ok(!JSON.stringify(body).includes('json_ld'))
  for (const [method, json] of [
    ['PATCH', { password: null }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await app.call('editor', method, `/events/${event.id}`, { json })
    assert.ok(!JSON.stringify(answer.body).includes('json_ld'))
  }
})

test('a recurring event tells its schedule, its dates which series they belong to', async () => {
  const weekly = {
    title: 'Yoga',
    timezone: 'Europe/Berlin',
    start_date: '2027-03-01 10:00:00',
    end_date: '2027-03-01 11:30:00',
  }
  const times = {
    '@type': 'Schedule',
    startTime: '10:00:00',
    endTime: '11:30:00',
    duration: 'PT90M',
    scheduleTimezone: 'Europe/Berlin',
  }
  const scheduleOf = async (recurrence: readonly string[]) =>
    (await read({ ...weekly, recurrence })).json_ld.eventSchedule
  const first = await read({
    ...weekly,
    recurrence: ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=4', 'EXDATE:20270303T100000'],
  })
  assert.deepEqual(first.json_ld.eventSchedule, {
    ...times,
    startDate: '2027-03-01',
    repeatFrequency: 'P2W',
    byDay: ['https://schema.org/Monday', 'https://schema.org/Wednesday'],
    repeatCount: 4,
    exceptDate: ['2027-03-03T10:00:00+01:00'],
  })
  assert.equal('superEvent' in first.json_ld, false)
  const { body } = await app.call('anonymous', 'GET', '/events', {
    query: { series: first.id, start_date: '2027-03-02', end_date: '2027-12-31' },
  })
  const date = (await app.call('anonymous', 'GET', `/events/${body.events[0].id}`)).body
  assert.deepEqual(date.json_ld.superEvent, { '@type': 'EventSeries', name: 'Yoga', url: first.url })
  assert.deepEqual([date.json_ld.url, 'eventSchedule' in date.json_ld], [date.url, false])
  assert.deepEqual(await scheduleOf(['RRULE:FREQ=MONTHLY;BYDAY=1MO;UNTIL=20270531T220000Z']), {
    ...times,
    startDate: '2027-03-01',
    repeatFrequency: 'P1M',
    byDay: ['1MO'],
    endDate: '2027-06-01',
  })
  assert.deepEqual(await scheduleOf(['RDATE:20270315T100000']), [
    { ...times, startDate: '2027-03-01', repeatCount: 1 },
    { ...times, startDate: '2027-03-15', repeatCount: 1 },
  ])
  // What no schedule can say is not said in half.
  assert.equal(await scheduleOf(['RRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1;COUNT=3']), undefined)
  const page = await (await fetch(date.url)).text()
  assert.match(page, /"superEvent":\{"@type":"EventSeries"/)
  const days = await (await fetch(`${app.origin}/events/list/?tribe-bar-date=2027-03-08`)).text()
  assert.match(days, /"superEvent":\{"@type":"EventSeries"/)
})
