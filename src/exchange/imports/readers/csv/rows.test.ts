import assert from 'node:assert/strict'
import test from 'node:test'
import { type ReadTable, readCsv } from './read-csv.ts'

function table(...rows: readonly string[]): ReadTable {
  return readCsv('a.csv', Buffer.from(rows.join('\n')), { zone: 'Europe/Berlin', columns: [] })
}

/** Start and end of each event, without seconds. */
function times(...rows: readonly string[]): readonly string[] {
  return table(...rows).events.map(({ times: { start, end, isAllDay } }) =>
    isAllDay ? `${start.slice(5, 10)} to ${end.slice(5, 10)}` : `${start.slice(5, 16)} to ${end.slice(5, 16)}`,
  )
}

function notes({ problems }: ReadTable): readonly string[] {
  return problems.map(({ line, why, title, isNote }) => {
    assert.equal(isNote, true, why)
    const [id = '', values] = why.split('?')
    return `${line} ${title}: ${id.replace('import.note.', '')} ${new URLSearchParams(values).get('value')}`
  })
}

test('whatever marks a row as private makes it private', () => {
  const rows: readonly (readonly [heading: string, cell: string, status: string | undefined])[] = [
    ...['True', 'yes', '1', 'wahr', 'Vrai', 'sí', 'はい', 'x', 'private'].map(
      (cell) => ['Private', cell, 'private'] as const,
    ),
    ...['False', '0', 'nein', 'Faux', ''].map((cell) => ['Private', cell, undefined] as const),
    ...['Private', 'Personal', 'Confidential'].map((cell) => ['Sensitivity', cell, 'private'] as const),
    ...['Normal', ''].map((cell) => ['Sensitivity', cell, undefined] as const),
    ...['Vertraulich', 'Persönlich', 'PRIVAT'].map((cell) => ['Vertraulichkeit', cell, 'private'] as const),
    ...['privé', 'confidentielle'].map((cell) => ['Critère de diffusion', cell, 'private'] as const),
    ...['private', 'hidden'].map((cell) => ['Visibility', cell, 'private'] as const),
    ...['public', 'default'].map((cell) => ['Visibility', cell, undefined] as const),
    ['CLASS', 'CONFIDENTIAL', 'private'],
    ...['0', 'no', 'FALSE'].map((cell) => ['Published', cell, 'private'] as const),
    ['Published', '1', 'publish'],
    ...['private', 'privat', '非公開'].map((cell) => ['post_status', cell, 'private'] as const),
    ...['draft', 'Entwurf', 'auto-draft', 'szkic'].map((cell) => ['post_status', cell, 'draft'] as const),
    ...['pending', 'publish'].map((cell) => ['post_status', cell, cell] as const),
  ]
  for (const [heading, cell, status] of rows) {
    const read = table(`title,start_date,${heading}`, `Doctor,2027-03-01,${cell}`)
    assert.equal(read.events[0]?.entry?.status, status, `${heading} ${cell}`)
    assert.deepEqual(read.problems, [], `${heading} ${cell}`)
  }
})

test('whole days are marked by any word for yes or on, and by words in place of a time', () => {
  for (const word of ['True', 'wahr', 'Ein', 'Vrai', 'Actif', 'オン', 'はい', 'tak', 'نعم', '✓'])
    assert.deepEqual(times('title,start,all_day', `A,2027-03-01,${word}`), ['03-01 to 03-01'], word)
  for (const word of ['False', 'Aus', 'Inactif', 'オフ'])
    assert.deepEqual(times('title,start,all_day', `A,2027-03-01 10:00,${word}`), ['03-01 10:00 to 03-01 10:00'], word)
  for (const word of ['All Day', 'all-day', 'ganztägig', 'Toute la journée', '終日'])
    assert.deepEqual(
      times('title,start_date,start_time,end_date,end_time', `A,2027-03-01,${word},2027-03-02,${word}`),
      ['03-01 to 03-02'],
      word,
    )
})

test('a cell for a time may have the start and the end', () => {
  for (const range of ['19:00 - 21:30', '19.00–21.30 Uhr', '19h à 21h30', '7 pm to 9:30 pm', '19 Uhr bis 21:30 Uhr'])
    assert.deepEqual(times('title;date;time', `A;2027-03-01;${range}`), ['03-01 19:00 to 03-01 21:30'], range)
  assert.deepEqual(times('title;date;time', 'A;2027-03-01;22:00 - 02:00'), ['03-01 22:00 to 03-02 02:00'])
})

test('all columns for tags or categories count', () => {
  const { events } = table('title;start;Labels;Tags;Category', 'A;2027-03-01;New;"b, a, New";Markets')
  assert.deepEqual(events[0]?.content.tags, ['New', 'b', 'a'])
  assert.deepEqual(events[0]?.content.categories, ['Markets'])
})

test('of several marks the strictest counts, and an unknown one is private and noted', () => {
  const read = table(
    'title,start_date,status,Private,Sensitivity',
    'A,2027-03-01,publish,no,Confidential',
    'B,2027-03-01,draft,yes,Normal',
    'C,2027-03-01,publish,,blue',
    'D,2027-03-01,trash,,',
  )
  assert.deepEqual(
    read.events.map(({ entry }) => entry?.status),
    ['private', 'private', 'private', 'draft'],
  )
  assert.deepEqual(notes(read), ['3 B: otherValue draft', '4 C: madePrivate blue', '5 D: trashed trash'])
})

test('an end at midnight is the end of the day before, and a date without a time is the last day', () => {
  const head = 'title,start_date,start_time,end_date,end_time,all_day'
  const rows = [
    'A,2027-04-21,00:00:00,2027-04-22,00:00:00,True',
    'B,2027-04-23,0:00,2027-04-26,0:00,Wahr',
    'C,2027-04-21,,2027-04-22,,True',
    'D,2027-04-21,00:00,2027-04-21,00:00,yes',
    'E,2027-04-21,12:00 AM,2027-04-22,12:00 AM,VRAI',
    'F,2027-04-21,,2027-04-22,,',
    'G,2027-04-21,00:00,2027-04-21,23:59,1',
  ]
  assert.deepEqual(times(head, ...rows), [
    ...['04-21 to 04-21', '04-23 to 04-25', '04-21 to 04-22', '04-21 to 04-21'],
    ...['04-21 to 04-21', '04-21 to 04-22', '04-21 to 04-21'],
  ])
  assert.deepEqual(notes(table(head, ...rows)), [])
  assert.deepEqual(notes(table(head, 'H,2027-04-21,10:00,2027-04-21,11:00,yes')), ['2 H: allDay 10:00 - 11:00'])
})

test('an end before the start is on the next day without an end date, and else left out and noted', () => {
  const rows = [
    'A,2027-08-01,22:00,,02:00',
    'B,2027-08-01,8 PM,,12:00 AM',
    'C,2027-08-01,20:00,,20:00',
    'D,2027-08-01,22h,02h,',
  ]
  assert.deepEqual(times('title,start_date,start_time,end_date,end_time', ...rows), [
    '08-01 22:00 to 08-02 02:00',
    '08-01 20:00 to 08-02 00:00',
    '08-01 20:00 to 08-01 20:00',
    '08-01 22:00 to 08-02 02:00',
  ])
  const bad = [
    'title,start,end',
    'A,2027-08-02 20:00,2027-08-01 22:00',
    'B,2027-08-02 20:00,late',
    'C,2027-08-02,2027-08-01',
    'D,2027-08-02,??',
  ]
  assert.deepEqual(times(...bad), [
    '08-02 20:00 to 08-02 20:00',
    '08-02 20:00 to 08-02 20:00',
    '08-02 to 08-02',
    '08-02 to 08-02',
  ])
  assert.deepEqual(notes(table(...bad)), [
    '2 A: noEnd 2027-08-01 22:00',
    '3 B: badEnd late',
    '4 C: noEnd 2027-08-01',
    '5 D: badEnd ??',
  ])
})

test('words for what became of an event are read in every language, in both columns', () => {
  const words = {
    canceled: [
      'Cancelled',
      'called off',
      'CANCELED',
      'abgesagt',
      'annulée',
      'cancelado',
      'annullato',
      'afgelast',
      'odwołane',
      '中止',
      '已取消',
      'ملغاة',
    ],
    postponed: [
      'postponed',
      'verschoben',
      'reporté',
      'aplazada',
      'rinviato',
      'uitgesteld',
      'adiado',
      'przełożone',
      '延期',
      '推迟',
      'مؤجل',
    ],
    moved_online: ['moved online', 'moved-online', 'en ligne', 'オンライン開催', 'naar online verplaatst'],
    rescheduled: ['rescheduled', 'neuer Termin', 'reprogramado', 'verzet', '改期'],
    scheduled: ['confirmed', 'bestätigt', 'confirmé', 'bevestigd', 'potwierdzone', '確定', 'مؤكد'],
  }
  for (const [status, all] of Object.entries(words))
    for (const word of all)
      for (const heading of ['status', 'event_status']) {
        const read = table(`title,start_date,${heading}`, `A,2027-08-03,${word}`)
        const [event] = read.events
        assert.equal(event?.columns?.event_status, status, word)
        assert.deepEqual([event?.entry?.status, read.problems], [undefined, []], word)
        assert.deepEqual([...read.fields].toSorted(), ['event_status', 'start_date', 'title'], word)
      }
  const open = table(
    'title,start_date,status',
    'A,2027-08-03,tentative',
    'B,2027-08-03,vorläufig',
    'C,2027-08-03,chartreuse',
  )
  assert.deepEqual(
    open.events.map(({ content }) => content.kept),
    [['STATUS:TENTATIVE'], ['STATUS:TENTATIVE'], []],
  )
  assert.deepEqual(notes(open), ['4 C: unread chartreuse'])
})

test('every value of a known column is stored or noted', () => {
  const read = table(
    'title,start_date,all_day,cost,website,image,timezone,language,featured,latitude,longitude,venue,organizer,organizer_email,Name',
    `A,2027-03-01,perhaps,${'9'.repeat(3000)},not a link,nor this,Mars/Olympus,??,maybe,100,7,Pier,Rowers,nobody,B`,
  )
  assert.deepEqual(
    notes(read)
      .map((one) => one.replace(/9{50,}/, '9'))
      .toSorted(),
    [
      ...['2 A: otherValue B', '2 A: tooLong 9…', '2 A: unknownZone null', '2 A: noPlace 7'],
      ...['100', '??', 'maybe', 'nobody', 'nor this', 'not a link', 'perhaps'].map((value) => `2 A: unread ${value}`),
    ].toSorted(),
  )
  assert.equal(read.events.length, 1)
})

test('an address without a name is the venue, and a venue that is a link is for attending online', () => {
  const { events } = table(
    'title,start_date,Location,Address',
    'A,2027-03-01,,Quay 1',
    'B,2027-03-01,https://meet.example/1,',
  )
  assert.deepEqual(
    events.map(({ content: { location, place, conference } }) => [location, place?.address ?? '', conference]),
    [
      ['Quay 1', 'Quay 1', ''],
      ['', '', 'https://meet.example/1'],
    ],
  )
})

test('a venue is no link under any heading, and one has commas in its name where no list is expected', () => {
  const link = 'https://meet.example/j/1?pwd=2'
  for (const heading of [
    'Venue',
    'Venues',
    'venue',
    'VENUE',
    'Event Venue',
    'Venue Name',
    'Location',
    'Ort',
    'Lieu',
    'Where',
  ]) {
    const { events } = table(
      `title,start_date,${heading}`,
      `A,2027-03-01,${link}`,
      'B,2027-03-01,Zoom',
      'C,2027-03-01,"Rathaus, Saal 2"',
    )
    const isList = ['Venues', 'venue'].includes(heading)
    assert.deepEqual(
      events.map(({ content: { location, conference, isOnline = false, otherPlaces = [] } }) => [
        ...[location, conference, isOnline],
        otherPlaces.map((one) => one.location),
      ]),
      [
        ['', link, true, []],
        ['', '', true, []],
        isList ? ['Rathaus', '', false, ['Saal 2']] : ['Rathaus, Saal 2', '', false, []],
      ],
      heading,
    )
  }
})

test('a column of places beside that of venues is their address, or a link to attend online', () => {
  const link = 'https://zoom.us/j/812'
  const { events, problems } = table(
    'title,start_date,Venue,Location,virtual_url',
    'A,2027-03-01,"Rathaus, Saal 2","Markt 1, Celle",',
    `B,2027-03-01,Rathaus,${link},`,
    `C,2027-03-01,Rathaus,${link},https://zoom.us/j/9`,
  )
  assert.deepEqual(
    events.map(({ content: { place, conference, otherPlaces } }) => [
      place?.name,
      place?.address,
      conference,
      otherPlaces,
    ]),
    [
      ['Rathaus, Saal 2', 'Markt 1, Celle', '', undefined],
      ['Rathaus', '', link, undefined],
      ['Rathaus', '', 'https://zoom.us/j/9', undefined],
    ],
  )
  assert.deepEqual(
    problems.map(({ line }) => line),
    [4],
  )
})

test('rows with one title and start are one event, or one for each venue, in any order and spelling', () => {
  const head = 'title,start_date,venue'
  const rows = [
    'Yoga,2027-03-01 10:00,Hall',
    'yoga ,2027-03-01 10:00, HALL',
    'Yoga,2027-03-01 10:00,Pier',
    'Run,2027-03-01 10:00,Pier',
  ]
  const uids = (all: readonly string[]): readonly string[] =>
    table(head, ...all).events.map(({ uid, content }) => `${uid} at ${content.location.toLowerCase()}`)
  const found = new Set(uids(rows))
  assert.deepEqual(new Set(uids(rows.toReversed())), found)
  assert.equal(new Set(table(head, ...rows).events.map(({ uid }) => uid)).size, 3)
  assert.equal(table(head, rows[0] ?? '').events[0]?.uid, table(head, rows[1] ?? '').events[0]?.uid)
})

test('links of programs for meetings are read where no column has any', () => {
  const meeting = 'https://zoom.us/j/812'
  const { events } = table(
    'title;start;location;url;description',
    `A;2027-03-01;Zoom;${meeting};`,
    `B;2027-03-01;Hall;;Join ${meeting}.`,
    'C;2027-03-01;Hall;https://there.example/c;',
  )
  assert.deepEqual(
    events.map(({ content }) => [content.location, content.conference]),
    [
      ['', meeting],
      ['Hall', meeting],
      ['Hall', ''],
    ],
  )
  const { events: own } = table('title;start;virtual_url;description', `A;2027-03-01;;Join ${meeting}`)
  assert.equal(own[0]?.content.conference, '')
})

test('a location that is only a program for meetings is none', () => {
  const read = table('title,start_date,Location', 'A,2027-03-01,Microsoft Teams Meeting', 'B,2027-03-01,Pier')
  assert.deepEqual(
    read.events.map(({ content: { location, isOnline = false } }) => [location, isOnline]),
    [
      ['', true],
      ['Pier', false],
    ],
  )
  assert.ok(read.fields.has('virtual_url'))
})

test('names and texts that are too long are cut, and names that are too many left out, with a note', () => {
  const tags = Array.from({ length: 52 }, (_none, index) => `t${index + 1}`)
  const read = table(
    'title,start_date,tags,organizer,venue,city,currency_symbol,cost',
    `A,2027-03-01,"${tags.join()}",${'O'.repeat(201)},${'V'.repeat(1001)},${'C'.repeat(1001)},${'S'.repeat(41)},5`,
  )
  const [{ content, columns } = {}] = read.events
  assert.deepEqual(
    [content?.tags.length, content?.organizers[0]?.name.length, content?.place?.city?.length, columns?.cost_symbol],
    [50, 200, 1000, 'S'.repeat(40)],
  )
  assert.deepEqual(
    notes(read)
      .map((one) => one.replace(/([A-Z])\1+…?$/, '$1'))
      .toSorted(),
    ['2 A: tooLong C', '2 A: tooLong O', '2 A: tooLong S', '2 A: tooLong V', '2 A: tooLong t51, t52'],
  )
})

test('an address beside the website is stored where there is none, or noted, unless it is the page of the event', () => {
  const read = table(
    'title,start_date,website,url,slug',
    'A,2027-03-01,https://a.example/,https://b.example/,',
    'B,2027-03-01,,https://b.example/,',
    'C,2027-03-01,,https://b.example/event/choir/,choir',
    'D,2027-03-01,https://a.example/,https://b.example/event/choir/,choir',
  )
  assert.deepEqual(
    read.events.map(({ content: { url } }) => url),
    ['https://a.example/', 'https://b.example/', '', 'https://a.example/'],
  )
  assert.deepEqual(notes(read), ['2 A: otherValue https://b.example/'])
})
