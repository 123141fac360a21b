import assert from 'node:assert/strict'
import test from 'node:test'
import { disableUser, findLogin } from '../src/accounts/users/index.ts'
import { takeNumbers } from '../src/storage/numbers.ts'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'

type Person = Awaited<ReturnType<typeof visitor>>

const LIST = '/admin/events?when=all'

/** A calendar with so many public events, and somebody who may change them. */
async function open(t: Parameters<typeof openTestApp>[0], count: number) {
  const site = await openTestApp(t)
  for (let number = 1; number <= count; number += 1) await makeEvent(site, `Choir ${number}`)
  return { site, eve: await visitor(site, 'editor') }
}

async function makeEvent(site: TestApp, title: string): Promise<number> {
  const json = { title, start_date: '2026-12-05 10:00', end_date: '2026-12-05 12:00', status: 'publish' }
  return (await site.call('administrator', 'POST', '/events', { json })).body.id
}

/** How many events are in a status. */
async function countOf(site: TestApp, status: string): Promise<number> {
  const days = 'start_date=1000-01-01&end_date=9999-12-31'
  return (await site.call('administrator', 'GET', `/events?${days}&status=${status}&per_page=1`)).body.total
}

/** The page of some work once it has ended: each look is a request, and work takes as long as it takes. */
async function report(person: Person, path: string): Promise<string> {
  for (;;) {
    const { text } = await person.show(path)
    if (!text.includes('<work-progress')) return text
  }
}

function plain(text: string): string {
  return text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

test('everything that a list shows on all pages is changed as long work, and taken back as a whole', async (t) => {
  const { site, eve } = await open(t, 23)
  await makeEvent(site, 'Opera')
  const list = `${LIST}&search=choir`
  const { text } = await eve.show(list)
  assert.match(text, /Select all 23 items on all pages/)
  const { to } = await eve.send(list, text, { all: 'true', action: 'trash' })
  assert.match(to, /^\/admin\/work\/\d+$/)
  const done = await report(eve, to)
  assert.match(plain(done), /Changed 23 Unchanged 0 Couldn’t be changed 0 Not processed 0/)
  assert.deepEqual([await countOf(site, 'trash'), await countOf(site, 'publish')], [23, 1])
  const undone = (await eve.send(to, done, { action: 'restore' })).to
  assert.match(plain(await report(eve, undone)), /Changed 23 Unchanged 0 Couldn’t be changed 0 Not processed 0/)
  assert.deepEqual([await countOf(site, 'trash'), await countOf(site, 'publish')], [0, 24])
  const after = (await eve.show(to)).text
  assert.match(after, new RegExp(`href="${undone}">Restored`))
  assert.doesNotMatch(after, /value="restore"/)
  // The same form once more begins nothing.
  assert.equal((await eve.send(to, done, { action: 'restore' })).to, to)
})

test('what may not be changed is refused and named, and the rest is changed', async (t) => {
  const { site, eve } = await open(t, 20)
  const bob = await visitor(site, 'author')
  const json = { title: 'Own', start_date: '2026-12-06 10:00', end_date: '2026-12-06 12:00', status: 'publish' }
  await site.call('author', 'POST', '/events', { json })
  const { to } = await bob.submit(LIST, { all: 'true', action: 'draft' })
  const done = await report(bob, to)
  assert.match(plain(done), /Changed 1 Unchanged 0 Couldn’t be changed 20 Not processed 0/)
  assert.match(
    done,
    /<a class="title" href="\/admin\/events\/\d+"><bdi>Choir 7<\/bdi><\/a><\/th><td>You do not have permission to do this\./,
  )
  assert.equal(await countOf(site, 'draft'), 1)
  // The report is its owner's, and the administrators'.
  assert.equal((await eve.show(to)).status, 404)
  assert.equal((await (await visitor(site, 'administrator')).show(to)).status, 200)
})

test('fields of several events are changed at once: those that are ticked, and all of them', async (t) => {
  const { site, eve } = await open(t, 3)
  const venue = (await site.call('editor', 'POST', '/venues', { json: { venue: 'Felsenkeller' } })).body.id
  const events = async () => (await site.call('editor', 'GET', '/events?start_date=2026-12-01')).body.events
  const [first] = await events()
  const apply = (form: Record<string, string>) => eve.submit(LIST, { 'ids[]': `${first.id}-publish`, ...form })
  for (const [action, value] of Object.entries({ category: 'Jazz', tag: 'Late', language: 'de' }))
    assert.match((await apply({ action, [`to_${action}`]: value })).to, /done=saved&count=1/)
  for (const action of ['feature', 'cancel']) assert.match((await apply({ action })).to, /done=saved&count=1/)
  const unknown = await apply({ action: 'venue', to_venue: 'Nowhere' })
  assert.match((await eve.show(unknown.to)).text, /role="alert">Nothing was changed\./)
  const { to } = await eve.submit(LIST, { all: 'true', action: 'venue', to_venue: 'felsenkeller' })
  assert.match(plain(await report(eve, to)), /Changed 3 Unchanged 0/)
  const again = await eve.submit(LIST, { all: 'true', action: 'category', to_category: 'Jazz' })
  assert.match(plain(await report(eve, again.to)), /Changed 2 Unchanged 1/)
  const [changed, other] = await events()
  const { categories, tags, language, featured, event_status } = changed
  assert.deepEqual([categories[0].name, tags[0].name, language, featured], ['Jazz', 'Late', 'de', true])
  assert.deepEqual([event_status, changed.venue.id, other.venue.id], ['canceled', venue, venue])
  assert.deepEqual([other.event_status, other.featured, other.categories[0].name], [undefined, false, 'Jazz'])
})

test('venues and tags are changed as well, and what is deleted for good is asked about', async (t) => {
  const { site, eve } = await open(t, 0)
  for (let number = 1; number <= 31; number += 1) {
    await site.call('administrator', 'POST', '/venues', { json: { venue: `Hall ${number}`, status: 'publish' } })
    await site.call('administrator', 'POST', '/tags', { json: { name: `Tag ${number}` } })
  }
  const venues = await eve.submit('/admin/venues', { all: 'true', action: 'draft' })
  assert.match(plain(await report(eve, venues.to)), /Changed 31 Unchanged 0 Couldn’t be changed 0/)
  const { to } = await eve.submit('/admin/tags', { all: 'true', action: 'trash' })
  const done = await report(eve, to)
  assert.match(plain(done), /Changed 31 Unchanged 0 Couldn’t be changed 0/)
  const count = async () => (await site.call('administrator', 'GET', '/tags?hide_empty=false')).body.total
  assert.equal(await count(), 0)
  await site.call('administrator', 'POST', '/tags', { json: { name: 'Tag 7' } })
  const undone = await eve.send(to, done, { action: 'restore' })
  const back = await report(eve, undone.to)
  assert.match(
    plain(back),
    /Changed 30 Unchanged 0 Couldn’t be changed 1 .*Tag 7 The slug .*tag-7.* is already used by another category or tag\./,
  )
  assert.equal(await count(), 31)
  // Places are deleted for good.
  const asked = await eve.submit('/admin/venues', { all: 'true', action: 'delete' })
  assert.match(asked.text, /Delete all 31 items permanently\?/)
  const places = await eve.send('/admin/venues', asked.text, { action: 'delete' })
  assert.doesNotMatch(await report(eve, places.to), /value="restore"/)
})

/** Work of a process that died after it had changed the first event. */
async function workUnderWay(site: TestApp, ids: readonly number[], seen_at: string): Promise<void> {
  const { storage } = site.app
  const user = await findLogin(storage, 'editor')
  const row = {
    ...{ id: 1, kind: 'bulk', lane: `bulk ${user?.id}`, state: 'running', by_id: user?.id ?? 0, by_name: 'editor' },
    ...{ about: JSON.stringify({ collection: 'events', action: 'trash' }), done: 1, total: ids.length, follows: 0 },
    ...{ started_at: '2026-11-20 17:59:00', seen_at, ended_at: null, is_stopping: 0, outcome: null, problem: null },
  }
  await storage.write(async (tx) => {
    await takeNumbers(tx, 'long_work')
    await tx.run(tx.db.insertInto('long_work').values(row))
    for (const [position, item_id] of ids.entries()) {
      const item = { work_id: 1, position, item_id, status: 'publish', scope: '', title: '', problem: null }
      await tx.run(tx.db.insertInto('long_work_item').values({ ...item, state: position === 0 ? 'done' : '' }))
    }
  })
}

test('work that was broken off says what was done, goes on with the others, and leaves alone what others changed', async (t) => {
  const { site } = await open(t, 0)
  const ids = [await makeEvent(site, 'One'), await makeEvent(site, 'Two'), await makeEvent(site, 'Three')]
  await site.call('administrator', 'DELETE', `/events/${ids[0]}`)
  site.clock.now = Date.parse('2026-11-20T18:00:00Z')
  await workUnderWay(site, ids, '2026-11-20 17:00:00')
  await site.call('administrator', 'POST', `/events/${ids[1]}`, { json: { status: 'private' } })
  const ada = await visitor(site, 'administrator')
  // Somebody went on, and stopped that before anything was chosen.
  await site.app.storage.write(async (tx) => {
    const id = await takeNumbers(tx, 'long_work')
    const first = await tx.first(tx.db.selectFrom('long_work').selectAll().where('id', '=', 1))
    assert.ok(first !== undefined)
    await tx.run(tx.db.insertInto('long_work').values({ ...first, id, state: 'stopped', follows: 1, lane: '' }))
  })
  const { text } = await ada.show('/admin/work/1')
  assert.match(plain(text), /Status Interrupted .* Changed 1 Unchanged 0 Couldn’t be changed 0 Not processed 2/)
  const { to } = await ada.send('/admin/work/1', text, { action: 'continue' })
  const done = await report(ada, to)
  assert.match(plain(done), /Changed 1 Unchanged 0 Couldn’t be changed 1 Not processed 0/)
  assert.match(done, /<bdi>Two<\/bdi><\/a><\/th><td>The item is not in the state that this request expects/)
  assert.deepEqual([await countOf(site, 'trash'), await countOf(site, 'private')], [2, 1])
})

test('one user changes many things once at a time, with progress, and can stop that', async (t) => {
  const { site, eve } = await open(t, 21)
  const ids = (await site.call('administrator', 'GET', '/events?per_page=21')).body.events
  site.clock.now = Date.parse('2026-11-20T18:00:00Z')
  const seen = '2026-11-20 17:59:58'
  await workUnderWay(
    site,
    ids.slice(0, 3).map(({ id }: { id: number }) => id),
    seen,
  )
  const { text } = await eve.show('/admin/work/1')
  assert.match(plain(text), /You can leave this page and the work will continue\. 1 of 3 · About 2 minutes left/)
  const busy = await eve.submit(LIST, { all: 'true', action: 'draft' })
  assert.match((await eve.show(busy.to)).text, /Another bulk change is still running/)
  assert.equal((await eve.send('/admin/work/1', text, { action: 'stop' })).to, '/admin/work/1')
  const row = site.app.storage.db.selectFrom('long_work').select('is_stopping')
  assert.deepEqual(await site.app.storage.all(row), [{ is_stopping: 1 }])
  assert.equal(await countOf(site, 'publish'), 21)
})

test('what is stopped or ended in between says exactly what was changed', async (t) => {
  const { site, eve } = await open(t, 40)
  const { to } = await eve.submit(LIST, { all: 'true', action: 'draft' })
  await eve.submit(to, { action: 'stop' })
  const shown = plain(await report(eve, to))
  const numbers = /Changed (\d+) Unchanged 0 Couldn’t be changed 0 Not processed (\d+)/.exec(shown)
  const [changed, waiting] = [Number(numbers?.[1]), Number(numbers?.[2])]
  assert.equal(await countOf(site, 'draft'), changed)
  // Stopped before the items were chosen, it has none.
  assert.ok([0, 40].includes(changed + waiting), shown)
})

test('a list that is refused changes nothing, and the report says why', async (t) => {
  const { site, eve } = await open(t, 2)
  const { text } = await eve.show(LIST)
  const { to } = await eve.send(`${LIST}&search=${'x'.repeat(3000)}`, text, { all: 'true', action: 'trash' })
  const shown = plain(await report(eve, to))
  assert.match(shown, /Status Failed .*search/)
  assert.equal(await countOf(site, 'publish'), 2)
})

test('an administrator restores what somebody else has deleted', async (t) => {
  const { site, eve } = await open(t, 21)
  const { text } = await eve.show(LIST)
  const { to } = await eve.send(LIST, text, { all: 'true', action: 'trash' })
  const done = await report(eve, to)
  await disableUser(site.app, { name: 'editor' })
  const ada = await visitor(site, 'administrator')
  // It is asked for by somebody else then, with their rights.
  const undone = await ada.send(to, done.replace(/name="_csrf" value="[^"]*"/g, await csrfOf(ada)), {
    action: 'restore',
  })
  assert.match(
    plain(await report(ada, undone.to)),
    /Started by administrator .* Changed 21 Unchanged 0 Couldn’t be changed 0/,
  )
  assert.equal(await countOf(site, 'publish'), 21)
})

async function csrfOf({ show }: Person): Promise<string> {
  return /name="_csrf" value="[^"]*"/.exec((await show('/admin')).text)?.[0] ?? ''
}

test('what nothing brings back is offered for what is in the trash already', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const offered = async (path: string): Promise<readonly string[]> => {
    const { text } = await ada.show(path)
    const options = /<select [^>]*name="action"[^>]*>([\s\S]*?)<\/select>/.exec(text)?.[1] ?? ''
    return [...options.matchAll(/value="([^"]*)"/g)].map(([, action = '']) => action)
  }
  const json = {
    title: 'Regatta',
    start_date: '2026-12-05 10:00',
    end_date: '2026-12-05 12:00',
    venue: { venue: 'Pier' },
  }
  const { body } = await site.call('administrator', 'POST', '/events', { json })
  const isOfStatus = (action: string): boolean => ['publish', 'draft', 'trash', 'delete'].includes(action)
  assert.deepEqual((await offered('/admin/events?when=all')).filter(isOfStatus), ['publish', 'draft', 'trash'])
  assert.deepEqual(await offered('/admin/venues'), ['trash', 'publish', 'draft'])
  await site.call('administrator', 'DELETE', `/events/${body.id}`)
  await site.call('administrator', 'DELETE', `/venues/${body.venue.id}`)
  assert.deepEqual(await offered('/admin/events?status=trash'), ['publish', 'draft', 'delete'])
  assert.deepEqual(await offered('/admin/venues?status=trash'), ['publish', 'draft', 'delete'])
})
