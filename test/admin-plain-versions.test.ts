import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { changeNames, findLogin, setRole } from '../src/accounts/users/index.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { openRemoteSite } from './support/images.ts'
import { openReceiver } from './support/webhook-receiver.ts'

const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'END:VCALENDAR', ''].join('\r\n')
const remote = await openRemoteSite({ after }, { '/diary.ics': (response) => void response.end(calendar) })

/** The text of a page without its tags. */
function plain(text: string): string {
  return text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

test('of a subscription: who saves on top of a change sees both versions, and both changes survive', async (t) => {
  const site = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  const ada = await visitor(site, 'administrator')
  await ada.submit('/admin/subscriptions', { url: `${remote.origin}/diary.ics`, name: 'Rowers' })
  const address = `${site.origin}/kalends/v1/subscriptions/1`
  const { text } = await ada.show('/admin/subscriptions/1')
  await site.call('administrator', 'POST', address, { json: { status: 'pending', every: 21_600 } })
  const conflict = await ada.send('/admin/subscriptions/1', text, { action: 'save', name: 'Rowing club' })
  assert.equal(conflict.status, 409)
  assert.match(plain(conflict.text), /Sync every Your version 1 hour Saved version 6 hours/)
  assert.match(plain(conflict.text), /Your version Public Saved version Pending review/)
  assert.equal((await site.call('administrator', 'GET', address)).body.name, 'Rowers', 'nothing is saved before')
  assert.equal(
    (await ada.send('/admin/subscriptions/1', conflict.text, { action: 'save' })).to,
    '/admin/subscriptions/1?done=saved',
  )
  const { body } = await site.call('administrator', 'GET', address)
  assert.deepEqual([body.name, body.status, body.every], ['Rowing club', 'pending', 21_600])
})

test('a visit of a subscription, or a pause, is no reason to choose between versions', async (t) => {
  const site = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  const ada = await visitor(site, 'administrator')
  await ada.submit('/admin/subscriptions', { url: `${remote.origin}/diary.ics`, name: 'Rowers' })
  const address = `${site.origin}/kalends/v1/subscriptions/1`
  const { text } = await ada.show('/admin/subscriptions/1')
  await site.call('administrator', 'POST', `${address}/sync`)
  await site.call('administrator', 'POST', address, { json: { paused: true } })
  assert.equal(
    (await ada.send('/admin/subscriptions/1', text, { action: 'save', name: 'Club' })).to,
    '/admin/subscriptions/1?done=saved',
  )
  const { body } = await site.call('administrator', 'GET', address)
  assert.deepEqual([body.name, body.paused], ['Club', true])
})

test('of a webhook: who saves on top of a change sees both versions, and both changes survive', async (t) => {
  const site = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  const receiver = await openReceiver(t)
  const ada = await visitor(site, 'administrator')
  await ada.submit('/admin/webhooks', { url: `${receiver.origin}/in`, purpose: 'Search' })
  const [page, address] = ['/admin/webhooks/1', `${site.origin}/kalends/v1/webhooks/1`]
  const { text } = await ada.show(page)
  const theirs = { events: ['venue.created', 'tag.deleted'], audience: 'administrators' }
  await site.call('administrator', 'POST', address, { json: theirs })
  const conflict = await ada.send(page, text, { action: 'save', purpose: 'Index' })
  assert.equal(conflict.status, 409)
  assert.match(plain(conflict.text), /Saved version Venues: Created, Tags: Deleted/)
  assert.match(plain(conflict.text), /Your version No Saved version Yes/)
  assert.equal((await ada.send(page, conflict.text, { action: 'save' })).to, `${page}?done=saved`)
  const { body } = await site.call('administrator', 'GET', address)
  assert.deepEqual(
    [body.description, body.events, body.audience],
    ['Index', ['venue.created', 'tag.deleted'], 'administrators'],
  )
})

test('of the settings: who saves on top of a change sees both versions, and both changes survive', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const { text } = await ada.show('/admin/settings')
  await ada.submit('/admin/settings', { language: 'de', currencyPosition: 'postfix', frontPage: 'month' })
  const conflict = await ada.send('/admin/settings', text, { siteLogo: 'https://club.example/logo.png' })
  assert.equal(conflict.status, 409)
  // The language of the site is German by now.
  assert.match(plain(conflict.text), /Ihre Fassung English Die gespeicherte Fassung Deutsch/)
  assert.match(plain(conflict.text), /Die gespeicherte Fassung Nach dem Betrag/)
  assert.match(plain(conflict.text), /Die gespeicherte Fassung Monat/)
  assert.match((await ada.send('/admin/settings', conflict.text, {})).to, /done=saved$/)
  const { siteLogo, language, currencyPosition } = await settingsOf(ada)
  assert.deepEqual([siteLogo, language, currencyPosition], ['https://club.example/logo.png', 'de', 'postfix'])
})

test('settings that two people change one after the other, each on a page of its own, all stay', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  assert.match((await ada.submit('/admin/settings', { siteName: 'Harbour' })).to, /done=saved$/)
  assert.match((await ada.submit('/admin/settings', { language: 'fr' })).to, /done=saved$/)
  const { siteName, language } = await settingsOf(ada)
  assert.deepEqual([siteName, language], ['Harbour', 'fr'])
})

test('what names no version of the settings changes only what it says', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  await ada.submit('/admin/settings', { language: 'fr' })
  const { text } = await ada.show('/admin/settings')
  const body = new URLSearchParams({ _csrf: /name="_csrf" value="([^"]*)"/.exec(text)?.[1] ?? '', siteName: 'Harbour' })
  const { origin } = site
  const headers = { origin, cookie: ada.cookie }
  const sent = await fetch(`${origin}/admin/settings`, { method: 'POST', redirect: 'manual', headers, body })
  assert.equal(sent.status, 303)
  const { siteName, language } = await settingsOf(ada)
  assert.deepEqual([siteName, language], ['Harbour', 'fr'])
})

/** What stands in the form of the settings. */
async function settingsOf({ show }: Awaited<ReturnType<typeof visitor>>): Promise<Record<string, string>> {
  const { text } = await show('/admin/settings')
  const base = /name="_base" value="([^"]*)"/.exec(text)?.[1] ?? '{}'
  return JSON.parse(base.replaceAll('&quot;', '"')) as Record<string, string>
}

test('a role that another administrator has given meanwhile is not overwritten unseen', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const roleOf = async () => (await findLogin(site.app.storage, 'author'))?.role
  const { text } = await ada.show('/admin/users/author')
  await setRole(site.app, { name: 'author', role: 'editor' })
  const conflict = await ada.send('/admin/users/author', text, { action: 'role', role: 'subscriber' })
  assert.equal(conflict.status, 409)
  assert.match(plain(conflict.text), /Your version Subscriber Saved version Editor/)
  assert.equal(await roleOf(), 'editor')
  await ada.send('/admin/users/author', conflict.text, { action: 'role' })
  assert.equal(await roleOf(), 'subscriber')
})

test('names that were changed elsewhere meanwhile are not overwritten unseen', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'author')
  const user = async () => findLogin(site.app.storage, 'author')
  const { text } = await ada.show('/admin/profile')
  await changeNames(site.app, { name: 'author', displayName: 'Ada L.', email: 'ada@club.example' })
  const conflict = await ada.send('/admin/profile', text, { action: 'names', displayName: 'Ada' })
  assert.equal(conflict.status, 409)
  await ada.send('/admin/profile', conflict.text, { action: 'names' })
  const { displayName, email } = (await user()) ?? {}
  assert.deepEqual([displayName, email], ['Ada', 'ada@club.example'])
})

test('a refused address leaves the name that was typed beside it', async (t) => {
  const ada = await visitor(await openTestApp(t), 'author')
  const refused = await ada.submit('/admin/profile', { action: 'names', displayName: 'Grace', email: 'nonsense' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /name="displayName"[^>]* value="Grace"|value="Grace"[^>]* name="displayName"/)
  assert.match(refused.text, /value="nonsense"/)
})

test('programs change and remove subscriptions and webhooks under the version that they have read', async (t) => {
  const site = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  const receiver = await openReceiver(t)
  const own = `${site.origin}/kalends/v1`
  const made = {
    subscriptions: { json: { url: `${remote.origin}/diary.ics` }, change: { name: 'Rowers' } },
    webhooks: { json: { url: `${receiver.origin}/in`, events: ['event.created'] }, change: { description: 'Index' } },
  }
  for (const [collection, { json, change }] of Object.entries(made)) {
    const { body } = await site.call('administrator', 'POST', `${own}/${collection}`, { json })
    const address = `${own}/${collection}/${body.id}`
    const read = await site.call('administrator', 'GET', address)
    const old = { 'if-match': read.headers.get('etag') ?? '' }
    const first = await site.call('administrator', 'POST', address, { json: change, headers: old })
    assert.equal(first.status, 200, collection)
    const again = await site.call('administrator', 'GET', address)
    assert.equal(first.headers.get('etag'), again.headers.get('etag'), collection)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const late = await site.call('administrator', method, address, { json: change, headers: old })
      assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed'], `${method} ${collection}`)
    }
    const present = { 'if-match': again.headers.get('etag') ?? '' }
    assert.equal((await site.call('administrator', 'DELETE', address, { headers: present })).status, 200, collection)
  }
})
