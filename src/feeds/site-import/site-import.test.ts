import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from '../../../test/support/app.ts'
import { openMadeSite } from '../../../test/support/made-site.ts'
import { paint } from '../../media/testing.ts'
import { EDITOR, eventsOf, idsIn, importMade, madeEvent, madeEvents } from './testing.ts'

const VENUE = {
  id: 50,
  global_id: 'there.example?id=50',
  venue: 'Hall',
  slug: 'hall',
  city: 'Astoria',
  status: 'publish',
  author: '2',
}
const MUSIC = { id: 7, name: 'Music', slug: 'music', taxonomy: 'tribe_events_cat', parent: 0, count: 1 }
const JAZZ = { ...MUSIC, id: 9, name: 'Jazz &amp; more', slug: 'jazz', parent: 7 }

test('everything comes with its ids and slugs, and a second time only what has changed', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  const own = { categories: [JAZZ], venue: VENUE, virtual_video_source: 'zoom', author: '2' }
  Object.assign(site.content, {
    venues: [VENUE],
    categories: [MUSIC, JAZZ],
    users: [{ id: 2, name: 'Mira', slug: 'mira' }],
  })
  site.content.events = [...madeEvents(120), madeEvent(30, own), madeEvent(31, { status: 'draft', slug: '' })]
  const report = await importMade(app, site, EDITOR)
  assert.deepEqual([report.complete, report.skipped.map(({ what }) => what)], [true, ['user 1']])
  assert.deepEqual(
    [report.counts.event, report.users],
    [
      { found: 122, created: 122, updated: 0, unchanged: 0 },
      { found: 1, created: 1 },
    ],
  )
  const events = await eventsOf(app)
  assert.deepEqual(idsIn(events), idsIn(site.content.events))
  const one = events.find(({ id }) => id === 30)
  assert.deepEqual([one.venue.id, one.categories[0].id, one.categories[0].parent, one.slug], [50, 9, 7, 'e-30'])
  assert.deepEqual([one.virtual_video_source, one.global_id_lineage.includes('there.example?id=30')], ['zoom', true])
  site.content.events[3] = madeEvent(1003, { title: 'Changed' })
  site.content.venues = [{ ...VENUE, city: 'Salem' }]
  const again = await importMade(app, site, EDITOR)
  assert.deepEqual(again.counts.event, { found: 122, created: 0, updated: 1, unchanged: 121 })
  assert.deepEqual([again.counts.venue.updated, again.counts.category.unchanged, again.users.created], [1, 2, 0])
})

test('what was changed here stays while the site does not change it', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = madeEvents(2)
  await importMade(app, site)
  await app.call('administrator', 'POST', '/events/1000', { json: { title: 'Ours' } })
  const report = await importMade(app, site)
  assert.equal(report.counts.event.unchanged, 2)
  assert.deepEqual((await eventsOf(app)).map(({ title }) => title).sort(), ['Event 1001', 'Ours'])
})

test('dates that share an id become one series, each as it was', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  const dates = ['2026-03-01', '2026-03-08', '2026-03-20'].map((day, index) =>
    madeEvent(77, { start_date: `${day} 18:00:00`, end_date: `${day} 2${index}:00:00`, cost: index === 2 ? '$5' : '' }),
  )
  site.content.events = [...dates, madeEvent(80)]
  const report = await importMade(app, site)
  assert.deepEqual([report.counts.event.created, report.skipped.length], [2, 1])
  const found = (await eventsOf(app)).filter(({ series }) => series?.id === 77)
  assert.deepEqual(
    found.map(({ start_date, end_date, cost }) => [start_date, end_date, cost]),
    dates.map(({ start_date, end_date, cost }) => [start_date, end_date, cost]),
  )
  assert.deepEqual(found[0].recurrence, ['RDATE:20260308T180000,20260320T180000'])
  assert.equal((await importMade(app, site)).counts.event.unchanged, 2)
})

test('an image is fetched once for each content, and belongs to the events that have it', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  const bytes = await paint(80, 60).png().toBuffer()
  for (const name of ['a', 'b']) site.content.images.set(`/up/${name}.png`, bytes)
  const image = (name: string, id: number) => ({
    image: { url: `${site.origin}/up/${name}.png`, id, extension: 'png' },
  })
  site.content.events = [
    madeEvent(1, image('a', 500)),
    madeEvent(2, image('b', 501)),
    madeEvent(3, image('a', 500)),
    madeEvent(4, image('gone', 502)),
  ]
  const report = await importMade(app, site)
  assert.deepEqual(report.pictures, { found: 3, fetched: 1, shared: 1, known: 0 })
  assert.match(report.skipped.map(({ what, why }) => `${what}: ${why}`).join(), /gone\.png: the site answered/)
  const ids = (await eventsOf(app)).map((event) => event.image.id)
  assert.deepEqual(ids, [ids[0], ids[0], ids[0], 502])
  assert.equal(site.asked.filter((path) => path === '/up/a.png').length, 1)
  assert.deepEqual((await importMade(app, site)).pictures, { found: 3, fetched: 0, shared: 0, known: 2 })
})

test('images inside descriptions stay where they are, which is told', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  const description = `<p><img src="${site.origin}/up/a.png" alt="Boat" /></p>`
  site.content.events = [madeEvent(1, { description }), madeEvent(2)]
  const { skipped } = await importMade(app, site)
  const why = '1 show images, which stay where they are'
  assert.deepEqual(
    skipped.filter(({ what }) => what === 'descriptions'),
    [{ what: 'descriptions', why }],
  )
  assert.equal((await eventsOf(app))[0].description.trim(), description)
  assert.deepEqual((await importMade(app, site)).counts.event.unchanged, 2)
})

test('a protected event stays protected, with its content', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(5, { password: 'letmein' }), madeEvent(6)]
  const report = await importMade(app, site, EDITOR)
  assert.match(report.skipped.map(({ why }) => why).join(), /password cannot be read/)
  const { body } = await app.call('administrator', 'GET', '/events/5')
  assert.equal(body.description.trim(), '<p>About 5</p>')
  assert.equal((await app.call('anonymous', 'GET', '/events/5')).body.code, 'event-password-protected')
  assert.equal((await app.call('anonymous', 'GET', '/events/6')).status, 200)
})

test('credentials that are wrong end the import, and those that do not arrive are told of', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(5), madeEvent(6, { status: 'private' })]
  await assert.rejects(importMade(app, site, { user: 'admin', password: 'wrong' }), { code: 'site_refuses' })
  site.credentials = undefined
  const report = await importMade(app, site, EDITOR)
  assert.match(report.skipped[0]?.why ?? '', /credentials did not arrive/)
  assert.deepEqual(idsIn(await eventsOf(app)), [5])
})

test('what cannot be used is named and left out, and what can be put right is', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [
    madeEvent(1, { start_date: '', end_date: '', utc_start_date: null }),
    madeEvent(2, { timezone: 'Mars/Olympus_Mons' }),
    madeEvent(3, { end_date: '2026-01-01 00:00:00' }),
    madeEvent(4, { categories: null, organizer: null }),
    madeEvent(5, { id: '5' }),
    madeEvent(6),
  ]
  const report = await importMade(app, site)
  const remarks = report.skipped.map(
    ({ what, why }) => `${what.split(' ', 2).join(' ')}: ${why.split(' ', 3).join(' ')}`,
  )
  assert.deepEqual(idsIn(await eventsOf(app)), [2, 3, 4, 5, 6])
  for (const id of [1, 2, 3, 4, 5])
    assert.ok(
      remarks.some((one) => one.startsWith(`event ${id}:`)),
      `${id} in ${remarks.join()}`,
    )
})

test('events that no list shows are found by their ids', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(3), madeEvent(4, { hide_from_listings: true })]
  assert.equal((await importMade(app, site, { byId: true })).counts.event.created, 2)
  assert.equal((await app.call('anonymous', 'GET', '/events/4')).body.hide_from_listings, true)
})

test('a dry run says what would come and changes nothing', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = madeEvents(3)
  const report = await importMade(app, site, { dryRun: true })
  assert.deepEqual([report.dryRun, report.counts.event.created], [true, 3])
  assert.deepEqual(await eventsOf(app), [])
})

test('what the site has no more is named, and goes to the trash where that is wanted', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  const shared = ['2026-03-01', '2026-03-08'].map((day) =>
    madeEvent(77, { start_date: `${day} 18:00:00`, end_date: `${day} 20:00:00` }),
  )
  Object.assign(site.content, { events: [...madeEvents(3), ...shared], venues: [VENUE] })
  await importMade(app, site, EDITOR)
  Object.assign(site.content, { events: [madeEvent(1000)], venues: [] })
  const gone = ['event 1001', 'event 1002', 'event 77', 'venue 50']
  assert.deepEqual((await importMade(app, site, { ...EDITOR, dryRun: true, vanished: 'trash' })).vanished, gone)
  assert.deepEqual((await importMade(app, site, EDITOR)).vanished, gone)
  assert.equal((await app.call('administrator', 'GET', '/events/1001')).body.status, 'publish')
  assert.deepEqual((await importMade(app, site, { ...EDITOR, vanished: 'trash' })).vanished, gone)
  for (const path of ['/events/1001', '/events/77', '/venues/50'])
    assert.equal((await app.call('administrator', 'GET', path)).body.status, 'trash', path)
  assert.deepEqual((await importMade(app, site, { ...EDITOR, vanished: 'trash' })).vanished, [])
})
