import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../../../test/support/app.ts'
import { make } from '../../../test/support/events.ts'
import { partsOf, type Relation, upcomingWith } from './related.ts'

const app = await openTestApp({ after })
const { storage } = app.app

const hall = (await app.call('editor', 'POST', '/venues', { json: { venue: 'Hall' } })).body.id
const music = (await app.call('editor', 'POST', '/categories', { json: { name: 'Music' } })).body.id
const jazz = (await app.call('editor', 'POST', '/categories', { json: { name: 'Jazz', parent: music } })).body.id
const common = { venue: hall, categories: [jazz] }
const day = (start: string, end = start) => ({ start_date: `${start} 10:00:00`, end_date: `${end} 12:00:00` })

const series = await make(app, { ...common, ...day('2027-03-01'), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] })
await make(app, { ...common, ...day('2027-02-01') })
await make(app, { ...common, ...day('2025-02-01', '2027-06-01') })
await make(app, { ...common, ...day('2027-03-08'), post_parent: series.id })
await make(app, { ...common, ...day('2027-03-09'), post_parent: series.id, status: 'draft' })
await make(app, { ...common, ...day('2027-03-10'), post_parent: series.id, hide_from_listings: true })
await make(app, { ...day('2027-03-11'), categories: [music], password: 'tulip' })
await make(app, { ...day('2027-03-12'), post_parent: series.id })

/** The ids of a list, as anybody is answered. */
async function listed(query: Record<string, string | number>): Promise<number[]> {
  const { body } = await app.call('anonymous', 'GET', '/events', { query: { ...query, strict_dates: 'true' } })
  return body.events.map((one: { id: number }) => one.id)
}

test('what comes next at a venue, in a category or in a series is what the list shows', async () => {
  const relations = { venue: hall, category: music, series: series.id }
  for (const endsAfter of ['2024-01-01 00:00:00', '2027-03-01 12:00:00', '2027-03-08 11:59:59', '2028-01-01 00:00:00'])
    for (const [by, id] of Object.entries(relations) as [Relation['by'], number][])
      for (const limit of [1, 3, 20]) {
        const filter = { [by === 'category' ? 'categories' : by]: id, ends_after: endsAfter, per_page: limit }
        const found = await upcomingWith(storage, { by, id }, { endsAfter, limit })
        assert.deepEqual(found, await listed(filter), JSON.stringify(filter))
      }
  assert.equal(
    (await upcomingWith(storage, { by: 'series', id: series.id }, { endsAfter: '2027', limit: 9 })).length,
    4,
  )
})

test('the parts of an event are those that the list shows', async () => {
  for (const limit of [2, 20]) {
    const parts = await partsOf(storage, series.id, limit)
    assert.deepEqual(parts, await listed({ post_parent: series.id, start_date: '2020-01-01', per_page: limit }))
    assert.equal(parts.length, limit === 2 ? 2 : 5)
  }
})
