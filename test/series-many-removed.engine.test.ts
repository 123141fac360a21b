import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addToLocal } from '../src/base/time/zones.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { assertSound } from './support/sound.ts'
import { rowsOf } from './support/storage.ts'

/* EXDATE may name more dates than can be sent at once: with each removal of a single date it gets longer. */

const app = await openTestApp({ after })
const MOST = 5_000
const EARLY = Array.from({ length: MOST }, (_, days) => addToLocal('2001-01-01 03:00:00', { days }))
const STAMPS = EARLY.map((start) => start.replaceAll(/[-:]/g, '').replace(' ', 'T'))
const WEEKLY = { title: 'Sauna', start_date: '2027-01-04 10:00:00', end_date: '2027-01-04 11:00:00', timezone: 'UTC' }

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function send(method: string, path: string, json?: object): Promise<Item> {
  const { status, body } = await app.call('administrator', method, path, json === undefined ? {} : { json })
  assert.ok(status < 300, `${status} ${JSON.stringify(body).slice(0, 500)}`)
  return body
}

async function datesOf(series: number, of: TestApp = app): Promise<Item[]> {
  const query = { series, start_date: '2020-01-01', end_date: '2099-01-01', per_page: 50 }
  return (await of.call('administrator', 'GET', '/events', { query })).body.events
}

const excluded = ({ recurrence }: Item): number => recurrence[1].split(',').length

test('a series of which very many dates were removed one by one recurs on, and changes like any other', async () => {
  const lines = ['RRULE:FREQ=WEEKLY', `EXDATE:${STAMPS}`]
  const { id } = await send('POST', '/events', { ...WEEKLY, recurrence: lines })
  const [first, second, third, fourth, ...others] = await datesOf(id)
  await send('DELETE', `/events/${second.id}`)
  await send('DELETE', `/events/${third.id}`)
  const shown = await send('GET', `/events/${id}`)
  assert.deepEqual([shown.recurrence[0], excluded(shown)], ['RRULE:FREQ=WEEKLY', MOST + 2])
  assert.equal(shown.recurrence_until, '2031-11-20 18:00:00')
  const ids = [first, fourth, ...others].map((one) => one.id)
  assert.deepEqual(
    (await datesOf(id)).slice(0, ids.length).map((one) => one.id),
    ids,
  )
  // What GET has answered may be sent back.
  const entries = 'select count(*) as entries from journal'
  const before = await rowsOf(app.app.storage, entries)
  await send('PUT', `/events/${id}`, shown)
  assert.deepEqual(await rowsOf(app.app.storage, entries), before)

  await send('PATCH', `/events/${third.id}`, { status: 'publish' })
  assert.equal((await datesOf(id))[1].id, third.id)
  const later = { start_date: '2027-01-04 12:00:00', end_date: '2027-01-04 13:00:00' }
  await send('PATCH', `/events/${id}`, later)
  const moved = await datesOf(id)
  assert.deepEqual(
    moved.slice(0, 3).map((one) => one.start_date),
    ['2027-01-04 12:00:00', '2027-01-18 12:00:00', '2027-01-25 12:00:00'],
  )
  await send('PATCH', `/events/${moved[2].id}`, { scope: 'following', title: 'Steam bath' })
  assert.equal((await datesOf(id)).length, 2)
  assert.equal((await datesOf(moved[2].id))[49].title, 'Steam bath')
  await assertSound(app.app.storage)
})

test('such a series moves to another calendar', async (t) => {
  const lines = ['RRULE:FREQ=WEEKLY', `EXDATE:${STAMPS}`]
  const { id } = await send('POST', '/events', { ...WEEKLY, title: 'Bath', recurrence: lines })
  const [, second] = await datesOf(id)
  await send('DELETE', `/events/${second.id}`)
  const events = await datesOf(id)
  const other = await openTestApp(t)
  const bytes = Buffer.from(JSON.stringify({ events }))
  const report = await other.app.importJson?.([{ name: 'bath.json', bytes }], {
    author: undefined,
    onProgress: () => undefined,
  })
  assert.deepEqual([report?.created, report?.skipped, report?.notes], [1, [], []])
  assert.deepEqual(
    (await datesOf(id, other)).map((one) => one.start_date),
    events.map((one) => one.start_date),
  )
})
