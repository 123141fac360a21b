import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'
import { fileOf, importFiles } from '../../../../../test/support/json-import.ts'

const EVENT = {
  ...{ id: 1, global_id: 'harbour.example?id=1', title: 'Regatta', timezone: 'America/New_York' },
  ...{ start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 11:00:00' },
}

test('times of UTC follow from local time and zone, and one that contradicts them is noted', async (t) => {
  const app = await openTestApp(t)
  const wrong = { ...EVENT, utc_start_date: '2027-06-01 15:00:00', utc_end_date: '2027-06-01 15:00:00' }
  const { created, skipped, notes } = await importFiles(app, [fileOf(wrong)])
  const why = 'import.note.otherUtc?value=2027-06-01+15%3A00%3A00'
  assert.deepEqual([created, skipped, notes], [1, [], [{ what: 'made.json: utc_start_date', why }]])
  const { body } = await app.call('anonymous', 'GET', '/events/1')
  assert.deepEqual([body.utc_start_date, body.utc_end_date], ['2027-06-01 14:00:00', '2027-06-01 15:00:00'])
})

test('of two times that a clock shows alike the one counts that is recorded in UTC', async (t) => {
  const app = await openTestApp(t)
  const night = { ...EVENT, start_date: '2027-11-07 01:30:00', end_date: '2027-11-07 01:30:00' }
  const { notes } = await importFiles(app, [
    fileOf({ ...night, utc_start_date: '2027-11-07 05:30:00', utc_end_date: '2027-11-07 06:30:00' }),
  ])
  const { body } = await app.call('anonymous', 'GET', '/events/1')
  assert.deepEqual([notes, body.utc_start_date, body.utc_end_date], [[], '2027-11-07 05:30:00', '2027-11-07 06:30:00'])
})

test('a value of a known member that cannot be stored is a note, and the item is imported', async (t) => {
  const app = await openTestApp(t)
  const venue = { id: 2, global_id: 'harbour.example?id=2', venue: 'Pier', geo_lat: 999, geo_lng: 7 }
  const odd = { ...EVENT, venue, language: 'gibberish!', custom_fields: { a: 'x'.repeat(70_000) } }
  const { created, skipped, notes } = await importFiles(app, [fileOf(odd)])
  assert.deepEqual([created, skipped], [2, []])
  assert.deepEqual(
    notes.map(({ what, why }) => `${what.replace('made.json: ', '')} ${why.split('?', 1)[0]}`).toSorted(),
    [
      'custom_fields it has a form that cannot be kept',
      'language import.note.unread',
      'venue.geo_lat import.note.unread',
    ],
  )
})
