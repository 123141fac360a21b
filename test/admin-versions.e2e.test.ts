import assert from 'node:assert/strict'
import test from 'node:test'
import { FORM, visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

/** Of each kind of items: what is there, what somebody changes, and what somebody else changes meanwhile. */
const KINDS = {
  venues: { begin: { venue: 'Hall' }, mine: { venue: 'Old hall' }, theirs: { city: 'Astoria' } },
  organizers: { begin: { organizer: 'Rowers' }, mine: { organizer: 'Sailors' }, theirs: { phone: '555 0141' } },
  categories: { begin: { name: 'Water' }, mine: { name: 'Sport' }, theirs: { description: 'On the bay' } },
  tags: { begin: { name: 'wind' }, mine: { name: 'gale' }, theirs: { description: 'From the west' } },
}

for (const [collection, { begin, mine, theirs }] of Object.entries(KINDS)) {
  test(`of ${collection}: who saves on top of a change sees both versions, and both changes survive`, async (t) => {
    const site = await openTestApp(t)
    const ada = await visitor(site, 'editor')
    const { body } = await site.call('editor', 'POST', `/${collection}`, { json: begin })
    const [page, item] = [`/admin/${collection}/${body.id}`, `/${collection}/${body.id}`]
    const { text } = await ada.show(page)
    await site.call('editor', 'POST', item, { json: theirs })
    const conflict = await ada.send(page, text, mine)
    assert.equal(conflict.status, 409)
    const [[name = ''] = [], [other = ''] = []] = [Object.keys(mine), Object.keys(theirs)]
    assert.match(conflict.text, new RegExp(`name="_keep_${name}" value="mine" checked`))
    assert.match(conflict.text, new RegExp(`name="_keep_${other}" value="theirs" checked`))
    const between = (await site.call('editor', 'GET', item)).body
    assert.equal(between[name], Object.values(begin)[0], 'nothing is saved before')
    assert.match((await ada.send(page, conflict.text, {})).to, /done=saved$/)
    const after = (await site.call('editor', 'GET', item)).body
    assert.deepEqual([after[name], after[other]], [Object.values(mine)[0], between[other]])
  })
}

test('categories and tags are made in their forms, with everything that describes them', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  for (const collection of ['categories', 'tags']) {
    const form = { name: 'Jazz & blues', description: 'With <b>drums</b>', slug: 'jazz' }
    assert.match((await ada.submit(`/admin/${collection}/new`, form)).to, /done=saved$/)
    const [item] = (await site.call('editor', 'GET', `/${collection}?hide_empty=false`)).body[collection]
    assert.deepEqual([item.name, item.slug], ['Jazz &amp; blues', 'jazz'])
    assert.match(item.description, /With (?:<b>)?drums/)
    const again = await ada.submit(`/admin/${collection}/${item.id}`, {})
    assert.match(again.to, /done=saved$/)
    const [same] = (await site.call('editor', 'GET', `/${collection}?hide_empty=false`)).body[collection]
    assert.deepEqual(same, item)
  }
})

test('a category that somebody moves while another names it stays where it was moved', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const made = async (json: object) => (await site.call('editor', 'POST', '/categories', { json })).body.id
  const [sport, water] = [await made({ name: 'Sport' }), await made({ name: 'Water' })]
  const page = `/admin/categories/${water}`
  const { text } = await ada.show(page)
  await site.call('editor', 'POST', `/categories/${water}`, { json: { parent: sport } })
  const conflict = await ada.send(page, text, { name: 'On the water' })
  assert.match(conflict.text, /Parent category[\s\S]*Your version[\s\S]*–[\s\S]*Saved version[\s\S]*Sport/)
  await ada.send(page, conflict.text, {})
  const { body } = await site.call('editor', 'GET', `/categories/${water}`)
  assert.deepEqual([body.name, body.parent], ['On the water', sport])
  await ada.submit(page, { parent: '' })
  assert.equal((await site.call('editor', 'GET', `/categories/${water}`)).body.parent, 0)
})

test('what was chosen of two versions is about the dates that were meant', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const rule = { repeat: 'WEEKLY', repeat_end: 'count', repeat_count: '3' }
  await ada.submit('/admin/events/new', { ...FORM, ...rule, action: 'publish' })
  const list = async () => (await site.call('anonymous', 'GET', '/events?start_date=2026-12-01')).body.events
  const [, { id }] = await list()
  const page = `/admin/events/${id}`
  const { text } = await ada.show(page)
  await site.call('editor', 'POST', `/events/${id}`, { json: { cost: 'Free', scope: 'all' } })
  const conflict = await ada.send(page, text, { title: 'Cup', scope: 'all', action: 'update' })
  assert.equal(conflict.status, 409)
  await ada.send(page, conflict.text, { action: 'update' })
  const shown = (await list()).map(({ title, cost }: { title: string; cost: string }) => `${title} ${cost}`)
  assert.deepEqual(shown, ['Cup Free', 'Cup Free', 'Cup Free'])
})

test('a venue that gets another name stops nobody who changes an event there', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const { to } = await ada.submit('/admin/events/new', { ...FORM, venue: 'Hall', action: 'publish' })
  const page = to.split('?')[0] ?? ''
  const event = page.replace('/admin', '')
  const { text } = await ada.show(page)
  const { venue } = (await site.call('editor', 'GET', event)).body
  await site.call('editor', 'POST', `/venues/${venue.id}`, { json: { city: 'Astoria' } })
  assert.match((await ada.send(page, text, { title: 'Cup', action: 'update' })).to, /done=saved$/)
  const { body } = await site.call('editor', 'GET', event)
  assert.deepEqual([body.title, body.venue.city], ['Cup', 'Astoria'])
})

test('who saves an event that was moved to the trash meanwhile is told, although its form shows nothing else', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const { to } = await ada.submit('/admin/events/new', { ...FORM, action: 'publish' })
  const page = to.split('?')[0] ?? ''
  const { text } = await ada.show(page)
  await site.call('editor', 'DELETE', page.replace('/admin', ''))
  const conflict = await ada.send(page, text, { title: 'Cup', action: 'update' })
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /In trash/)
})

test('versions in a form that mean nothing are no reason to fail', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const { to } = await ada.submit('/admin/events/new', { ...FORM, action: 'publish' })
  const page = to.split('?')[0] ?? ''
  for (const crafted of ['{', '[]', 'null', '{"title":5,"venue":{"a":1},"cost":[1]}'])
    for (const form of [{ _base: crafted }, { _theirs: crafted, _keep_title: 'theirs' }, { _mark: crafted }])
      assert.ok((await ada.submit(page, { ...form, action: 'update' })).status < 500, JSON.stringify(form))
})
