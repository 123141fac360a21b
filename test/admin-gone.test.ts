import assert from 'node:assert/strict'
import test from 'node:test'
import { FORM, visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

const TOLD = /role="status">Someone else has already removed this\./

for (const isForGood of [false, true])
  test(`an event that somebody else has ${isForGood ? 'deleted' : 'trashed'} meanwhile: moving it to the trash ends at the list`, async (t) => {
    const site = await openTestApp(t)
    const ada = await visitor(site, 'editor')
    const { to } = await ada.submit('/admin/events/new', { ...FORM, action: 'publish' })
    const page = to.split('?')[0] ?? ''
    const { text } = await ada.show(page)
    const path = page.replace('/admin', '')
    await site.call('editor', 'DELETE', isForGood ? `${path}?force=true` : path)
    const gone = await ada.send(page, text, { action: 'trash' })
    assert.deepEqual([gone.status, gone.to], [303, '/admin/events?done=gone'])
    assert.match((await ada.show(gone.to)).text, TOLD)
  })

for (const [collection, name] of Object.entries({
  venues: 'venue',
  organizers: 'organizer',
  categories: 'name',
  tags: 'name',
}))
  test(`of ${collection}: what somebody else has removed meanwhile is said to be gone, and nothing is deleted for good`, async (t) => {
    const site = await openTestApp(t)
    const ada = await visitor(site, 'editor')
    const { body } = await site.call('editor', 'POST', `/${collection}`, { json: { [name]: 'Hall' } })
    const [page, path] = [`/admin/${collection}/${body.id}`, `/${collection}/${body.id}`]
    const { text } = await ada.show(page)
    await site.call('editor', 'DELETE', path)
    const gone = await ada.send(page, text, { action: 'delete' })
    assert.deepEqual([gone.status, gone.to], [303, `/admin/${collection}?done=gone`])
    assert.match((await ada.show(gone.to)).text, TOLD)
    if (name === 'name') return
    assert.equal((await site.call('editor', 'GET', path)).body.status, 'trash')
    const asked = await ada.submit(page, { action: 'delete' })
    assert.match(asked.text, /Delete Hall permanently\?/, 'who sees that it is in the trash is asked')
  })
