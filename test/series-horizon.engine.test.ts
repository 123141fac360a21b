import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { moveHorizons } from '../src/calendar/events/series/horizon.ts'
import { openTestApp } from './support/app.ts'
import { assertJournalMirrors } from './support/mirror.ts'
import { rowsOf } from './support/storage.ts'

/* Rules without end: their dates are stored as far as the horizon, which moves on with time. */

const app = await openTestApp({ after })
const LEAST = { title: 'Yoga', start_date: '2027-01-04 10:00:00', end_date: '2027-01-04 11:30:00', timezone: 'UTC' }

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function send(method: string, path: string, json: object): Promise<Item> {
  const { status, body } = await app.call('administrator', method, path, { json })
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body
}

async function list(query: Readonly<Record<string, string | number>>): Promise<{ events: Item[]; total: number }> {
  const wide = { start_date: '2020-01-01', end_date: '2099-01-01', per_page: 50 }
  const { status, body } = await app.call('anonymous', 'GET', '/events', { query: { ...wide, ...query } })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Ids of all dates of a series, on however many pages. */
async function idsOf(series: number): Promise<number[]> {
  const { events, total } = await list({ series })
  const more = total > events.length ? (await list({ series, page: 2 })).events : []
  return [...events, ...more].map(({ id }) => id)
}

test('dates of a rule without end are stored some years ahead, and further ones in time', async () => {
  const endless = await send('POST', '/events', { ...LEAST, recurrence: 'RRULE:FREQ=MONTHLY' })
  assert.equal(endless.recurrence_until, '2031-11-20 18:00:00')
  const before = await idsOf(endless.id)
  assert.equal(before.length, 59)
  const { storage } = app.app
  const holding = { now: Date.UTC(2027, 10, 20, 18), recurrenceYears: 5 }
  await moveHorizons(storage, holding, new AbortController().signal)
  const [row] = await rowsOf(storage, 'select revision from event where id = ?', endless.id)
  await moveHorizons(storage, holding, new AbortController().signal)
  assert.deepEqual(await rowsOf(storage, 'select revision from event where id = ?', endless.id), [row])
  const later = await idsOf(endless.id)
  assert.deepEqual([later.length, later.slice(0, 59)], [71, before])
  const { body } = await app.call('anonymous', 'GET', `/events/${endless.id}`)
  assert.equal(body.recurrence_until, '2032-11-20 18:00:00')
  assert.equal(body.modified_utc, endless.modified_utc)
})

test('further dates of a rule without end are seen by lists and followers, and are no change of the series', async () => {
  const tag = 'evergreen'
  const rule = { recurrence: 'RRULE:FREQ=DAILY', tags: [tag] }
  const { id } = await send('POST', '/events', { ...LEAST, ...rule, title: 'Evergreen' })
  const { storage } = app.app
  const path = `${app.origin}/kalends/v1`
  const read = (address: string) => app.call('anonymous', 'GET', `${path}${address}`)
  const sequence = async (): Promise<string | undefined> =>
    /^SEQUENCE:.*$/m.exec(String((await read(`/events/${id}.ics`)).body))?.[0]
  const query = { tags: tag, start_date: '2031-11-19', end_date: '2032-01-01' }
  const before = await app.call('administrator', 'GET', `/events/${id}`)
  const [listed, said] = [(await list(query)).total, await sequence()]
  const { cursor } = (await read('/changes')).body
  const later = { now: Date.UTC(2026, 11, 20, 18), recurrenceYears: 5 }
  await moveHorizons(storage, later, new AbortController().signal)
  assert.equal((await list(query)).total, listed + 30)
  const { changes } = (await read(`/changes?since=${cursor}&resource=event`)).body
  const own = changes.filter((one: Item) => one.id === id)
  assert.deepEqual(
    own.map(({ action, revision }: Item) => [action, revision]),
    [['updated', 1]],
  )
  assert.ok(said)
  assert.equal(await sequence(), said)
  const condition = { 'if-match': String(before.headers.get('etag')) }
  const changed = await app.call('administrator', 'PATCH', `/events/${id}`, {
    headers: condition,
    json: { title: 'Perennial' },
  })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  await moveHorizons(storage, { ...later, now: Date.UTC(2027, 0, 20, 18) }, new AbortController().signal)
  const [row] = await rowsOf(storage, 'select revision from event where id = ?', id)
  assert.equal(row?.['revision'], 2)
  await send('PATCH', `/events/${id}`, { status: 'draft' })
  const since = (await read(`/changes?since=${cursor}&resource=event`)).body.changes
  assert.deepEqual(
    since.filter((one: Item) => one.id === id).map(({ action, revision }: Item) => [action, revision]),
    [
      ['updated', 1],
      ['updated', 2],
      ['updated', 2],
      ['deleted', 3],
    ],
  )
  await assertJournalMirrors(storage)
})
