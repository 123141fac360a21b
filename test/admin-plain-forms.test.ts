import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import type { SiteSettings } from '../src/admin/deps.ts'
import { openSettings } from '../src/app/settings.ts'
import { readConfig } from '../src/base/config.ts'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { openRemoteSite } from './support/images.ts'
import { openReceiver } from './support/webhook-receiver.ts'

const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'END:VCALENDAR', ''].join('\r\n')
const remote = await openRemoteSite({ after }, { '/diary.ics': (response) => void response.end(calendar) })

test('a form of a subscription changes neither its visits nor its pause', async (t) => {
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

test('of two people who save the same settings the later one wins, and what neither changes stays', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const { text } = await ada.show('/admin/settings')
  await ada.submit('/admin/settings', { siteName: 'Harbour', accent: '#112233' })
  assert.match((await ada.send('/admin/settings', text, { siteName: 'Haven' })).to, /done=saved$/)
  const { siteName, language } = await settingsOf(site)
  assert.deepEqual([siteName, language], ['Haven', 'en'])
})

test('settings that two people change one after the other, each on a page of its own, all stay', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  assert.match((await ada.submit('/admin/settings', { siteName: 'Harbour' })).to, /done=saved$/)
  assert.match((await ada.submit('/admin/settings', { language: 'fr' })).to, /done=saved$/)
  const { siteName, language } = await settingsOf(site)
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
  const { siteName, language } = await settingsOf(site)
  assert.deepEqual([siteName, language], ['Harbour', 'fr'])
})

async function settingsOf({ app }: TestApp): Promise<SiteSettings['current']> {
  return (await openSettings(app.storage, readConfig({}, {}), app.now)).current
}

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

test('the form of an event without a website shows none, nor does that of its copy, and saving gives it none', async (t) => {
  const site = await openTestApp(t)
  const json = { title: 'Chess', start_date: '2026-12-05 19:00', end_date: '2026-12-05 21:00', status: 'pending' }
  const { body } = await site.call('editor', 'POST', '/events', { json })
  assert.equal(body.website, body.url)
  const editor = await visitor(site, 'editor')
  for (const path of [`/admin/events/${body.id}`, `/admin/events/new?copy=${body.id}`]) {
    const [input = ''] = /<input[^>]*name="website"[^>]*>/.exec((await editor.show(path)).text) ?? []
    assert.match(input, /value=""/, path)
  }
  await editor.submit(`/admin/events/${body.id}`, { title: 'Chess night', action: 'publish' })
  const after = await site.call('editor', 'GET', `/events/${body.id}`)
  assert.deepEqual([after.body.title, after.body.status], ['Chess night', 'publish'])
  assert.equal(after.body.website, after.body.url)
})
