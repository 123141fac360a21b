import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'
import { calendar, event, listed, send } from '../../../../../test/support/icalendar-import.ts'
import { readCalendar } from './read-calendar.ts'

const OPTIONS = { zone: undefined, siteZone: 'Europe/Berlin', now: Date.UTC(2027, 0, 1), recurrenceYears: 2 }
const START = 'DTSTART;TZID=Europe/Berlin:20270114T200000'

/** What events say, each of these lines, and the notes on them. */
async function read(...written: readonly (readonly string[])[]) {
  const lines = written.flatMap((own, index) => event(`e${index}`, START, 'SUMMARY:Talk', ...own))
  const { events, problems } = readCalendar('diary.ics', calendar(...lines), OPTIONS)
  const notes = problems.map(
    ({ why, isNote }) => `${isNote ? '' : 'skipped '}${decodeURIComponent(why.replaceAll('+', ' '))}`,
  )
  return { contents: events.map(({ content }) => content), notes }
}

const APPLE = 'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=72'

test('a place has its name on the first line, or as Apple writes it, with address and point', async () => {
  const { contents, notes } = await read(
    ['LOCATION:Boat House\\n2 River Rd\\nBath'],
    ['LOCATION:Hall A\\, east wing\\n\\n1 Quay Rd\\, Bath\\n'],
    ['LOCATION:Corn Hall\\, 3 High St\\, Bath', 'GEO:51,38;-2,36'],
    ...['51.38 -2.36', '51.38/-2.36'].map((point) => ['LOCATION:Hall', `GEO:${point}`]),
    [
      'LOCATION:Town Hall\\n1 Market Sq',
      `${APPLE};X-ADDRESS="1 Market Sq, Bath";X-TITLE="Town Hall":geo:51.381,-2.359`,
    ],
    [
      'LOCATION:Somewhere',
      `${APPLE};X-TITLE="Café 3";X-ADDRESS="1 Market Sq\\\\nBath": geo:51.381\\,-2.359;u=35`,
      'GEO:1;2',
    ],
    [`${APPLE};X-TITLE="Mill\\n4 Weir Ln":geo:0,0`],
    ['LOCATION:Mill\\, 4 Weir Ln', `${APPLE};X-TITLE=Mill:`],
    ['LOCATION:Park\\nLane 4', `${APPLE};X-TITLE=Park:geo:51.381,-2.359,20;crs=wgs84;u=35`],
    ['LOCATION:Barn\\nLane 5', `${APPLE};X-TITLE=Barn:geo:north`],
    ['LOCATION:Loft (1 Quay Rd\\, Bath\\, England)'],
    ['LOCATION:Room 1 (House A)'],
    ['LOCATION:ALTREP="https://there.example/hall":Hall'],
    ['LOCATION:LANGUAGE=de:Halle'],
  )
  assert.deepEqual(
    contents.map(({ location, place, point }) => [place?.name ?? location, place?.address, point?.lat]),
    [
      ['Boat House', '2 River Rd, Bath', undefined],
      ['Hall A, east wing', '1 Quay Rd, Bath', undefined],
      ['Corn Hall, 3 High St, Bath', undefined, 51.38],
      ['Hall', undefined, 51.38],
      ['Hall', undefined, 51.38],
      ['Town Hall', '1 Market Sq, Bath', 51.381],
      ['Café 3', '1 Market Sq, Bath', 51.381],
      ['Mill', '4 Weir Ln', undefined],
      ['Mill', '4 Weir Ln', undefined],
      ['Park', 'Lane 4', 51.381],
      ['Barn', 'Lane 5', undefined],
      ['Loft', '1 Quay Rd, Bath, England', undefined],
      ['Room 1 (House A)', undefined, undefined],
      ['Hall', undefined, undefined],
      ['Halle', undefined, undefined],
    ],
  )
  assert.deepEqual(notes, ['import.note.unread?property=X-APPLE-STRUCTURED-LOCATION&value=geo:north'])
})

test('meetings are online by their properties, locations and descriptions, and hybrid beside a place', async () => {
  const [mine, zoom] = ['https://meet.example/join/1', 'https://us02web.zoom.us/j/812?pwd=a&b=1']
  const { contents, notes } = await read(
    ...[
      'Microsoft Teams Meeting',
      'Microsoft Teams-Besprechung',
      'Réunion Microsoft Teams',
      'Spotkanie w aplikacji Microsoft Teams',
      'Microsoft Teams 会议',
    ].map((name) => [`LOCATION:${name}`, `X-MICROSOFT-SKYPETEAMSMEETINGURL:${mine}`]),
    [`X-MICROSOFT-ONLINEMEETINGEXTERNALLINK:${mine}`, 'X-MICROSOFT-ONLINEMEETINGCONFLINK:conf:sip:a@there.example'],
    [`X-MICROSOFT-ONLINEMEETINGCONFLINK:${mine}`, 'LOCATION:Town Hall'],
    [`X-GOOGLE-CONFERENCE:${zoom}`, `CONFERENCE;VALUE=URI:${mine}`],
    [`LOCATION:${mine}`],
    [`LOCATION:Zoom (${mine})`],
    [`LOCATION:Microsoft Teams Meeting\\; Room 5\\, Quay House`, `X-MICROSOFT-SKYPETEAMSMEETINGURL:${mine}`],
    [`LOCATION:Town Hall\\, ${zoom}`],
    ['LOCATION:Town Hall', `DESCRIPTION:Join us: ${zoom}.\\nThanks`],
    [`X-ALT-DESC;FMTTYPE=text/html:<p><a href="${zoom.replace('&', '&amp;')}">Join</a></p>`],
    ['LOCATION:Town Hall', `${APPLE};X-TITLE="${mine}":geo:0,0`],
    ['LOCATION:us02web.zoom.us/j/812?pwd=a&b=1'],
    [`LOCATION;ALTREP="${zoom}":Zoom`],
    ['LOCATION:Zoom Meeting', `URL:${zoom}`],
    [`LOCATION:Online: ${mine}`],
    [
      'LOCATION:Zoom (see description)',
      `DESCRIPTION:<https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(zoom)}&data=1>`,
    ],
    [`X-GOOGLE-HANGOUT:${mine}`],
    ...['Online', 'Online event', 'Virtual', 'オンライン'].map((name) => [`LOCATION:${name}`]),
    ['LOCATION:Virtual Reality Lab'],
    ['LOCATION:Google Meet'],
    ['LOCATION:Zoom Room 3'],
    ['LOCATION:Town Hall https://hall.example/', 'DESCRIPTION:https://notzoom.us/j/1'],
  )
  assert.deepEqual(
    contents.map(({ location, conference, isOnline }) => [location, conference, isOnline]),
    [
      ...Array.from({ length: 5 }, () => ['', mine, true]),
      ['', mine, true],
      ['Town Hall', mine, true],
      ['', mine, true],
      ['', mine, true],
      ['', mine, true],
      ['Room 5, Quay House', mine, true],
      ['Town Hall', zoom, true],
      ['Town Hall', zoom, true],
      ['', zoom, true],
      ['Town Hall', mine, true],
      ['', zoom, true],
      ['', zoom, true],
      ['', zoom, true],
      ['', mine, true],
      ['', zoom, true],
      ['', mine, true],
      ...Array.from({ length: 4 }, () => ['', '', true]),
      ['Virtual Reality Lab', '', false],
      ['', '', true],
      ['Zoom Room 3', '', false],
      ['Town Hall https://hall.example/', '', false],
    ],
  )
  assert.deepEqual(notes, [])
})

test('an event at the place of a program is online without a venue, also when it comes back', async (t) => {
  const app = await openTestApp(t)
  await send(app, calendar(...event('talk', START, 'SUMMARY:Talk', 'LOCATION:Webex')))
  const [talk] = await listed(app)
  assert.deepEqual([talk.is_virtual, talk.virtual_url, talk.venue], [true, undefined, []])
  const exported = await (await fetch(`${app.origin}/kalends/v1/events/${talk.id}.ics`)).text()
  assert.match(exported, /^LOCATION:Webex\r$/m)
  assert.equal((await send(app, Buffer.from(exported))).unchanged, 1)
  await app.call('administrator', 'POST', `/events/${talk.id}`, { json: { venue: { venue: 'Mill' } } })
  const after = await (await fetch(`${app.origin}/kalends/v1/events/${talk.id}.ics`)).text()
  assert.deepEqual(after.match(/^LOCATION.*$/gm), ['LOCATION:Mill'])
})

test('a description has the formatting of its data address', async () => {
  const html = '<p>Tickets <a href="https://there.example/t">here</a></p>'
  const data = (address: string) => [`DESCRIPTION;ALTREP="${address}":Tickets here`]
  const latin = Buffer.from('<p>Tickets <b>für</b> alle</p>', 'latin1').toString('base64')
  const { contents } = await read(
    data(`data:text/html,${encodeURIComponent(html)}`),
    data(`data:text/html;charset=utf-8;base64,${Buffer.from(`${html}<script>alert(1)</script>`).toString('base64')}`),
    data(`data:text/html;charset=iso-8859-1;base64,${latin}`),
    data('https://there.example/description.html'),
    data('data:text/plain,other'),
    data('data:text/html;charset=nothing,%FF'),
  )
  const plain = '<p>Tickets here</p>'
  assert.deepEqual(
    contents.map(({ description }) => description.trim()),
    [html, html, '<p>Tickets <b>für</b> alle</p>', plain, plain, plain],
  )
})

test('whatever marks an event, its calendar or one date as private makes it private', async (t) => {
  const app = await openTestApp(t)
  const marks = [
    'CLASS:PERSONAL',
    'CLASS: Confidential',
    'X-MICROSOFT-SENSITIVITY:Private',
    'X-MS-OLK-SENSITIVITY:2',
    'X-PRIVATE:TRUE',
    'SENSITIVITY:Personal',
    'X-GOOGLE-VISIBILITY:private',
  ]
  const open = [
    'X-VISIBILITY:default',
    'CLASS:PUBLIC',
    'X-MICROSOFT-SENSITIVITY:Normal',
    'X-MS-OLK-SENSITIVITY:0',
    'X-PRIVATE:FALSE',
  ]
  const of = (uid: string, ...lines: string[]) => event(uid, START, `SUMMARY:${uid}`, ...lines)
  const date = 'RECURRENCE-ID;TZID=Europe/Berlin:20270115T200000'
  const lines = [
    ...marks.flatMap((mark, index) => of(`private ${index}`, 'CLASS:PUBLIC', mark)),
    ...open.flatMap((mark, index) => of(`public ${index}`, mark)),
    ...of('series', 'RRULE:FREQ=DAILY;COUNT=3'),
    ...event('series', date, 'DTSTART;TZID=Europe/Berlin:20270115T210000', 'SUMMARY:Doctor', 'CLASS:PRIVATE'),
  ]
  await send(app, calendar(...lines))
  await send(app, calendar('X-CALENDARSERVER-ACCESS:CONFIDENTIAL', ...of('private A')))
  const titles = async (status: string) =>
    (await listed(app, { status })).map(({ title }: { title: string }) => title).sort()
  assert.deepEqual(await titles('private'), ['Doctor', ...marks.map((_mark, index) => `private ${index}`), 'private A'])
  assert.deepEqual(await titles('publish'), [...open.map((_mark, index) => `public ${index}`), 'series', 'series'])
  const again = await send(app, calendar(...lines))
  assert.deepEqual([again.created, again.updated], [0, 0])
})

test('what cannot be read of an event, and what it says twice, is noted with its line', async () => {
  const { contents, notes } = await read(
    ['LOCATION:Boat house', 'GEO:north', 'URL:www.there.example/x'],
    ['GEO:51.4;-2.3', 'URL:not a page', 'STATUS:MOVED', 'CREATED:yesterday'],
    [
      'GEO:91;200',
      'LOCATION:Mill',
      'LOCATION:Quay',
      'ATTACH;ENCODING=BASE64;VALUE=BINARY:SGFsbG8=',
      'ORGANIZER:mailto:',
      'SUMMARY:Talk',
      'STATUS:CANCELED',
      'URL:',
    ],
  )
  assert.deepEqual(
    contents.map(({ url, state, point }) => [url, state, point]),
    [
      ['https://www.there.example/x', '', undefined],
      ['', 'MOVED', { lat: 51.4, lng: -2.3 }],
      ['', 'CANCELLED', undefined],
    ],
  )
  assert.deepEqual(notes, [
    'import.note.unread?property=GEO&value=north',
    'import.note.unread?property=STATUS&value=MOVED',
    'import.note.unread?property=GEO&value=51.4;-2.3',
    'import.note.unread?property=URL&value=not a page',
    'import.note.unread?property=CREATED&value=yesterday',
    'import.note.repeated?property=LOCATION&value=Quay',
    'import.note.unread?property=ORGANIZER&value=mailto:',
    'import.note.unread?property=GEO&value=91;200',
    'import.note.unread?property=ATTACH&value=SGFsbG8=',
  ])
  const many = Array.from({ length: 51 }, (_none, index) => `X-ROOM-${index}:Blue`)
  const { notes: cut } = await read(
    [...many, `DESCRIPTION:${'x'.repeat(500_001)}`],
    ['no property', 'BEGIN:VALARM', 'END:VALARM'],
  )
  assert.deepEqual(
    cut.map((note) => note.slice(0, 60)),
    [
      'import.note.notProperty?value=no property',
      `import.note.tooLong?value=${'x'.repeat(34)}`,
      'import.note.tooLong?value=X-ROOM-50:Blue',
    ],
  )
})

test('organizers have their names as they are meant', async () => {
  const written = [
    '"Bath%20Arts%20%26%20Crafts"',
    '100% Jazz',
    '"Miller\\, Ann"',
    '"\'Garden Club\'"',
    '" Chess  Club "',
    "O'Neill's",
  ]
  const { contents } = await read(...written.map((name) => [`ORGANIZER;CN=${name}:mailto:a@there.example`]))
  assert.deepEqual(
    contents.map(({ organizers }) => organizers[0]?.name),
    ['Bath Arts & Crafts', '100% Jazz', 'Miller, Ann', 'Garden Club', 'Chess Club', "O'Neill's"],
  )
})

test('a web address is read without brackets or quotes around it, and with a scheme where it has none', async () => {
  const written = ['<https://there.example/a>', '"https://there.example/a"', 'there.example/a', '//there.example/a']
  const { contents, notes } = await read(...written.map((url) => [`URL:${url}`]))
  const address = 'https://there.example/a'
  assert.deepEqual(
    contents.map(({ url }) => url),
    written.map(() => address),
  )
  assert.deepEqual(notes, [])
})
