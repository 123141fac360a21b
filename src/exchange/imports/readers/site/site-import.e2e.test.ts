import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'
import { paint } from '../../../../../test/support/images.ts'
import { openMadeSite } from '../../../../../test/support/made-site.ts'
import { EDITOR, eventsOf, idsIn, importMade, madeEvent, madeEvents } from '../../../../../test/support/site-import.ts'
import { runStatement } from '../../../../../test/support/storage.ts'
import { addRedirect, listRedirects } from '../../../../calendar/redirects/store.ts'

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
  assert.deepEqual([report.complete, report.notes.map(({ what }) => what)], [true, ['user 1']])
  assert.deepEqual(
    [report.counts.event, report.users],
    [
      { found: 122, created: 122, updated: 0, unchanged: 0 },
      { found: 1, created: 1, made: report.users.made },
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
  assert.deepEqual([report.counts.event.created, report.notes.length], [2, 1])
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
  assert.match(report.notes.map(({ what, why }) => `${what}: ${why}`).join(), /gone\.png: the site answered/)
  const ids = (await eventsOf(app)).map((event) => event.image.id)
  assert.deepEqual(ids, [ids[0], ids[0], ids[0], 502])
  assert.equal(site.asked.filter((path) => path === '/up/a.png').length, 1)
  assert.deepEqual((await importMade(app, site)).pictures, { found: 3, fetched: 0, shared: 0, known: 2 })
})

test('images inside descriptions come here once for each content, and their old paths lead to them', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  const bytes = await paint(80, 60).png().toBuffer()
  for (const name of ['a', 'b', 'c d']) site.content.images.set(`/up/${name}.png`, bytes)
  site.content.images.set('/up/large.png', await paint(90, 60).png().toBuffer())
  const description = `<p><a href="/up/large.png"><img src="${site.origin}/up/a.png" alt="Boat &amp; sea" /></a></p>`
  const others = [
    '<img src="/up/b.png?w=3" alt="" /> <img src="/up/c%20d.png" alt="" />',
    '<img src="https://elsewhere.example/x.png" alt="" /> <a href="https://elsewhere.example/y.png">y</a>',
    '<img src="/up/gone.png" alt="" /> <a href="/up/list.pdf">list</a> <img src="data:image/png;base64,AAAA" alt="" />',
  ]
  site.content.events = [
    madeEvent(1, { description, image: { url: `${site.origin}/up/a.png`, id: 500 } }),
    ...others.map((one, index) => madeEvent(index + 2, { description: `<p>${one}</p>` })),
  ]
  const trial = await importMade(app, site, { dryRun: true })
  const none = { fetched: 0, shared: 0, known: 0 }
  assert.deepEqual([trial.shown, trial.redirects], [{ ...none, found: 5 }, 0])
  assert.equal(site.asked.filter((path) => path.startsWith('/up/')).length, 0)
  const report = await importMade(app, site)
  assert.deepEqual([report.shown, report.redirects], [{ found: 5, fetched: 1, shared: 2, known: 1 }, 4])
  const origin = { what: 'descriptions', why: `1 name images by their address at ${site.origin}: ` }
  const told = report.notes.filter(({ what }) => what === 'descriptions').map(({ why }) => why)
  assert.deepEqual(told, [
    `${origin.why}they come from here once this calendar answers there`,
    '1 show images of other sites, which stay there',
  ])
  const missing = report.notes.find(({ what }) => what === `image ${site.origin}/up/gone.png`)
  assert.equal(missing?.why, 'the site answered 404')
  assert.equal((await eventsOf(app))[0].description.trim(), description)
  const files: string[] = []
  for (const name of ['a.png', 'b.png', 'c%20d.png', 'large.png']) {
    const answer = await fetch(`${app.origin}/up/${name}`)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'], name)
    files.push(answer.url)
  }
  assert.deepEqual([new Set(files).size, new Set(files.slice(0, 3)).size], [2, 1])
  const again = await importMade(app, site)
  assert.deepEqual(
    [again.shown, again.redirects, again.counts.event.unchanged],
    [{ ...none, found: 5, known: 4 }, 0, 4],
  )
})

test('the old paths of the images of items lead to them, but for those that lie at another site', async (t) => {
  const [app, site, store] = [await openTestApp(t), await openMadeSite(t), await openMadeSite(t)]
  const bytes = await paint(80, 60).png().toBuffer()
  for (const name of ['a', 'b c', 'v']) site.content.images.set(`/up/${name}.png`, bytes)
  store.content.images.set('/up/far.png', await paint(90, 60).png().toBuffer())
  const image = (address: string, id: number) => ({ image: { url: address, id, extension: 'png' } })
  site.content.venues = [{ ...VENUE, ...image(`${site.origin}/up/v.png`, 502) }]
  site.content.events = [
    madeEvent(1, image(`${site.origin}/up/a.png`, 500)),
    madeEvent(2, image(`${site.origin}/up/b%20c.png?w=3`, 501)),
    madeEvent(3, image(`${store.origin}/up/far.png`, 503)),
  ]
  const { pictures, redirects } = await importMade(app, site)
  assert.deepEqual([pictures.found, pictures.fetched + pictures.shared, redirects], [4, 4, 3])
  for (const name of ['a.png', 'b%20c.png', 'v.png']) {
    const answer = await fetch(`${app.origin}/up/${name}`)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'], name)
  }
  assert.equal((await fetch(`${app.origin}/up/far.png`)).status, 404)
  assert.equal((await importMade(app, site)).redirects, 0)
})

test('the old paths of the smaller sizes of an image lead to those sizes here, and to the whole image where there is none', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.images.set('/up/a.png', await paint(400, 300).png().toBuffer())
  const size = (name: string) => ({ url: `${site.origin}/up/a-${name}.png`, width: 1, height: 1 })
  const sizes = { thumbnail: size('150x150'), medium: size('300x225'), poster: size('90x120'), full: 7, large: {} }
  site.content.events = [madeEvent(1, { image: { url: `${site.origin}/up/a.png`, id: 500, extension: 'png', sizes } })]
  assert.equal((await importMade(app, site)).redirects, 4)
  const { image } = (await eventsOf(app))[0]
  const targetOf = async (path: string): Promise<string> => (await fetch(`${app.origin}/up/${path}`)).url
  const leads = {
    'a.png': image.url,
    'a-150x150.png': image.sizes.thumbnail.url,
    'a-300x225.png': image.sizes.medium.url,
  }
  for (const [from, to] of Object.entries({ ...leads, 'a-90x120.png': image.url })) {
    assert.equal(new URL(await targetOf(from)).pathname, new URL(to).pathname, from)
  }
  assert.equal((await importMade(app, site)).redirects, 0)
})

test('a redirect of the operator stays, and one to an image that is gone leads to the one that was fetched again', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  for (const name of ['a', 'b']) site.content.images.set(`/up/${name}.png`, await paint(80, 60).png().toBuffer())
  site.content.events = [madeEvent(1, { description: '<img src="/up/a.png" alt="" /><img src="/up/b.png" alt="" />' })]
  const place = { storage: app.app.storage, now: () => app.clock.now }
  await addRedirect(place, { from: '/up/b.png', to: 'https://pictures.example/b.png' })
  const targets = async () => (await listRedirects(place)).map(({ target }) => target)
  assert.equal((await importMade(app, site)).redirects, 1)
  const [first, kept] = await targets()
  assert.match(first ?? '', /^\/media\/[0-9a-f]{40}\.png$/)
  assert.equal(kept, 'https://pictures.example/b.png')
  const { body } = await app.call('administrator', 'GET', `${app.origin}/kalends/v1/media`)
  const [image] = body.media
  assert.equal((await app.call('administrator', 'DELETE', `${app.origin}/kalends/v1/media/${image.id}`)).status, 200)
  const { shown, redirects } = await importMade(app, site)
  assert.deepEqual([shown, redirects], [{ found: 2, fetched: 1, shared: 1, known: 0 }, 1])
  const [second] = await targets()
  assert.notEqual(second, first)
  assert.equal((await fetch(`${app.origin}/up/a.png`)).status, 200)
})

test('old paths of images leave room for the redirects of the operator, and the report says which are left out', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  for (const name of ['a', 'b']) site.content.images.set(`/up/${name}.png`, await paint(80, 60).png().toBuffer())
  site.content.events = [madeEvent(1, { description: '<img src="/up/a.png" alt="" /><img src="/up/b.png" alt="" />' })]
  const { storage } = app.app
  const numbers = 'with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 44999)'
  await runStatement(
    storage,
    `insert into redirect (source, target, created_at) ${numbers} select '/old/' || n, '/new', '2026-01-01 00:00:00' from numbers`,
  )
  const { redirects, notes } = await importMade(app, site)
  const why = notes.filter(({ what }) => what === 'redirects').map((one) => one.why)
  assert.deepEqual([redirects, why], [1, ['there are 45000 already, and more are for other addresses only']])
  const place = { storage, now: () => app.clock.now }
  assert.equal((await addRedirect(place, { from: '/mine', to: '/new' })).source, '/mine')
})

test('images of descriptions that only their parameters tell apart are found each by its own', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.images.set('/up/show?id=1', await paint(80, 60).png().toBuffer())
  site.content.images.set('/up/show?id=2', await paint(80, 60, 'red').png().toBuffer())
  const description = '<img src="/up/show?id=1" alt="" /><img src="/up/show?id=2" alt="" />'
  site.content.events = [madeEvent(1, { description })]
  const { shown, redirects } = await importMade(app, site)
  assert.deepEqual([shown, redirects], [{ found: 2, fetched: 2, shared: 0, known: 0 }, 2])
  const files: string[] = []
  for (const id of [1, 2]) files.push((await fetch(`${app.origin}/up/show?id=${id}`)).url)
  assert.equal(new Set(files).size, 2)
  assert.equal((await fetch(`${app.origin}/up/show`)).status, 404)
})

test('a venue that was deleted here for good comes again with what has changed', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  Object.assign(site.content, { venues: [VENUE], events: [madeEvent(1, { venue: VENUE })] })
  await importMade(app, site)
  const removed = await app.call('administrator', 'DELETE', '/venues/50', { query: { force: 'true' } })
  assert.equal(removed.status, 200)
  site.content.events = [madeEvent(1, { venue: VENUE }), madeEvent(2, { venue: VENUE })]
  assert.equal((await importMade(app, site)).counts.venue.created, 1)
  const [second] = (await eventsOf(app)).filter(({ id }) => id === 2)
  assert.equal(second?.venue.venue, 'Hall')
})

test('credentials that are wrong end the import, and those that do not arrive are told of', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(5), madeEvent(6, { status: 'private' })]
  await assert.rejects(importMade(app, site, { user: 'admin', password: 'wrong' }), { code: 'site_refuses' })
  site.credentials = undefined
  const report = await importMade(app, site, EDITOR)
  assert.match(report.notes[0]?.why ?? '', /credentials did not arrive/)
  assert.deepEqual(idsIn(await eventsOf(app)), [5])
})

test('while credentials do not arrive nothing counts as gone that the site hides then', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  const { credentials } = site
  site.content.events = [madeEvent(5), madeEvent(6, { status: 'private' })]
  await importMade(app, site, { ...EDITOR, vanished: 'trash' })
  site.credentials = undefined
  const report = await importMade(app, site, { ...EDITOR, vanished: 'trash' })
  assert.match(report.notes[0]?.why ?? '', /credentials did not arrive/)
  assert.deepEqual(report.vanished, [])
  assert.equal((await app.call('administrator', 'GET', '/events/6')).body.status, 'private')
  site.credentials = credentials
  site.content.events.pop()
  assert.deepEqual((await importMade(app, site, { ...EDITOR, vanished: 'trash' })).vanished, ['event 6'])
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
  const remarks = [...report.skipped, ...report.notes].map(
    ({ what, why }) => `${what.split(' ', 2).join(' ')}: ${why.split(' ', 3).join(' ')}`,
  )
  assert.deepEqual(idsIn(await eventsOf(app)), [2, 3, 4, 5, 6])
  for (const id of [1, 2, 3, 4, 5])
    assert.ok(
      remarks.some((one) => one.startsWith(`event ${id}:`)),
      `${id} in ${remarks.join()}`,
    )
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

test('categories and tags that the site has no more are named and stay', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  Object.assign(site.content, { categories: [MUSIC, JAZZ], events: [madeEvent(1, { categories: [JAZZ] })] })
  await importMade(app, site, EDITOR)
  Object.assign(site.content, { categories: [], events: [madeEvent(1)] })
  const report = await importMade(app, site, { ...EDITOR, vanished: 'trash' })
  assert.deepEqual(report.vanished, ['category 7', 'category 9'])
  const { body } = await app.call('administrator', 'GET', '/categories', { query: { hide_empty: 'false' } })
  assert.deepEqual(
    body.categories.map(({ slug, count }: { slug: string; count: number }) => [slug, count]),
    [
      ['jazz', 0],
      ['music', 0],
    ],
  )
})

test('a category that was deleted here comes again with an event that has it', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  Object.assign(site.content, { categories: [MUSIC], events: [madeEvent(1, { categories: [MUSIC] })] })
  await importMade(app, site)
  assert.equal((await app.call('administrator', 'DELETE', '/categories/7')).status, 200)
  site.content.events = [madeEvent(1, { categories: [MUSIC], title: 'Changed' })]
  const report = await importMade(app, site)
  assert.deepEqual([report.counts.category.created, report.counts.event.updated], [1, 1])
  const [event] = await eventsOf(app)
  assert.deepEqual([event.title, event.categories[0].slug], ['Changed', 'music'])
})
