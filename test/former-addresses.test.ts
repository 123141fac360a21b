import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { MOST_FORMER_SLUGS } from '../src/calendar/event-store/former-slugs.ts'
import { addRedirect } from '../src/calendar/redirects/store.ts'
import { openTestApp } from './support/app.ts'
import { rowsOf } from './support/storage.ts'

/* The page of an event is found at its former addresses, too. */

const app = await openTestApp({ after })
const HOUR = { start_date: '2027-01-04 10:00:00', end_date: '2027-01-04 11:00:00' }
const WEEKLY = { title: 'Swim', ...HOUR, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function send(method: string, path: string, json: object = {}): Promise<Item> {
  const { status, body } = await app.call('administrator', method, path, { json })
  assert.ok(status < 300, `${method} ${path} ${status} ${JSON.stringify(body)}`)
  return body
}

async function datesOf(series: number): Promise<Item[]> {
  const query = { series, start_date: '2020-01-01', end_date: '2099-01-01', per_page: 50 }
  return (await app.call('anonymous', 'GET', '/events', { query })).body.events
}

/** Where a page leads, or its status. */
async function at(path: string, as: 'anonymous' | 'administrator' = 'anonymous'): Promise<string> {
  const headers = as === 'anonymous' ? {} : { authorization: app.authorization(as) }
  const response = await fetch(app.origin + path, { redirect: 'manual', headers })
  await response.text()
  const location = response.headers.get('location') ?? ''
  return response.status === 301 ? location.replace(app.origin, '') : String(response.status)
}

test('an event that gets another slug is found at its former addresses, those of the API name it no more', async () => {
  const { id } = await send('POST', '/events', { title: 'Gala', ...HOUR, slug: 'gala' })
  await send('PATCH', `/events/${id}`, { slug: 'grand-gala' })
  await send('PATCH', `/events/${id}`, { slug: 'fête' })
  for (const former of ['gala', 'grand-gala']) {
    assert.equal(await at(`/event/${former}/`), '/event/fete/')
    assert.equal(await at(`/event/${former}`), '/event/fete/')
    assert.equal(await at(`/event/${former}/?embed=1`), '/event/fete/?embed=1')
    assert.equal(await at(`/event/${former}/ical/`), '/event/fete/ical/')
    assert.equal(await at(`/event/${former}/?ical=1`), '/event/fete/?ical=1')
    assert.equal(await at(`/de/event/${former}/`), '/de/event/fete/')
    const { status, body } = await app.call('anonymous', 'GET', `/events/by-slug/${former}`)
    assert.deepEqual([status, body.code], [400, 'rest_invalid_param'])
  }
  assert.equal(await at('/event/fete/'), '200')
  assert.equal(await at('/event/galas/'), '404')
  assert.equal(await at('/event/gala/more/'), '404')
  const moved = await fetch(`${app.origin}/event/gala/`, { redirect: 'manual' })
  await moved.text()
  assert.equal(moved.headers.get('cache-control'), 'no-cache')
})

test('a slug that is in use wins, and so does a rule of the operator', async () => {
  const { id } = await send('POST', '/events', { title: 'Fair', ...HOUR, slug: 'fair' })
  await send('PATCH', `/events/${id}`, { slug: 'book-fair' })
  assert.equal(await at('/event/fair/'), '/event/book-fair/')
  const other = await send('POST', '/events', { title: 'Fair', ...HOUR, slug: 'fair' })
  assert.equal(other.slug, 'fair')
  assert.equal(await at('/event/fair/'), '200')
  await send('DELETE', `/events/${other.id}?force=true`)
  assert.equal(await at('/event/fair/'), '/event/book-fair/')
  await addRedirect(app.app, { from: '/event/fair', to: '/events/' })
  assert.equal(await at('/event/fair/'), '/events/')
  await send('PATCH', `/events/${id}`, { slug: 'fair' })
  assert.deepEqual([await at('/event/fair/'), await at('/event/book-fair/')], ['200', '/event/fair/'])
})

test('what a caller may not read is at no former address', async () => {
  const { id } = await send('POST', '/events', { title: 'Board', ...HOUR, slug: 'board' })
  await send('PATCH', `/events/${id}`, { slug: 'board-meeting', status: 'private' })
  assert.deepEqual(
    [await at('/event/board/'), await at('/event/board/', 'administrator')],
    ['404', '/event/board-meeting/'],
  )
  assert.deepEqual(
    [await at('/event/board-meeting/ical/'), await at('/event/board-meeting/ical/', 'administrator')],
    ['404', '200'],
  )
  await send('PATCH', `/events/${id}`, { status: 'draft' })
  assert.deepEqual([await at('/event/board/'), await at('/event/board/', 'administrator')], ['404', '404'])
  await send('DELETE', `/events/${id}`)
  assert.equal(await at('/event/board/', 'administrator'), '404')
})

test('so are the dates of a series that gets another slug', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'swim' })
  const [, second, third] = await datesOf(id)
  await send('PATCH', `/events/${id}`, { slug: 'float' })
  assert.equal(await at('/event/swim/'), '/event/float/')
  assert.equal(await at('/event/swim/2027-01-11/'), '/event/float/2027-01-11/')
  assert.equal(await at('/event/swim/2027-01-11/ical/'), '/event/float/2027-01-11/ical/')
  assert.equal(await at('/event/swim-2027-01-11/'), '/event/float/2027-01-11/')
  assert.equal(await at('/event/swim/2027-01-12/'), '/series/float/')
  assert.equal(await at('/series/swim/'), '/series/float/')
  assert.equal(await at('/series/swim/month/?a=b'), '/series/float/month/?a=b')
  await send('PATCH', `/events/${second.id}`, { slug: 'guest' })
  assert.equal(await at('/event/float/2027-01-11/'), '/event/guest/')
  assert.equal(await at('/event/swim/2027-01-11/'), '/event/guest/')
  await send('PATCH', `/events/${second.id}`, { slug: 'visitor' })
  assert.equal(await at('/event/guest/'), '/event/visitor/')
  await send('DELETE', `/events/${third.id}`)
  assert.equal(await at('/event/swim/2027-01-18/'), '/series/float/')
})

test('the dates of a new series that begins with one of another have their pages where they were, until it is renamed', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'dive' })
  const dates = await datesOf(id)
  assert.equal(await at('/event/dive/2027-01-18/'), '200')
  await send('PATCH', `/events/${dates[2].id}`, { scope: 'following', title: 'Deep' })
  assert.equal(await at('/event/dive/2027-01-18/'), '200')
  assert.equal(await at('/event/dive/2027-01-25/'), '200')
  assert.equal(await at('/event/dive-2/'), '200')
  assert.equal(await at('/event/dive-2/2027-01-25/'), '/event/dive/2027-01-25/')
  assert.equal(await at('/event/dive-2027-01-25/'), '200')
  assert.equal(await at('/event/dive/2027-01-11/'), '200')
  await send('PATCH', `/events/${dates[3].id}`, { scope: 'following', slug: 'deeper' })
  assert.equal(await at('/event/dive/2027-01-25/'), '/event/deeper/')
  assert.equal(await at('/event/dive-2/2027-01-25/'), '/event/deeper/')
  await send('PATCH', `/events/${id}`, { slug: 'plunge' })
  assert.equal(await at('/event/dive/'), '/event/plunge/')
  assert.equal(await at('/event/dive/2027-01-25/'), '/event/deeper/')
})

test('a day on which a series has no date leads to the series, and dates that were moved have their pages where they were', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'row' })
  const [, second] = await datesOf(id)
  await send('PATCH', `/events/${id}`, { start_date: '2027-01-07 12:00:00', end_date: '2027-01-07 13:00:00' })
  assert.equal(await at('/event/row/2027-01-11/'), '200')
  assert.equal(await at('/event/row/2027-01-11/ical/'), '200')
  assert.equal(await at('/event/row/2027-01-14/'), '/event/row/2027-01-11/')
  assert.equal(await at('/event/row/2027-01-14/ical/'), '/event/row/2027-01-11/ical/')
  assert.equal(await at('/event/row-2027-01-11/'), '200')
  assert.equal(await at('/event/row/2027-01-12/'), '/series/row/')
  assert.equal(await at('/event/row/2027-01-12/?a=b'), '/series/row/?a=b')
  assert.equal(await at('/event/row/2027-01-12/ical/'), '/series/row/ical/')
  assert.equal(await at('/event/row-2027-01-12/'), '/series/row/')
  for (const noDay of ['2027-13-11', '2027-01-00', '2027-02-29', '0000-00-00', '9999-12-32'])
    assert.deepEqual([await at(`/event/row/${noDay}/`), await at(`/event/row-${noDay}/`)], ['404', '404'], noDay)
  assert.deepEqual([await at('/series/row/'), await at('/series/row/ical/')], ['200', '200'])
  await send('PATCH', `/events/${id}`, { slug: 'paddle' })
  assert.equal(await at('/event/row/2027-01-14/'), '/event/paddle/2027-01-14/')
  assert.equal(await at('/event/row/2027-01-11/'), '/series/paddle/')
  const taken = await send('POST', '/events', { ...WEEKLY, slug: 'row' })
  assert.equal(taken.slug, 'row')
  assert.equal(await at('/event/row/2027-01-11/'), '200')
  await send('PATCH', `/events/${id}`, { status: 'private' })
  assert.deepEqual([await at('/event/paddle/2027-01-11/'), second.slug], ['404', 'row-2027-01-11'])
})

test('the page of an event that recurs no more says of no further dates, and its former addresses lead there', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'snorkel' })
  assert.match(await (await fetch(`${app.origin}/event/snorkel/`)).text(), /All dates/)
  await send('PATCH', `/events/${id}`, { recurrence: null })
  assert.doesNotMatch(await (await fetch(`${app.origin}/event/snorkel/`)).text(), /All dates|Repeats/)
  assert.equal(await at('/event/snorkel/all/'), '/event/snorkel/')
  const later = { start_date: '2027-01-06 10:00:00', end_date: '2027-01-06 11:00:00' }
  await send('PATCH', `/events/${id}`, { ...later, event_status: 'rescheduled' })
  assert.equal(await at('/event/snorkel/2027-01-11/'), '/event/snorkel/')
  await send('PATCH', `/events/${id}`, { slug: 'snorkelling' })
  for (const view of ['', '2027-01/', 'ical/']) {
    const now = await at(`/series/snorkel/${view}`)
    assert.deepEqual([now, await at(now)], [`/series/snorkelling/${view}`, '200'])
  }
})

test('so many former slugs of an event are kept, and none of one that is gone', async () => {
  const { id } = await send('POST', '/events', { title: 'Renamed', ...HOUR, slug: 'renamed-0' })
  for (let turn = 1; turn <= MOST_FORMER_SLUGS + 3; turn += 1)
    await send('PATCH', `/events/${id}`, { slug: `renamed-${turn}` })
  const kept = 'select slug from former_slug where entry_id = ? order by number'
  assert.deepEqual(
    (await rowsOf(app.app.storage, kept, id)).map(({ slug }) => slug),
    Array.from({ length: MOST_FORMER_SLUGS }, (_none, index) => `renamed-${index + 3}`),
  )
  await send('DELETE', `/events/${id}?force=true`)
  assert.deepEqual(await rowsOf(app.app.storage, kept, id), [])
  const series = await send('POST', '/events', { ...WEEKLY, slug: 'short' })
  const [, second] = await datesOf(series.id)
  await send('PATCH', `/events/${second.id}`, { slug: 'shorter' })
  await send('PATCH', `/events/${second.id}`, { slug: 'shortest' })
  assert.equal((await rowsOf(app.app.storage, kept, second.id)).length, 1)
  await send('DELETE', `/events/${series.id}?scope=all&force=true`)
  assert.deepEqual(await rowsOf(app.app.storage, kept, second.id), [])
})

test('an event that was a date of a series at another site is found at the address that it had there', async () => {
  const title = 'Yoga in the park'
  await send('POST', '/events', { title, ...HOUR, slug: 'yoga-in-the-park-2027-01-04' })
  await send('POST', '/events', { title, ...HOUR, slug: 'yoga-in-the-park-2027-01-11', status: 'draft' })
  assert.equal(await at('/event/yoga-in-the-park/2027-01-04/'), '/event/yoga-in-the-park-2027-01-04/')
  assert.equal(await at('/event/yoga-in-the-park/2027-01-04/ical/'), '/event/yoga-in-the-park-2027-01-04/ical/')
  assert.equal(await at('/event/yoga-in-the-park/2027-01-11/'), '404')
  assert.equal(await at('/event/yoga-in-the-park/2027-01-18/'), '404')
  assert.equal(await at('/series/yoga-in-the-park/2027-01-04/'), '404')
})
