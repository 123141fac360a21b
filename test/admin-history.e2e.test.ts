import assert from 'node:assert/strict'
import test from 'node:test'
import { addRedirect, removeRedirect } from '../src/calendar/redirects/store.ts'
import { FORM, visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { sampleImage } from './support/sample-image.ts'
import { restoreFrom } from './support/trash.ts'
import { upload } from './support/upload.ts'

test('the history tells who changed what, and brings an earlier state back as a new change', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const form = {
    ...FORM,
    venue: 'Boathouse',
    cost: '€5',
    all_day: '',
    repeat: 'WEEKLY',
    repeat_count: '3',
    repeat_end: 'count',
  }
  const made = await ada.submit('/admin/events/new', { ...form, action: 'publish' })
  const path = made.to.split('?')[0] ?? ''
  const id = path.split('/').at(-1) ?? ''
  const before = (await site.call('anonymous', 'GET', `/events/${id}`)).body
  const changes = {
    title: 'Cup <&>',
    start_date: '2026-12-08',
    end_date: '2026-12-08',
    cost: '',
    venue: '',
    repeat: '',
  }
  await ada.submit(path, { ...changes, scope: 'all', action: 'update' })
  const { text } = await ada.show(`${path}/history`)
  assert.match(text, /<strong>Changed<\/strong> · <bdi>editor<\/bdi> · /i)
  assert.match(text, /Title: <del>Regatta<\/del> → <ins>Cup &lt;&amp;&gt;<[\s\S]*Cost: <del>€5<\/del> → <ins>–</)
  const restored = await ada.submit(`${path}/history`, { revision: '1' })
  assert.equal(restored.to, `${path}/history?done=saved`)
  const after = (await site.call('anonymous', 'GET', `/events/${id}`)).body
  for (const name of ['title', 'start_date', 'end_date', 'cost', 'recurrence'])
    assert.deepEqual(after[name], before[name], name)
  assert.equal(after.venue.id, before.venue.id)
  assert.match((await ada.show(restored.to)).text, /role="status">Restored/)
  const bob = await visitor(site, 'author')
  assert.equal((await bob.show(`${path}/history`)).status, 403)
})

test('the history of venues and categories brings them back as well', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const venue = (await site.call('editor', 'POST', '/venues', { json: { venue: 'Hall', city: 'Astoria' } })).body
  await ada.submit(`/admin/venues/${venue.id}`, { venue: 'Old hall', city: '' })
  await ada.submit(`/admin/venues/${venue.id}/history`, { revision: '1' })
  const { body } = await site.call('anonymous', 'GET', `/venues/${venue.id}`)
  assert.deepEqual([body.venue, body.city], ['Hall', 'Astoria'])
  const category = (await site.call('editor', 'POST', '/categories', { json: { name: 'Music' } })).body
  await ada.submit(`/admin/categories/${category.id}`, { name: 'Noise' })
  assert.equal((await site.call('editor', 'GET', `/categories/${category.id}`)).body.name, 'Noise')
  await ada.submit(`/admin/categories/${category.id}/history`, { revision: '1' })
  assert.equal((await site.call('editor', 'GET', `/categories/${category.id}`)).body.name, 'Music')
})

test('a venue comes back from the trash, and what is deleted for good is asked about first', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const venue = (await site.call('editor', 'POST', '/venues', { json: { venue: 'Hall', status: 'publish' } })).body
  const gone = await ada.submit(`/admin/venues/${venue.id}`, { action: 'delete' })
  await restoreFrom(ada, (await ada.show(gone.to)).text)
  assert.equal((await site.call('anonymous', 'GET', `/venues/${venue.id}`)).status, 200)
  const tag = (await site.call('editor', 'POST', '/tags', { json: { name: 'wind' } })).body
  await ada.submit(`/admin/tags/${tag.id}`, { action: 'delete' })
  assert.equal((await site.call('editor', 'GET', `/tags/${tag.id}`)).status, 400)
  const asked = await ada.submit('/admin/trash', { delete: 'tag-1' })
  assert.match(asked.text, /Delete wind permanently\?/)
  assert.match((await ada.show('/admin/trash')).text, />wind</)
  await ada.send('/admin/trash', asked.text, { action: 'delete' })
  assert.match((await ada.show('/admin/trash')).text, /The trash is empty/)
})

test('lists are sorted by their headings', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  for (const title of ['Beta', 'Alpha', 'Gamma'])
    await ada.submit('/admin/events/new', { ...FORM, title, action: 'publish' })
  const shown = async (query: string) =>
    [...(await ada.show(`/admin/events${query}`)).text.matchAll(/class="title"[^>]*>([^<]*)</g)].map(
      ([, title]) => title,
    )
  assert.deepEqual(await shown('?orderby=title&order=asc'), ['Alpha', 'Beta', 'Gamma'])
  assert.deepEqual(await shown('?orderby=title&order=desc'), ['Gamma', 'Beta', 'Alpha'])
  assert.match((await ada.show('/admin/events?orderby=title&order=asc')).text, /aria-sort="ascending"/)
})

test('the trash of venues is listed: some are brought back at once, others deleted for good', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const made = async (venue: string): Promise<number> =>
    (await site.call('editor', 'POST', '/venues', { json: { venue, status: 'publish' } })).body.id
  const [hall, cellar] = [await made('Hall'), await made('Cellar')]
  const statusOf = async (id: number) => (await site.call('editor', 'GET', `/venues/${id}`)).body.status
  const trashed = await ada.submit('/admin/venues', { 'ids[]': `${hall}-publish`, action: 'trash' })
  assert.match(trashed.to, /^\/admin\/venues\?done=trash&count=1&of=1&trashed=venue-\d+$/)
  assert.equal(await statusOf(hall), 'trash')
  assert.doesNotMatch((await ada.show('/admin/venues')).text, />Hall</)
  const trash = (await ada.show('/admin/venues?status=trash')).text
  assert.match(trash, />Hall</)
  assert.doesNotMatch(trash, />Cellar</)
  await ada.submit('/admin/venues?status=trash', { 'ids[]': `${hall}-trash`, action: 'publish' })
  assert.equal(await statusOf(hall), 'publish')
  await ada.submit('/admin/venues', { 'ids[]': `${hall}-publish`, action: 'trash' })
  assert.equal(await statusOf(hall), 'trash')
  const asked = await ada.submit(`/admin/venues/${hall}`, { action: 'delete' })
  assert.match(asked.text, /Delete Hall permanently\?/)
  assert.equal(await statusOf(hall), 'trash')
  await ada.submit(`/admin/venues/${hall}`, { action: 'delete', confirmed: 'true' })
  assert.equal((await site.call('editor', 'GET', `/venues/${hall}`)).status, 400)
  await ada.submit(`/admin/venues/${cellar}`, { action: 'delete' })
  await ada.submit(`/admin/venues/${cellar}`, { action: 'publish' })
  assert.equal(await statusOf(cellar), 'publish')
  const question = await ada.submit('/admin/venues', { 'ids[]': `${cellar}-publish`, action: 'delete' })
  assert.match(question.text, /Delete the selected items permanently\?/)
  assert.equal(await statusOf(cellar), 'publish')
})

test('tags are moved to the trash together and deleted for good from there, by those who see them', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const tag = (await site.call('editor', 'POST', '/tags', { json: { name: 'wind' } })).body
  const sent = { 'ids[]': `${tag.id}-publish`, action: 'trash' }
  const eve = await visitor(site, 'contributor')
  assert.equal((await eve.submit('/admin/tags', sent)).status, 403)
  assert.equal((await site.call('editor', 'GET', `/tags/${tag.id}`)).status, 200)
  await ada.submit('/admin/tags', sent)
  assert.equal((await site.call('editor', 'GET', `/tags/${tag.id}`)).status, 400)
  assert.doesNotMatch((await eve.show('/admin/trash')).text, />wind</)
  await eve.submit('/admin/trash', { 'items[]': 'tag-1', action: 'delete', confirmed: 'true' })
  assert.match((await ada.show('/admin/trash')).text, />wind</)
  assert.match((await ada.submit('/admin/trash', { 'items[]': 'tag-1', action: 'delete' })).text, /permanently\?/)
  await ada.submit('/admin/trash', { 'items[]': 'tag-1', action: 'delete', confirmed: 'true' })
  assert.match((await ada.show('/admin/trash')).text, /The trash is empty/)
})

test('a language is chosen by its name, or written as a tag', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const languageOf = async (id: string) => (await site.call('editor', 'GET', `/events/${id}`)).body.language
  assert.match((await ada.show('/admin/events/new')).text, /<option value="de">German<\/option>/)
  const made = await ada.submit('/admin/events/new', { ...FORM, language: 'de', action: 'publish' })
  const id = /events\/(\d+)/.exec(made.to)?.[1] ?? ''
  assert.equal(await languageOf(id), 'de')
  await ada.submit(`/admin/events/${id}`, { language_other: 'gsw', action: 'update' })
  assert.equal(await languageOf(id), 'gsw')
  assert.match((await ada.show(`/admin/events/${id}`)).text, /<option value="gsw" selected>Swiss German<\/option>/)
  const wrong = await ada.submit(`/admin/events/${id}`, { language_other: 'Klingon', action: 'update' })
  assert.match(wrong.text, /name="language"[^>]*aria-invalid="true"/)
  assert.match(wrong.text, /name="language_other" type="text" value="Klingon"/)
  await ada.submit(`/admin/events/${id}`, { language: '', action: 'update' })
  assert.equal(await languageOf(id), undefined)
})

test('who saves an event with a new venue is told of one that has nearly its name', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  await site.call('editor', 'POST', '/venues', { json: { venue: 'Harbour Hall', status: 'publish' } })
  const { to } = await ada.submit('/admin/events/new', { ...FORM, venue: 'Habour Hall', action: 'publish' })
  assert.match((await ada.show(to)).text, /class="note">Habour Hall looks like Harbour Hall\./)
  assert.doesNotMatch((await ada.show(to.replace(/\?.*/, ''))).text, /looks like/)
})

test('pictures tell where they are used, and only those that are not are deleted', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const picture = async (seed: number): Promise<number> =>
    (await upload(site, 'editor', { bytes: await sampleImage(seed), name: `evening-${seed}.png` })).body.id
  const [used, spare] = [await picture(1), await picture(2)]
  const { body: venue } = await site.call('editor', 'POST', '/venues', { json: { venue: 'Hall & yard', image: used } })
  const { text } = await ada.show('/admin/media')
  assert.match(
    text,
    new RegExp(`Used in</p><ul><li><a href="/admin/venues/${venue.id}" dir="auto">Hall &amp; yard</a>`),
  )
  assert.match(text, /Not used/)
  assert.equal([...text.matchAll(/value="delete"/g)].length, 1)
  const { body: stored } = await site.call('editor', 'GET', `${site.origin}/kalends/v1/media/${spare}`)
  const description = `<p><img src="${stored.image.url}" alt="" /></p>`
  await site.call('editor', 'PATCH', `/venues/${venue.id}`, { json: { description } })
  const kept = await ada.submit('/admin/media', { id: String(spare), action: 'delete', confirmed: 'true' })
  assert.match(kept.text, /This image is used in the description of Hall &amp; yard\./)
  await site.call('editor', 'PATCH', `/venues/${venue.id}`, { json: { description: '' } })
  const place = { storage: site.app.storage, now: () => site.clock.now }
  await addRedirect(place, { from: '/up/evening.png', to: new URL(stored.image.url).pathname })
  const led = await ada.submit('/admin/media', { id: String(spare), action: 'delete', confirmed: 'true' })
  assert.match(led.text, /A redirect from \/up\/evening\.png points to this image\./)
  const { text: listed } = await ada.show('/admin/media')
  assert.match(listed, /Used in<\/p><ul><li><code dir="ltr">\/up\/evening\.png<\/code><\/li>/)
  assert.doesNotMatch(listed, /Not used/)
  await removeRedirect(place, { from: '/up/evening.png' })
  assert.equal(
    (await ada.submit('/admin/media', { id: String(used), action: 'delete', confirmed: 'true' })).status,
    400,
  )
  const gone = await ada.submit('/admin/media', { id: String(spare), action: 'delete', confirmed: 'true' })
  assert.match(gone.to, /^\/admin\/media\?done=trash&/)
  assert.doesNotMatch((await ada.show('/admin/media')).text, /Not used/)
})

test('what a picture shows is said again later, as it was written, by those who may change it', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const bytes = await sampleImage(1)
  const texts = { title: 'Fish & chips', alt_text: 'A "plate" & more' }
  const { id } = (await upload(site, 'editor', { bytes, name: 'a.png', texts })).body
  const json = { title: 'Dinner', start_date: '2026-12-01 18:00', end_date: '2026-12-01 19:00', image: id }
  const { body: event } = await site.call('editor', 'POST', '/events', { json: { ...json, status: 'publish' } })
  const { text } = await ada.show('/admin/media')
  assert.match(text, /<img [^>]*alt="A &quot;plate&quot; &amp; more"/)
  assert.match(text, /id="picture-\d+" dir="auto">Fish &amp; chips</)
  assert.match(text, /<details class="alt"><summary>[\s\S]*name="alt_text" value="A &quot;plate&quot; &amp; more"/)
  const saved = await ada.submit('/admin/media', { id: String(id), alt_text: 'A "bowl" & forks', action: 'describe' })
  assert.equal(saved.to, '/admin/media?done=saved')
  const page = await (await fetch(`${site.origin}/event/dinner/`)).text()
  assert.match(page, /<figure class="pic">.*<a [^>]*><img [^>]*alt="A &quot;bowl&quot; &amp; forks"/)
  const form = `/admin/events/${event.id}`
  assert.match((await ada.show(form)).text, /name="alt_text"[^>]*value="A &quot;bowl&quot; &amp; forks"/)
  const typed = await ada.submit(form, { timezone: 'Nowhere', alt_text: 'Forks', action: 'update' })
  assert.equal(typed.status, 400)
  assert.match(typed.text, /name="alt_text"[^>]*value="Forks"/)
  assert.match((await ada.submit(form, { alt_text: 'Forks', action: 'update' })).to, /done=saved/)
  assert.match((await ada.show('/admin/media')).text, /<img [^>]*alt="Forks"/)
  const begun = (await ada.show(form)).text
  await site.call('editor', 'POST', `/events/${event.id}`, { json: { title: 'Supper' } })
  const conflict = await ada.send(form, begun, { title: 'Brunch', alt_text: 'Spoons', action: 'update' })
  assert.equal(conflict.status, 409)
  assert.match((await ada.show('/admin/media')).text, /<img [^>]*alt="Forks"/)
  await ada.send(form, conflict.text, { _keep_title: 'theirs', action: 'update' })
  assert.match((await ada.show('/admin/media')).text, /<img [^>]*alt="Spoons"/)
  await ada.submit('/admin/media', { id: String(id), alt_text: '', action: 'describe' })
  assert.match((await ada.show('/admin/media')).text, /<details class="alt" open>/)
  const eve = await visitor(site, 'author')
  assert.doesNotMatch((await eve.show('/admin/media')).text, /class="alt"/)
  const refused = await eve.submit('/admin/media', { id: String(id), alt_text: 'Mine', action: 'describe' })
  assert.equal(refused.status, 400)
  const { body } = await site.call('editor', 'GET', `${site.origin}/kalends/v1/media/${id}`)
  assert.equal(body.alt_text, '')
})

test('forms do not ask for maps, which only programs use, and leave them as they are', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const { text } = await ada.show('/admin/venues/new')
  assert.doesNotMatch(text, /type="checkbox" name="show_map/)
  await ada.send('/admin/venues/new', text, { venue: 'Hall' })
  const json = { venue: 'Barn', show_map: false }
  const { id } = (await site.call('editor', 'POST', '/venues', { json })).body
  await ada.submit(`/admin/venues/${id}`, { city: 'Astoria' })
  const { body } = await site.call('editor', 'GET', '/venues')
  const shown = body.venues.map((one: Record<string, unknown>) => [one['venue'], one['show_map'], one['show_map_link']])
  assert.deepEqual(shown.toSorted(), [
    ['Barn', false, true],
    ['Hall', true, true],
  ])
})
