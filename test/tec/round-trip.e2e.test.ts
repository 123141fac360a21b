import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Role } from '../../src/http/auth/rights.ts'
import { changedRows, snapshotOf } from '../rights/changes.ts'
import { anyEventWith, anyLinkedWith } from '../support/any-items.ts'
import { openTestApp } from '../support/app.ts'
import { draws } from '../support/draws.ts'
import { paint } from '../support/images.ts'
import { assertRoundTrips } from '../support/round-trip.ts'
import { tecClient } from '../support/tec.ts'
import { upload } from '../support/upload.ts'

/*
 * must hold 6: a GET body sent back by PUT and by PATCH leaves every column of the row as it was.
 */

const app = await openTestApp({ after })
const tec = tecClient(app)
const picture = (await upload(app, 'author', { bytes: await paint(400, 320).png().toBuffer() })).body
const owners = fc.constantFrom<Role>('administrator', 'editor', 'author', 'contributor')

/** Sends an item back as everybody who may write it, in all forms; no row of the calendar changes. */
async function assertNothingChanges(path: string, writers: readonly Role[]): Promise<void> {
  const before = await snapshotOf(app.app.storage)
  app.clock.now += 60_000
  for (const as of new Set(writers))
    await assertRoundTrips(app, { as, paths: [tec.url(path)], list: '', methods: ['PUT', 'PATCH'] })
  assert.deepEqual(changedRows(before, await snapshotOf(app.app.storage)), [])
}

test('must hold 6: an event that is sent back leaves every row as it was', async () => {
  const fates = fc.subarray(['trash event', 'trash venue', 'hide organizer'] as const)
  await fc.assert(
    fc.asyncProperty(owners, anyEventWith(picture), fates, async (owner, event, suffered) => {
      const { categories: _categories, tags: _tags, status: _status, ...rest } = event
      const json = owner === 'contributor' ? rest : event
      const { status, body } = await app.call(owner, 'POST', '/events', { json })
      assert.equal(status, 201, JSON.stringify(body))
      const [venue] = [body.venue].flat()
      const [organizer] = body.organizer
      if (suffered.includes('trash venue') && venue) await app.call('editor', 'DELETE', `/venues/${venue.id}`)
      if (suffered.includes('hide organizer') && organizer)
        await app.call('editor', 'PATCH', `/organizers/${organizer.id}`, { json: { status: 'private', author: 1 } })
      const isTrashed = suffered.includes('trash event')
      if (isTrashed) await app.call('editor', 'DELETE', `/events/${body.id}`)
      await assertNothingChanges(`/events/${body.id}`, [owner, 'editor'])
    }),
    { numRuns: draws(25, 3) },
  )
})

for (const collection of ['venues', 'organizers'] as const)
  test(`must hold 6: one of the ${collection} that is sent back leaves every row as it was`, async () => {
    const items: fc.Arbitrary<Record<string, unknown>> = anyLinkedWith(picture)[collection]
    await fc.assert(
      fc.asyncProperty(items, fc.boolean(), async ({ geo, ...item }, isTrashed) => {
        const place = Array.isArray(geo) ? { geo_lat: geo[0], geo_lng: geo[1] } : {}
        const { status, body } = await app.call('editor', 'POST', `/${collection}`, { json: { ...item, ...place } })
        assert.equal(status, 201, JSON.stringify(body))
        if (isTrashed) await app.call('editor', 'DELETE', `/${collection}/${body.id}`)
        await assertNothingChanges(`/${collection}/${body.id}`, ['administrator', 'editor'])
      }),
      { numRuns: draws(25, 3) },
    )
  })

test('must hold 6: the dates of a series stay as they are', async () => {
  const json = { title: 'Yoga', start_date: '2027-03-26 18:00', end_date: '2027-03-26 19:00' }
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=4']
  const { body: series } = await app.call('editor', 'POST', '/events', { json: { ...json, recurrence } })
  const { body: dates } = await tec.call('editor', 'GET', `/events?series=${series.id}`)
  const [first, second, third] = dates.map(({ id }: { id: number }) => id)
  await app.call('editor', 'PATCH', `/events/${second}`, { json: { title: 'Other', scope: 'this' } })
  await app.call('editor', 'DELETE', `/events/${first}`, { json: { scope: 'this' } })
  for (const id of [first, second, third]) await assertNothingChanges(`/events/${id}`, ['editor'])
})
