import assert from 'node:assert/strict'
import test from 'node:test'
import type { TestApp } from '../../../../../test/support/app.ts'
import { openSiteCopy, type SiteCopy, TIMES } from '../../../../../test/support/site-copy.ts'
import type { SiteReport } from './types.ts'

/*
 * Running the import of a site again transfers only what has changed there, and the copy is equal to it afterwards.
 */

const WEEKLY = { ...TIMES, title: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'] }

/** Imports the site again; everything came. */
async function followed({ follow }: SiteCopy, what: string): Promise<SiteReport> {
  const report = await follow()
  const left = [...report.skipped, ...report.notes].filter(({ what: item }) => !item.startsWith('user '))
  assert.deepEqual([report.complete, left], [true, []], what)
  return report
}

test('of a Kalends only what has changed is written, and the copy is equal after each import', async (t) => {
  const copying = await openSiteCopy(t)
  const { send, follow } = copying
  const music = await send('POST', '/categories', { name: 'Music', slug: 'music' })
  const jazz = await send('POST', '/categories', { name: 'Jazz', parent: music.id })
  const first = await send('POST', '/events', {
    ...{ ...TIMES, title: 'First', venue: { venue: 'Hall' }, organizer: { organizer: 'Rowers' } },
    ...{ categories: [jazz.id], tags: ['water'] },
  })
  for (let number = 0; number < 12; number += 1)
    await send('POST', '/events', { ...TIMES, title: `Beside ${number}`, tags: ['beside'] })
  await follow()
  await send('POST', `/events/${first.id}`, { title: 'First, changed' })
  const changed = await followed(copying, 'a change')
  assert.deepEqual(changed.counts.event, { found: 13, created: 0, updated: 1, unchanged: 12 })
  assert.deepEqual(changed.counts.venue, { found: 1, created: 0, updated: 0, unchanged: 1 })

  await send('POST', '/events', {
    ...TIMES,
    title: 'New',
    categories: ['Jazz'],
    tags: ['air'],
    venue: { venue: 'Quay' },
  })
  await send('POST', `/venues/${first.venue.id}`, { venue: 'Great hall', city: 'Astoria' })
  await followed(copying, 'new items and a venue')
  await send('POST', `/categories/${music.id}`, { name: 'Sounds', slug: 'sounds' })
  const dance = await send('POST', '/categories', { name: 'Dance' })
  await send('POST', `/categories/${jazz.id}`, { parent: dance.id })
  await followed(copying, 'categories that moved')

  await send('DELETE', `/events/${first.id}`)
  await followed(copying, 'an event in the trash')
  await send('POST', `/events/${first.id}`, { status: 'publish' })
  await followed(copying, 'an event that is back')
  await send('DELETE', `/events/${first.id}?force=true`)
  await send('DELETE', `/venues/${first.venue.id}?force=true`)
  assert.deepEqual((await followed(copying, 'an event that is gone')).vanished, [
    `event ${first.id}`,
    `venue ${first.venue.id}`,
  ])
  const { event } = (await follow()).counts
  assert.deepEqual([event.created, event.updated], [0, 0])
})

test('what the site gives to another user is that of the other one here, too; what was given away here stays', async (t) => {
  const { source, copy, send, follow } = await openSiteCopy(t)
  const authorOf = async ({ call }: TestApp, id: number) =>
    (await call('administrator', 'GET', `/events/${id}`)).body.author
  const { id } = await send('POST', '/events', { ...TIMES, title: 'Walk', author: 2 })
  await follow()
  assert.equal(await authorOf(copy, id), '2')
  const given = await copy.call('administrator', 'POST', `/events/${id}`, { json: { author: 4 } })
  assert.equal(given.status, 200)
  await send('POST', `/events/${id}`, { title: 'Walk and talk' })
  await follow()
  assert.equal(await authorOf(copy, id), '4')
  await send('POST', `/events/${id}`, { author: 3 })
  await follow()
  assert.deepEqual([await authorOf(source, id), await authorOf(copy, id)], ['3', '3'])
})

test('the dates of a series follow: changed, taken out, moved back, divided, and at its end', async (t) => {
  const copying = await openSiteCopy(t)
  const { source, copy, send, bring, follow } = copying
  await follow()
  const series = await send('POST', '/events', WEEKLY)
  const { body } = await source.call('administrator', 'GET', '/events', { query: { series: series.id, per_page: 50 } })
  const [, second, third, fourth] = body.events
  await followed(copying, 'a series')
  const moved = { start_date: '2026-12-09 10:00:00', end_date: '2026-12-09 11:00:00' }
  await send('POST', `/events/${second.id}`, { title: 'Moved', ...moved })
  await followed(copying, 'a date that differs')
  await send('POST', `/events/${second.id}`, {
    title: 'Weekly',
    start_date: second.start_date,
    end_date: second.end_date,
  })
  await followed(copying, 'a date as it was')
  await send('DELETE', `/events/${third.id}`)
  await followed(copying, 'a date that was taken out')
  await send('DELETE', `/events/${series.id}?scope=this`)
  await followed(copying, 'the first date taken out')
  await send('POST', `/events/${series.id}?scope=all`, { cost: '5' })
  await followed(copying, 'all dates')
  await send('DELETE', `/events/${series.id}?scope=all`)
  await followed(copying, 'a series in the trash')
  await send('POST', `/events/${series.id}`, { status: 'publish' })
  await followed(copying, 'a series that is back')
  await send('POST', `/events/${fourth.id}?scope=following`, { title: 'Divided' })
  // IDs are not used again: what was a date of the one has another ID as a date of the other.
  const datesOf = async (app: TestApp) => {
    const dates = await app.call('administrator', 'GET', '/events', { query: { per_page: 50 } })
    return dates.body.events.map(({ title, start_date }: Record<string, string>) => `${start_date} ${title}`)
  }
  await bring()
  assert.deepEqual(await datesOf(copy), await datesOf(source))
})

test('an item that was left out comes with another import', async (t) => {
  const copying = await openSiteCopy(t)
  const { copy, send, follow, bring } = copying
  await follow()
  const venue = await send('POST', '/venues', { venue: 'Court', exclusive: true })
  const times = { start_date: '2026-12-05 10:00:00', end_date: '2026-12-05 11:00:00', status: 'publish' }
  const held = await send('POST', '/events', { ...times, title: 'Held', venue: venue.id })
  await followed(copying, 'an exclusive venue')
  // Here another event takes the time that the site gives to a new one.
  const later = { ...times, start_date: '2026-12-05 12:00:00', end_date: '2026-12-05 13:00:00' }
  const own = await copy.call('administrator', 'POST', '/events', {
    json: { ...later, title: 'Ours', venue: venue.id },
  })
  assert.equal(own.status, 201)
  await send('POST', '/events', { ...later, title: 'Left out', venue: venue.id })
  const report = await bring()
  assert.deepEqual([report.counts.event.created, report.skipped.length > 0], [0, true])
  const removed = await copy.call('administrator', 'DELETE', `/events/${own.body.id}?force=true`)
  assert.equal(removed.status, 200)
  await send('POST', `/events/${held.id}`, { title: 'Held still' })
  const again = await bring()
  assert.deepEqual([again.counts.event.created, again.counts.event.updated], [1, 1])
})
