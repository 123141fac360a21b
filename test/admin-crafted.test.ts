import assert from 'node:assert/strict'
import test from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { restorableIn, restoreFrom } from './support/trash.ts'

const WHEN = { start_date: '2026-12-01 10:00', end_date: '2026-12-01 11:00' }

async function made({ call }: TestApp, path: string, json: object): Promise<number> {
  return (await call('administrator', 'POST', path, { json })).body.id
}

test('a message offers to restore only what its reader has just deleted', async (t) => {
  const site = await openTestApp(t)
  const [ada, eve] = [await visitor(site, 'editor'), await visitor(site, 'administrator')]
  const id = await made(site, '/events', { title: 'Draft', status: 'draft', ...WHEN })
  const statusOf = async () => (await site.call('editor', 'GET', `/events/${id}`)).body.status
  for (const trashed of [`event-${id}`, `event:${id}`, 'event-', `user-${id}`, 'x', '']) {
    const { text } = await ada.show(`/admin/events?done=trash&trashed=${trashed}`)
    assert.equal(restorableIn(text), '', trashed)
    await ada.submit('/admin/trash', { action: 'restore', 'items[]': trashed })
    assert.equal(await statusOf(), 'draft', trashed)
  }
  const trashed = await ada.submit('/admin/events', { 'ids[]': `${id}-draft`, action: 'trash' })
  assert.equal(restorableIn((await eve.show(trashed.to)).text), '', 'of somebody else')
  const { text } = await ada.show(trashed.to)
  assert.equal(restorableIn(text), `event-${id}`)
  site.clock.now += 2 * 3_600_000
  assert.equal(restorableIn((await ada.show(trashed.to)).text), '', 'long ago')
  assert.equal((await restoreFrom(ada, text, 'https://elsewhere.example/admin/')).to, '/admin/trash?done=back')
  assert.equal(await statusOf(), 'draft')
})

test('what somebody else has restored since stays as it is', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const id = await made(site, '/venues', { venue: 'Hall', status: 'publish' })
  const trashed = await ada.submit('/admin/venues', { 'ids[]': `${id}-publish`, action: 'trash' })
  const { text } = await ada.show(trashed.to)
  await site.call('administrator', 'POST', `/venues/${id}`, { json: { status: 'draft' } })
  await restoreFrom(ada, text)
  assert.equal((await site.call('editor', 'GET', `/venues/${id}`)).body.status, 'draft')
})

test('several items are changed and brought back without losing the filters, the order and the page', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const ids: number[] = []
  for (let number = 0; number < 31; number += 1) ids.push(await made(site, '/venues', { venue: `Hall ${number + 10}` }))
  await made(site, '/venues', { venue: 'Cellar' })
  const list = '/admin/venues?search=hall&orderby=title&order=desc&page=2'
  const { text } = await ada.show(list)
  assert.match(text, />Hall 10</)
  const sent = { 'ids[]': `${ids[0]}-publish`, action: 'trash' }
  const [, action = ''] = /<form method="post" action="([^"]*)">(?:(?!<form)[\s\S])*name="ids/.exec(text) ?? []
  const trashed = await ada.submit(action.replaceAll('&amp;', '&'), sent)
  const kept =
    /^\/admin\/venues\?search=hall&orderby=title&order=desc&page=2&done=trash&count=1&of=1&trashed=venue-\d+$/
  assert.match(trashed.to, kept)
  const after = (await ada.show(trashed.to)).text
  // The second page is gone: the last one that there is takes its place.
  assert.match(after, />Hall 11</)
  assert.doesNotMatch(after, />Cellar</)
  const back = await restoreFrom(ada, after, /name="back" value="([^"]*)"/.exec(after)?.[1]?.replaceAll('&amp;', '&'))
  assert.equal(back.to, `${list}&done=back`)
  assert.match(back.text, />Hall 10</)
  const asked = await ada.submit(list, { ...sent, action: 'delete' })
  assert.match(asked.text, /action="\/admin\/venues\?search=hall&amp;orderby=title&amp;order=desc&amp;page=2"/)
  assert.match((await ada.send(list, asked.text, { action: 'delete' })).to, /search=hall&.*page=2&done=deleted/)
})

test('a form that asks for what its page does not do is refused, and nothing changes', async (t) => {
  const site = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  const ada = await visitor(site, 'administrator')
  const own = `${site.origin}/kalends/v1`
  const subscription = await made(site, `${own}/subscriptions`, { url: `${site.origin}/diary.ics`, name: 'Club' })
  const webhook = await made(site, `${own}/webhooks`, { url: `${site.origin}/in`, events: ['event.created'] })
  const { body: before } = await site.call('administrator', 'GET', `${own}/webhooks/${webhook}`)
  for (const path of [`/subscriptions/${subscription}`, `/webhooks/${webhook}`, '/users/author', '/profile'])
    for (const action of ['', 'nonsense']) {
      const { status, text } = await ada.submit(`/admin${path}`, { action })
      assert.equal(status, 400, `${path} ${action}`)
      assert.match(text, /role="alert"[\s\S]{0,200}?Something is missing or incorrect/)
    }
  assert.equal(before.active, true)
  assert.equal((await site.call('administrator', 'GET', `${own}/webhooks/${webhook}`)).body.active, true)
  await ada.submit(`/admin/subscriptions/${subscription}`, { action: 'pause' })
  await ada.submit(`/admin/subscriptions/${subscription}`, { action: 'nonsense' })
  assert.equal((await site.call('administrator', 'GET', `${own}/subscriptions/${subscription}`)).body.paused, true)
})
