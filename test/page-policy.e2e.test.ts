import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { closeBrowser, NO_BROWSER, visit } from './support/browser.ts'
import { openRemoteSite } from './support/images.ts'
import { sampleImage } from './support/sample-image.ts'

after(closeBrowser)

const TIMES = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

/** The sources of a kind that the policy of a page allows, without those of its own host; undefined where it names none. */
function allowed(headers: Headers, kind = 'img-src') {
  const policy = (headers.get('content-security-policy') ?? '').split('; ')
  const sources = policy.find((directive) => directive.startsWith(`${kind} `))?.split(' ')
  return sources?.slice(1).filter((source) => source !== "'self'" && source !== 'data:')
}

async function makeEvent({ call }: TestApp, json: object) {
  const { status, body } = await call('administrator', 'POST', '/events', { json: { ...TIMES, ...json } })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

async function openWith(t: TestContext, config: Parameters<typeof openTestApp>[1] = {}) {
  const app = await openTestApp(t, config)
  const sourcesOf = async (path: string, kind?: string) => {
    const response = await fetch(app.origin + path)
    await response.arrayBuffer()
    return allowed(response.headers, kind)
  }
  return { app, sourcesOf }
}

test('a page loads pictures of its own host alone', async (t) => {
  const { app, sourcesOf } = await openWith(t, { submissions: 'yes' })
  const own = `<p><img src="${app.origin}/media/a.jpg"> <img src="/media/b.jpg"></p>`
  await makeEvent(app, { title: 'Jazz', description: own, venue: { venue: 'Hall', geo_lat: 1, geo_lng: 2 } })
  const views = ['/', '/events/', '/events/2027-03/', '/events/week/2027-03-01/', '/events/2027-03-01/', '/events/map/']
  const others = ['/event/jazz/', '/venue/hall/', '/search?q=jazz', '/embed/', '/submit/', '/reference/', '/nowhere/']
  for (const path of [...views, ...others]) {
    assert.deepEqual(await sourcesOf(path), [], path)
    assert.equal(await sourcesOf(path, 'media-src'), undefined, path)
    assert.deepEqual(await sourcesOf(path, 'frame-src'), path === '/embed/' ? [] : undefined, path)
  }
})

test('a description may show pictures and films from elsewhere, on the pages that show it', async (t) => {
  const { app, sourcesOf } = await openWith(t)
  const film = '<video controls poster="//pics.example/p.jpg"><source src="http://films.example/a.mp4"></video>'
  await makeEvent(app, { title: 'Shown', description: '<p><img src="https://pics.example/a.jpg?a=1&amp;b=2"></p>' })
  await makeEvent(app, { title: 'Plain', description: '<p><img src="http://pics.example/a.jpg"></p>' })
  await makeEvent(app, { title: 'Filmed', description: film })
  await makeEvent(app, { title: 'Told', description: '<p>&lt;img src="https://pics.example/a.jpg"&gt;</p>' })
  assert.deepEqual(await sourcesOf('/event/shown/'), ['https:'])
  assert.deepEqual(await sourcesOf('/event/plain/'), ['http:'])
  assert.deepEqual(await sourcesOf('/event/filmed/'), [new URL(app.origin).protocol])
  assert.deepEqual(await sourcesOf('/event/filmed/', 'media-src'), ['http:'])
  for (const path of ['/event/told/', '/events/', '/events/2027-03/']) assert.deepEqual(await sourcesOf(path), [], path)
})

/** Imports an event whose picture stays where it is. */
async function importWithImage({ app }: TestApp, url: string): Promise<void> {
  const recorded = { id: 900, global_id: 'harbour.example?id=900', title: 'Regatta', slug: 'regatta', ...TIMES }
  const event = { ...recorded, timezone: 'UTC', image: { url, id: 4 } }
  const file = { name: 'a.json', bytes: Buffer.from(JSON.stringify({ events: [event] })) }
  await app.importJson?.([file], { author: undefined, onProgress: () => undefined })
}

test('pictures that stayed on the site from which events came are shown in lists', async (t) => {
  const { app, sourcesOf } = await openWith(t)
  await importWithImage(app, 'https://harbour.example/boat.jpg')
  for (const path of ['/events/', '/event/regatta/', '/events/2027-03-01/'])
    assert.deepEqual(await sourcesOf(path), ['https:'], path)
  assert.deepEqual(await sourcesOf('/events/2027-03/'), [])
})

test('turning to a day with a picture of another host loads its page whole, with the policy that allows it', {
  skip: NO_BROWSER,
  timeout: 600_000,
}, async (t) => {
  const bytes = await sampleImage(1)
  const harbour = await openRemoteSite(t, {
    '/boat.png': (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes),
  })
  const { app } = await openWith(t)
  await importWithImage(app, `${harbour.origin}/boat.png`)
  const { page } = await visit(t)
  await page.goto(`${app.origin}/events/2027-02-27/`)
  await page.evaluate('window.isSamePage = true')
  const turnTo = async (day: string) => {
    await page.locator('a[rel=next]').click()
    await page.waitForURL(`**/events/${day}/`)
    return page.evaluate("'isSamePage' in window")
  }
  assert.equal(await turnTo('2027-02-28'), true)
  assert.equal(await turnTo('2027-03-01'), false)
  assert.ok((await page.locator(`main img[src^="${harbour.origin}"]`).count()) > 0)
})

test('the hosts of the logo and of the tiles of a map may be asked where these are shown', async (t) => {
  const flags = { siteLogo: 'https://cdn.example/logo.svg', mapTiles: 'https://tiles.example/{z}/{x}/{y}.png' }
  const { app, sourcesOf } = await openWith(t, flags)
  await makeEvent(app, { title: 'Jazz', venue: { venue: 'Hall', geo_lat: 1, geo_lng: 2 } })
  await makeEvent(app, { title: 'Nowhere' })
  const [logo, tiles] = ['https://cdn.example', 'https://tiles.example']
  for (const path of ['/event/jazz/', '/venue/hall/', '/events/map/'])
    assert.deepEqual(await sourcesOf(path), [logo, tiles], path)
  for (const path of ['/', '/event/nowhere/', '/events/2027-03/', '/none/'])
    assert.deepEqual(await sourcesOf(path), [logo], path)
})

test('the administration loads pictures from elsewhere only where a text with them is edited or shown', async (t) => {
  const { app } = await openWith(t)
  const { show } = await visitor(app, 'administrator')
  const { id } = await makeEvent(app, { title: 'Shown', description: '<p><img src="https://pics.example/a.jpg"></p>' })
  for (const [path, sources] of [
    ['/admin', []],
    ['/admin/events', []],
    ['/admin/media', []],
    ['/admin/settings', []],
    [`/admin/events/${id}`, ['http:', 'https:']],
  ] as const)
    assert.deepEqual(allowed((await show(path)).headers), sources, path)
})

test('a picture in a description is seen wherever its address leads', {
  skip: NO_BROWSER,
  timeout: 600_000,
}, async (t) => {
  const bytes = await sampleImage(1)
  const store = await openRemoteSite(t, {
    '/a.png': (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes),
  })
  const moved = await openRemoteSite(t, {
    '/a.png': (response) => void response.writeHead(302, { location: `${store.origin}/a.png` }).end(),
  })
  const { app } = await openWith(t)
  await makeEvent(app, { title: 'Shown', description: `<p><img src="${moved.origin}/a.png" alt="Boats"></p>` })
  const { page } = await visit(t)
  await page.goto(`${app.origin}/event/shown/`, { waitUntil: 'load' })
  const width = await page.getByAltText('Boats').evaluate((image) => Reflect.get(image, 'naturalWidth'))
  assert.ok(width > 0)
})
