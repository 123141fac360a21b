import assert from 'node:assert/strict'
import test from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

test('from right to left, names, dates, paths and colours keep their own direction', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const { body } = await site.call('administrator', 'POST', '/venues', { json: { venue: 'Hall', city: 'Astoria' } })
  await site.call('administrator', 'POST', `/venues/${body.id}`, { json: { city: 'Harbourtown' } })
  const history = (await ada.show(`/ar/admin/venues/${body.id}/history`)).text
  assert.match(history, /<bdi>administrator<\/bdi> · <bdi>[^<]*2026[^<]*<\/bdi>/)
  assert.match(history, /\u2068Hall\u2069/)
  assert.match((await ada.show('/ar/admin/settings')).text, /\u2068#0a6b4a\u2069/)
  assert.match((await ada.show('/ar/admin/system')).text, /<bdi dir="ltr">/)
  assert.doesNotMatch((await ada.show('/de/admin/settings')).text, /\u2068/)
})

test('the form of a venue asks for one region, and for what an address from elsewhere has besides', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const regions = async (page: string) => {
    const { text } = await ada.show(page)
    return {
      text,
      names: [...text.matchAll(/<input [^>]*name="(state|province|stateprovince)"/g)].map(([, name]) => name),
    }
  }
  assert.deepEqual((await regions('/admin/venues/new')).names, ['stateprovince'])
  await ada.submit('/admin/venues/new', { venue: 'Boathouse', city: 'Astoria', stateprovince: 'OR' })
  const [own] = (await site.call('editor', 'GET', '/venues')).body.venues
  assert.equal(own.stateprovince, 'OR')
  const { body } = await site.call('editor', 'POST', '/venues', { json: { venue: 'Hall', state: 'WA' } })
  const page = `/admin/venues/${body.id}`
  const shown = await regions(page)
  assert.deepEqual(shown.names, ['stateprovince', 'state'])
  assert.match(shown.text, /Fill in only one of State, Province, and State or province/)
  await ada.submit(page, { state: '', stateprovince: 'Washington' })
  const { state, stateprovince } = (await site.call('editor', 'GET', `/venues/${body.id}`)).body
  assert.deepEqual([state ?? '', stateprovince], ['', 'Washington'])
  assert.deepEqual((await regions(page)).names, ['stateprovince'])
})
