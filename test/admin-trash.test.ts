import assert from 'node:assert/strict'
import test from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'

type Person = Awaited<ReturnType<typeof visitor>>

const WHEN = { start_date: '2026-12-05 10:00', end_date: '2026-12-05 12:00', status: 'publish' }

async function make({ call }: TestApp, path: string, json: object): Promise<number> {
  return (await call('author', 'POST', path, { json })).body.id
}

/** The rows of the trash: name, kind and who deleted it. */
async function rowsFor(person: Person): Promise<readonly string[]> {
  const { text } = await person.show('/admin/trash')
  const rows = text.matchAll(
    /<bdi class="title">([^<]*)<\/bdi><\/th><td>([^<]*)<\/td><td><span[^>]*>[^<]*<\/span><bdi>([^<]*)</g,
  )
  return [...rows].map(([, name, kind, who]) => `${name}, ${kind}, ${who}`)
}

test('everything that was deleted is in one list, the last one first, with who deleted it', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const [event, venue] = [
    await make(site, '/events', { ...WHEN, title: 'Gig' }),
    await make(site, '/venues', { venue: 'A &amp; B' }),
  ]
  const tag = await make(site, '/tags', { name: 'wind' })
  const series = await make(site, '/events', { ...WHEN, title: 'Choir', recurrence: 'RRULE:FREQ=WEEKLY;COUNT=4' })
  const { events } = (await site.call('author', 'GET', `/events?series=${series}&end_date=2027-12-31`)).body
  const later = () => {
    site.clock.now += 60_000
  }
  await site.call('author', 'DELETE', `/events/${event}`)
  later()
  await site.call('editor', 'DELETE', `/venues/${venue}`)
  later()
  await site.call('editor', 'DELETE', `/tags/${tag}`)
  later()
  await ada.submit(`/admin/events/${events[1].id}`, { scope: 'this', action: 'trash' })
  later()
  await ada.submit(`/admin/events/${events[2].id}`, { scope: 'following', action: 'trash' })
  later()
  await ada.submit(`/admin/events/${series}`, { scope: 'all', action: 'trash' })
  const all = [
    'Choir, Events, administrator',
    'Choir (19 Dec 2026, 10:00), This and following dates, administrator',
    'Choir (12 Dec 2026, 10:00), This date only, administrator',
    'wind, Tags, editor',
    'A &amp; B, Venues, editor',
    'Gig, Events, author',
  ]
  assert.deepEqual(await rowsFor(ada), all)
  assert.deepEqual(await rowsFor(await visitor(site, 'author')), all, 'all of this is theirs')
  assert.deepEqual(await rowsFor(await visitor(site, 'contributor')), [])

  const { text } = await ada.show('/admin/trash')
  const keys = [...text.matchAll(/name="items\[\]" value="([^"]*)"/g)].map(([, key]) => key)
  const back = await ada.submit('/admin/trash', { 'items[]': keys.join('.'), action: 'restore' })
  assert.equal(back.status, 400, 'the series was changed since its dates were removed')
  assert.deepEqual(await rowsFor(ada), all.slice(1, 2))
  assert.equal((await site.call('anonymous', 'GET', `/events/${event}`)).status, 200)
  assert.equal((await site.call('anonymous', 'GET', `/venues/${venue}`)).status, 200)
  assert.equal((await site.call('anonymous', 'GET', `/events/${events[1].id}`)).status, 200)
})

test('only editors delete permanently what has a status, authors the terms', async (t) => {
  const site = await openTestApp(t)
  const [bob, eve] = [await visitor(site, 'author'), await visitor(site, 'editor')]
  const event = await make(site, '/events', { ...WHEN, title: 'Gig' })
  await site.call('author', 'DELETE', `/events/${event}`)
  const sent = { 'items[]': `event-${event}`, action: 'delete', confirmed: 'true' }
  assert.doesNotMatch((await bob.show('/admin/trash')).text, /Delete permanently/)
  await bob.submit('/admin/trash', sent)
  assert.deepEqual((await rowsFor(eve)).length, 1)
  assert.match((await eve.submit('/admin/trash', { delete: `event-${event}` })).text, /Delete Gig permanently\?/)
  assert.equal((await eve.submit('/admin/trash', sent)).to, '/admin/trash?done=deleted')
  assert.deepEqual(await rowsFor(eve), [])
  assert.equal((await eve.submit('/admin/trash', sent)).to, '/admin/trash?done=gone')
})

test('the trash has pages, and its last one where the one asked for is no longer there', async (t) => {
  const site = await openTestApp(t)
  const eve = await visitor(site, 'editor')
  for (let number = 1; number <= 51; number += 1) {
    const id = await make(site, '/tags', { name: `Tag ${number}` })
    await site.call('editor', 'DELETE', `/tags/${id}`)
  }
  const { text } = await eve.show('/admin/trash')
  assert.match(text, /Page 1 of 2/)
  assert.doesNotMatch(text, />Tag 1</)
  assert.match((await eve.show('/admin/trash?page=9')).text, />Tag 1</)
})
