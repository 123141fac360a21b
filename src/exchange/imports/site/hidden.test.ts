import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from '../../../../test/support/app.ts'
import { openMadeSite } from '../../../../test/support/made-site.ts'
import { EDITOR, importMade, madeEvent } from '../../../../test/support/site-import.ts'

const HIDDEN = { hide_from_listings: true }

const isQuestion = (path: string): boolean => /\/events\/\d+/.test(path)

test('events that no list shows come without being asked for, and once more only when they have changed', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(300), madeEvent(333, HIDDEN), madeEvent(400)]
  const report = await importMade(app, site)
  assert.deepEqual([report.counts.event.created, report.complete], [3, true])
  assert.equal((await app.call('anonymous', 'GET', '/events/333')).body.hide_from_listings, true)
  site.asked.length = 0
  site.content.events[1] = madeEvent(333, { ...HIDDEN, title: 'Changed' })
  const again = await importMade(app, site, { vanished: 'trash' })
  assert.deepEqual(again.counts.event, { found: 3, created: 0, updated: 1, unchanged: 2 })
  assert.equal(site.asked.filter(isQuestion).length, 51, 'that one, and ids beyond the highest')
  assert.equal((await app.call('anonymous', 'GET', '/events/333')).body.title, 'Changed')
})

test('an event that came before and is hidden now stays, and is hidden here too', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(1), madeEvent(2)]
  await importMade(app, site, EDITOR)
  site.content.events[0] = madeEvent(1, HIDDEN)
  const report = await importMade(app, site, { ...EDITOR, vanished: 'trash' })
  assert.deepEqual([report.counts.event.updated, report.vanished], [1, []])
  assert.equal((await app.call('anonymous', 'GET', '/events/1')).body.hide_from_listings, true)
})

test('where the site lists its ids elsewhere, only those that lists do not have are asked for', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(5), madeEvent(70_000, HIDDEN), madeEvent(90_000)]
  site.content.posts = [5, 70_000, 90_000].map((id) => ({ id }))
  const report = await importMade(app, site)
  assert.deepEqual([report.counts.event.created, report.complete, site.asked.filter(isQuestion).length], [3, true, 1])
})

test('too many ids are not asked for unless that is said, and the report says so', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(5), madeEvent(90_000)]
  const report = await importMade(app, site)
  const remark = report.skipped.find(({ what }) => what === 'events')
  assert.match(remark?.why ?? '', /lists hide were not looked for: 90048 ids may be theirs; --by-id asks for each/)
  assert.equal(site.asked.filter(isQuestion).length, 0)
})

test('ids that the site does not answer make the import incomplete, and are asked for again', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(5), madeEvent(6, HIDDEN), madeEvent(7)]
  site.trouble = (path) => (path.includes('/events/6') ? { kind: 'status', status: 500 } : undefined)
  const report = await importMade(app, site)
  assert.deepEqual([report.complete, report.counts.event.created], [false, 2])
  assert.match(report.skipped.map(({ why }) => why).join(), /did not answer for 1 of the ids/)
  site.trouble = () => undefined
  const again = await importMade(app, site)
  assert.deepEqual([again.complete, again.counts.event.created], [true, 1])
})

test('a category with the number of a hidden event does not stand for it', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.categories = [{ id: 6, name: 'Music', slug: 'music', taxonomy: 'tribe_events_cat', parent: 0, count: 1 }]
  site.content.events = [madeEvent(5), madeEvent(6, HIDDEN), madeEvent(7)]
  const report = await importMade(app, site)
  assert.deepEqual([report.complete, report.counts.event.created], [true, 3])
})

test('hidden events are not looked for one by one where the site does not give its lists', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(1), madeEvent(2, HIDDEN), madeEvent(3)]
  await importMade(app, site)
  site.asked.length = 0
  site.trouble = (path) => (path.includes('/events?') ? { kind: 'status', status: 500 } : undefined)
  const report = await importMade(app, site, { vanished: 'trash' })
  assert.deepEqual([report.complete, report.vanished, site.asked.filter(isQuestion)], [false, [], []])
})

test('a site that does not answer for ids is not asked for all of them, and those that came before count', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(100), madeEvent(101, HIDDEN), madeEvent(400)]
  await importMade(app, site)
  const askedInVain = async (ids: RegExp): Promise<number> => {
    site.asked.length = 0
    site.trouble = (path) => (ids.test(path) ? { kind: 'status', status: 500 } : undefined)
    const report = await importMade(app, site, { concurrency: 2 })
    assert.equal(report.complete, false)
    assert.match(report.skipped.map(({ why }) => why).join(), /did not answer for \d+ of the ids/)
    return new Set(site.asked.filter((path) => ids.test(path))).size
  }
  assert.equal(await askedInVain(/\/events\/101\b/), 1)
  site.content.events.push(madeEvent(1800))
  const asked = await askedInVain(/\/events\/1\d{3}\b/)
  assert.ok(asked >= 20 && asked < 25, String(asked))
})
