import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { fill, make, TIMES } from '../../test/support/filled.ts'
import { addressesIn, crawl, mainOf } from '../../test/support/pages.ts'

const NAMESPACES = ['cal/events/v1', 'tribe/events/v1', 'kalends/v1', 'wp/v2', 'tec/v1']

async function open(t: TestContext) {
  const app = await openTestApp(t)
  const page = (as: Parameters<TestApp['call']>[0], path: string, method = 'GET') =>
    app.call(as, method, path.startsWith('http') ? path : app.origin + path)
  return { app, page }
}

const LISTS = ['events', 'venues', 'organizers', 'categories', 'tags']

test('the answers to OPTIONS give out living addresses too', async (t) => {
  const { app, page } = await open(t)
  for (const list of ['', '/doc', ...LISTS.map((one) => `/${one}`)]) {
    const answer = await page('anonymous', `/cal/events/v1${list}`, 'OPTIONS')
    await crawl(app, 'anonymous', addressesIn(answer, app.origin))
  }
})

test('the root index names the namespaces, under every language', async (t) => {
  const { app, page } = await open(t)
  for (const [path, root] of [
    ['/wp-json/', '/wp-json'],
    ['/wp-json', '/wp-json'],
    ['/de/wp-json/', '/de/wp-json'],
  ] as const) {
    const { status, body, headers } = await page('anonymous', path)
    assert.deepEqual([status, headers.get('allow')], [200, 'GET'])
    assert.deepEqual(body.namespaces, NAMESPACES)
    assert.deepEqual([body.name, body.url, body.timezone_string], ['Kalends', `${app.origin}/`, 'America/New_York'])
    const { href } = body.routes['/cal/events/v1']._links.self[0]
    assert.equal(href, `${app.origin}${root}/cal/events/v1`)
  }
  const head = await page('anonymous', '/wp-json/', 'HEAD')
  assert.deepEqual([head.status, head.body], [200, ''])
  assert.equal((await page('anonymous', '/wp-json/', 'POST')).body.code, 'rest_no_route')
})

test('a slug that is also the code of a language stays a slug', async (t) => {
  const { app, page } = await open(t)
  await make(app, '/events', { title: 'Horror night', slug: 'it', ...TIMES })
  const shown = await page('anonymous', '/event/it')
  assert.equal(shown.status, 200)
  assert.match(String(shown.body), /Horror night/)
  const { body } = await page('anonymous', '/it/cal/events/v1/events/by-slug/it')
  assert.deepEqual([body.title, body.url], ['Horror night', `${app.origin}/event/it/`])
  const missing = await page('anonymous', '/it/cal')
  assert.equal(missing.status, 404)
})

test('pages name the API and the data that they show', async (t) => {
  const { app, page } = await open(t)
  const { body: category } = await make(app, '/categories', { name: 'Café 日本' })
  const { body: tag } = await make(app, '/tags', { name: 'Free' })
  const links = { venue: { venue: 'Hall' }, organizer: { organizer: 'Org' }, categories: [category.id], tags: [tag.id] }
  const { body: event } = await make(app, '/events', { title: 'Jazz', ...TIMES, ...links })
  const api = `${app.origin}/cal/events/v1`
  for (const [url, root] of [
    ['/', `${api}/`],
    ['/nowhere/', `${api}/`],
    [event.url, `${api}/events/${event.id}`],
    [event.venue.url, `${api}/events/?venue=${event.venue.id}`],
    [event.organizer[0].url, `${api}/events/?organizer=${event.organizer[0].id}`],
    [category.url, `${api}/events/?categories=${encodeURIComponent(category.slug)}`],
    [tag.url, `${api}/events/?tags=free`],
  ] as const) {
    const { headers, body } = await page('anonymous', url)
    assert.equal(headers.get('x-tec-api-version'), 'v1')
    assert.equal(headers.get('x-tec-api-root'), root)
    assert.equal(headers.get('x-tec-api-origin'), app.origin)
    assert.equal(headers.get('link'), `<${app.origin}/wp-json/>; rel="https://api.w.org/"`)
    assert.ok(body.includes('<meta name="tec-api-version" content="v1">'))
    assert.ok(body.includes(`<meta name="tec-api-origin" content="${app.origin}">`))
    const links = [...body.matchAll(/<link rel="(?:https:\/\/api.w.org\/|alternate)"[^>]*json[^>]*>/g)].map(
      ([link]) => link,
    )
    assert.deepEqual(links, [
      `<link rel="https://api.w.org/" href="${app.origin}/wp-json/">`,
      `<link rel="alternate" type="application/json" href="${root}">`,
      ...NAMESPACES.map(
        (name) => `<link rel="alternate" type="application/json" title="${name}" href="${app.origin}/wp-json/${name}">`,
      ),
    ])
    const data = (await app.call('anonymous', 'GET', root)).body
    if (url !== '/' && url !== '/nowhere/') assert.equal((data.events ?? [data])[0].id, event.id)
  }
})

test('the namespaces that a page names are those of the root index, and all of them answer', async (t) => {
  const { app, page } = await open(t)
  const { body } = await page('anonymous', '/')
  const index = /<link rel="https:\/\/api.w.org\/" href="([^"]+)">/.exec(body)?.[1] ?? assert.fail('no index')
  assert.deepEqual((await app.call('anonymous', 'GET', index)).body.namespaces, NAMESPACES)
  const named = [...body.matchAll(/title="([^"]+)" href="([^"]+)"/g)].map(([, name, address]) => [name, address])
  assert.equal(named.length, NAMESPACES.length)
  for (const [name, address = ''] of named)
    assert.equal((await app.call('anonymous', 'GET', address)).body.namespace, name)
})

test('pages lead to what they show as an iCalendar file, where everybody may read it', async (t) => {
  const { app, page } = await open(t)
  const links = { venue: { venue: 'Hall' }, organizer: { organizer: 'Choir' }, categories: ['Music & more'] }
  const { body: event } = await make(app, '/events', { title: 'Jazz', ...TIMES, ...links })
  const { body: closed } = await make(app, '/events', { title: 'Closed', ...TIMES, password: 'sesame' })
  const { body: draft } = await make(app, '/venues', { venue: 'Planned', status: 'draft' })
  const [category] = event.categories
  const files = `${app.origin}/kalends/v1/events`
  for (const [url, file] of [
    ['/', `${files}.ics`],
    ['/?featured=1', `${files}.ics?featured=true`],
    [event.url, `${files}/${event.id}.ics`],
    [event.venue.url, `${files}.ics?venue=${event.venue.id}`],
    [event.organizer[0].url, `${files}.ics?organizer=${event.organizer[0].id}`],
    [`/events/category/${category.slug}/`, `${files}.ics?categories=${category.id}`],
  ]) {
    const { body } = await page('anonymous', url)
    assert.ok(body.includes(`<link rel="alternate" type="text/calendar" href="${file}">`), url)
    assert.ok(body.includes(`<a href="${file?.slice(app.origin.length)}"`), url)
    assert.equal((await app.call('anonymous', 'GET', file ?? '')).status, 200, file)
  }
  for (const { url } of [closed, draft]) assert.doesNotMatch((await page('editor', url)).body, /\.ics/)
})

test('the page of an event with parts names them all, and that of featured events these alone', async (t) => {
  const { app, page } = await open(t)
  const { body: parent } = await make(app, '/events', { title: 'Festival', ...TIMES, featured: true })
  const parts = { ...TIMES, post_parent: parent.id }
  const { body: first } = await make(app, '/events', { title: 'First day', ...parts })
  await make(app, '/events', { title: 'Planned day', ...parts, status: 'draft' })
  const { headers, body } = await page('anonymous', parent.url)
  const root = headers.get('x-tec-api-root') ?? ''
  assert.equal(root, `${app.origin}/cal/events/v1/events/?include=${parent.id}%2C${first.id}`)
  assert.ok(body.includes(`<link rel="alternate" type="application/json" href="${root}">`))
  const shown = (await app.call('anonymous', 'GET', root)).body.events as readonly { id: number }[]
  assert.deepEqual(
    shown.map((one) => one.id),
    [parent.id, first.id],
  )
  const featured = await page('anonymous', '/?featured=1')
  assert.equal(featured.headers.get('x-tec-api-root'), `${app.origin}/cal/events/v1/events/?featured=1`)
  assert.match(mainOf(featured.body), /Festival/)
  assert.doesNotMatch(mainOf(featured.body), /First day/)
  const plain = await page('anonymous', '/?featured=0')
  assert.equal(plain.headers.get('x-tec-api-root'), `${app.origin}/cal/events/v1/`)
})

test('of the answers of the API the indexes alone name it as pages do', async (t) => {
  const { app, page } = await open(t)
  const { body: event } = await make(app, '/events', { title: 'Jazz', ...TIMES })
  for (const [path, root] of [
    ['/cal/events/v1', `${app.origin}/cal/events/v1/`],
    ['/de/wp-json/tribe/events/v1', `${app.origin}/de/wp-json/tribe/events/v1/`],
    ['/cal/events/v1/events', null],
    [`/cal/events/v1/events/${event.id}`, null],
    ['/cal/events/v1/nothing', null],
    ['/wp-json/', null],
  ] as const) {
    assert.equal((await page('anonymous', path)).headers.get('x-tec-api-root'), root, path)
  }
})

test('the start page lists what comes next, and says so when nothing does', async (t) => {
  const { app, page } = await open(t)
  assert.match((await page('anonymous', '/')).body, /No events yet/)
  await make(app, '/events', { title: 'Over', start_date: '2026-11-01', end_date: '2026-11-02' })
  assert.match((await page('anonymous', '/')).body, /No upcoming events/)
  await make(app, '/events', { title: 'Hidden', ...TIMES, hide_from_listings: true })
  await make(app, '/events', { title: 'Draft', ...TIMES, status: 'draft' })
  await make(app, '/events', { title: 'Jazz & Blues', ...TIMES, venue: { venue: 'Hall' } })
  const { body } = await page('anonymous', '/')
  assert.match(body, /<h3 class="title"><a href="[^"]*\/event\/jazz-blues\/" dir="auto">Jazz &amp; Blues<\/a>/)
  assert.match(
    body,
    /<time datetime="2027-03-01">Monday, 1 March 2027<\/time>[\s\S]*<time datetime="2027-03-01T10:00:00-05:00">10:00 <span>– 12:00</,
  )
  assert.match(body, /href="[^"]*\/cal\/events\/v1\/doc"/)
  for (const title of ['Over', 'Hidden', 'Draft']) assert.ok(!mainOf(body).includes(title), title)
})

test('an unpublished item has a page for those who may read it, kept by nobody', async (t) => {
  const { app, page } = await open(t)
  for (const status of ['draft', 'pending', 'private', 'trash']) {
    for (const [path, sent] of [
      ['/events', { title: 'Secret plan', ...TIMES, status }],
      ['/venues', { venue: `Secret place ${status}`, status }],
      ['/organizers', { organizer: `Secret people ${status}`, status }],
    ] as const) {
      const { body } = await make(app, path, sent)
      const numbered = `/?post_type=${path === '/events' ? 'tribe_events' : `tribe_${path.slice(1, -1)}`}&p=${body.id}`
      for (const url of [body.url, numbered, `/${path.slice(1, -1)}/${body.slug}/`]) {
        for (const as of ['administrator', 'editor'] as const) {
          const shown = await page(as, url)
          assert.deepEqual([shown.status, shown.headers.get('cache-control')], [200, 'private, no-store'], url)
          assert.match(shown.body, /<h1>Secret/)
        }
        for (const as of ['anonymous', 'subscriber', 'contributor', 'author'] as const) {
          const hidden = await page(as, url)
          assert.deepEqual([hidden.status, hidden.headers.get('cache-control')], [404, 'private, no-store'], url)
          assert.ok(!hidden.body.includes('Secret'), url)
        }
      }
    }
  }
})

test('a number that names nothing of its type is a missing page', async (t) => {
  const { app, page } = await open(t)
  const { body } = await make(app, '/events', { title: 'Jazz', ...TIMES })
  const found = await fetch(`${app.origin}/?post_type=tribe_events&p=${body.id}`, { redirect: 'manual' })
  assert.deepEqual([found.status, found.headers.get('location')], [302, `/event/${body.slug}/`])
  for (const query of [
    `post_type=tribe_venue&p=${body.id}`,
    `post_type=post&p=${body.id}`,
    `p=${body.id}`,
    'p=x',
    'p=',
  ]) {
    assert.equal((await page('anonymous', `/?${query}`)).status, 404, query)
  }
})

test('a protected event shows its title and time, and its content only to those who may change it', async (t) => {
  const { app, page } = await open(t)
  const secrets = { description: 'Bring the map', excerpt: 'Hush', website: 'https://secret.example/', cost: '77' }
  const links = { venue: { venue: 'Cellar' }, categories: ['Plots'], tags: ['Night'] }
  const sent = { title: 'Gathering', ...TIMES, ...secrets, ...links, all_day: true, password: 'sesame' }
  const { body } = await make(app, '/events', sent)
  const closed = await page('anonymous', body.url)
  assert.deepEqual([closed.status, closed.headers.get('cache-control')], [200, 'private, no-store'])
  assert.match(closed.body, /<h1>Gathering<\/h1>[\s\S]*Monday, 1 March 2027, all day[\s\S]*is password-protected/)
  // The port of the test server and the digests of files may hold the same digits as the cost.
  const text = closed.body.replaceAll(new URL(body.url).origin, '').replaceAll(/"\/assets\/[^"]*"/g, '')
  assert.doesNotMatch(text, /map|Hush|secret|77|Cellar|Plots|Night|ld\+json/)
  const opened = await page('editor', body.url)
  for (const shown of ['Bring the map', 'secret.example', '77', 'Cellar', 'Plots', 'Night']) {
    assert.ok(opened.body.includes(shown), shown)
  }
  assert.doesNotMatch(mainOf((await page('anonymous', '/')).body), /map|Hush|Cellar/)
})

test('pages without a name have a heading all the same', async (t) => {
  const { app, page } = await open(t)
  await fill(app)
  const { body: event } = await app.call('anonymous', 'GET', '/events/by-slug/regatta')
  assert.equal(event.venue.venue, undefined)
  assert.match((await page('anonymous', event.venue.url)).body, /<h1>Unnamed venue<\/h1>/)
  const shown = (await page('anonymous', event.url)).body
  assert.match(shown, />Unnamed venue<\/a><\/b><br><bdi>Pier 4<\/bdi>/)
  assert.match(shown, /<img src="https:\/\/harbour\.example\/boat\.jpg"[^>]* alt="">/)
  const { body } = await app.call('anonymous', 'GET', '/events/by-slug/nameless')
  assert.match((await page('anonymous', body.url)).body, /<h1>Untitled event<\/h1>/)
})

test('HEAD answers as GET does, without a body', async (t) => {
  const { app, page } = await open(t)
  const { body } = await make(app, '/events', { title: 'Jazz', ...TIMES })
  for (const [url, status] of [
    ['/', 200],
    [body.url, 200],
    ['/event/none/', 404],
    ['/a/b/c', 404],
  ] as const) {
    const head = await page('anonymous', url, 'HEAD')
    assert.deepEqual([head.status, head.body], [status, ''], url)
    assert.match(head.headers.get('content-type') ?? '', /^text\/html/)
    assert.equal(head.headers.get('x-tec-api-version'), 'v1')
  }
})

test('a request for a page that fails is answered with a page', async (t) => {
  const { app, page } = await open(t)
  const headers = { authorization: `Basic ${Buffer.from('nobody:x').toString('base64')}` }
  for (const path of ['/', '/event/x/', '/nowhere']) {
    const refused = await app.call('anonymous', 'GET', app.origin + path, { headers })
    assert.equal(refused.status, 401)
    assert.match(refused.body, /<h1>That didn’t work<\/h1>\n<p>(?![\s\S]*incorrect_password)/)
  }
  const odd = await page('anonymous', '/event/%E0%A4%A/')
  assert.equal(odd.status, 400)
  assert.match(odd.body, /The request could not be read/)
})

test('the links of a page that says what failed stay in its language', async (t) => {
  const app = await openTestApp(t, { limitReads: '1/3600' })
  const get = (path: string) => fetch(app.origin + path, { headers: { 'accept-language': 'fr' } })
  assert.equal((await get('/ar/events/')).status, 200)
  const { status, text } = await get('/ar/events/2027-03/').then(async (answer) => ({
    status: answer.status,
    text: await answer.text(),
  }))
  assert.equal(status, 429)
  assert.doesNotMatch(text, /rest_too_many_requests/)
  assert.match(text, /<html lang="ar" dir="rtl">/)
  for (const path of ['/ar/', '/ar/search', '/ar/reference/', '/ar/embed/'])
    assert.ok(new RegExp(`(href|action)="${path}"`).test(text), path)
  const [, style = ''] = /<link rel="stylesheet" href="([^"]*)"/.exec(text) ?? []
  assert.equal((await fetch(app.origin + style)).status, 200, 'even a client that is refused sees how the page looks')
})
