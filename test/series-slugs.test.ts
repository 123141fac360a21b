import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'

/* The slug of a date follows from that of its series: no other event has it, whichever of both was there first. */

const { call } = await openTestApp({ after })
const WEEKLY = {
  title: 'Swim',
  start_date: '2027-01-04 10:00:00',
  end_date: '2027-01-04 11:00:00',
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
}

const PLAIN = { title: 'Gala', start_date: '2027-05-01 10:00:00', end_date: '2027-05-01 12:00:00' }

async function send(method: string, path: string, json: object) {
  const { status, body } = await call('administrator', method, path, { json })
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body
}

async function bySlug(slug: string): Promise<number | undefined> {
  return (await call('anonymous', 'GET', `/events/by-slug/${slug}`)).body.id
}

async function datesOf(series: number): Promise<{ id: number; slug: string; url: string }[]> {
  const query = { series, start_date: '2020-01-01', end_date: '2099-01-01', per_page: 50 }
  return (await call('anonymous', 'GET', '/events', { query })).body.events
}

test('a date of a new series gets another number where an older event has its slug', async () => {
  const older = await send('POST', '/events', { ...PLAIN, slug: 'swim-2027-01-11' })
  const another = await send('POST', '/events', { ...PLAIN, slug: 'swim-2027-01-18' })
  const third = await send('POST', '/events', { ...PLAIN, slug: 'swim-2027-01-18-2' })
  const series = await send('POST', '/events', { ...WEEKLY, slug: 'swim' })
  const dates = await datesOf(series.id)
  assert.deepEqual(
    dates.map(({ slug }) => slug),
    ['swim', 'swim-2027-01-11-2', 'swim-2027-01-18-3', 'swim-2027-01-25'],
  )
  for (const { id, slug, url } of [...dates, older, another, third]) {
    assert.equal(await bySlug(slug), id, slug)
    const page = await fetch(url)
    assert.equal(page.status, 200, url)
    assert.ok((await page.text()).includes(new URL(url).pathname), url)
  }
  assert.equal(new URL(dates[1]?.url ?? '').pathname.replace(/\/$/, ''), '/event/swim/2027-01-11-2')
  await send('PATCH', `/events/${series.id}`, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=6'] })
  assert.deepEqual(
    (await datesOf(series.id)).slice(0, 4).map(({ id, slug }) => [id, slug]),
    dates.map(({ id, slug }) => [id, slug]),
  )
})

test('so do the dates of a series that gets another slug', async () => {
  const older = await send('POST', '/events', { ...PLAIN, slug: 'dive-2027-01-18' })
  const series = await send('POST', '/events', { ...WEEKLY, slug: 'plunge' })
  assert.equal((await datesOf(series.id))[2]?.slug, 'plunge-2027-01-18')
  await send('PATCH', `/events/${series.id}`, { slug: 'dive' })
  const dates = await datesOf(series.id)
  assert.deepEqual(
    dates.map(({ slug }) => slug),
    ['dive', 'dive-2027-01-11', 'dive-2027-01-18-2', 'dive-2027-01-25'],
  )
  for (const { id, slug } of [...dates, older]) assert.equal(await bySlug(slug), id, slug)
})
