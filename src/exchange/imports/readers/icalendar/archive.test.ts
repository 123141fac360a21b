import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { openTestApp } from '../../../../../test/support/app.ts'
import { calendar, event, listed, send } from '../../../../../test/support/icalendar-import.ts'

test('the calendars of an archive are imported, whatever their names are', async (t) => {
  const app = await openTestApp(t)
  const one = calendar(...event('one', 'DTSTART:20270105T100000Z', 'SUMMARY:one'))
  const two = calendar(...event('two', 'DTSTART:20270106T100000Z', 'SUMMARY:two'))
  const zip = Buffer.from(zipSync({ '../../etc/one.ics': one, 'two\u0007.ics': two, 'notes.txt': new Uint8Array(5) }))
  assert.equal((await send(app, zip, { name: 'takeout.zip' })).created, 2)
})

test('a calendar or table that was compressed by itself is read, up to the usual size', async (t) => {
  const app = await openTestApp(t)
  const one = calendar(...event('one', 'DTSTART:20270105T100000Z', 'SUMMARY:one'))
  assert.equal((await send(app, gzipSync(one), { name: 'diary.ics.gz' })).created, 1)
  const table = Buffer.from('title,start_date,end_date\nTwo,2027-01-06 10:00,2027-01-06 11:00\n')
  assert.equal((await send(app, gzipSync(table), { name: 'Diary.CSV.GZ' })).created, 1)
  const refused = { code: 'calendar_not_readable' }
  await assert.rejects(send(app, gzipSync(Buffer.alloc(34_000_000)), { name: 'bomb.ics.gz' }), refused)
  await assert.rejects(send(app, gzipSync(one).subarray(0, 40), { name: 'cut.ics.gz' }), refused)
})

test('each calendar of an archive has its own zone, and its name is not taken for anything', async (t) => {
  const app = await openTestApp(t)
  const own = (name: string, zone: string, uid: string): Buffer =>
    calendar(
      `X-WR-CALNAME:${name}`,
      `X-WR-TIMEZONE:${zone}`,
      ...event(`${uid}-1`, 'DTSTART:20270105T100000', `SUMMARY:${uid} floating`),
      ...event(`${uid}-2`, 'DTSTART;VALUE=DATE:20270106', `SUMMARY:${uid} day`),
    )
  const zip = zipSync({
    'Takeout/Calendar/Family.ics': own('Family', 'Asia/Tokyo', 'family'),
    'Takeout/Calendar/Club.ics': own('Club', 'America/Denver', 'club'),
    'Takeout/Calendar/Rest.ics': calendar(...event('rest', 'DTSTART:20270107T100000', 'SUMMARY:rest')),
    'Takeout/archive_browser.html': Buffer.from('<title>Family</title>'),
  })
  const { counts, skipped } = await send(app, Buffer.from(zip), { name: 'takeout.zip' })
  assert.deepEqual([counts.event.created, counts.category.created, skipped], [5, 0, []])
  const found = (await listed(app)).map((one: Record<string, string>) => [
    one['title'],
    one['timezone'],
    one['utc_start_date'],
  ])
  assert.deepEqual(found.sort(), [
    ['club day', 'America/Denver', '2027-01-06 07:00:00'],
    ['club floating', 'America/Denver', '2027-01-05 17:00:00'],
    ['family day', 'Asia/Tokyo', '2027-01-05 15:00:00'],
    ['family floating', 'Asia/Tokyo', '2027-01-05 01:00:00'],
    ['rest', 'America/New_York', '2027-01-07 15:00:00'],
  ])
  assert.doesNotMatch(JSON.stringify(await listed(app)), /Family|Club/)
})

test('a calendar without events brings nothing and is no error, alone and in an archive', async (t) => {
  const app = await openTestApp(t)
  const empty = calendar('X-WR-CALNAME:Empty')
  for (const isDryRun of [true, false]) {
    const { counts, preview = [], ...report } = await send(app, empty, { isDryRun })
    assert.deepEqual(report, { created: 0, updated: 0, unchanged: 0, skipped: [], notes: [], undecided: [] })
    assert.deepEqual([counts.event.created, preview], [0, []])
  }
  const one = calendar(...event('one', 'DTSTART:20270105T100000Z', 'SUMMARY:one'))
  const zip = Buffer.from(zipSync({ 'empty.ics': empty, 'one.ics': one }))
  const { created, skipped } = await send(app, zip, { name: 'takeout.zip' })
  assert.deepEqual([created, skipped], [1, []])
})

test('a file of an archive that holds no calendar is told of, and the others come', async (t) => {
  const app = await openTestApp(t)
  const good = calendar(...event('good', 'DTSTART:20270103T100000Z', 'SUMMARY:Good'))
  const zip = Buffer.from(zipSync({ 'bad.ics': Buffer.from('nothing'), 'good.ics': good }))
  const { created, skipped } = await send(app, zip, { name: 'takeout.zip' })
  assert.deepEqual(
    [created, skipped],
    [1, [{ what: 'takeout.zip: bad.ics: line 1', why: 'import.problem.notCalendarStart?start=nothing' }]],
  )
})
