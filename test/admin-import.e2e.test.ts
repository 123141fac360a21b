import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { addUser } from '../src/accounts/users/index.ts'
import { takeNumbers } from '../src/storage/numbers.ts'
import { visitor, visitorNamed } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { choose, plain, report } from './support/file-imports.ts'
import { testFolder } from './support/test-storage.ts'

const TABLE = [
  'Event Name,Event Start Date,Event Start Time,Event Venue Name',
  'Regatta,2027-01-05,10:00,Pier',
  'Broken,some day,,',
  'Race,2027-01-06,11:00,Pier',
  ',2027-01-07,12:00,Pier',
].join('\r\n')

async function open(t: Parameters<typeof openTestApp>[0]) {
  const data = testFolder(t)
  const site = await openTestApp(t, { data })
  return { site, data, ada: await visitor(site, 'administrator') }
}

async function titles(site: TestApp): Promise<string[]> {
  const { body } = await site.call('administrator', 'GET', '/events?start_date=2027-01-01&status=any')
  return body.events.map(({ title, status }: { title: string; status: string }) => `${title} ${status}`)
}

test('a table is looked at first, with what is wrong in which line, and then stored, without scripts', async (t) => {
  const { site, data, ada } = await open(t)
  const file = new File([TABLE], 'C:\\files\\june.csv', { type: 'text/csv' })
  assert.equal((await choose(site, ada, { file, status: 'pending', categories: 'Water, Sport' })).to, '/admin/import')
  const preview = await report(ada)
  const shown = plain(preview)
  assert.match(shown, /Preview of june\.csv This is a preview. Nothing has been imported yet./)
  assert.match(
    shown,
    /Skipped 2 .*Line Title Reason Line: 3 Broken has a start that cannot be read: some day Line: 5 has no title/,
  )
  assert.match(
    plain((await ada.show('/de/admin/import')).text),
    /3 Broken hat einen Beginn, der nicht lesbar ist: some day/,
  )
  assert.deepEqual(await titles(site), [], 'nothing is stored before')
  assert.equal((await ada.send('/admin/import', preview, { action: 'import' })).to, '/admin/import')
  assert.match(plain(await report(ada)), /Imported june\.csv New 2 Changed 0 Unchanged 0 Skipped 2/)
  assert.deepEqual(await titles(site), ['Regatta pending', 'Race pending'])
  assert.deepEqual(await readdir(join(data, 'imports')), [], 'the file is kept no longer')
  const again = await ada.send('/admin/import', preview, { action: 'import' })
  assert.match(plain(again.text), /The file is no longer available\. Choose it again\./)
  assert.equal((await titles(site)).length, 2)
})

test('of an archive each line is named with its file', async (t) => {
  const { site, ada } = await open(t)
  const table = (title: string) => strToU8(`Event Name,Event Start Date\n${title},2027-01-05\n,2027-01-06\n`)
  const bytes = Buffer.from(zipSync({ 'june.csv': table('Regatta'), 'july.csv': table('Race') }))
  await choose(site, ada, { file: new File([bytes], 'summer.zip') })
  const shown = plain(await report(ada))
  assert.match(shown, /New 2 /)
  for (const name of ['june', 'july']) assert.match(shown, new RegExp(`Line: ${name}\\.csv: 3 has no title`))
})

test('a file that cannot be read, an empty one and none at all are refused in words', async (t) => {
  const { site, ada } = await open(t)
  assert.equal((await choose(site, ada, { file: new File(['nonsense'], 'notes.ics') })).to, '/admin/import')
  assert.match(plain(await report(ada)), /notes\.ics can’t be imported: it /)
  const empty = await choose(site, ada, { file: new File([], 'empty.csv') })
  assert.deepEqual([empty.status, /Fill in this field/.test(empty.text)], [400, true])
  assert.equal((await ada.submit('/admin/import', {})).status, 400)
  assert.equal((await ada.submit('/admin/import', { action: 'import', id: '../../kalends.db' })).status, 400)
})

test('a calendar is imported once however often it is chosen', async (t) => {
  const { site, ada } = await open(t)
  const lines = ['BEGIN:VEVENT', 'UID:1', 'DTSTART:20270105T100000Z', 'SUMMARY:Regatta', 'END:VEVENT']
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
  for (const expected of [/Imported diary\.ics New 1 /, undefined]) {
    await choose(site, ada, { file: new File([text], 'diary.ics'), status: 'publish' })
    const preview = await report(ada)
    if (expected === undefined) {
      assert.match(plain(preview), /Preview of diary\.ics .* New 0 Changed 0 Unchanged 1/)
      assert.doesNotMatch(preview, /Start import/)
      continue
    }
    await ada.send('/admin/import', preview, { action: 'import' })
    assert.match(plain(await report(ada)), expected)
  }
  assert.deepEqual(await titles(site), ['Regatta publish'])
})

test('one file is imported at a time, and one whose process died is said to be broken off', async (t) => {
  const { site, ada } = await open(t)
  const { storage } = site.app
  const about = JSON.stringify({ file: 'old.csv', token: 'a', status: 'draft', categories: [], isPreview: false })
  const row = {
    ...{ id: 1, kind: 'file-import', lane: 'file-import', state: 'running', by_id: 1, by_name: 'administrator', about },
    ...{ done: 40, total: 400, started_at: '2026-11-20 17:59:00', seen_at: '2026-11-20 17:59:30', ended_at: null },
    ...{ is_stopping: 0, follows: 0, outcome: null, problem: null },
  }
  await storage.write(async (tx) => {
    await takeNumbers(tx, 'long_work')
    await tx.run(tx.db.insertInto('long_work').values(row))
  })
  site.clock.now = Date.parse('2026-11-20T18:00:00Z')
  assert.match(plain((await ada.show('/admin/import')).text), /40 of 400 · About 9 minutes left/)
  const refused = await choose(site, ada, { file: new File([TABLE], 'june.csv') })
  assert.match(plain(refused.text), /Another file is being imported/)
  site.clock.now += 120_000
  assert.match(plain((await ada.show('/admin/import')).text), /The import of old\.csv was interrupted/)
  assert.equal((await choose(site, ada, { file: new File([TABLE], 'june.csv') })).to, '/admin/import')
  assert.match(plain(await report(ada)), /Preview of june\.csv/)
})

test('a calendar without events and one with broken ones only offer nothing to import, and say why', async (t) => {
  const { site, ada } = await open(t)
  const calendar = (...lines: readonly string[]): File =>
    new File([['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')], 'diary.ics')
  await choose(site, ada, { file: calendar('X-WR-CALNAME:Nothing yet') })
  const empty = await report(ada)
  assert.match(plain(empty), /Preview of diary\.ics .* New 0 Changed 0 Unchanged 0 Skipped 0 /)
  assert.doesNotMatch(empty, /Start import|<h3>/)
  const broken = [
    ...['BEGIN:VEVENT', 'UID:1', 'SUMMARY:Startless', 'END:VEVENT'],
    ...['BEGIN:VEVENT', 'UID:2', 'DTSTART:20270231T100000Z', 'SUMMARY:Never', 'END:VEVENT'],
  ]
  await choose(site, ada, { file: calendar(...broken) })
  const left = await report(ada)
  assert.match(plain(left), /New 0 Changed 0 Unchanged 0 Skipped 2 .*Line: 3 has no start date Line: 7 has a start /)
  assert.doesNotMatch(left, /Start import/)
  assert.deepEqual(await titles(site), [])
})

test('of two administrators each stores only what is still there as that one has seen it, and it is stored once', async (t) => {
  const { site, data, ada } = await open(t)
  const { id } = await addUser(site.app, { name: 'bea', email: 'bea@example.org', role: 'administrator' })
  const bea = await visitorNamed(site, 'bea')
  const file = (name: string, title: string): File =>
    new File([`Event Name,Event Start Date\n${title},2027-01-05\n`], name)
  await choose(site, ada, { file: file('june.csv', 'Regatta'), status: 'publish' })
  const june = await report(ada)
  await choose(site, bea, { file: file('july.csv', 'Race'), status: 'publish' })
  const july = await report(bea)
  assert.match(plain(july), /Preview of july\.csv/)
  const refused = await ada.send('/admin/import', june, { action: 'import' })
  assert.match(plain(refused.text), /The file is no longer available\. Choose it again\. .*Preview of july\.csv/)
  assert.deepEqual(await titles(site), [])
  const same = (await ada.show('/admin/import')).text
  const both = await Promise.all([
    ada.send('/admin/import', same, { action: 'import' }),
    bea.send('/admin/import', july, { action: 'import' }),
  ])
  assert.equal(both.filter(({ to }) => to === '/admin/import').length, 1)
  assert.match(
    both.map(({ text }) => plain(text)).join(),
    /The file is no longer available\. Choose it again\.|Another file is being imported\./,
  )
  assert.match(plain(await report(ada)), /Imported july\.csv New 1 Changed 0 Unchanged 0 Skipped 0/)
  assert.deepEqual(await titles(site), ['Race publish'])
  const { body } = await site.call('administrator', 'GET', '/events?start_date=2027-01-01')
  assert.equal(body.events[0].author, String(id), 'whoever chose the file has the events')
  assert.deepEqual(await readdir(join(data, 'imports')), [])
})

test('only administrators import', async (t) => {
  const { site, ada } = await open(t)
  assert.match((await ada.show('/admin/events')).text, /href="\/admin\/import">Import</)
  const eve = await visitor(site, 'editor')
  assert.doesNotMatch((await eve.show('/admin/events')).text, /admin\/import/)
  assert.equal((await eve.show('/admin/import')).status, 403)
  assert.equal((await choose(site, eve, { file: new File([TABLE], 'june.csv') })).status, 403)
})

test('people say what the columns of a table are, and look again', async (t) => {
  const { site, ada } = await open(t)
  const table = 'Was,Wann,"<b>Wo</b>"\nRegatta,2027-01-05,Pier\nRace,2027-01-06,Pier\n'
  await choose(site, ada, { file: new File([table], 'june.csv'), status: 'publish' })
  const refused = await report(ada)
  assert.match(plain(refused), /Preview of june\.csv Choose a column for the title\. Choose a column for the start\. /)
  assert.doesNotMatch(plain(refused), /can’t be imported/)
  assert.match(plain((await ada.show('/de/admin/import')).text), /Wählen Sie eine Spalte für den Titel\./)
  assert.doesNotMatch(refused, /<b>Wo/)
  assert.match(plain(refused), /&lt;b&gt;Wo&lt;\/b&gt; Pier Don’t import/)
  const said = { action: 'columns', 'column-0': 'title', 'column-1': 'start_date', 'column-2': 'constructor' }
  assert.equal((await ada.send('/admin/import', refused, said)).to, '/admin/import')
  const preview = await report(ada)
  assert.match(plain(preview), /Preview of june\.csv .* New 2 /)
  assert.match(preview, /<option value="title" selected>/)
  assert.deepEqual(await titles(site), [])
  await ada.send('/admin/import', preview, { action: 'import' })
  assert.match(plain(await report(ada)), /Imported june\.csv New 2 /)
  assert.deepEqual(await titles(site), ['Regatta publish', 'Race publish'])
  const gone = await ada.send('/admin/import', preview, said)
  assert.match(plain(gone.text), /The file is no longer available\. Choose it again\./)
})

test('of a table of venues the venues are counted', async (t) => {
  const { site, ada } = await open(t)
  const table = 'Venue Name,Venue Address\nPier,Quay 1\n,Quay 2\n'
  await choose(site, ada, { file: new File([table], 'venues.csv') })
  const preview = await report(ada)
  assert.match(plain(preview), /New 1 Changed 0 Unchanged 0 Skipped 1 .*Line: 3 has no name/)
  await ada.send('/admin/import', preview, { action: 'import' })
  assert.match(plain(await report(ada)), /Imported venues\.csv New 1 /)
  const { body } = await site.call('administrator', 'GET', '/venues')
  assert.deepEqual(
    body.venues.map((one: { venue: string; address: string }) => [one.venue, one.address]),
    [['Pier', 'Quay 1']],
  )
})

test('the preview says how doubtful dates were read, and people say it otherwise', async (t) => {
  const { site, ada } = await open(t)
  const table = 'title,start_date\nRegatta,03/04/2027\nRace,04/04/2027\n'
  await choose(site, ada, { file: new File([table], 'june.csv'), status: 'publish' })
  const preview = await report(ada)
  const doubt = /1 date, such as 03\/04\/2027, could start with the day or the month\. /
  assert.match(plain(preview), new RegExp(`${doubt.source}It was read as month first\\.`))
  assert.match(
    plain((await ada.show('/de/admin/import')).text),
    /1 Datumsangabe wie 03\/04\/2027 .*Der Monat wurde zuerst genommen\./,
  )
  const columns = { 'column-0': 'title', 'column-1': 'start_date' }
  await ada.send('/admin/import', preview, { action: 'columns', ...columns, dates: 'day-first' })
  const second = await report(ada)
  assert.doesNotMatch(plain(second), doubt)
  assert.match(second, /<option value="day-first" selected>/)
  await ada.send('/admin/import', second, { action: 'import' })
  assert.match(plain(await report(ada)), /Imported june\.csv New 2 /)
  const { body } = await site.call('administrator', 'GET', '/events?start_date=2027-01-01')
  assert.deepEqual(
    body.events.map((one: { start_date: string }) => one.start_date),
    ['2027-04-03 00:00:00', '2027-04-04 00:00:00'],
  )
})

test('the preview shows the first events as pages write them, and every note with row, title and value', async (t) => {
  const { site, ada } = await open(t)
  const rows = Array.from(
    { length: 12 },
    (_, day) => `Walk ${day},2027-01-${10 + day} 10:00,2027-01-${10 + day} 12:00,Pier,,`,
  )
  const first = 'Ball,2027-01-02 22:00,2027-01-01 02:00,"Hall, east",abgesagt,private'
  const table = ['title,start_date,end_date,Location,event_status,Visibility', first, ...rows].join('\n')
  await choose(site, ada, { file: new File([table], 'june.csv'), status: 'publish' })
  const page = await report(ada)
  const shown = plain(page)
  assert.match(
    shown,
    /New 13 .*First events Title When Venue Ball Private Canceled Saturday, 2 January 2027, 22:00 EST Hall, east /,
  )
  assert.match(shown, /Walk 8 Monday, 18 January 2027, 10:00 – 12:00 EST Pier/)
  assert.doesNotMatch(shown, /Walk 9/)
  assert.match(shown, /Line: 2 Ball ends before it starts, so it was imported without an end: 2027-01-01 02:00/)
  const german = plain((await ada.show('/de/admin/import')).text)
  assert.match(german, /Ball .*Samstag, 2\. Januar 2027, 22:00 EST/)
  await ada.send('/admin/import', page, { action: 'import' })
  assert.doesNotMatch(plain(await report(ada)), /First events/)
})
