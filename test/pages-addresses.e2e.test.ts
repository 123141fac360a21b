import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, test } from 'node:test'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { openTestApp } from './support/app.ts'

const app = await openTestApp({ after }, { securityContact: 'mailto:security@example.org' })
const { origin, call } = app

async function make(path: string, json: object) {
  const { status, body } = await call('administrator', 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

const hall = await make('/venues', { venue: 'Hall', city: 'Bern' })
const jazz = await make('/events', {
  ...{ title: 'Jazz', start_date: '2026-11-28 19:00:00', end_date: '2026-11-28 22:00:00', venue: hall.id },
  ...{ categories: ['Music'], tags: ['Night'], organizer: { organizer: 'Choir' } },
})
await make('/events', { title: 'Fair', start_date: '2026-11-02', end_date: '2026-11-05', all_day: true })

async function ask(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(origin + path, { headers, redirect: 'manual' })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, type: response.headers.get('content-type') ?? '' }
}

test('every view has an address, below all events and below each part of them', async () => {
  const bases = [
    '/events/',
    '/events/category/music/',
    '/events/tag/night/',
    '/tag/night/',
    '/venue/hall/',
    '/organizer/choir/',
  ]
  const tails = ['', 'month/', '2026-11/', 'week/', 'week/2026-11-28/', 'today/', '2026-11-28/', 'past/', 'map/']
  for (const base of bases) {
    for (const tail of tails) {
      const { status, type, text } = await ask(base + tail)
      assert.deepEqual([status, type], [200, 'text/html; charset=utf-8'], base + tail)
      if (['2026-11/', 'week/2026-11-28/', '2026-11-28/', ''].includes(tail)) assert.match(text, /Jazz/, base + tail)
    }
  }
  for (const path of [
    '/events/2026-13/',
    '/events/2026-02-30/',
    '/events/nonsense/',
    '/events/week/x/',
    '/venue/hall/x/',
  ])
    assert.equal((await ask(path)).status, 404, path)
})

test('the page is the query: it takes the filters of the list and refuses what the list refuses', async () => {
  for (const [query, isShown] of [
    ['search=jazz', true],
    ['search=opera', false],
    [`venue=${hall.id}`, true],
    ['categories=music&start_date=2026-11-28', true],
    ['start_date=2026-11-29', false],
    ['featured=1', false],
  ] as const)
    assert.equal((await ask(`/events/?${query}`)).text.includes('>Jazz</a>'), isShown, query)
  const refused = await ask('/events/?start_date=nonsense')
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Invalid parameters: start_date/)
})

/** Addresses as sites have them that move here, each with ours. */
const MOVED = [
  ['/events/?tribe-bar-search=jazz', '/events/?search=jazz'],
  ['/events/?tribe-bar-date=2026-11-28', '/events/?start_date=2026-11-28'],
  ['/events/?eventDisplay=month&tribe-bar-date=2026-11-28', '/events/2026-11/'],
  ['/events/month/?tribe-bar-date=2026-11-28', '/events/2026-11/'],
  ['/events/2026-11/?tribe-bar-search=jazz', '/events/2026-11/?search=jazz'],
  ['/events/?eventDisplay=past', '/events/past/'],
  ['/events/list/?eventDisplay=past&tribe_paged=2', '/events/past/?page=2'],
  ['/events/?eventDisplay=day&tribe-bar-date=2026-11-28', '/events/2026-11-28/'],
  ['/de/events/?eventDisplay=past', '/de/events/past/'],
  ['/event/jazz/2026-11-28/', '/event/jazz/'],
  ['/event/jazz/2026-11-28/ical/', '/event/jazz/ical/'],
  ['/event/jazz/all/', '/event/jazz/'],
  ['/event/jazz/embed/', '/event/jazz/?embed=1'],
  ['/events/list/', '/events/'],
  ['/events/upcoming/', '/events/'],
  ['/events/list/page/2/', '/events/?page=2'],
  ['/events/page/2/?search=jazz', '/events/?search=jazz&page=2'],
  ['/events/month/2026-11/', '/events/2026-11/'],
  ['/events/day/2026-11-28/', '/events/2026-11-28/'],
  ['/events/featured/', '/events/?featured=1'],
  ['/events/category/music/list/featured/page/2/', '/events/category/music/?featured=1&page=2'],
  ['/events/category/music/day/2026-11-28/', '/events/category/music/2026-11-28/'],
  ['/de/venue/hall/page/3/', '/de/venue/hall/?page=3'],
  ['/events/feed/rss2/', '/events/feed/'],
  ['/events/category/music/?feed=rss2', '/events/category/music/feed/'],
  ['/?feed=rss2', '/events/feed/'],
  ['/?tribe_events=jazz', '/event/jazz/'],
  ['/?tribe_events=yoga&eventDate=2026-12-01', '/event/yoga/2026-12-01/'],
  ['/?tribe_events=../admin', '/event/..%2Fadmin/'],
  ['/?post_type=tribe_events&tribe_events_cat=music', '/events/category/music/'],
  ['/?tribe_venue=hall', '/venue/hall/'],
  ['/?tribe_organizer=choir', '/organizer/choir/'],
  ['/?post_type=tribe_events&eventDisplay=month', '/events/month/'],
  ['/wp-sitemap.xml', '/sitemap.xml'],
  ['/sitemap_index.xml', '/sitemap.xml'],
] as const

test('addresses of a site that has moved here lead to ours, which lead nowhere else', async () => {
  for (const [from, to] of MOVED) {
    const { status, headers } = await ask(from)
    assert.deepEqual([status, headers.get('location')], [301, to], from)
    assert.ok([200, 404].includes((await ask(to)).status), to)
  }
  for (const path of ['/events/nonsense/page/2/', '/events/month/2026-13/', '/events/category/none/list/page/2/'])
    assert.equal((await ask(path)).status, 404, path)
})

test('every list and event is an iCalendar file for those who ask so', async () => {
  for (const path of [
    ...['/events/?ical=1', '/?post_type=tribe_events&ical=1', '/events/category/music/?ical=1', '/venue/hall/?ical=1'],
    ...['/events/?outlook-ical=1', '/?outlook-ical=1', '/event/jazz/?outlook-ical=1'],
    ...['/events/2026-11/?ical=1', '/event/jazz/?ical=1', '/event/jazz/ical/', '/de/event/jazz/ical/', '/events/ical/'],
  ]) {
    const { status, type, text } = await ask(path)
    assert.deepEqual([status, type], [200, 'text/calendar; charset=utf-8'], path)
    assert.match(text, /^BEGIN:VCALENDAR[\s\S]*SUMMARY:Jazz/, path)
  }
})

test('the iCalendar file of a list has the events of that list: of the dates that were sent, or those that are over', async (t) => {
  const other = await openTestApp(t)
  for (const [title, day] of [
    ['Over', '2026-10-30'],
    ['Soon', '2026-11-25'],
    ['Later', '2027-03-01'],
  ]) {
    const json = { title, start_date: `${day} 10:00:00`, end_date: `${day} 11:00:00` }
    assert.equal((await other.call('administrator', 'POST', '/events', { json })).status, 201)
  }
  const namesIn = async (path: string) => {
    const text = await (await fetch(`${other.origin}${path}`)).text()
    return [...text.matchAll(/SUMMARY:(\S+)/g)].map(([, name]) => name)
  }
  for (const [path, names] of [
    ['/events/?ical=1', ['Over', 'Soon', 'Later']],
    ['/events/past/?ical=1', ['Over']],
    ['/events/?eventDisplay=past&ical=1', ['Over']],
    ['/events/?start_date=2026-12-01&ical=1', ['Later']],
    ['/events/?tribe-bar-date=2026-12-01&ical=1', ['Later']],
    ['/events/ical/?start_date=2026-11-01&end_date=2026-11-30', ['Soon']],
    ['/events/2027-03/?start_date=2026-11-01&ical=1', ['Later']],
  ] as const)
    assert.deepEqual(await namesIn(path), names, path)
  // What ends meanwhile is in the file without a change of anything.
  other.clock.now = Date.UTC(2026, 10, 26)
  assert.deepEqual(await namesIn('/events/past/?ical=1'), ['Over', 'Soon'])
})

test('each scope has its feeds', async () => {
  for (const base of [
    '/events/',
    '/events/category/music/',
    '/venue/hall/',
    '/organizer/choir/',
    '/events/tag/night/',
  ]) {
    const rss = await ask(`${base}feed/`)
    assert.equal(rss.type, 'application/rss+xml; charset=utf-8')
    assert.match(rss.text, /<item>\n<title>Jazz<\/title>\n<link>[^<]*\/event\/jazz\/<\/link>/)
    const json = await ask(`${base}feed.json`)
    assert.equal(json.type, 'application/feed+json; charset=utf-8')
    const feed = JSON.parse(json.text)
    assert.deepEqual([feed.version, feed.items[0].title], ['https://jsonfeed.org/version/1.1', 'Jazz'])
  }
  assert.equal((await ask('/feed/')).type, 'application/rss+xml; charset=utf-8')
})

test('an address with a language shows the page in it, and its links stay there', async () => {
  const { text, headers } = await ask('/de/events/')
  assert.match(text, /<html lang="de" dir="ltr">/)
  assert.match(text, />Monat<\/a>/)
  assert.match(text, /<a href="\/de\/event\/jazz\/" dir="auto">Jazz<\/a>/)
  assert.match(text, new RegExp(`<link rel="canonical" href="${origin}/de/events/">`))
  assert.match(text, new RegExp(`<link rel="alternate" hreflang="ar" href="${origin}/ar/events/">`))
  assert.match(headers.get('vary') ?? '', /Accept-Language/)
  assert.match((await ask('/ar/event/jazz/')).text, /<html lang="ar" dir="rtl">/)
  assert.match((await ask('/events/', { 'accept-language': 'fr' })).text, /<html lang="fr"/)
  assert.match((await ask('/de/nowhere')).text, /Hier ist nichts/)
})

test('pages have tags, are compressed, and follow every change', async () => {
  // An address that nobody has asked yet: the cache compresses for those who ask next.
  const first = await fetch(`${origin}/events/2026-11/?featured=`, { headers: { 'accept-encoding': 'br' } })
  assert.equal(first.headers.get('content-encoding'), 'br')
  assert.match(first.headers.get('cache-control') ?? '', /^public/)
  await first.arrayBuffer()
  const etag = first.headers.get('etag') ?? ''
  for (let turn = 0; turn < 2; turn += 1)
    assert.equal(
      (await ask('/events/2026-11/?featured=', { 'accept-encoding': 'br', 'if-none-match': etag })).status,
      304,
    )
  await make('/events', { title: 'Late news', start_date: '2026-11-29 10:00:00', end_date: '2026-11-29 11:00:00' })
  const changed = await ask('/events/2026-11/?featured=', { 'if-none-match': etag })
  assert.equal(changed.status, 200)
  assert.match(changed.text, /Late news/)
})

test('nothing inline is allowed on any page', async () => {
  for (const path of ['/', '/events/2026-11/', '/event/jazz/', '/venue/hall/', '/nowhere', '/embed/']) {
    const { headers, text } = await ask(path)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.doesNotMatch(text, /<style|<script(?![^>]* (src|type="application\/ld\+json"))| style=| on[a-z]+=/i)
    for (const [, address = ''] of text.matchAll(/(?:src|href)="([^"]*\/assets\/[^"]*)"/g)) {
      const file = await fetch(origin + address)
      assert.deepEqual([file.status, file.headers.get('cache-control')], [200, 'public, max-age=31536000, immutable'])
    }
  }
})

test('robots, sitemap, favicon and security.txt are where programs look for them', async () => {
  assert.match((await ask('/robots.txt')).text, new RegExp(`Sitemap: ${origin}/sitemap.xml`))
  const { text, type } = await ask('/sitemap.xml')
  assert.match(type, /^application\/xml/)
  for (const path of ['/event/jazz/', '/venue/hall/', '/organizer/choir/'])
    assert.ok(text.includes(`<loc>${origin}${path}</loc>`))
  assert.equal((await ask('/sitemap-1.xml')).status, 200)
  assert.equal((await ask('/sitemap-2.xml')).status, 404)
  assert.match((await ask('/favicon.ico')).type, /^image\/svg/)
  assert.match((await ask('/.well-known/security.txt')).text, /^Contact: mailto:security@example\.org\nExpires: /)
})

test('all dates of a recurring event stand on the calendar, and have a page together', async (t) => {
  const other = await openTestApp(t)
  assert.equal((await fetch(`${other.origin}/.well-known/security.txt`)).status, 404, 'nobody has said where to report')
  const json = {
    ...{ title: 'Choir', start_date: '2026-11-23 18:00:00', end_date: '2026-11-23 19:00:00' },
    recurrence: 'RRULE:FREQ=DAILY;COUNT=3',
  }
  const { status, body } = await other.call('administrator', 'POST', '/events', { json })
  assert.equal(status, 201, JSON.stringify(body))
  const month = await (await fetch(`${other.origin}/events/2026-11/`)).text()
  assert.equal(month.match(/<\/time> <b dir="auto">Choir<\/b>/g)?.length, 3)
  const page = await fetch(`${other.origin}/event/choir/2026-11-24/`)
  assert.deepEqual([page.status, new URL(page.url).pathname], [200, '/event/choir/2026-11-24/'])
  const file = await (await fetch(`${other.origin}/event/choir/2026-11-24/ical/`)).text()
  assert.match(file, /^BEGIN:VCALENDAR[\s\S]*DTSTART;TZID=[^:]*:20261124T180000/)
  assert.equal(new URL((await fetch(`${other.origin}/event/choir/all/`)).url).pathname, '/series/choir/')
  const [, embedding = ''] = /<link href="([^"]*\/oembed[^"]*)"/.exec(await page.text()) ?? []
  const { title, html } = JSON.parse(await (await fetch(embedding)).text())
  assert.equal(title, 'Choir')
  assert.match(html, /<iframe src="[^"]*\/event\/choir\/2026-11-24\/\?embed=1"/)
  const series = await (await fetch(`${other.origin}/series/choir/`)).text()
  assert.equal(series.match(/<h3 class="title">/g)?.length, 3)
  assert.doesNotMatch(series, /class="chip|<details class="filter"/)
  const shown = await (await fetch(`${other.origin}/event/choir/2026-11-24/`)).text()
  const dates = /<h2>Other dates<\/h2>[\s\S]*?<\/ul>/.exec(shown)?.[0] ?? ''
  const names = [...dates.matchAll(/href="[^"]*(\/(?:event|series)\/[^"]*)">([^<]*)</g)].map(([, to, name]) => [
    to,
    name,
  ])
  assert.deepEqual(names, [
    ['/event/choir/', 'Mon 23 Nov, 18:00'],
    ['/event/choir/2026-11-25/', 'Wed 25 Nov, 18:00'],
    ['/series/choir/', 'All dates'],
  ])
})

test('other sites may embed views and events', async () => {
  const { text, headers, type } = await ask(`/oembed?url=${encodeURIComponent(jazz.url)}&maxwidth=400`)
  assert.match(type, /^application\/json/)
  assert.equal(headers.get('access-control-allow-origin'), '*')
  const { version, title, width, html } = JSON.parse(text)
  assert.deepEqual([version, title, width], ['1.0', 'Jazz', 400])
  assert.match(html, /<iframe src="[^"]*\/event\/jazz\/\?embed=1"/)
  const elsewhere = await ask('/oembed?url=https://elsewhere.example/')
  assert.deepEqual([elsewhere.status, JSON.parse(elsewhere.text).code], [404, 'rest_no_route'])
  assert.equal((await ask(`/oembed?url=${encodeURIComponent(jazz.url)}&format=xml`)).status, 400)
  for (const outside of [
    ...['/events/../admin/', '/admin/', '/event/nothing/', '@elsewhere.example/', '/events/nothing/', '/venue/none/'],
    ...['/events/2026-13/', '/events/category/none/', '/tag/none/', '/venue/hall/x/', '/series/none/', '/search/x/'],
    ...['/events/?page=99', '/events/feed/', '/events/feed.json', '/events/ical/', '/fr/organizer/none/month/'],
  ])
    assert.equal((await ask(`/oembed?url=${encodeURIComponent(origin + outside)}`)).status, 404, outside)
  for (const [path, name] of [
    ...[['/', 'Kalends'] as const, ['/events/', 'Kalends'] as const, ['/search?q=jazz', 'Kalends'] as const],
    ...[['/venue/hall/', 'Hall'] as const, ['/de/events/category/music/2026-11/', 'Music'] as const],
    ...[['/tag/night/', 'Night'] as const, ['/organizer/choir/week/', 'Choir'] as const],
  ]) {
    const view = await ask(`/oembed?url=${encodeURIComponent(origin + path)}`)
    assert.deepEqual([view.status, JSON.parse(view.text).title], [200, name], path)
  }
  const framed = await ask('/events/2026-11/?embed=1')
  assert.match(framed.headers.get('content-security-policy') ?? '', /frame-ancestors \*$/)
  assert.doesNotMatch(framed.text, /<header class="site"/)
  assert.match((await ask('/events/2026-11/')).headers.get('content-security-policy') ?? '', /frame-ancestors 'self'$/)
  const script = await ask('/embed/calendar.js')
  assert.match(script.type, /^text\/javascript/)
  assert.ok(script.text.length < 15_000)
})

test('pages, feeds and scripts say the same to other sites whether they are cached or not', async () => {
  for (const [path, allowed] of [
    ['/events/feed.json', '*'],
    ['/embed/calendar.js', '*'],
    ['/events/', null],
  ] as const)
    for (const turn of ['fresh', 'cached', 'cached again']) {
      const response = await fetch(origin + path, { headers: { origin: 'https://elsewhere.example' } })
      await response.arrayBuffer()
      assert.equal(response.headers.get('access-control-allow-origin'), allowed, `${path}, ${turn}`)
    }
})

test('a month of a thousand events is a small page that names all of them', async (t) => {
  const many = await openTestApp(t)
  const events = Array.from({ length: 1000 }, (_, index) => ({
    ...{ id: 10_000 + index, global_id: `x.example?id=${10_000 + index}`, title: `Event ${index} of the month` },
    ...{
      slug: `event-${index}`,
      description: '<p>Words of a description.</p>'.repeat(40),
      timezone: 'America/New_York',
    },
    start_date: `2026-11-${String(1 + (index % 30)).padStart(2, '0')} 10:00:00`,
    end_date: `2026-11-${String(1 + (index % 30)).padStart(2, '0')} 12:00:00`,
  }))
  const report = await many.app.importJson?.([{ name: 'a.json', bytes: Buffer.from(JSON.stringify({ events })) }], {
    author: undefined,
    onProgress: () => undefined,
  })
  assert.ok(report)
  const response = await fetch(`${many.origin}/events/2026-11/`)
  const text = await response.text()
  const sent = gzipSync(text).length
  assert.ok(sent < 100_000, `${sent} bytes`)
  assert.equal(text.match(/>\+(29|30) more</g)?.length, 30)
  assert.equal(new Set(text.match(/Event \d+ of the month/g)).size, 1000)
})

test('compressed pages say what the plain ones say', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  get(`${origin}/event/jazz/?first`, { headers: { 'accept-encoding': 'br' } }, (response) => {
    const parts: Buffer[] = []
    response.on('data', (part) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts)))
  }).on('error', reject)
  const plain = await ask('/event/jazz/', { 'accept-encoding': 'identity' })
  assert.equal(brotliDecompressSync(await promise).toString(), plain.text)
})

test('what has become of an event, how people take part online and when it recurs stand on its page and in lists', async () => {
  const when = { start_date: '2027-01-12 18:00:00', end_date: '2027-01-12 19:00:00' }
  const off = await make('/events', {
    ...{ title: 'Talk off', ...when, event_status: 'canceled', event_status_reason: 'The speaker <b>is</b> ill' },
  })
  const online = await make('/events', {
    ...{ title: 'Talk on', ...when, is_virtual: true, virtual_url: 'https://meet.example/talk' },
  })
  const yoga = await make('/events', { title: 'Yoga', ...when, recurrence: 'RRULE:FREQ=WEEKLY;COUNT=3' })
  const cancelled = (await ask('/event/talk-off/')).text
  assert.match(
    cancelled,
    /<section class="alert canceled"[^>]*><h2 id="off">Canceled<\/h2><p><bdi>The speaker is ill<\//,
  )
  assert.doesNotMatch(cancelled, /<b>is<\/b>/)
  assert.match((await ask('/de/event/talk-off/')).text, /<h2 id="off">Abgesagt<\/h2>/)
  const held = (await ask('/event/talk-on/')).text
  assert.match(held, /<a href="https:\/\/meet\.example\/talk"/)
  assert.doesNotMatch(held, /class="note/)
  assert.match((await ask('/event/yoga/')).text, /every Tuesday.*<a href="[^"]*\/series\/yoga\/">All dates<\/a>/s)
  const list = (await ask('/events/2027-01-12/')).text
  assert.match(list, /<span class="label canceled">Canceled<\/span>/)
  assert.match(list, /<span class="label">Online<\/span>/)
  await call('administrator', 'POST', `/events/${off.id}`, {
    json: { event_status: 'rescheduled', start_date: '2027-02-02 18:00:00', end_date: '2027-02-02 19:00:00' },
  })
  assert.match((await ask('/event/talk-off/')).text, /Rescheduled<\/strong> Originally planned for .*January.* 2027\./)
  for (const { id } of [off, online, yoga]) await call('administrator', 'DELETE', `/events/${id}`)
})
