import assert from 'node:assert/strict'
import test from 'node:test'
import { zipSync } from 'fflate'
import { openTestApp } from '../../../../../test/support/app.ts'
import { calendar, event, listed, send } from '../../../../../test/support/icalendar-import.ts'

test('an event comes with everything that it says, and a second import changes nothing', async (t) => {
  const app = await openTestApp(t)
  const file = calendar(
    ...event(
      'regatta@harbour.example',
      'DTSTART;TZID=Europe/Berlin:20270417T093000',
      'DTEND;TZID=Europe/Berlin:20270417T150000',
      'SUMMARY;LANGUAGE=de:Regatta\\, zweiter Tag',
      'DESCRIPTION:Bring a dry bag.\\n\\nTea afterwards <3',
      'LOCATION:Heron Point Boathouse\\, 48 Slipway Lane\\, Astoria',
      'GEO:46.19;-123.83',
      'CATEGORIES:Water sports,Family',
      'ORGANIZER;CN="Rowers; Lower Bay":mailto:rowers@bay.example',
      'URL:https://regatta.example/',
      'IMAGE;VALUE=URI:http://127.0.0.1/boat.jpg',
      'CONFERENCE;VALUE=URI:https://meet.example/regatta',
      'X-HARBOUR-BERTH;X-SIDE="a;b":12',
      'ATTENDEE:mailto:somebody@private.example',
    ),
  )
  const { counts, ...report } = await send(app, file, { categories: ['Imported'] })
  // The event, its venue, organizer and three categories.
  const made = Object.entries(counts).map(([kind, { created }]) => [kind, created])
  assert.deepEqual(Object.fromEntries(made), { event: 1, venue: 1, organizer: 1, category: 3, tag: 0 })
  const notes = [{ what: 'image http://127.0.0.1/boat.jpg', why: 'closed address' }]
  assert.deepEqual(report, { created: 6, updated: 0, unchanged: 0, skipped: [], notes, undecided: [] })
  const [one] = await listed(app)
  assert.equal(one.title, 'Regatta, zweiter Tag')
  assert.equal(one.description, '<p>Bring a dry bag.</p>\n<p>Tea afterwards &lt;3</p>')
  assert.deepEqual([one.start_date, one.timezone, one.language], ['2027-04-17 09:30:00', 'Europe/Berlin', 'de'])
  assert.deepEqual([one.venue.venue, one.venue.address], ['Heron Point Boathouse', '48 Slipway Lane, Astoria'])
  assert.deepEqual([one.venue.geo_lat, one.venue.geo_lng], [46.19, -123.83])
  assert.deepEqual([one.organizer[0].organizer, one.organizer[0].email], ['Rowers; Lower Bay', 'rowers@bay.example'])
  assert.deepEqual(one.categories.map(({ name }: { name: string }) => name).sort(), [
    'Family',
    'Imported',
    'Water sports',
  ])
  assert.deepEqual([one.website, one.image.url], ['https://regatta.example/', 'http://127.0.0.1/boat.jpg'])
  assert.deepEqual([one.is_virtual, one.virtual_url], [true, 'https://meet.example/regatta'])
  assert.deepEqual(one.icalendar, { uid: 'regatta@harbour.example', lines: ['X-HARBOUR-BERTH;X-SIDE="a;b":12'] })
  assert.ok(!JSON.stringify(one).includes('private.example'))
  const { counts: _counts, ...again } = await send(app, file, { categories: ['Imported'] })
  assert.deepEqual(again, { created: 0, updated: 0, unchanged: 1, skipped: [], notes, undecided: [] })
})

test('a rule, dates besides it, dates left out and dates that differ are one series', async (t) => {
  const app = await openTestApp(t)
  const file = calendar(
    ...event(
      'choir',
      'DTSTART;TZID=Europe/Berlin:20270302T190000',
      'DURATION:PT2H',
      'SUMMARY:Choir',
      'RRULE:FREQ=WEEKLY;COUNT=5',
      'EXDATE;TZID=Europe/Berlin:20270309T190000',
      'RDATE;TZID=Europe/Berlin:20270501T190000',
    ),
    ...event(
      'choir',
      'RECURRENCE-ID;TZID=Europe/Berlin:20270316T190000',
      'DTSTART;TZID=Europe/Berlin:20270316T200000',
      'DTEND;TZID=Europe/Berlin:20270316T210000',
      'SUMMARY:Choir with guests',
      'STATUS:CANCELLED',
    ),
  )
  assert.equal((await send(app, file)).created, 1)
  const found = (await listed(app)).map((one: Record<string, unknown>) => [
    one['start_date'],
    one['end_date'],
    one['title'],
  ])
  assert.deepEqual(found, [
    ['2027-03-02 19:00:00', '2027-03-02 21:00:00', 'Choir'],
    ['2027-03-16 20:00:00', '2027-03-16 21:00:00', 'Choir with guests'],
    ['2027-03-23 19:00:00', '2027-03-23 21:00:00', 'Choir'],
    ['2027-03-30 19:00:00', '2027-03-30 21:00:00', 'Choir'],
    ['2027-05-01 19:00:00', '2027-05-01 21:00:00', 'Choir'],
  ])
  const [first, guests] = await listed(app)
  assert.equal(guests.event_status, 'canceled')
  assert.deepEqual(first.recurrence, ['RRULE:FREQ=WEEKLY;COUNT=5', 'RDATE:20270501T190000', 'EXDATE:20270309T190000'])
  assert.equal((await send(app, file)).unchanged, 1)
  const shorter = file.toString().replace('COUNT=5', 'COUNT=4')
  assert.equal((await send(app, Buffer.from(shorter))).updated, 1)
  assert.deepEqual((await listed(app)).map(({ id }: { id: number }) => id).slice(0, 2), [first.id, guests.id])
})

const OWN_ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:Harbour Clock',
  'BEGIN:STANDARD',
  'DTSTART:19961027T030000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:19810329T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]

test('zones are found by name, by the name that Windows has for them, by their clock, or else times are UTC', async (t) => {
  const app = await openTestApp(t)
  const odd = OWN_ZONE.map((line) =>
    line.replace('Harbour Clock', 'Odd').replace('+0100', '+0117').replace('+0200', '+0217'),
  )
  const at = (uid: string, start: string): string[] => event(uid, `DTSTART${start}`, `SUMMARY:${uid}`)
  const file = calendar(
    'X-WR-TIMEZONE:Asia/Tokyo',
    ...OWN_ZONE,
    ...odd,
    ...at('windows', ';TZID=Pacific Standard Time:20270701T100000'),
    ...at('path', ';TZID=/mozilla.org/20050126_1/America/Boise:20270702T100000'),
    ...at('clock', ';TZID=Harbour Clock:20270703T100000'),
    ...event('odd', 'DTSTART;TZID=Odd:20270301T100000', 'SUMMARY:odd', 'RRULE:FREQ=MONTHLY;COUNT=2'),
    ...at('floating', ':20270704T100000'),
    ...at('day', ';VALUE=DATE:20270705'),
    ...at('unknown', ';TZID=Mars:20270706T100000'),
  )
  const report = await send(app, file)
  assert.deepEqual(
    report.notes.map(({ why }) => why),
    ['import.note.unknownZone?zone=Mars&used=Asia%2FTokyo'],
  )
  const found = (await listed(app)).map((one: Record<string, string>) => [
    one['title'],
    one['timezone'],
    one['utc_start_date'],
  ])
  assert.deepEqual(found, [
    ['odd', 'UTC', '2027-03-01 08:43:00'],
    ['odd', 'UTC', '2027-04-01 07:43:00'],
    ['windows', 'America/Los_Angeles', '2027-07-01 17:00:00'],
    ['path', 'America/Boise', '2027-07-02 16:00:00'],
    ['clock', 'Europe/Berlin', '2027-07-03 08:00:00'],
    ['floating', 'Asia/Tokyo', '2027-07-04 01:00:00'],
    ['day', 'Asia/Tokyo', '2027-07-04 15:00:00'],
    ['unknown', 'Asia/Tokyo', '2027-07-06 01:00:00'],
  ])
})

test('what is broken is left out with its line, and nothing of it is stored', async (t) => {
  const app = await openTestApp(t)
  const file = calendar(
    ...event('ends', 'DTSTART:20270105T100000Z', 'DTEND:20270104T100000Z', 'SUMMARY:ends'),
    ...event('whole', 'DTSTART:20270106T100000Z', 'SUMMARY:whole', 'no property', 'RRULE:FREQ=NEVER'),
    ...event('startless', 'SUMMARY:startless'),
    'BEGIN:VEVENT',
    'UID:open',
    'DTSTART:20270107T100000Z',
  )
  const { created, skipped, notes } = await send(app, file)
  assert.equal(created, 2)
  assert.deepEqual(
    skipped.map(({ what, why }) => `${what} ${why}`),
    ['diary.ics: line 24 import.problem.cutOff?name=VEVENT', 'diary.ics: line 19 import.problem.noStart'],
  )
  assert.deepEqual(
    notes.map(({ what, why }) => `${what} ${why}`),
    [
      'diary.ics: line 16 import.note.notProperty?value=no+property',
      'diary.ics: line 8 import.note.noEnd?property=DTEND&value=20270104T100000Z',
      'diary.ics: line 17 import.note.unread?property=RRULE&value=FREQ%3DNEVER',
    ],
  )
  assert.deepEqual(
    (await listed(app)).map(({ title }: { title: string }) => title),
    ['ends', 'whole'],
  )
})

test('files that hold no calendar are refused, and archives that unpack to too much', async (t) => {
  const app = await openTestApp(t)
  const refused = { code: 'calendar_not_readable' }
  for (const text of ['', 'hello', '{"events":[]}', 'BEGIN:VCARD\r\nEND:VCARD\r\n'])
    await assert.rejects(send(app, Buffer.from(text)), refused, text)
  const bomb = Buffer.from(zipSync({ 'a.ics': new Uint8Array(40_000_000) }))
  await assert.rejects(send(app, bomb, { name: 'bomb.zip' }), refused)
  await assert.rejects(send(app, Buffer.from('PK\u0003\u0004 is broken'), { name: 'broken.zip' }), refused)
  await assert.rejects(send(app, Buffer.from(zipSync({ 'readme.txt': new Uint8Array(9) })), { name: 'x.zip' }), refused)
})

test('calendars of one file that have one UID for events on different dates bring all of them', async (t) => {
  const app = await openTestApp(t)
  const one = (start: string, title: string, method: string) =>
    calendar(`METHOD:${method}`, ...event('call', `DTSTART:${start}`, `SUMMARY:${title}`))
  const file = Buffer.concat([
    one('20270103T100000Z', 'First', 'REQUEST'),
    one('20270105T100000Z', 'Second', 'REQUEST'),
    one('20270107T100000Z', 'Proposed', 'COUNTER'),
    one('20270103T100000Z', 'First, renamed', 'PUBLISH'),
  ])
  for (const outcome of ['created', 'unchanged'] as const) {
    const report = await send(app, file)
    assert.equal(report[outcome], 3)
    assert.deepEqual(
      report.notes.map(({ why }) => why),
      ['import.note.sameUid', 'import.note.sameUid'],
    )
    const titles = (await listed(app)).map(({ title }: { title: string }) => title)
    assert.deepEqual(titles, ['First, renamed', 'Second', 'Proposed'])
  }
})

test('rules that give too much are bounded: the newest 5,000 dates stay, or the first one', async (t) => {
  const app = await openTestApp(t)
  const file = calendar(
    ...event('daily', 'DTSTART:20100101T100000Z', 'SUMMARY:daily', 'RRULE:FREQ=DAILY;UNTIL=20280101T000000Z'),
    ...event('seconds', 'DTSTART:20270101T100000Z', 'SUMMARY:seconds', 'RRULE:FREQ=SECONDLY'),
    ...event('never', 'DTSTART:20270102T100000Z', 'SUMMARY:never', 'RRULE:FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30'),
  )
  const { notes } = await send(app, file)
  assert.deepEqual(
    notes.map(({ why }) => why),
    ['import.note.tooManyDates?count=6574&most=5000', 'import.note.ruleTooCostly', 'import.note.ruleWithoutDates'],
  )
  const daily = await app.call('anonymous', 'GET', '/events', {
    query: { start_date: '2000-01-01', end_date: '2029-01-01', search: 'daily', per_page: 1 },
  })
  assert.deepEqual([daily.body.total, daily.body.events[0].utc_start_date.slice(0, 10)], [5000, '2014-04-24'])
})

test('of very many dates the newest stay, and the rule goes on or ends as it says', async (t) => {
  const app = await openTestApp(t)
  const file = calendar(
    ...event('daily', 'DTSTART:19500101T100000Z', 'SUMMARY:daily', 'RRULE:FREQ=DAILY;COUNT=30000'),
    ...event('hourly', 'DTSTART:20140101T100000Z', 'SUMMARY:hourly', 'RRULE:FREQ=HOURLY;BYHOUR=10'),
  )
  const { notes } = await send(app, file)
  assert.deepEqual(
    notes.map(({ why }) => why.replace(/count=\d+/, 'count=many')),
    Array(2).fill('import.note.tooManyDates?count=many&most=5000'),
  )
  const found = async (search: string) => {
    const query = { start_date: '1900-01-01', end_date: '2099-01-01', search, per_page: 1 }
    const { body } = await app.call('anonymous', 'GET', '/events', { query })
    return [body.total, body.events[0].utc_start_date.slice(0, 10), body.events[0].recurrence]
  }
  assert.deepEqual(await found('daily'), [5000, '2018-06-13', ['RRULE:FREQ=DAILY;COUNT=5000']])
  assert.deepEqual(await found('hourly'), [5000, '2018-03-14', ['RRULE:FREQ=HOURLY;BYHOUR=10']])
  const query = { start_date: '2027-03-01', end_date: '2027-03-01 23:59:59', search: 'hourly' }
  const { body } = await app.call('anonymous', 'GET', '/events', { query })
  const deleted = await app.call('administrator', 'DELETE', `/events/${body.events[0].id}`)
  assert.equal(deleted.status, 200, JSON.stringify(deleted.body))
  assert.equal((await found('hourly'))[0], 4999)
})

test('what was changed here stays, and the report says so; the rest follows the file', async (t) => {
  const app = await openTestApp(t)
  const file = (title: string, place: string): Buffer =>
    calendar(...event('talk', 'DTSTART:20270105T100000Z', `SUMMARY:${title}`, `LOCATION:${place}`))
  await send(app, file('Talk', 'Library'), { status: 'draft' })
  const [{ id }] = await listed(app, { status: 'draft' })
  await app.call('administrator', 'POST', `/events/${id}`, { json: { title: 'Our talk', status: 'publish' } })
  const report = await send(app, file('Their talk', 'Town hall'), { status: 'draft' })
  assert.deepEqual([report.created, report.updated], [1, 1])
  assert.deepEqual(report.notes, [{ what: 'Our talk', why: 'import.problem.changedHere?field=fields.title' }])
  const [talk] = await listed(app)
  assert.deepEqual([talk.title, talk.venue.venue, talk.status], ['Our talk', 'Town hall', 'publish'])
  await app.call('administrator', 'DELETE', `/events/${id}`)
  const { updated, skipped } = await send(app, file('Third talk', 'Library'))
  assert.deepEqual([updated, skipped.map(({ why }) => why)], [0, ['it is in the trash here']])
})

test('an event that people see becomes private when its file says so, whatever was changed here', async (t) => {
  const app = await openTestApp(t)
  const file = (...marks: readonly string[]): Buffer =>
    calendar(
      ...event('talk', 'DTSTART:20270105T100000Z', 'SUMMARY:Talk', ...marks),
      ...event('open', 'DTSTART:20270106T100000Z', 'SUMMARY:Open day', ...marks),
    )
  const statuses = async () => (await listed(app, { status: 'publish,pending,draft,private' })).map(statusOf)
  const statusOf = ({ title, status }: { title: string; status: string }): string => `${title} ${status}`
  await send(app, file(), { status: 'pending' })
  const [{ id }] = await listed(app, { status: 'pending' })
  await app.call('administrator', 'POST', `/events/${id}`, { json: { status: 'publish' } })
  assert.deepEqual(await statuses(), ['Talk publish', 'Open day pending'])
  await send(app, file('CLASS:PRIVATE'), { status: 'pending' })
  assert.deepEqual(await statuses(), ['Talk private', 'Open day private'])
  // Whoever publishes it here after that has decided so.
  await app.call('administrator', 'POST', `/events/${id}`, { json: { status: 'publish' } })
  await send(app, file('CLASS:PRIVATE'), { status: 'pending' })
  assert.deepEqual(await statuses(), ['Talk publish', 'Open day private'])
})

test('a dry run says what an import would do, and stores nothing', async (t) => {
  const app = await openTestApp(t)
  const file = calendar(...event('a', 'DTSTART:20270105T100000Z', 'SUMMARY:a', 'LOCATION:Library', 'CATEGORIES:Talks'))
  assert.equal((await send(app, file, { isDryRun: true })).created, 3)
  assert.deepEqual(await listed(app), [])
  assert.equal((await send(app, file)).created, 3)
})

test('venues are found by their name before they are made', async (t) => {
  const app = await openTestApp(t)
  const made = await app.call('administrator', 'POST', '/venues', { json: { venue: 'Library', city: 'Astoria' } })
  const at = (uid: string, place: string) =>
    event(uid, 'DTSTART:20270105T100000Z', `SUMMARY:${uid}`, `LOCATION:${place}`)
  const report = await send(
    app,
    calendar(...at('a', 'LIBRARY'), ...at('b', 'Library\\, Astoria'), ...at('c', 'Library\\, Boise')),
  )
  assert.equal(report.created, 4)
  const events = await listed(app)
  const venues = new Map(events.map((one: { title: string; venue: { id: number } }) => [one.title, one.venue.id]))
  assert.deepEqual([venues.get('a'), venues.get('b')], [made.body.id, made.body.id])
  assert.notEqual(venues.get('c'), made.body.id)
})

test('what was imported, exported and imported again is as it was', async (t) => {
  const app = await openTestApp(t)
  const file = calendar(
    ...OWN_ZONE,
    ...event(
      'weekly@harbour.example',
      'DTSTART;TZID=Harbour Clock:20270302T190000',
      'DTEND;TZID=Harbour Clock:20270302T200000',
      'SUMMARY:Weekly',
      'DESCRIPTION:<p>Bring a <b>dry bag</b></p>',
      'RRULE:FREQ=WEEKLY;UNTIL=20270401',
      'URL:https://weekly.example/',
      'CONTACT:The harbour master',
      'COLOR:navy',
    ),
    ...event(
      'weekly@harbour.example',
      'RECURRENCE-ID;TZID=Harbour Clock:20270309T190000',
      'DTSTART;TZID=Harbour Clock:20270310T190000',
      'DTEND;TZID=Harbour Clock:20270310T200000',
      'SUMMARY:Moved',
      'DESCRIPTION:<p>Bring a <b>dry bag</b></p>',
      'URL:https://weekly.example/',
      'CONTACT:The harbour master',
    ),
    ...event('day', 'DTSTART;VALUE=DATE:20270405', 'SUMMARY:Day'),
    ...event('utc', 'DTSTART:20270406T100000Z', 'SUMMARY:Utc', 'LOCATION:Quay 3\\, Astoria'),
  )
  await send(app, file)
  const read = async () => (await fetch(`${app.origin}/kalends/v1/events.ics?start_date=2027-01-01`)).text()
  const before = await listed(app)
  const exported = await read()
  assert.match(exported, /UID:weekly@harbour\.example/)
  assert.match(exported, /COLOR:navy/)
  const { created, updated, unchanged, notes } = await send(app, Buffer.from(exported))
  assert.deepEqual([created, updated, unchanged, notes], [0, 0, 3, []])
  assert.deepEqual(await listed(app), before)
  assert.equal(await read(), exported)
})
