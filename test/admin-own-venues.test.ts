import assert from 'node:assert/strict'
import test from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

test('lists lead nobody to a venue or an organizer that they may not change', async (t) => {
  const site = await openTestApp(t)
  const made = async (role: 'editor' | 'contributor', path: string, json: object): Promise<string> =>
    String((await site.call(role, 'POST', path, { json })).body.id)
  const hall = await made('editor', '/venues', { venue: 'Town Hall', status: 'publish' })
  const shed = await made('contributor', '/venues', { venue: 'Shed' })
  const choir = await made('editor', '/organizers', { organizer: 'Choir', status: 'publish' })
  const contributor = await visitor(site, 'contributor')
  const { text } = await contributor.show('/admin/venues')
  assert.match(text, /<span class="title">Town Hall<\/span>/)
  assert.match(text, new RegExp(`href="/admin/venues/${shed}"`))
  assert.match((await contributor.show('/admin/organizers')).text, /<span class="title">Choir<\/span>/)
  for (const path of [`/admin/venues/${hall}`, `/admin/organizers/${choir}`])
    assert.equal((await contributor.show(path)).status, 403, path)
  assert.equal((await contributor.show(`/admin/venues/${shed}`)).status, 200)
  const editor = await visitor(site, 'editor')
  assert.match((await editor.show('/admin/venues')).text, new RegExp(`href="/admin/venues/${hall}"`))
})
