import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts'
import { paint } from '../../../../../test/support/images.ts'
import { openMadeSite } from '../../../../../test/support/made-site.ts'
import { importMade, madeEvent } from '../../../../../test/support/site-import.ts'

/** What is said of an image here. */
async function saidOf({ call, origin }: TestApp, id: number) {
  const { body } = await call('administrator', 'GET', `${origin}/wp-json/wp/v2/media/${id}`)
  return [body.title.rendered, body.alt_text, body.caption.rendered.trim()]
}

test('what a site says of its images comes with them, and what is said here stays', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.images.set('/up/a.png', await paint(80, 60).png().toBuffer())
  site.content.events = [madeEvent(1, { image: { url: `${site.origin}/up/a.png`, id: 500, extension: 'png' } })]
  const caption = { rendered: '<p>By <em>Ada</em></p>' }
  site.content.media = [{ id: 500, title: { rendered: 'Boat' }, alt_text: 'A boat', caption }]
  await importMade(app, site)
  assert.deepEqual((await saidOf(app, 500)).slice(0, 2), ['Boat', 'A boat'])
  const ours = { title: 'Ours', alt_text: 'Our boat' }
  await app.call('administrator', 'POST', `${app.origin}/wp-json/wp/v2/media/500`, { json: ours })
  site.content.media = [{ id: 500, title: { rendered: 'Boat' }, alt_text: 'Two boats', caption }]
  await importMade(app, site)
  assert.deepEqual((await saidOf(app, 500)).slice(0, 2), ['Ours', 'Our boat'])
})

test('where a site cannot say what its images show, the report says so', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.images.set('/up/a.png', await paint(80, 60).png().toBuffer())
  site.content.events = [madeEvent(1, { image: { url: `${site.origin}/up/a.png`, id: 500, extension: 'png' } })]
  site.content.media = [{ id: 500, title: { rendered: 'Boat' }, alt_text: 'A boat', caption: { rendered: '' } }]
  site.trouble = (path) => (path.includes('/wp/v2/media') ? { kind: 'status', status: 500 } : undefined)
  const report = await importMade(app, site)
  const [why = ''] = report.notes.filter(({ what }) => what === 'images').map((one) => one.why)
  assert.match(why, /^what the site says of some could not be read: the site answered 500/)
  assert.equal((await saidOf(app, 500))[1], '')
})
