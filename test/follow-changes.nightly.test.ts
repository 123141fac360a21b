import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import test, { type TestContext } from 'node:test'
import { writeCursor } from '../src/changes/feed/cursor.ts'
import type { SiteReport } from '../src/cli/types.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { type Following, openFollowing, TIMES } from './support/following.ts'
import { importMade } from './support/site-import.ts'
import { runStatement } from './support/storage.ts'

/*
 * A Kalends that is followed says which items have changed: only these are read, and the copy is equal to it after each
 * round.
 */

const WEEKLY = { ...TIMES, title: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'] }

/** Imports what has changed; only that was read, and all that was changed was told. */
async function followed({ follow }: Following, what: string): Promise<SiteReport> {
  const report = await follow()
  const { walked, complete, told, skipped } = report
  const left = skipped.filter(({ what: item, why }) => !item.startsWith('user ') && !why.startsWith('its password'))
  assert.deepEqual([walked, complete, told, left], [false, true, true, []], what)
  return report
}

test('of a Kalends only what has changed is read, and the copy is equal after each round', async (t) => {
  const following = await openFollowing(t)
  const { send, follow, readAll } = following
  const music = await send('POST', '/categories', { name: 'Music', slug: 'music' })
  const jazz = await send('POST', '/categories', { name: 'Jazz', parent: music.id })
  const first = await send('POST', '/events', {
    ...{ ...TIMES, title: 'First', venue: { venue: 'Hall' }, organizer: { organizer: 'Rowers' } },
    ...{ categories: [jazz.id], tags: ['water'] },
  })
  for (let number = 0; number < 12; number += 1)
    await send('POST', '/events', { ...TIMES, title: `Beside ${number}`, tags: ['beside'] })
  assert.equal((await follow()).walked, true)
  await send('POST', `/events/${first.id}`, { title: 'First, changed' })
  const changed = await followed(following, 'a change')
  assert.deepEqual(changed.counts.event, { found: 1, created: 0, updated: 1, unchanged: 0 })
  assert.deepEqual(changed.counts.venue, { found: 0, created: 0, updated: 0, unchanged: 0 })

  const draft = await send('POST', '/events', { ...TIMES, title: 'Draft', status: 'draft', password: 'letmein' })
  await send('POST', '/events', {
    ...TIMES,
    title: 'New',
    categories: ['Jazz'],
    tags: ['air'],
    venue: { venue: 'Quay' },
  })
  await send('POST', `/venues/${first.venue.id}`, { venue: 'Great hall', city: 'Astoria' })
  await followed(following, 'new items and a venue')
  await send('POST', `/events/${draft.id}`, { status: 'publish' })
  await send('POST', `/categories/${music.id}`, { name: 'Sounds', slug: 'sounds' })
  const dance = await send('POST', '/categories', { name: 'Dance' })
  await send('POST', `/categories/${jazz.id}`, { parent: dance.id })
  await followed(following, 'categories that moved')
  const hidden = await following.copy.call('anonymous', 'GET', `/events/${draft.id}`)
  assert.equal(hidden.body.code, 'event-password-protected')

  await send('DELETE', `/events/${first.id}`)
  await followed(following, 'an event in the trash')
  await send('POST', `/events/${first.id}`, { status: 'publish' })
  await followed(following, 'an event that is back')
  await send('DELETE', `/events/${first.id}?force=true`)
  await send('DELETE', `/venues/${first.venue.id}?force=true`)
  assert.deepEqual((await followed(following, 'an event that is gone')).vanished, [
    `event ${first.id}`,
    `venue ${first.venue.id}`,
  ])
  assert.equal((await follow()).changed, false)
  const all = await readAll()
  const { event } = all.counts
  assert.deepEqual([all.walked, event.created, event.updated], [true, 0, 0])
})

test('an event that gets a password and leaves the lists is protected here, too', async (t) => {
  const following = await openFollowing(t)
  const { copy, send } = following
  const { id } = await send('POST', '/events', { ...TIMES, title: 'Open' })
  await following.follow()
  await send('POST', `/events/${id}`, { password: 'letmein', description: 'hush', hide_from_listings: true })
  await followed(following, 'an event that nobody finds')
  const hidden = await copy.call('administrator', 'GET', `/events/${id}`)
  assert.deepEqual([hidden.body.hide_from_listings, hidden.body.description.includes('hush')], [true, true])
  assert.equal((await copy.call('anonymous', 'GET', `/events/${id}`)).body.code, 'event-password-protected')
})

test('new events that no list shows follow, for whoever may read them', async (t) => {
  const following = await openFollowing(t)
  const { source, copy, send } = following
  const open = await openTestApp(t, { siteHost: 'third.example' })
  const visit = () => importMade(open, { origin: source.origin } as Parameters<typeof importMade>[1])
  await following.follow()
  assert.equal((await visit()).told, true)
  const hidden = { ...TIMES, hide_from_listings: true }
  const { id } = await send('POST', '/events', { ...hidden, title: 'Hidden' })
  const draft = await send('POST', '/events', { ...hidden, title: 'Hidden draft', status: 'draft' })
  const titlesIn = (app: TestApp) =>
    Promise.all(
      [id, draft.id].map(async (one) => (await app.call('administrator', 'GET', `/events/${one}`)).body.title),
    )
  await followed(following, 'events that no list shows')
  assert.deepEqual(await titlesIn(copy), ['Hidden', 'Hidden draft'])
  const { walked, complete, counts } = await visit()
  assert.deepEqual([walked, complete, counts.event.created], [false, true, 1])
  assert.deepEqual(await titlesIn(open), ['Hidden', undefined])
  await send('POST', `/events/${id}`, { title: 'Still hidden' })
  await followed(following, 'a change of an event that no list shows')
  assert.equal((await visit()).counts.event.updated, 1)
  assert.deepEqual(
    [await titlesIn(copy), await titlesIn(open)],
    [
      ['Still hidden', 'Hidden draft'],
      ['Still hidden', undefined],
    ],
  )
  await send('DELETE', `/events/${id}`)
  await followed(following, 'one that is in the trash')
  assert.equal((await copy.call('administrator', 'GET', `/events/${id}`)).body.status, 'trash')
  assert.deepEqual((await visit()).vanished, [`event ${id}`])
})

test('a password that an event has no more goes here, too, unless somebody has set another one here', async (t) => {
  const following = await openFollowing(t)
  const { copy, send, follow } = following
  const ids: number[] = []
  await follow()
  for (const title of ['Plain', 'Own'])
    ids.push((await send('POST', '/events', { ...TIMES, title, password: 'letmein' })).id)
  await followed(following, 'events with passwords')
  const seen = () => Promise.all(ids.map(async (id) => (await copy.call('anonymous', 'GET', `/events/${id}`)).status))
  const [shut] = await seen()
  assert.notEqual(shut, 200)
  assert.deepEqual(await seen(), [shut, shut])
  await copy.call('administrator', 'POST', `/events/${ids[1]}`, { json: { password: 'from here' } })
  for (const id of ids) await send('POST', `/events/${id}`, { password: '' })
  // The one has no password there, and that of here.
  const { walked, complete, told } = await following.bring()
  assert.deepEqual([walked, complete, told], [false, true, true])
  assert.deepEqual(await seen(), [200, shut])
  const query = { password: 'from here' }
  assert.equal((await copy.call('anonymous', 'GET', `/events/${ids[1]}`, { query })).status, 200)
})

test('what is not published yet comes with its protection, and is not opened by its day', async (t) => {
  const { copy, send, follow } = await openFollowing(t)
  const states = [
    { status: 'publish', date: '2026-11-25 10:00:00' },
    { status: 'draft' },
    { status: 'pending' },
    { status: 'private' },
    { status: 'draft', recurrence: WEEKLY.recurrence },
  ]
  const made: { id: number; isProtected: boolean }[] = []
  for (const state of states)
    for (const password of ['letmein', '']) {
      const { id } = await send('POST', '/events', { ...TIMES, title: 'Soon', ...state, password })
      made.push({ id, isProtected: password !== '' })
    }
  await follow()
  for (const { id, isProtected } of made) {
    const json = { status: 'publish', date: '2026-11-01 10:00:00', scope: 'all' }
    const shown = await copy.call('administrator', 'POST', `/events/${id}`, { json })
    assert.deepEqual([shown.status, shown.body.status], [200, 'publish'], JSON.stringify(shown.body))
    const { status, body } = await copy.call('anonymous', 'GET', `/events/${id}`)
    assert.equal(status === 200 ? '' : body.code, isProtected ? 'event-password-protected' : '', `event ${id}`)
  }
})

test('what the site gives to another user is that of the other one here, too; what was given away here stays', async (t) => {
  const { source, copy, send, follow } = await openFollowing(t)
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

/**
 * A server that hands requests on to another one, except those for lists of events that nobody has signed. Like older ones
 * it tells nobody which events have a password.
 */
async function openWall(t: TestContext, { origin }: TestApp): Promise<{ readonly origin: string; isOpen: boolean }> {
  const wall = { origin: '', isOpen: false }
  const server = createServer((asked, response) => {
    const { url = '', method } = asked
    const isClosed = !wall.isOpen && asked.headers.authorization === undefined && /\/events\?/.test(url)
    if (isClosed || url.endsWith('/doc')) {
      response.writeHead(403, { 'content-type': 'application/json' }).end('{"code":"wall","message":"no"}')
      return
    }
    const headers = { ...asked.headers, 'accept-encoding': 'identity' }
    const onwards = request(`${origin}${url}`, { method, headers, agent: false }, (told) => {
      const { 'content-length': _length, ...others } = told.headers
      response.writeHead(told.statusCode ?? 502, others)
      const sent = text(told).then((body) => response.end(body.replaceAll(',"has_password":true', '')))
      sent.catch(() => response.destroy())
    })
    onwards.on('error', () => response.destroy())
    asked.pipe(onwards)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  wall.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return wall
}

test('what nobody can say to be open is not opened: new and changed events are protected until an import can tell', async (t) => {
  const source = await openTestApp(t, { siteHost: 'first.example' })
  const copy = await openTestApp(t, { siteHost: 'second.example' })
  const wall = await openWall(t, source)
  const [user = '', password = ''] = Buffer.from(source.authorization('administrator').slice(6), 'base64')
    .toString()
    .split(':')
  const bring = () => importMade(copy, { origin: wall.origin } as Parameters<typeof importMade>[1], { user, password })
  const create = async (title: string, more: object = {}): Promise<number> =>
    (await source.call('administrator', 'POST', '/events', { json: { ...TIMES, title, ...more } })).body.id
  const ids = [await create('Open'), await create('Changing')]
  const seen = () => Promise.all(ids.map(async (id) => (await copy.call('anonymous', 'GET', `/events/${id}`)).status))
  const draft = await create('Draft', { status: 'draft', password: 'letmein' })
  wall.isOpen = true
  const untold = await bring()
  assert.deepEqual(await seen(), [200, 200])
  const remark = `1 are not published (${draft}), and the site does not say whether they have a password there`
  assert.ok(
    untold.skipped.some(({ why }) => why.startsWith(remark)),
    JSON.stringify(untold.skipped),
  )
  assert.equal(untold.told, true)
  wall.isOpen = false
  ids.push(await create('Secret', { password: 'letmein' }), await create('New'))
  await source.call('administrator', 'POST', `/events/${ids[1]}`, { json: { title: 'Changed' } })
  const unsure = await bring()
  const [open, ...others] = await seen()
  assert.deepEqual([open, others.includes(200)], [200, false])
  assert.match(unsure.skipped.map(({ why }) => why).join(), /could not be found out whether 3 have a password/)
  assert.equal(unsure.told, false)
  wall.isOpen = true
  assert.equal((await bring()).told, true)
  assert.deepEqual(
    (await seen()).map((status) => status === 200),
    [true, true, false, true],
  )
})

test('categories and tags that the site deletes are deleted, too', async (t) => {
  const following = await openFollowing(t)
  const { send, follow } = following
  const music = await send('POST', '/categories', { name: 'Music' })
  const jazz = await send('POST', '/categories', { name: 'Jazz', parent: music.id })
  const [water] = (await send('POST', '/events', { ...TIMES, title: 'A', categories: [jazz.id], tags: ['water'] })).tags
  await follow()
  await send('DELETE', `/tags/${water.id}`)
  await send('DELETE', `/categories/${music.id}`)
  const report = await followed(following, 'terms')
  assert.deepEqual(report.vanished, [`category ${music.id}`, `tag ${water.id}`])
  await send('DELETE', `/categories/${jazz.id}`)
  await followed(following, 'the last term')
})

test('the dates of a series follow: changed, taken out, moved back, divided, and at its end', async (t) => {
  const following = await openFollowing(t)
  const { source, copy, send, bring, follow } = following
  await follow()
  const series = await send('POST', '/events', WEEKLY)
  const { body } = await source.call('administrator', 'GET', '/events', { query: { series: series.id, per_page: 50 } })
  const [, second, third, fourth] = body.events
  await followed(following, 'a series')
  const moved = { start_date: '2026-12-09 10:00:00', end_date: '2026-12-09 11:00:00' }
  await send('POST', `/events/${second.id}`, { title: 'Moved', ...moved })
  await followed(following, 'a date that differs')
  await send('POST', `/events/${second.id}`, {
    title: 'Weekly',
    start_date: second.start_date,
    end_date: second.end_date,
  })
  await followed(following, 'a date as it was')
  await send('DELETE', `/events/${third.id}`)
  await followed(following, 'a date that was taken out')
  await send('DELETE', `/events/${series.id}?scope=this`)
  await followed(following, 'the first date taken out')
  await send('POST', `/events/${series.id}?scope=all`, { cost: '5' })
  await followed(following, 'all dates')
  await send('DELETE', `/events/${series.id}?scope=all`)
  await followed(following, 'a series in the trash')
  await send('POST', `/events/${series.id}`, { status: 'publish' })
  await followed(following, 'a series that is back')
  await send('POST', `/events/${fourth.id}?scope=following`, { title: 'Divided' })
  // Ids are not used again: what was a date of the one has another id as a date of the other.
  const datesOf = async (app: TestApp) => {
    const dates = await app.call('administrator', 'GET', '/events', { query: { per_page: 50 } })
    return dates.body.events.map(({ title, start_date }: Record<string, string>) => `${start_date} ${title}`)
  }
  await bring()
  assert.deepEqual(await datesOf(copy), await datesOf(source))
})

test('where the site no longer knows the changes since then, everything is read once, and that is said', async (t) => {
  const following = await openFollowing(t)
  const { copy, send, follow } = following
  await send('POST', '/events', { ...TIMES, title: 'One' })
  await follow()
  await send('POST', '/events', { ...TIMES, title: 'Two' })
  await runStatement(copy.app.storage, `update imported_item set digest = '${writeCursor(9e9)}' where kind = 'cursor'`)
  const report = await follow()
  assert.deepEqual([report.walked, report.counts.event.created, report.told], [true, 1, true])
  assert.match(report.skipped[0]?.why ?? '', /no longer knows what has changed .*: everything was read$/)
  await send('POST', '/events', { ...TIMES, title: 'Three' })
  await followed(following, 'the next round')
})

test('an item that was left out is looked at again when something else has changed', async (t) => {
  const following = await openFollowing(t)
  const { copy, send, follow, bring } = following
  await follow()
  const venue = await send('POST', '/venues', { venue: 'Court', exclusive: true })
  const times = { start_date: '2026-12-05 10:00:00', end_date: '2026-12-05 11:00:00', status: 'publish' }
  const held = await send('POST', '/events', { ...times, title: 'Held', venue: venue.id })
  await followed(following, 'an exclusive venue')
  // Here another event takes the time that the site gives to a new one.
  const later = { ...times, start_date: '2026-12-05 12:00:00', end_date: '2026-12-05 13:00:00' }
  const own = await copy.call('administrator', 'POST', '/events', {
    json: { ...later, title: 'Ours', venue: venue.id },
  })
  assert.equal(own.status, 201)
  await send('POST', '/events', { ...later, title: 'Left out', venue: venue.id })
  const report = await bring()
  assert.deepEqual([report.walked, report.counts.event.created, report.skipped.length > 0], [false, 0, true])
  const removed = await copy.call('administrator', 'DELETE', `/events/${own.body.id}?force=true`)
  assert.equal(removed.status, 200)
  await send('POST', `/events/${held.id}`, { title: 'Held still' })
  const again = await bring()
  assert.deepEqual([again.walked, again.counts.event.created, again.counts.event.updated], [false, 1, 1])
})
