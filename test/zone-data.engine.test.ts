import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { followZoneData, staleTimes } from '../src/calendar/events/index.ts'
import { openTestApp } from './support/app.ts'
import { assertJournalMirrors } from './support/mirror.ts'
import { rowsOf, runStatement } from './support/storage.ts'

/* A calendar that older rules of time zones have filled: its times in UTC are derived again. */

const app = await openTestApp({ after })
const { storage } = app.app
const NOW = app.app.now()
const at = (day: string, from: string, to: string) => ({ start_date: `${day} ${from}`, end_date: `${day} ${to}` })
const ZONE = { timezone: 'America/New_York' }

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function send(method: string, path: string, json: object): Promise<Item> {
  const { status, body } = await app.call('administrator', method, path, { json })
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body
}

const create = (title: string, json: object) => send('POST', '/events', { title, ...ZONE, ...json })

/** What readers see of all events: in lists, one by one, in calendar files and on pages. */
async function shown(): Promise<readonly unknown[]> {
  const query = { start_date: '2020-01-01', end_date: '2030-01-01', per_page: 50, status: 'publish,draft,trash' }
  const { body } = await app.call('administrator', 'GET', '/events', { query })
  const ids: number[] = body.events.map(({ id }: Item) => id)
  const single = await Promise.all(ids.map((id) => app.call('administrator', 'GET', `/events/${id}`)))
  const addresses = ['/events/?ical=1', '/events/list/', '/events/month/2027-03/'].map((path) => app.origin + path)
  const pages = await Promise.all(
    addresses.map(async (address) => (await (await fetch(address)).text()).replaceAll(/^SEQUENCE:.*$/gm, '')),
  )
  return [body.events, single.map((one) => one.body), pages]
}

/** Takes an hour off the stored times in UTC of what is later than a moment, as if the zone had other rules then. */
async function age(from: string): Promise<void> {
  const minus = (column: string) =>
    storage.engine === 'sqlite'
      ? `datetime(${column}, '-1 hour')`
      : `to_char(${column}::timestamp - interval '1 hour', 'YYYY-MM-DD HH24:MI:SS')`
  for (const table of ['event', 'occurrence'])
    await runStatement(
      storage,
      `update ${table} set start_utc = ${minus('start_utc')}, end_utc = ${minus('end_utc')} where end_utc > '${from}'`,
    )
  await runStatement(storage, `update meta set value = '2019a' where key = 'zone_data'`)
}

const entries = async () =>
  rowsOf(storage, `select id, action, actor from journal where resource = 'event' order by seq`)
const follow = (version = '2099z') => followZoneData(storage, { now: NOW, version }, new AbortController().signal)

test('times in UTC that older rules of time zones have derived are derived again, and everybody sees the same as before', async () => {
  await create('Plain', at('2027-03-20', '19:00:00', '21:00:00'))
  await create('Over a change of clocks', { start_date: '2027-03-13 22:00:00', end_date: '2027-03-14 04:00:00' })
  await create('Whole days', { start_date: '2027-05-01', end_date: '2027-05-02', all_day: true })
  await create('Draft', { ...at('2027-03-21', '19:00:00', '21:00:00'), status: 'draft' })
  await create('Twice', at('2027-11-07', '01:30:00', '01:45:00'))
  const past = await create('Past', at('2026-02-01', '19:00:00', '21:00:00'))
  const weekly = await create('Weekly', {
    ...at('2027-01-05', '19:00:00', '21:00:00'),
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=12'],
  })
  const begun = await create('Begun', {
    ...at('2026-01-05', '09:00:00', '10:00:00'),
    recurrence: ['RRULE:FREQ=MONTHLY;COUNT=24'],
  })
  const { body } = await app.call('anonymous', 'GET', '/events', {
    query: { series: weekly.id, per_page: 50, start_date: '2027-01-01' },
  })
  const [, second, third] = body.events
  await send('POST', `/events/${second.id}`, at('2027-01-13', '08:00:00', '09:00:00'))
  await send('POST', `/events/${third.id}`, { title: 'Special' })
  await follow('2026a')
  const before = await shown()
  const known = await entries()
  await age('2026-11-20 18:00:00')
  assert.equal((await staleTimes(storage, { now: NOW, most: 1_000 })).length, 8)
  assert.notDeepEqual(await shown(), before)
  await follow()
  assert.deepEqual(await staleTimes(storage, { now: NOW, most: 1_000 }), [])
  assert.deepEqual(await shown(), before)
  // One entry for each row that moved: five events, two series, two dates of their own.
  const added = (await entries()).slice(known.length)
  assert.equal(new Set(added.map(({ id }) => id)).size, added.length)
  assert.deepEqual(
    added.map(({ action, actor }) => [action, actor]),
    added.map(() => ['update', null]),
  )
  assert.equal(added.length, 9)
  assert.ok(added.some(({ id }) => id === begun.id) && !added.some(({ id }) => id === past.id))
  await assertJournalMirrors(storage)
})

test('a new calendar has the version of the zone data from its start', async (t) => {
  const { app: fresh } = await openTestApp(t)
  const sql = `select value from meta where key = 'zone_data'`
  assert.deepEqual(await rowsOf(fresh.storage, sql), [{ value: process.versions['tz'] }])
})

test('with the version that times were derived with nothing is looked at, and what is interrupted goes on', async () => {
  const known = (await entries()).length
  await follow()
  await age('2026-11-20 18:00:00')
  await runStatement(storage, `update meta set value = '2099z' where key = 'zone_data'`)
  await follow()
  assert.equal((await entries()).length, known)
  const ended = AbortSignal.abort()
  await followZoneData(storage, { now: NOW, version: '2100a' }, ended)
  const stored = () => rowsOf(storage, `select value from meta where key = 'zone_data'`)
  assert.deepEqual(await stored(), [{ value: '2099z' }])
  await follow('2100a')
  await age('2026-11-20 18:00:00')
  await followZoneData(storage, { now: NOW, version: '2100a', isForced: true }, new AbortController().signal)
  assert.deepEqual(await stored(), [{ value: '2100a' }])
  assert.deepEqual(await staleTimes(storage, { now: NOW, most: 1_000 }), [])
})

test('the second of two readings that a clock shows twice stays the second', async () => {
  const { id } = await create('Second', at('2028-11-05', '01:30:00', '01:45:00'))
  for (const table of ['event', 'occurrence'])
    await runStatement(
      storage,
      `update ${table} set start_utc = '2028-11-05 06:30:00', end_utc = '2028-11-05 06:45:00' where id = ${id}`,
    )
  await follow('2101a')
  const { body } = await app.call('anonymous', 'GET', `/events/${id}`)
  assert.equal(body.utc_start_date, '2028-11-05 06:30:00')
})
