import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'
import { openMadeSite } from '../../../../../test/support/made-site.ts'
import { EDITOR, importMade, madeEvent } from '../../../../../test/support/site-import.ts'

const HIDDEN = { hide_from_listings: true }

const isQuestion = (path: string): boolean => /\/events\/\d+/.test(path)

test('of the ids that the site lists elsewhere only those that its lists do not have are asked for', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(5), madeEvent(70_000, HIDDEN), madeEvent(90_000)]
  site.content.posts = [5, 70_000, 90_000].map((id) => ({ id }))
  const report = await importMade(app, site)
  assert.deepEqual([report.counts.event.created, report.complete, site.asked.filter(isQuestion).length], [3, true, 1])
  assert.equal((await app.call('anonymous', 'GET', '/events/70000')).body.hide_from_listings, true)
  site.content.events[1] = madeEvent(70_000, { ...HIDDEN, title: 'Changed' })
  const again = await importMade(app, site, { vanished: 'trash' })
  assert.deepEqual(again.counts.event, { found: 3, created: 0, updated: 1, unchanged: 2 })
  assert.equal((await app.call('anonymous', 'GET', '/events/70000')).body.title, 'Changed')
})

test('an event that came before and is hidden now stays', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(1), madeEvent(2)]
  await importMade(app, site, EDITOR)
  site.content.events[0] = madeEvent(1, HIDDEN)
  const report = await importMade(app, site, { ...EDITOR, vanished: 'trash' })
  assert.deepEqual(report.vanished, [])
  assert.equal((await app.call('anonymous', 'GET', '/events/1')).status, 200)
})

test('ids that the site does not answer make the import incomplete, and come with the next one', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(5), madeEvent(6, HIDDEN), madeEvent(7)]
  site.content.posts = [5, 6, 7].map((id) => ({ id }))
  site.trouble = (path) => (path.includes('/events/6') ? { kind: 'status', status: 500 } : undefined)
  const report = await importMade(app, site)
  assert.deepEqual([report.complete, report.counts.event.created], [false, 2])
  assert.ok(report.skipped.some(({ what }) => what === 'event 6'))
  site.trouble = () => undefined
  const again = await importMade(app, site)
  assert.deepEqual([again.complete, again.counts.event.created], [true, 1])
})
