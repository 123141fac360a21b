import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'
import { fileOf, fixture, importFiles, type Json } from '../../../../../test/support/json-import.ts'
import { headSeq } from '../../../../storage/journal/read.ts'

const GOOD = fixture('harbour-events.json')
const EVENT = fixture('harbour-event.json')

/** The list of the fixture with a change in its second event, which is `events[1]`. */
function broken(change: (event: Json) => void): Json {
  const list = JSON.parse(GOOD.text)
  change(list.events[1])
  return list
}

const CASES: readonly (readonly [string, Json, RegExp])[] = [
  ['an event without id', broken((one) => delete one.id), /made\.json: events\[1\]\.id is missing/],
  ['an id that is none', broken((one) => (one.id = 'x1')), /events\[1\]\.id is not an id/],
  ['an event without title member', broken((one) => delete one.title), /events\[1\]\.title is missing/],
  ['a title that is no text', broken((one) => (one.title = ['x'])), /events\[1\]\.title is not a text/],
  ['an event without start', broken((one) => delete one.start_date), /events\[1\]\.start_date is missing/],
  [
    'an impossible start',
    broken((one) => (one.start_date = '2022-02-30 10:00:00')),
    /events\[1\]\.start_date is not a date/,
  ],
  ['a relative start', broken((one) => (one.start_date = 'tomorrow')), /events\[1\]\.start_date is not a date/],
  ['zeros for the end', broken((one) => (one.end_date = '0000-00-00 00:00:00')), /events\[1\]\.end_date is not a date/],
  ['a date of a wrong type', broken((one) => (one.utc_start_date = {})), /events\[1\]\.utc_start_date is not a text/],
  ['a zone that is none', broken((one) => (one.timezone = 'Mars/Olympus')), /events\[1\]\.timezone is not a time zone/],
  ['a flag that is none', broken((one) => (one.all_day = 'maybe')), /events\[1\]\.all_day is neither true nor false/],
  ['a cost that is none', broken((one) => (one.cost = { a: 1 })), /events\[1\]\.cost is not a cost/],
  ['a picture that is none', broken((one) => (one.image = 5)), /events\[1\]\.image is neither false nor an object/],
  ['categories that are no list', broken((one) => (one.categories = 'Music')), /events\[1\]\.categories is not a list/],
  ['a tag that is no object', broken((one) => (one.tags = ['Free'])), /events\[1\]\.tags\[0\] is not an object/],
  ['a venue that is no object', broken((one) => (one.venue = [7])), /events\[1\]\.venue\[0\] is not an object/],
  [
    'an organizer with a wrong type',
    broken((one) => (one.organizer[0].phone = [])),
    /organizer\[0\]\.phone is not a text/,
  ],
  ['an event that is no object', { events: [null] }, /made\.json: events\[0\] is not an object/],
  ['events that are no list', { events: {} }, /made\.json: events is not a list/],
  ['another answer', { code: 'rest_no_route', message: 'No', data: {} }, /made\.json is no event, venue/],
  ['a text', 'hello', /made\.json is no recorded answer/],
  ['null', null, /made\.json is no recorded answer/],
  ['an array with a number', [1], /made\.json: \[0\] is not an object/],
  [
    'an event of no site',
    { id: 1, title: 'x', start_date: '2022-01-01', end_date: '2022-01-01' },
    /made\.json: global_id is missing/,
  ],
]

test('a broken file imports nothing of any file and names the place', async (t) => {
  const app = await openTestApp(t)
  const before = await headSeq(app.app.storage)
  for (const [name, value, message] of CASES) {
    const rejected = importFiles(app, [GOOD, fileOf(value), EVENT])
    await assert.rejects(rejected, { code: 'recorded_not_usable', message }, name)
  }
  assert.equal(await headSeq(app.app.storage), before)
})

test('a file that is not JSON imports nothing of any file and is named', async (t) => {
  const app = await openTestApp(t)
  const before = await headSeq(app.app.storage)
  for (const text of ['', '{"events": [', '<html></html>', GOOD.text.slice(0, -20)]) {
    const rejected = importFiles(app, [GOOD, { name: 'cut.json', text }])
    await assert.rejects(
      rejected,
      { code: 'recorded_not_json', message: /cut\.json is not valid JSON/ },
      text.slice(0, 20),
    )
  }
  assert.equal(await headSeq(app.app.storage), before)
})

test('a byte order mark, numbers as text, nulls and lists with gaps are understood', async (t) => {
  const app = await openTestApp(t)
  const event = JSON.parse(EVENT.text)
  const odd = {
    ...event,
    ...{ id: '5001', all_day: '0', featured: 1, sticky: null, excerpt: null, cost: null, website: null, image: null },
    tags: { 1: event.tags[0] },
    organizer: event.organizer[0],
    venue: {},
  }
  const report = await importFiles(app, [{ name: 'odd.json', text: `\uFEFF${JSON.stringify(odd)}` }])
  assert.deepEqual(report.skipped, [])
  const { body } = await app.call('anonymous', 'GET', '/events/5001')
  assert.deepEqual([body.featured, body.sticky, body.excerpt, body.cost, body.venue], [true, false, '', '', []])
  assert.deepEqual([body.tags.length, body.organizer.length], [1, 1])
})

test('an event whose content a password hid is left out, so that it empties nothing', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [EVENT])
  const hidden = { ...JSON.parse(EVENT.text), all_day: null, description: '', cost: '' }
  const { updated, skipped } = await importFiles(app, [fileOf({ events: [hidden] })])
  assert.deepEqual([updated, skipped], [0, [{ what: 'made.json: events[0]', why: 'a password hid its content' }]])
})

test('a new event that has a password there is left out, and a known one keeps the password that it has here', async (t) => {
  const app = await openTestApp(t)
  const recorded = JSON.parse(EVENT.text)
  const file = fileOf({ events: [{ ...recorded, title: 'Told', has_password: true }] })
  const why = 'a password protects it there, which the file does not have'
  const first = await importFiles(app, [file])
  assert.deepEqual([first.counts.event.created, first.skipped], [0, [{ what: 'made.json: events[0]', why }]])
  await importFiles(app, [EVENT])
  const path = `/events/${recorded.id}`
  await app.call('administrator', 'POST', path, { json: { password: 'plum' } })
  const { counts, skipped } = await importFiles(app, [file])
  assert.deepEqual([counts.event.updated, skipped], [1, []])
  assert.equal((await app.call('anonymous', 'GET', path)).body.code, 'event-password-protected')
  const { body } = await app.call('anonymous', 'GET', path, { query: { password: 'plum' } })
  assert.deepEqual([body.title, 'has_password' in body], ['Told', false])
})

test('without an administrator somebody has to be named', async (t) => {
  const app = await openTestApp(t)
  const { db } = app.app.storage
  await app.app.storage.write((tx) => tx.run(db.updateTable('user').set({ role: 'editor' })))
  await assert.rejects(importFiles(app, [EVENT]), { code: 'no_administrator' })
  assert.equal((await importFiles(app, [EVENT], 'editor')).created, 7)
})
