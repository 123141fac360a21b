import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { assertCopiesFollow } from './support/mirror.ts'
import { rowsOf } from './support/storage.ts'

const app = await openTestApp({ after })
const { storage } = app.app
const LEAST = { title: 'Board meeting', start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

type Item = Readonly<Record<string, unknown>> & { readonly id: number }

async function send(method: string, path: string, json: object): Promise<Item> {
  const answer = await app.call('administrator', method, path, { json })
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

async function idsOf(query: Readonly<Record<string, string | number>>): Promise<number[]> {
  const { body } = await app.call('anonymous', 'GET', '/events', { query: { per_page: 50, ...query } })
  return body.events.map((one: Item) => one.id)
}

test('a plain event has one occurrence, whose id is its own, and its copies follow every change', async () => {
  const hall = await send('POST', '/venues', { venue: 'Hall' })
  const band = await send('POST', '/categories', { name: 'Band' })
  const trio = await send('POST', '/categories', { name: 'Trio', parent: band.id })
  const { id } = await send('POST', '/events', LEAST)
  const occurrences = (): Promise<unknown> =>
    rowsOf(storage, 'select id, event_id from occurrence where event_id = ?', id)
  assert.deepEqual(await occurrences(), [{ id, event_id: id }])
  const changes: object[] = [
    { start_date: '2027-03-01 09:00:00' },
    { end_date: '2027-03-05 09:00:00' },
    { timezone: 'Asia/Tokyo' },
    { all_day: true },
    { featured: true },
    { hide_from_listings: true },
    { hide_from_listings: false },
    { date_utc: '2026-10-01 00:00:00' },
    { date_utc: '2027-01-01 00:00:00' },
    { status: 'publish', date_utc: '2026-10-02 00:00:00' },
    { author: 1 },
    { author: 2 },
    { categories: ['Jazz', 'Talk'] },
    { categories: [trio.id] },
    { tickets: [{ name: 'Seat', price: '5' }] },
    { featured: false, tickets: [] },
    { tags: ['free'] },
    { venue: hall.id },
    { organizer: [{ organizer: 'Second' }, { organizer: 'First' }] },
    { categories: ['Talk'], venue: null },
    { status: 'draft' },
    { status: 'private' },
    { status: 'trash' },
    { status: 'publish' },
    { password: 'sesame', title: 'Other' },
  ]
  for (const change of changes) {
    await send('PATCH', `/events/${id}`, change)
    assert.deepEqual(await occurrences(), [{ id, event_id: id }], JSON.stringify(change))
    await assertCopiesFollow(storage)
  }
  await app.call('administrator', 'DELETE', `/events/${id}`)
  await assertCopiesFollow(storage)
  await app.call('administrator', 'DELETE', `/events/${id}`, { query: { force: 'true' } })
  assert.deepEqual(await occurrences(), [])
  await assertCopiesFollow(storage)
})

test('relations keep the order in which they were sent', async () => {
  const clubs: number[] = []
  for (const organizer of ['Zeta', 'Alpha', 'Mid']) clubs.push((await send('POST', '/organizers', { organizer })).id)
  const halls: number[] = []
  for (const venue of ['Zeta', 'Alpha']) halls.push((await send('POST', '/venues', { venue })).id)
  const ids = (items: unknown): number[] => (items as Item[]).map((one) => one.id)
  const event = await send('POST', '/events', { ...LEAST, organizer: clubs, venue: halls.toReversed() })
  assert.deepEqual([ids(event['organizer']), ids(event['venue'])], [clubs, halls.toReversed()])
  const turned = await send('PATCH', `/events/${event.id}`, { organizer: clubs.toReversed(), venue: halls })
  assert.deepEqual([ids(turned['organizer']), ids(turned['venue'])], [clubs.toReversed(), halls])
})

const DAY = 86_400
/** Lengths in seconds around every bound of the length classes, with the class. */
const LENGTHS = [
  [0, 1],
  [DAY, 1],
  [DAY + 1, 7],
  [7 * DAY, 7],
  [7 * DAY + 1, 31],
  [31 * DAY, 31],
  [31 * DAY + 1, 366],
  [366 * DAY, 366],
  [366 * DAY + 1, 9999],
  [3 * 366 * DAY, 9999],
] as const

function later(local: string, seconds: number): string {
  return new Date(Date.parse(`${local.replace(' ', 'T')}Z`) + seconds * 1_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ')
}

test('what still goes on at a moment is found in every length class, to the second', async () => {
  const start = '2030-05-10 08:00:00'
  for (const [seconds, span] of LENGTHS) {
    const end_date = later(start, seconds)
    const event = await send('POST', '/events', {
      title: `Long ${seconds}`,
      start_date: start,
      end_date,
      timezone: 'UTC',
    })
    const [row] = await rowsOf(storage, 'select span from occurrence where id = ?', event.id)
    assert.equal(row?.['span'], span, `${seconds} seconds`)
    const query = { starts_before: '2030-05-10 08:00:01', strict_dates: 'true' }
    if (seconds > 0) {
      assert.ok(
        (await idsOf({ ...query, ends_after: later(end_date, -1) })).includes(event.id),
        `${seconds} before its end`,
      )
    }
    assert.ok(!(await idsOf({ ...query, ends_after: end_date })).includes(event.id), `${seconds} at its end`)
  }
})
