import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts'
import { readCsv } from './read-csv.ts'

const HEAD =
  'Event Name,Event Description,Event Start Date,Event Start Time,Event End Date,Event End Time,All Day Event,Event Venue Name,Event Organizer Name,Event Category,Event Tags,Event Cost,Event Currency Symbol,Event Website,Feature Event'

function send(app: TestApp, content: Buffer | string, more: Record<string, unknown> = {}) {
  assert.ok(app.app.importCalendars)
  const files = [{ name: 'events.csv', bytes: Buffer.from(content) }]
  return app.app.importCalendars({ files, ...more }, () => undefined)
}

async function listed(app: TestApp) {
  const query = { start_date: '2027-01-01', end_date: '2029-01-01', per_page: 50 }
  return (await app.call('administrator', 'GET', '/events', { query })).body.events
}

test('the columns of the importer of The Events Calendar are understood', async (t) => {
  const app = await openTestApp(t)
  const file = [
    HEAD,
    '"Regatta, day 2","<p>Bring a <b>dry bag</b></p>",2027-04-17,9:30 AM,2027-04-17,15:00,FALSE,Boathouse,Lower Bay Rowers,"Sports, Water","fun, outdoor",12.50,€,https://regatta.example/,TRUE',
    'Fair,,05/02/2027,,05/03/2027,,TRUE,,,,,,,,',
  ].join('\r\n')
  const report = await send(app, file)
  assert.deepEqual([report.created, report.skipped], [8, []])
  const [regatta, fair] = await listed(app)
  assert.deepEqual(
    [regatta.title, regatta.description, regatta.start_date, regatta.end_date],
    ['Regatta, day 2', '<p>Bring a <b>dry bag</b></p>', '2027-04-17 09:30:00', '2027-04-17 15:00:00'],
  )
  assert.deepEqual([regatta.venue.venue, regatta.organizer[0].organizer], ['Boathouse', 'Lower Bay Rowers'])
  assert.deepEqual([regatta.cost, regatta.website, regatta.featured], ['€12.50', 'https://regatta.example/', true])
  assert.deepEqual([regatta.categories.length, regatta.tags.length], [2, 2])
  assert.deepEqual([fair.start_date, fair.end_date, fair.all_day], ['2027-05-02 00:00:00', '2027-05-03 23:59:59', true])
  const again = await send(app, file)
  assert.deepEqual([again.created, again.updated, again.unchanged], [0, 0, 2])
})

test('delimiter and encoding are found', async (t) => {
  const app = await openTestApp(t)
  const rows = (day: string) =>
    `title;start_date;end_date;venue\nFrühling ${day};2027-03-${day} 10:00;2027-03-${day} 11:00;Café\n`
  await send(app, Buffer.from(rows('01'), 'latin1'))
  await send(app, `\uFEFF${rows('02')}`)
  await send(app, Buffer.from(`\uFEFF${rows('03')}`, 'utf16le'))
  await send(app, Buffer.from(rows('04').replaceAll(';', '\t'), 'utf16le').swap16())
  const found = (await listed(app)).map((one: { title: string; venue: { venue: string } }) => [
    one.title,
    one.venue.venue,
  ])
  assert.deepEqual(
    found,
    ['01', '02', '03', '04'].map((day) => [`Frühling ${day}`, 'Café']),
  )
})

test('what programs for tables do to a file does not matter', async (t) => {
  const app = await openTestApp(t)
  const whole = Buffer.from('title,start_date\n"A, b",2027-03-01\nFrühling,2027-03-02 é')
  const files: Readonly<Record<string, Buffer | string>> = {
    'a first line with the delimiter': '\uFEFFsep=;\r\ntitle;start_date\r\nA, b;2027-03-01\r\n',
    'line ends of old': 'title,start_date\r"A, b",2027-03-01\r',
    'lines in cells': 'title,description,start_date\r\n"A, b","One\r\n\r\n""two""",2027-03-01\r\n',
    'a column that is there twice': 'title,start_date,Title\n"A, b",2027-03-01,\n',
    'a last letter that was cut off': whole.subarray(0, -1),
  }
  for (const [name, file] of Object.entries(files)) {
    const { skipped } = await send(app, file)
    const [first] = await listed(app)
    assert.equal(first?.title, 'A, b', `${name} ${JSON.stringify(skipped)}`)
    if (file === files['a last letter that was cut off']) assert.match(JSON.stringify(await listed(app)), /Frühling/)
    for (const { id } of await listed(app)) await app.call('administrator', 'DELETE', `/events/${id}?force=true`)
  }
})

test('tables of many rows are read', () => {
  const table = Buffer.from(`title,start_date\n${'Walk,2027-03-01\n'.repeat(60_000)}`)
  assert.equal(readCsv('a.csv', table, { zone: 'UTC', columns: [] }).events.length, 60_000)
})

test('rows that cannot be read are told with their lines, in a dry run too, and the others come', async (t) => {
  const app = await openTestApp(t)
  const file = [
    'title,start_date,end_date,timezone,cost',
    "'=Good,2027-03-01 10:00,2027-03-01 11:00,Europe/Berlin,free",
    ',2027-03-01,,,',
    '"Two\nlines",soon,,,',
    'Backwards,2027-03-02,2027-03-01,,',
    'Mars,2027-03-02,2027-03-02,Mars/Olympus,',
  ].join('\n')
  const dry = await send(app, file, { isDryRun: true })
  assert.deepEqual(
    dry.skipped.map(({ what, why }) => `${what} ${why}`),
    ['events.csv: line 3 import.problem.noTitle', 'events.csv: line 5 import.problem.unreadStart?value=soon'],
  )
  assert.deepEqual(dry.notes, [
    {
      what: 'events.csv: line 6',
      why: 'import.note.noEnd?value=2027-03-01',
      title: 'Backwards',
    },
    {
      what: 'events.csv: line 7',
      why: 'import.note.unknownZone?zone=Mars%2FOlympus&used=America%2FNew_York',
      title: 'Mars',
    },
  ])
  assert.deepEqual(await listed(app), [])
  const report = await send(app, file)
  assert.deepEqual([report.created, report.skipped, report.notes], [dry.created, dry.skipped, dry.notes])
  const [good] = await listed(app)
  assert.deepEqual([good.title, good.timezone, good.cost], ['=Good', 'Europe/Berlin', 'free'])
})

test('what is no table is refused whole', async (t) => {
  const app = await openTestApp(t)
  const bomb = `title,start\n"${'x'.repeat(1_100_000)}"`
  const others = ['title\nNo start', 'start\n2027-01-01', 'sep=;\n', 'foo,bar\n1,2', 'a,'.repeat(600), '\u0001\u0002']
  for (const text of ['', '"title', bomb, ...others])
    await assert.rejects(send(app, text), { code: 'calendar_not_readable' }, text.slice(0, 9))
})

async function all(app: TestApp, kind: 'venues' | 'organizers') {
  return (await app.call('administrator', 'GET', `/${kind}`, { query: { per_page: 50 } })).body[kind]
}

test('all organizers of a row come, each with the mail address at its place, and names in quotes may have commas', async (t) => {
  const app = await openTestApp(t)
  const names = '"Rowers, ""Bay""; Club", Mermaids, "unclosed'
  const cell = `"${names.replaceAll('"', '""')}"`
  await send(
    app,
    `title,start_date,organizer,organizer_email,categories\nRegatta,2027-03-01,${cell},"a@x.example,,c@x.example","""Arts, Crafts"",Music"\n`,
  )
  const [event] = await listed(app)
  assert.deepEqual(
    event.organizer.map((one: { organizer: string; email?: string }) => [one.organizer, one.email ?? '']),
    [
      ['Rowers, "Bay"; Club', 'a@x.example'],
      ['Mermaids', ''],
      ['"unclosed', 'c@x.example'],
    ],
  )
  assert.deepEqual(event.categories.map((one: { name: string }) => one.name).toSorted(), ['Arts, Crafts', 'Music'])
})

const VENUES_TABLE = [
  'Venue Name,Venue Country,Venue Address,Venue City,Venue State/Province,Venue Zip,Venue Phone,Venue Website,Venue Show Map,Venue Description',
  'Boathouse,Germany,Quay 1,Oldport,Lower Saxony,12345,+49 1,https://boat.example/,FALSE,<p>By the <b>water</b></p>',
  'boathouse,Germany,Hill 9,Newport,,,,,,',
  ',Germany,,,,,,,,',
].join('\r\n')

test('a table of venues is known by its headings: what is here gets what it lacks, and nothing is made twice', async (t) => {
  const app = await openTestApp(t)
  await send(app, 'title,start_date,venue\nRegatta,2027-03-01,Boathouse\n')
  const [before] = await all(app, 'venues')
  await app.call('administrator', 'POST', `/venues/${before.id}`, { json: { phone: '+49 7' } })
  const dry = await send(app, VENUES_TABLE, { isDryRun: true })
  const report = await send(app, VENUES_TABLE)
  assert.deepEqual([report.counts.venue, report.counts.event.created], [{ created: 1, updated: 1, unchanged: 0 }, 0])
  assert.deepEqual(report.skipped, [{ what: 'events.csv: line 4', why: 'import.problem.hasNoName' }])
  assert.deepEqual([dry.counts, dry.skipped], [report.counts, report.skipped])
  const venues = await all(app, 'venues')
  const first = venues.find(({ id }: { id: number }) => id === before.id)
  const { venue, address, city, country, zip, phone, website, description } = first
  assert.deepEqual([venue, address, city, country, zip], ['Boathouse', 'Quay 1', 'Oldport', 'Germany', '12345'])
  assert.deepEqual([phone, website], ['+49 7', 'https://boat.example/'], 'what was said here stays')
  assert.match(description, /<b>water<\/b>/)
  assert.deepEqual(venues.map((one: { city: string }) => one.city).toSorted(), ['Newport', 'Oldport'])
  const again = await send(app, VENUES_TABLE)
  assert.deepEqual(again.counts.venue, { created: 0, updated: 0, unchanged: 2 })
})

test('events find the venue of a table by name and address', async (t) => {
  const app = await openTestApp(t)
  await send(app, VENUES_TABLE)
  await send(
    app,
    'title,start_date,venue,city\nRegatta,2027-03-01,Boathouse,Newport\nRace,2027-03-02,Boathouse,Oldport\n',
  )
  const found = (await listed(app)).map((one: { title: string; venue: { city: string } }) => [
    one.title,
    one.venue.city,
  ])
  assert.deepEqual(found, [
    ['Regatta', 'Newport'],
    ['Race', 'Oldport'],
  ])
  assert.equal((await all(app, 'venues')).length, 2)
})

test('a table of organizers is known by its headings', async (t) => {
  const app = await openTestApp(t)
  await send(app, 'title,start_date,organizer\nRegatta,2027-03-01,Rowers\n')
  const table = [
    'Organizer Name;Organizer Description;Organizer Email;Organizer Website;Organizer Phone',
    'Rowers;They row;rowers@bay.example;https://rowers.example/;+1',
    'Mermaids;;nonsense;javascript:alert(1);',
  ].join('\n')
  const report = await send(app, table)
  assert.deepEqual(report.counts.organizer, { created: 1, updated: 1, unchanged: 0 })
  const people = await all(app, 'organizers')
  const said = people.map((one: Record<string, string>) => [one['organizer'], one['email'] ?? '', one['website'] ?? ''])
  assert.deepEqual(said.toSorted(), [
    ['Mermaids', '', ''],
    ['Rowers', 'rowers@bay.example', 'https://rowers.example/'],
  ])
  assert.deepEqual((await send(app, table)).counts.organizer, { created: 0, updated: 0, unchanged: 2 })
})

test('organizers with one mail address are several, in tables of them and of events', async (t) => {
  const app = await openTestApp(t)
  const table = 'Organizer Name,Organizer Email\nRowers,info@bay.example\nMermaids,info@bay.example\n'
  for (const created of [2, 0]) assert.equal((await send(app, table)).counts.organizer.created, created)
  const events = [
    'title,start_date,organizer,organizer_email',
    'Regatta,2027-03-01,"Rowers, Mermaids","info@bay.example,info@bay.example"',
    'Dive,2027-03-02,Sharks,info@bay.example',
    'Swim,2027-03-03,Seals,info@bay.example',
  ].join('\n')
  for (const created of [2, 0]) assert.equal((await send(app, events)).counts.organizer.created, created)
  const found = (await listed(app)).map((one: { organizer: { organizer: string; email: string }[] }) =>
    one.organizer.map(({ organizer, email }) => `${organizer} ${email}`),
  )
  assert.deepEqual(found, [
    ['Rowers info@bay.example', 'Mermaids info@bay.example'],
    ['Sharks info@bay.example'],
    ['Seals info@bay.example'],
  ])
})

test('texts that were kept from being formulas are again what they were', async (t) => {
  const app = await openTestApp(t)
  const titles = ['=1', '+1', '-1', '@1', '＝1', '＋1', '－1', '＠1']
  await send(app, `title,start_date\n${titles.map((title, day) => `'${title},2027-03-0${day + 1}\n`).join('')}`)
  assert.deepEqual(
    (await listed(app)).map(({ title }: { title: string }) => title),
    titles,
  )
})

test('what was said of a column counts more than its heading, and a column may be left out', async (t) => {
  const app = await openTestApp(t)
  const table = 'Was,Wann,name,venue,cost\nRegatta,2027-03-01,Intern,Pier,5\n'
  await assert.rejects(send(app, table), { code: 'calendar_not_readable' })
  const columns = [
    ['was', 'title'],
    ['Wann', 'start_date'],
    ['name', 'none'],
    ['Venue', 'none'],
    ['Constructor', 'none'],
  ]
  await send(app, table, { columns })
  const [event] = await listed(app)
  assert.deepEqual(
    [event.title, event.start_date, event.venue, event.cost],
    ['Regatta', '2027-03-01 00:00:00', [], '$5'],
  )
  await assert.rejects(send(app, table, { columns: [['Was', 'constructor']] }), { code: 'wrong_usage' })
  const places = 'name,address\nPier,Quay 1\n'
  await send(app, places, { columns: [['name', 'venue']] })
  assert.deepEqual(
    (await all(app, 'venues')).map((one: { venue: string }) => one.venue),
    ['Pier'],
  )
})

test('further columns of a table of venues or organizers do not matter', async (t) => {
  const app = await openTestApp(t)
  const venues = await send(app, 'Venue Name,Venue City,Capacity,Parking\nPier,Oldport,200,yes\n')
  assert.deepEqual(venues.counts.venue, { created: 1, updated: 0, unchanged: 0 })
  const people = await send(app, 'Nr;Organizer Name;Since;Status\n1;Rowers;1921;publish\n')
  assert.deepEqual(people.counts.organizer, { created: 1, updated: 0, unchanged: 0 })
  const [venue] = await all(app, 'venues')
  assert.deepEqual([venue.venue, venue.city], ['Pier', 'Oldport'])
  await assert.rejects(send(app, 'Event Name,Wann,Venue Name\nRegatta,2027-03-01,Pier\n'), {
    code: 'calendar_not_readable',
    slots: { file: 'events.csv', reason: 'import.problem.noStartColumn' },
  })
})

test('several venues in a cell of the column venue are several, and in columns of other programs one', async (t) => {
  const app = await openTestApp(t)
  const rows = ['Regatta,2027-03-01,"Pier, ""Hall, east"", Boathouse",Quay 1', 'Race,2027-03-02,Boathouse,Quay 9']
  await send(app, ['title,start_date,venue,address', ...rows].join('\n'))
  await send(app, 'Subject,Start,Location\nFair,2027-03-03,"Town hall, Oldport"\n')
  type Place = Readonly<Record<string, string>>
  const places = (await listed(app)).map(({ venue }: { venue: Place | readonly Place[] }) =>
    [venue].flat().map((one) => [one['venue'], one['address'] ?? '']),
  )
  assert.deepEqual(places, [
    [
      ['Pier', 'Quay 1'],
      ['Hall, east', ''],
      ['Boathouse', 'Quay 9'],
    ],
    [['Boathouse', 'Quay 9']],
    [['Town hall, Oldport', '']],
  ])
})
