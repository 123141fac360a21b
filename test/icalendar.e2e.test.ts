import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import ICAL from 'ical.js'
import { queryText } from '../src/http/address.ts'
import type { Role } from '../src/http/auth/rights.ts'
import { type Answer, openTestApp, type Sending } from './support/app.ts'
import { paint } from './support/images.ts'
import { upload } from './support/upload.ts'

const app = await openTestApp({ after }, { siteName: 'Kulturkalender, Süd' })
const FILES = `${app.origin}/kalends/v1`
const LEAST = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

async function make(path: string, json: object): Promise<{ readonly id: number; readonly slug: string }> {
  const answer = await app.call('administrator', 'POST', path, { json })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

/** Compressed answers have tags of their own. */
async function read(path: string, as: Role | 'anonymous' = 'anonymous', sending: Sending = {}): Promise<Answer> {
  const headers = { 'accept-encoding': 'identity', ...sending.headers }
  return app.call(as, 'GET', `${FILES}${path}`, { headers })
}

function queryOf(query: Readonly<Record<string, string | number>>): string {
  return queryText(Object.entries(query).map(([name, value]) => [name, String(value)] as const))
}

/** The lines of a file as they are meant; how they are written is checked on the way. */
function linesOf({ status, headers, body }: Answer): string[] {
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(headers.get('content-type'), 'text/calendar; charset=utf-8')
  const text = String(body)
  assert.match(text, /^BEGIN:VCALENDAR\r\n/)
  assert.match(text, /\r\nEND:VCALENDAR\r\n$/)
  assert.doesNotMatch(text, /[^\r]\n|\r[^\n]/)
  for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
  return text.replaceAll('\r\n ', '').trimEnd().split('\r\n')
}

/** The lines of the only event in a file, without its beginning and end. */
function eventLines(answer: Answer): string[] {
  const lines = linesOf(answer)
  assert.equal(lines.filter((line) => line === 'BEGIN:VEVENT').length, 1)
  return lines.slice(lines.indexOf('BEGIN:VEVENT') + 1, lines.indexOf('END:VEVENT'))
}

/** The events of a file as another program reads them. */
function eventsOf(answer: Answer): ICAL.Event[] {
  linesOf(answer)
  const calendar = new ICAL.Component(ICAL.parse(answer.body))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  const events = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one))
  ICAL.TimezoneService.reset()
  return events
}

function titles(answer: Answer): string[] {
  return eventsOf(answer).map((event) => event.summary)
}

test('an event with everything is written member by member', async () => {
  const venue = await make('/venues', {
    venue: 'Łódź Halle; Süd',
    ...{
      address: 'Am Ufer 1',
      city: 'Berlin',
      zip: '10997',
      country: 'Germany',
      geo_lat: 52.5012345678,
      geo_lng: -0.5,
    },
  })
  const festival = await make('/events', { ...LEAST, title: 'Festival' })
  const { id, slug } = await make('/events', {
    title: 'Jazz 🎷, "live" & more',
    description: '<p>Doors at <b>19:00</b>; bring a friend.</p>\n<ul>\n<li>日本の音楽</li>\n</ul>',
    start_date: '2027-06-30 20:00:00',
    end_date: '2027-07-01 02:00:00',
    timezone: 'europe/berlin',
    venue: venue.id,
    organizer: [
      { organizer: 'Ada "A" L', email: 'ada+x@example.org' },
      { organizer: 'Ben', phone: '030 1' },
    ],
    categories: ['Music', 'Late, late'],
    tags: ['free'],
    post_parent: festival.id,
  })
  app.clock.now += 60_000
  await app.call('editor', 'PATCH', `/events/${id}`, { json: { featured: true } })
  const expected = [
    `UID:${id}@calendar.example`,
    'DTSTAMP:20261120T180100Z',
    'LAST-MODIFIED:20261120T180100Z',
    'CREATED:20261120T180000Z',
    'SEQUENCE:1',
    'DTSTART;TZID=Europe/Berlin:20270630T200000',
    'DTEND;TZID=Europe/Berlin:20270701T020000',
    'SUMMARY:Jazz 🎷\\, "live" & more',
    'DESCRIPTION:Doors at 19:00\\; bring a friend.\\n\\n- 日本の音楽',
    'LOCATION:Łódź Halle\\; Süd\\, Am Ufer 1\\, Berlin\\, 10997\\, Germany',
    'GEO:52.501235;-0.5',
    'ORGANIZER;CN="Ada ^\'A^\' L":mailto:ada+x@example.org',
    'CONTACT:Ben\\, 030 1',
    'CATEGORIES:Late\\, late,Music',
    'X-TAGS:free',
    `URL:${app.origin}/event/${slug}/`,
    `RELATED-TO:${festival.id}@calendar.example`,
    'STATUS:CONFIRMED',
    'TRANSP:OPAQUE',
  ]
  assert.deepEqual(eventLines(await read(`/events/${id}.ics`)), expected)
  assert.deepEqual(eventLines(await read(`/events/by-slug/${slug}.ics`)), expected)
  const [event] = eventsOf(await read(`/events.ics?include=${id}`))
  assert.equal(event?.startDate.toJSDate().toISOString(), '2027-06-30T18:00:00.000Z')
  assert.equal(event?.endDate.toJSDate().toISOString(), '2027-07-01T00:00:00.000Z')
  assert.equal(event?.description, 'Doors at 19:00; bring a friend.\n\n- 日本の音楽')
})

test('a picture is an image, and an attachment for programs that know no images (RFC 7986 section 5.10)', async () => {
  const picture = await upload(app, 'editor', { bytes: await paint(8, 8).png().toBuffer() })
  const { id } = await make('/events', { ...LEAST, title: 'Painted', image: picture.body.id })
  const { url } = picture.body.image
  const lines = eventLines(await read(`/events/${id}.ics`)).filter((line) => /^(IMAGE|ATTACH)/.test(line))
  assert.deepEqual(lines, [
    `IMAGE;VALUE=URI;DISPLAY=FULLSIZE;FMTTYPE=image/png:${url}`,
    `ATTACH;FMTTYPE=image/png:${url}`,
  ])
})

test('a feed says its name and zone, a file of one event does not', async () => {
  const { id } = await make('/events', { ...LEAST, title: 'Plain' })
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Kalends//Kalends//EN', 'CALSCALE:GREGORIAN']
  const feed = linesOf(await read('/events.ics'))
  assert.deepEqual(feed.slice(0, 10), [
    ...head,
    'NAME:Kulturkalender\\, Süd',
    'X-WR-CALNAME:Kulturkalender\\, Süd',
    'X-WR-TIMEZONE:America/New_York',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    'BEGIN:VTIMEZONE',
  ])
  const single = await read(`/events/${id}.ics`)
  assert.deepEqual(linesOf(single).slice(0, 6), [...head, 'BEGIN:VTIMEZONE', 'TZID:America/New_York'])
  assert.equal(single.headers.get('content-disposition'), `inline; filename="event-${id}.ics"`)
  assert.ok(!feed.some((line) => line.startsWith('METHOD')))
})

test('days have no zone and an end that is not included (RFC 5545 section 3.6.1)', async () => {
  const days = { title: 'Days', all_day: true, start_date: '2027-04-30', end_date: '2027-05-01' }
  const { id } = await make('/events', { ...days, timezone: 'Asia/Tokyo' })
  const answer = await read(`/events/${id}.ics`)
  const lines = eventLines(answer).filter((line) => /^(DT(START|END)|TRANSP)/.test(line))
  assert.deepEqual(lines, ['DTSTART;VALUE=DATE:20270430', 'DTEND;VALUE=DATE:20270502', 'TRANSP:TRANSPARENT'])
  assert.ok(!linesOf(answer).includes('BEGIN:VTIMEZONE'))
  assert.equal(eventsOf(answer)[0]?.duration.toSeconds(), 2 * 86_400)
  // The last day of all ends within the year 9999 in UTC, too: not so west of Greenwich.
  const lastDay = { start_date: '9999-12-31', end_date: '9999-12-31', timezone: 'Asia/Tokyo' }
  const last = await make('/events', { ...days, ...lastDay })
  const ends = eventLines(await read(`/events/${last.id}.ics`)).filter((line) => line.startsWith('DT'))
  assert.deepEqual(ends.slice(1), ['DTSTART;VALUE=DATE:99991231'])
})

test('moments outside of a place, or that its clock shows twice, are written in UTC', async () => {
  const times = async (json: object): Promise<string[]> => {
    const { id } = await make('/events', { title: 'Times', ...json })
    return eventLines(await read(`/events/${id}.ics`)).filter((line) => /^DT(START|END)/.test(line))
  }
  assert.deepEqual(await times({ ...LEAST, timezone: 'UTC+5:30' }), [
    'DTSTART:20270301T043000Z',
    'DTEND:20270301T063000Z',
  ])
  // 02:30 on this day is first summer time, then an hour later the same again.
  const night = { timezone: 'Europe/Berlin', start_date: '2027-10-31T02:30:00+02:00' }
  assert.deepEqual(await times({ ...night, end_date: '2027-10-31T02:30:00+01:00' }), [
    'DTSTART:20271031T003000Z',
    'DTEND:20271031T013000Z',
  ])
  const evening = { timezone: 'Europe/Berlin', start_date: '2027-10-30T22:00:00' }
  assert.deepEqual(await times({ ...evening, end_date: '2027-10-31T02:00:00+02:00' }), [
    'DTSTART;TZID=Europe/Berlin:20271030T220000',
    'DTEND:20271031T000000Z',
  ])
  // Half an hour is put back here.
  const island = { timezone: 'Australia/Lord_Howe', start_date: '2027-04-04 01:45', end_date: '2027-04-04 02:00' }
  assert.deepEqual(await times(island), ['DTSTART:20270403T144500Z', 'DTEND;TZID=Australia/Lord_Howe:20270404T020000'])
  // What ends when it begins has no end (RFC 5545 section 3.8.2.2).
  assert.deepEqual(await times({ start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 10:00:00' }), [
    'DTSTART;TZID=America/New_York:20270301T100000',
  ])
})

test('another program reads the right moments in zones of all kinds and in any century', async () => {
  const places = ['Europe/Berlin', 'America/New_York', 'Africa/Casablanca', 'Australia/Lord_Howe', 'Asia/Kathmandu']
  const starts = ['1905-07-01 12:00:00', '1985-07-01 00:30:00', '2024-03-20 08:00:00', '2027-10-03 03:00:00']
  const made = new Map<string, string>()
  for (const timezone of [...places, 'Pacific/Apia']) {
    for (const start_date of [...starts, '2028-12-31 20:30:00', '9998-07-04 12:00:00']) {
      const answer = await app.call('editor', 'POST', '/events', {
        json: {
          title: 'Far',
          tags: ['far'],
          timezone,
          start_date,
          end_date: `${start_date.slice(0, 4)}-12-31 21:45:00`,
        },
      })
      made.set(`${answer.body.id}@calendar.example`, `${answer.body.utc_start_date} ${answer.body.utc_end_date}`)
    }
  }
  const answer = await read('/events.ics?tags=far&start_date=1900-01-01&end_date=9999-12-31')
  const utc = (time: ICAL.Time): string => time.toJSDate().toISOString().slice(0, 19).replace('T', ' ')
  const found = new Map(eventsOf(answer).map((one) => [one.uid, `${utc(one.startDate)} ${utc(one.endDate)}`]))
  assert.equal(found.size, made.size)
  // That reader drops the seconds of local mean time, which ended in some places after 1905 only.
  const exact = [...made].filter(([, moments]) => !/:\d\d:(?!00)/.test(moments))
  assert.ok(exact.length > 30)
  for (const [uid, moments] of exact) assert.equal(found.get(uid), moments, uid)
})

test('filters mean what they mean in the list of the interface', async () => {
  const at = { ...LEAST, start_date: '2029-05-01 10:00:00', end_date: '2029-05-01 12:00:00' }
  const venue = await make('/venues', { venue: 'Filter Hall', geo_lat: 1, geo_lng: 1 })
  const parent = await make('/events', { ...at, title: 'Whole' })
  await make('/events', { ...at, title: 'Part one', post_parent: parent.id, venue: venue.id, categories: ['Filtered'] })
  await make('/events', { ...at, title: 'Part two', post_parent: parent.id, featured: true, tags: ['filtered'] })
  const year = { start_date: '2029-01-01', end_date: '2029-12-31' }
  const queries: Record<string, string | number>[] = [
    { start_date: '2029-05-01', end_date: '2029-05-01' },
    { starts_after: '2029-04-30', ends_before: '2029-05-02' },
    { ends_after: '2029-05-01', starts_before: '2029-05-02' },
    { search: 'part -two', ...year },
    { venue: venue.id, ...year },
    { categories: 'filtered', ...year },
    { tags: 'filtered', ...year },
    { featured: 'true', ...year },
    { post_parent: parent.id, ...year },
    { geoloc: 'true', ...year },
    { geoloc_lat: 1, geoloc_lng: 1, ...year },
    { ticketed: 'false', ...year },
    { include: parent.id },
  ]
  for (const query of queries) {
    const list = await app.call('anonymous', 'GET', '/events', { query: { ...query, per_page: 50 } })
    const file = await read(`/events.ics?${queryOf(query)}`)
    const wanted = list.body.events.map((event: { id: number }) => `${event.id}@calendar.example`)
    assert.deepEqual(
      eventsOf(file).map((event) => event.uid),
      wanted,
      JSON.stringify(query),
    )
    assert.equal(file.headers.get('x-tec-total'), String(list.body.total))
  }
})

test('without dates a feed reaches from a month ago on, without an end', async () => {
  const titled = async (title: string, date: string) => {
    const dates = { start_date: `${date} 10:00:00`, end_date: `${date} 12:00:00` }
    await make('/events', { title, ...dates, tags: ['reach'] })
  }
  // It is 20 November 2026.
  await titled('Too old', '2026-10-19')
  await titled('A month ago', '2026-10-20')
  await titled('Yesterday', '2026-11-19')
  await titled('Next year', '2027-11-20')
  await titled('Far ahead', '2041-05-17')
  const all = ['A month ago', 'Yesterday', 'Next year', 'Far ahead']
  const feed = await read('/events.ics?tags=reach')
  assert.deepEqual(titles(feed), all)
  assert.equal(feed.headers.get('x-tec-total'), '4')
  // One date says nothing about the other end.
  assert.deepEqual(titles(await read('/events.ics?tags=reach&start_date=2026-11-19')), all.slice(1))
  assert.deepEqual(titles(await read('/events.ics?tags=reach&end_date=2027-12-31')), all.slice(0, 3))
  assert.deepEqual(titles(await read('/events.ics?tags=reach&starts_before=2026-11-01')), ['Too old', 'A month ago'])
  const first = await read('/events.ics?tags=reach&per_page=3')
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? assert.fail('no link')
  assert.deepEqual(titles(await app.call('anonymous', 'GET', next)), ['Far ahead'])
  const index = await app.call('anonymous', 'GET', FILES)
  const { start_date, end_date } = index.body.routes['/kalends/v1/events\\.ics'].endpoints[0].args
  assert.equal(start_date.default, '2026-10-20 00:00:00')
  assert.ok(!('default' in end_date))
})

test('terms are told apart, each once', async () => {
  const terms = { categories: ['Dance', 'Art; craft'], tags: ['Dance', 'late, indoors'] }
  const { id } = await make('/events', { ...LEAST, title: 'Terms', ...terms })
  const lines = eventLines(await read(`/events/${id}.ics`)).filter((line) => /^(CATEGORIES|X-TAGS)/.test(line))
  assert.deepEqual(lines, ['CATEGORIES:Art\\; craft,Dance', 'X-TAGS:Dance,late\\, indoors'])
})

test('a file holds what its reader may see', async () => {
  const venue = { venue: 'Hidden Hall', status: 'draft' }
  const at = { start_date: '2030-05-01 10:00:00', end_date: '2030-05-01 12:00:00' }
  const draft = await make('/events', { ...at, title: 'Draft', status: 'draft' })
  const secret = await make('/events', {
    ...{ ...at, title: 'Protected', description: 'the hidden text', password: 'sesame' },
    ...{ venue: { venue: 'Secret Hall' }, organizer: { organizer: 'X', email: 'x@example.org' }, tags: ['hush'] },
  })
  const shown = await make('/events', { ...at, title: 'Open', venue })
  const day = '/events.ics?start_date=2030-05-01&end_date=2030-05-01'
  assert.deepEqual(titles(await read(day)), ['Protected', 'Open'])
  assert.deepEqual(titles(await read(day, 'editor')), ['Draft', 'Protected', 'Open'])
  assert.doesNotMatch((await read(day)).body, /hidden|Hall|x@example|hush/)
  assert.match((await read(`${day}&password=sesame`)).body, /the hidden text[\s\S]*Secret Hall/)
  assert.match((await read(day, 'editor')).body, /STATUS:TENTATIVE[\s\S]*Hidden Hall/)
  const code = async (path: string, as?: 'contributor'): Promise<unknown> => {
    const { status, body, headers } = await read(path, as)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
    return [status, body.code]
  }
  assert.deepEqual(await code(`/events/${draft.id}.ics`), [403, 'event-not-accessible'])
  assert.deepEqual(await code(`/events/${secret.id}.ics`), [403, 'event-password-protected'])
  assert.deepEqual(await code(`/events/${secret.id}.ics?password=wrong`), [403, 'event-password-protected'])
  assert.deepEqual(await code('/events/999999.ics'), [404, 'rest-event-not-found'])
  assert.deepEqual(await code('/events/by-slug/nothing.ics'), [400, 'rest_invalid_param'])
  assert.deepEqual(await code('/events.ics?venue=999999'), [400, 'rest_invalid_param'])
  assert.deepEqual(await code('/events.ics?status=draft'), [400, 'rest_invalid_param'])
  assert.deepEqual(await code('/events.ics?page=9'), [404, 'event-archive-page-not-found'])
  assert.deepEqual(await code('/events.txt'), [404, 'rest_no_route'])
  assert.deepEqual(await code(`/events/${shown.id}.icsx`), [404, 'rest_no_route'])
  const opened = await read(`/events/${secret.id}.ics?password=sesame`)
  assert.match(opened.body, /DESCRIPTION:the hidden text/)
  assert.match(opened.headers.get('cache-control') ?? '', /no-store/)
  assert.equal(opened.headers.get('etag'), null)
})

test('pages are linked, and without paging a file holds a thousand', async () => {
  for (let number = 0; number < 3; number += 1) {
    const day = `2031-02-0${number + 1}`
    await make('/events', { title: `Page ${number}`, start_date: `${day} 10:00:00`, end_date: `${day} 11:00:00` })
  }
  const first = await read(`/events.ics?start_date=2031-02-01&end_date=2031-02-28&per_page=2`)
  assert.deepEqual(titles(first), ['Page 0', 'Page 1'])
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? assert.fail('no link')
  assert.match(next, /\/kalends\/v1\/events\.ics\?per_page=2&start_date=2031-02-01/)
  const second = await app.call('anonymous', 'GET', next)
  assert.deepEqual(titles(second), ['Page 2'])
  assert.match(second.headers.get('link') ?? '', /rel="prev"/)
  const whole = await read('/events.ics?start_date=1900-01-01&end_date=9999-12-31&per_page=5000')
  assert.equal(whole.headers.get('x-tec-totalpages'), '1')
  assert.doesNotMatch(whole.headers.get('link') ?? '', /rel="(next|prev)"/)
})

test('an empty file is a whole one: it has a zone where there is no event', async () => {
  const lines = linesOf(await read('/events.ics?start_date=2999-01-01&end_date=2999-01-02'))
  assert.ok(lines.includes('TZID:America/New_York'))
  assert.ok(!lines.includes('BEGIN:VEVENT'))
})

test('files are kept by those who have them: tags, HEAD, OPTIONS, and no other form', async () => {
  const { id } = await make('/events', { ...LEAST, title: 'Tagged', venue: { venue: 'Tag Hall' } })
  for (const path of ['/events.ics', `/events/${id}.ics`]) {
    const { headers, body } = await read(path)
    const etag = headers.get('etag') ?? assert.fail('no tag')
    assert.equal(headers.get('cache-control'), 'public, max-age=0, must-revalidate')
    const again = await read(path, 'anonymous', { headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.body], [304, ''])
    const head = await app.call('anonymous', 'HEAD', `${FILES}${path}`, { headers: { 'accept-encoding': 'identity' } })
    assert.deepEqual([head.status, head.headers.get('etag'), head.body], [200, etag, ''])
    assert.equal(head.headers.get('content-type'), 'text/calendar; charset=utf-8')
    assert.equal((await read(`${path}?_envelope=1&_fields=title&_pretty=1`)).body, body)
    const options = await app.call('anonymous', 'OPTIONS', `${FILES}${path}`)
    assert.deepEqual(options.body.methods, ['GET'])
    assert.match((await read(path, 'editor')).headers.get('cache-control') ?? '', /no-store/)
    const venues = await app.call('anonymous', 'GET', '/venues?search=tag')
    await app.call('editor', 'PATCH', `/venues/${venues.body.venues[0].id}`, { json: { city: `Town ${path.length}` } })
    assert.notEqual((await read(path)).headers.get('etag'), etag)
  }
})

test('every mount has the files, and the index names them', async () => {
  const { id } = await make('/events', { ...LEAST, title: 'Mounted' })
  for (const place of ['/wp-json/kalends/v1', '/de/wp-json/kalends/v1', '/?rest_route=/kalends/v1']) {
    for (const path of ['/events.ics', '/events.ics/', `/events/${id}.ics`, '/EVENTS.ICS']) {
      assert.equal((await app.call('anonymous', 'GET', `${app.origin}${place}${path}`)).status, 200, place + path)
    }
  }
  const index = await app.call('anonymous', 'GET', FILES)
  const patterns = ['events\\.ics', 'events/(?P<id>\\d+)\\.ics', 'events/by-slug/(?P<slug>[^/]+)\\.ics']
  for (const pattern of patterns) assert.ok(Object.hasOwn(index.body.routes, `/kalends/v1/${pattern}`), pattern)
  assert.equal(index.body.routes['/kalends/v1/events\\.ics'].endpoints[0].args.per_page.default, 1000)
})
