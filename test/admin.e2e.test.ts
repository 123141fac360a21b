import assert from 'node:assert/strict'
import test from 'node:test'
import type { Role } from '../src/http/auth/rights.ts'
import { FORM, visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { restoreFrom } from './support/trash.ts'

test('an event is made with its venue, organizers and terms, and only what was changed is changed later', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const names = {
    venue: 'Boathouse',
    venue_city: 'Astoria',
    organizer: 'Rowers, Club',
    categories: 'Water, Sport',
    cost: '€5',
  }
  const made = await ada.submit('/admin/events/new', { ...FORM, ...names, action: 'publish' })
  const [, id] = /^\/admin\/events\/(\d+)\?done=published$/.exec(made.to) ?? []
  assert.ok(id !== undefined, made.to)
  assert.match((await ada.show(made.to)).text, /role="status">Published</)
  const { body } = await site.call('anonymous', 'GET', `/events/${id}`)
  assert.deepEqual(
    [body.title, body.venue.venue, body.venue.city, body.cost],
    ['Regatta', 'Boathouse', 'Astoria', '€5'],
  )
  assert.deepEqual(
    body.organizer.map((one: { organizer: string }) => one.organizer),
    ['Rowers', 'Club'],
  )
  assert.deepEqual(body.categories.map((one: { name: string }) => one.name).sort(), ['Sport', 'Water'])
  const saved = await ada.submit(`/admin/events/${id}`, { cost: '€6', action: 'update' })
  assert.equal(saved.to, `/admin/events/${id}?done=saved`)
  const later = await site.call('anonymous', 'GET', `/events/${id}`)
  const { cost, cost_details, modified, modified_utc, json_ld, ...others } = body
  assert.equal(later.body.cost, '€6')
  assert.deepEqual(
    { ...later.body, cost, cost_details, modified, modified_utc, json_ld },
    { ...others, cost, cost_details, modified, modified_utc, json_ld },
  )
})

test('what is refused stands beside its field, and nothing that was typed is lost', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'author')
  const answer = await ada.submit('/admin/events/new', {
    ...FORM,
    end_date: '2026-12-01',
    timezone: 'Nowhere/At_all',
    cost: '"<b>',
    action: 'draft',
  })
  assert.equal(answer.status, 400)
  assert.match(answer.text, /id="f-timezone"[^>]*aria-describedby="f-timezone-wrong" aria-invalid="true"/)
  assert.match(answer.text, /name="title" type="text" value="Regatta"/)
  assert.match(answer.text, /value="&quot;&lt;b&gt;"/)
})

test('who saves on top of the change of another sees both versions and loses neither', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const { to } = await ada.submit('/admin/events/new', { ...FORM, action: 'publish' })
  const path = to.split('?')[0] ?? ''
  const { text } = await ada.show(path)
  const mark = /name="_mark" value="([^"]*)"/.exec(text)?.[1] ?? ''
  await ada.submit(path, { cost: 'Free', action: 'update' })
  const base = JSON.stringify({
    title: 'Regatta',
    start_date: '2026-12-05',
    start_date_time: '10:00',
    end_date: '2026-12-05',
    end_date_time: '12:00',
    timezone: 'America/New_York',
  })
  const conflict = await ada.submit(path, {
    title: 'Great regatta',
    cost: '',
    _mark: mark,
    _base: base,
    action: 'update',
  })
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /Great regatta/)
  assert.match(conflict.text, /name="_keep_cost" value="theirs" checked/)
  assert.match(conflict.text, /name="_keep_title" value="mine" checked/)
})

/** The pages of the administration, each with the roles that see it beside those before. */
const PAGES_BY_ROLE: Readonly<Partial<Record<Role, readonly string[]>>> = {
  subscriber: ['profile'],
  contributor: ['events', 'events/new', 'venues', 'venues/new', 'organizers', 'organizers/new', 'trash'],
  author: ['categories', 'categories/new', 'tags', 'tags/new', 'media'],
  editor: ['queue'],
  administrator: ['import', 'subscriptions', 'webhooks', 'users', 'users/author', 'settings', 'system'],
}

test('everything in the form of an event, the way to it and what follows have the names that people look for', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const login = await (await fetch(`${site.origin}/admin/login`)).text()
  for (const name of ['Username or email', 'Password']) assert.ok(login.includes(`>${name}</label>`), name)
  assert.ok(login.includes('>Sign in</button>'))
  const list = (await ada.show('/admin/events')).text
  assert.match(list, /<a [^>]*href="\/admin\/events\/new">New event</)
  const navigation = /<nav id="nav" popover aria-label="Administration">([\s\S]*?)<\/nav>/.exec(list)?.[1] ?? ''
  const links = [...navigation.matchAll(/<a [^>]*>([^<]*)</g)].map(([, text]) => text)
  const wanted = [
    ...[
      'Overview',
      'Calendar',
      'Events',
      'Review queue',
      'Venues',
      'Organizers',
      'Categories',
      'Tags',
      'Media',
      'Calendar subscriptions',
    ],
    ...['Users', 'Settings', 'System'],
  ]
  assert.deepEqual(
    links.filter((text = '') => wanted.includes(text)),
    wanted,
  )
  const labels = [
    ...['Title', 'Description', 'Starts', 'Start time', 'Ends', 'End time', 'All day', 'Time zone', 'Venue'],
    ...['Organizers', 'Categories', 'Tags', 'Image', 'Cost', 'Website'],
  ]
  const buttonsOf = (text: string) => [...text.matchAll(/<button [^>]*>([^<]+)<\/button>/g)].map(([, name]) => name)
  const form = (await ada.show('/admin/events/new')).text
  for (const name of labels) assert.equal(form.split(`>${name}</label>`).length, 2, name)
  for (const name of ['Save draft', 'Publish', 'Preview']) assert.ok(buttonsOf(form).includes(name), name)
  const done = async (path: string, action: string) => {
    const { to } = await ada.submit(path, { ...FORM, action })
    const { text } = await ada.show(to)
    return { path: to.replace(/\?.*/, ''), text, said: /role="status">([^<]*)/.exec(text)?.[1] ?? '' }
  }
  const published = await done('/admin/events/new', 'publish')
  assert.match(published.said, /^Published/)
  for (const name of ['Update', 'Move to trash', 'Preview']) assert.ok(buttonsOf(published.text).includes(name), name)
  assert.match((await done(published.path, 'update')).said, /^Saved/)
  assert.match((await done(published.path, 'trash')).said, /^Moved to trash/)
})

test('each role sees its pages and the way there; others say why they are not shown', async (t) => {
  const site = await openTestApp(t)
  const all = Object.values(PAGES_BY_ROLE).flat()
  let seen: readonly string[] = []
  for (const [role, own] of Object.entries(PAGES_BY_ROLE)) {
    seen = [...seen, ...own]
    const somebody = await visitor(site, role as Role)
    for (const page of all) {
      const { status, text } = await somebody.show(`/admin/${page}`)
      assert.equal(status, seen.includes(page) ? 200 : 403, `${role} ${page}`)
      if (status === 403)
        assert.match(
          text,
          /Your role doesn’t give you access to this page\. If you need it, ask an administrator\./,
          `${role} ${page}`,
        )
    }
    const { text } = await somebody.show('/admin/profile')
    const navigation = /<nav id="nav" popover aria-label="Administration">([\s\S]*?)<\/nav>/.exec(text)?.[1] ?? ''
    const linked = [...navigation.matchAll(/href="\/admin\/([^"]+)"/g)].map(([, page = '']) => page)
    const expected = seen.filter((page) => !page.includes('/') && page !== 'import')
    assert.deepEqual(linked.toSorted(), expected.toSorted(), role)
  }
})

test('what a contributor submits waits for review, and nothing of others can be opened', async (t) => {
  const site = await openTestApp(t)
  const eve = await visitor(site, 'contributor')
  assert.match((await eve.show('/admin/events/new')).text, />Submit for review</)
  const { to } = await eve.submit('/admin/events/new', { ...FORM, action: 'publish' })
  assert.match(to, /done=review$/)
  const { body } = await site.call('editor', 'POST', '/events', {
    json: { title: 'Secret', status: 'draft', start_date: '2026-12-01 10:00', end_date: '2026-12-01 11:00' },
  })
  assert.equal((await eve.show(`/admin/events/${body.id}`)).status, 403)
  const ada = await visitor(site, 'editor')
  assert.match((await ada.show('/admin/queue')).text, /Regatta/)
})

test('several events go to the trash at once, and come back as they were', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const made = await ada.submit('/admin/events/new', { ...FORM, action: 'draft' })
  const id = /(\d+)\?done=saved/.exec(made.to)?.[1] ?? ''
  const trashed = await ada.submit('/admin/events', { 'ids[]': `${id}-draft`, action: 'trash' })
  assert.match(trashed.to, /done=trash&count=1&of=1&trashed=event-\d+$/)
  assert.match((await ada.show(trashed.to)).text, /role="status">Moved to trash/)
  assert.equal((await site.call('editor', 'GET', `/events/${id}`)).body.status, 'trash')
  await restoreFrom(ada, (await ada.show(trashed.to)).text)
  assert.equal((await site.call('editor', 'GET', `/events/${id}`)).body.status, 'draft')
})

test('nothing is said to be done to items that somebody may not change', async (t) => {
  const site = await openTestApp(t)
  const { body } = await site.call('administrator', 'POST', '/venues', { json: { venue: 'Hall' } })
  const eve = await visitor(site, 'contributor')
  const refused = await eve.submit('/admin/venues', { 'ids[]': `${body.id}-publish`, action: 'trash' })
  assert.match(refused.to, /done=trash&count=0&of=1$/)
  assert.match((await eve.show(refused.to)).text, /role="status">1 item couldn’t be changed\.</)
  assert.equal((await site.call('editor', 'GET', `/venues/${body.id}`)).body.status, 'publish')
})

test('hostile texts are text in every page of the administration', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const evil = '"><script>alert(1)</script>'
  await site.call('editor', 'POST', '/events', {
    json: {
      title: `&lt;script&gt;${'x'.repeat(190)}`,
      status: 'publish',
      start_date: '2026-12-01 10:00',
      end_date: '2026-12-01 11:00',
      venue: { venue: '&lt;script&gt;alert(1)&lt;/script&gt;' },
      cost: evil,
    },
  })
  for (const path of [
    '/admin',
    '/admin/events',
    '/admin/venues',
    `/admin/events?search=${encodeURIComponent(evil)}`,
    `/admin/login?next=${encodeURIComponent(evil)}`,
    `/admin/events/new?done=${encodeURIComponent(evil)}`,
  ])
    assert.doesNotMatch((await ada.show(path)).text, /<script(?! type="module" src="\/assets\/)/i, path)
})
