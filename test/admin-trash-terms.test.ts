import assert from 'node:assert/strict'
import test from 'node:test'
import { examineCopies } from '../src/ops/doctor/copies.ts'
import { examineRows } from '../src/ops/doctor/rows.ts'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { restorableIn, restoreFrom } from './support/trash.ts'

type Person = Awaited<ReturnType<typeof visitor>>

const WHEN = { start_date: '2026-12-05 10:00', end_date: '2026-12-05 12:00', status: 'publish' }

async function make({ call }: TestApp, path: string, json: object): Promise<number> {
  const { status, body } = await call('administrator', 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

async function read({ call }: TestApp, path: string) {
  return (await call('administrator', 'GET', path)).body
}

/** What is wrong with what is stored twice, and with the journal; `[]` where all is well. */
async function faults({ app }: TestApp) {
  const all = [...(await examineRows(app.storage)), ...(await examineCopies(app.storage)).findings]
  return all.filter(({ problems }) => problems > 0)
}

/** Moves an item to the trash by its form; the page that follows. */
async function remove(person: Person, page: string) {
  const { to } = await person.submit(page, { action: 'delete' })
  return { to, text: (await person.show(to)).text }
}

/** Restores what a page offers to; the page that follows. */
async function takeBack(person: Person, list: string, text: string): Promise<string> {
  return (await restoreFrom(person, text, list)).text
}

const idsOf = (terms: readonly { readonly id: number }[]): number[] => terms.map(({ id }) => id).sort((a, b) => a - b)

/** How many events lists show of a category or tag, with all that is below it. */
async function listed(site: TestApp, filter: string): Promise<number> {
  return (await read(site, `/events?${filter}&start_date=1000-01-01&end_date=9999-12-31&per_page=1`)).total
}

test('a category that was deleted comes back with its place, its children and all its events', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const top = await make(site, '/categories', { name: 'Arts' })
  const json = { name: 'Music & Dance', slug: 'music', description: 'All <em>sounds</em>', parent: top }
  const music = await make(site, '/categories', json)
  const jazz = await make(site, '/categories', { name: 'Jazz', parent: music })
  const gig = await make(site, '/events', { ...WHEN, title: 'Gig', categories: [music, jazz] })
  const draft = await make(site, '/events', { ...WHEN, title: 'Draft', status: 'draft', categories: [music] })
  const low = await make(site, '/events', { ...WHEN, title: 'Low', categories: [jazz] })
  const weekly = { ...WHEN, title: 'Weekly', recurrence: 'RRULE:FREQ=WEEKLY;COUNT=4', categories: [music] }
  const series = await make(site, '/events', weekly)
  const dates = (await read(site, `/events?series=${series}&end_date=2027-12-31`)).events
  await site.call('administrator', 'POST', `/events/${dates[1].id}`, { json: { title: 'Guest', scope: 'this' } })
  const before = await read(site, `/categories/${music}`)
  const counts = () => Promise.all([top, music, jazz].map((id) => listed(site, `categories=${id}`)))
  const listedBefore = await counts()

  const { text } = await remove(ada, `/admin/categories/${music}`)
  assert.equal((await site.call('editor', 'GET', `/categories/${music}`)).status, 400)
  assert.equal((await read(site, `/categories/${jazz}`)).parent, top)
  await site.call('administrator', 'POST', `/events/${gig}`, { json: { title: 'Gig moved', categories: [jazz, top] } })
  const told = await takeBack(ada, '/admin/categories', text)

  assert.match(told, /role="status">Restored</)
  assert.deepEqual(await read(site, `/categories/${music}`), before)
  assert.equal((await read(site, `/categories/${jazz}`)).parent, music)
  const found = await read(site, `/events/${gig}`)
  assert.deepEqual([found.title, idsOf(found.categories)], ['Gig moved', [top, music, jazz]])
  assert.deepEqual(idsOf((await read(site, `/events/${draft}`)).categories), [music])
  assert.deepEqual(idsOf((await read(site, `/events/${low}`)).categories), [jazz])
  for (const { id } of dates) assert.deepEqual(idsOf((await read(site, `/events/${id}`)).categories), [music])
  assert.deepEqual(await counts(), listedBefore)
  assert.deepEqual(await faults(site), [])
})

test('a tag comes back to all events that are there, once, and followers of changes are told', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const tag = await make(site, '/tags', { name: 'late' })
  const other = await make(site, '/tags', { name: 'free' })
  // More than the journal is read of at once.
  const events: number[] = []
  for (let number = 0; number < 60; number += 1)
    events.push(await make(site, '/events', { ...WHEN, title: `Night ${number}`, tags: [tag, other] }))
  const plain = await make(site, '/events', { ...WHEN, title: 'Day', tags: [other] })
  const { text } = await remove(ada, `/admin/tags/${tag}`)
  const [first, second] = events
  await site.call('administrator', 'DELETE', `/events/${first}?force=true`)
  await site.call('administrator', 'DELETE', `/events/${second}`)
  const changes = `${site.origin}/kalends/v1/changes`
  const { body } = await site.call('administrator', 'GET', changes)
  assert.match(await takeBack(ada, '/admin/tags', text), /role="status">Restored</)
  const told = (await read(site, `${changes}?since=${body.cursor}&resource=tag`)).changes
  assert.deepEqual(
    told.map(({ id, action }: { id: number; action: string }) => [id, action]),
    [[tag, 'created']],
  )
  assert.equal(await listed(site, `tags=${tag}`), 58)
  assert.equal((await read(site, `/tags/${tag}`)).count, 58)
  assert.deepEqual(idsOf((await read(site, `/events/${second}`)).tags), [tag, other])
  assert.deepEqual(idsOf((await read(site, `/events/${plain}`)).tags), [other])
  assert.match(await takeBack(ada, '/admin/tags', text), /role="status">Someone else has already removed this\.</)
  assert.deepEqual(await faults(site), [])
})

test('what took its slug or name meanwhile keeps it, and what was deleted stays in the trash until then', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  for (const slug of ['jazz', 'jazz-again']) {
    const tag = await make(site, '/tags', { name: 'Jazz', slug: 'jazz' })
    const { text } = await remove(ada, `/admin/tags/${tag}`)
    const taker = await make(site, '/tags', { name: slug === 'jazz' ? 'Swing' : 'JAZZ', slug })
    const refused = await takeBack(ada, '/admin/tags', text)
    assert.match(
      refused,
      /role="alert"[\s\S]{0,200}?Jazz: (The slug .*jazz.* is already used by another category or tag|A category or tag with this name already exists)\./,
    )
    assert.equal((await site.call('editor', 'GET', `/tags/${tag}`)).status, 400)
    await site.call('editor', 'POST', `/tags/${taker}`, { json: { name: `Other ${slug}`, slug: `other-${slug}` } })
    assert.match(await takeBack(ada, '/admin/tags', text), /role="status">Restored</)
    const { name, slug: own } = await read(site, `/tags/${tag}`)
    assert.deepEqual([name, own], ['Jazz', 'jazz'])
    await site.call('editor', 'DELETE', `/tags/${tag}`)
  }
  assert.deepEqual(await faults(site), [])
})

test('a name that two had before is no hindrance', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const outer = await make(site, '/categories', { name: 'Dance' })
  const inner = await make(site, '/categories', { name: 'Dance', parent: outer })
  await make(site, '/categories', { name: 'Dance', slug: 'third' })
  const { text } = await remove(ada, `/admin/categories/${outer}`)
  assert.equal((await read(site, `/categories/${inner}`)).parent, 0)
  assert.match(await takeBack(ada, '/admin/categories', text), /role="status">Restored</)
  assert.equal((await read(site, `/categories/${inner}`)).parent, outer)
  assert.deepEqual(await faults(site), [])
})

test('whoever may delete a term restores it, for 30 days; only who deleted it is offered that at once', async (t) => {
  const site = await openTestApp(t)
  const [ada, bob] = [await visitor(site, 'editor'), await visitor(site, 'author')]
  const tag = await make(site, '/tags', { name: 'wind' })
  const { to, text } = await remove(ada, `/admin/tags/${tag}`)
  const isThere = async () => (await site.call('editor', 'GET', `/tags/${tag}`)).status === 200
  assert.equal(restorableIn((await bob.show(to)).text), '', 'of somebody else')
  await restoreFrom(await visitor(site, 'contributor'), text)
  assert.equal(await isThere(), false, 'without the rights')
  site.clock.now += 3_602_000
  assert.equal(restorableIn((await ada.show(to)).text), '', 'long ago')
  site.clock.now += 30 * 86_400_000
  await restoreFrom(await visitor(site, 'author'), text)
  assert.equal(await isThere(), false, 'too long ago')
  site.clock.now -= 2 * 3_600_000
  await restoreFrom(await visitor(site, 'author'), text)
  assert.equal(await isThere(), true)
  // Deleted again: that is another removal than the page names.
  await site.call('author', 'DELETE', `/tags/${tag}`)
  const again = await takeBack(await visitor(site, 'editor'), '/admin/tags', text)
  assert.match(again, /role="status">Someone else has already removed this\.</)
  assert.equal(await isThere(), false)
})

test('a category whose parent is gone comes back where that was, and leaves what was moved elsewhere', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const top = await make(site, '/categories', { name: 'Top' })
  const middle = await make(site, '/categories', { name: 'Middle', parent: top })
  const low = await make(site, '/categories', { name: 'Low', parent: middle })
  const [left, moved] = [
    await make(site, '/categories', { name: 'Left', parent: low }),
    await make(site, '/categories', { name: 'Moved', parent: low }),
  ]
  const event = await make(site, '/events', { ...WHEN, title: 'Gig', categories: [low] })
  const { text } = await remove(ada, `/admin/categories/${low}`)
  await site.call('editor', 'DELETE', `/categories/${middle}`)
  await site.call('editor', 'POST', `/categories/${moved}`, { json: { parent: 0 } })
  await takeBack(ada, '/admin/categories', text)
  const parents = [low, left, moved].map(async (id) => (await read(site, `/categories/${id}`)).parent)
  assert.deepEqual(await Promise.all(parents), [top, low, 0])
  assert.deepEqual(idsOf((await read(site, `/events/${event}`)).categories), [low])
  assert.equal(await listed(site, `categories=${top}`), 1)
  assert.deepEqual(await faults(site), [])
})

test('a category and what is below it, deleted together in any order, come back as they were', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const above = await make(site, '/categories', { name: 'Above' })
  const below = await make(site, '/categories', { name: 'Below', parent: above })
  const event = await make(site, '/events', { ...WHEN, title: 'Gig', categories: [above, below] })
  for (const ids of [
    [above, below],
    [below, above],
  ]) {
    const before = await Promise.all(ids.map((id) => read(site, `/categories/${id}`)))
    const chosen = ids.map((id) => `${id}-publish`).join()
    const { to } = await ada.submit('/admin/categories', { ids: chosen, action: 'trash' })
    const { text } = await ada.show(to)
    assert.deepEqual(idsOf((await read(site, `/events/${event}`)).categories), [])
    assert.match(await takeBack(ada, '/admin/categories', text), /role="status">Restored</)
    assert.deepEqual(await Promise.all(ids.map((id) => read(site, `/categories/${id}`))), before)
    assert.deepEqual(idsOf((await read(site, `/events/${event}`)).categories), [above, below])
    // The next round is another moment.
    site.clock.now += 60_000
  }
  assert.deepEqual(await faults(site), [])
})
