import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'

const app = await openTestApp({ after })
const { origin, call } = app

async function make(path: string, json: object) {
  const { status, body } = await call('administrator', 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

const hall = await make('/venues', { venue: 'Hall', city: 'Bern' })
await make('/events', {
  ...{ title: 'Jazz', start_date: '2026-11-28 19:00:00', end_date: '2026-11-28 22:00:00', venue: hall.id },
  ...{ categories: ['Music'], tags: ['Night'], organizer: { organizer: 'Choir' } },
})
await make('/events', { title: 'Fair', start_date: '2026-11-02', end_date: '2026-11-05', all_day: true })

async function ask(path: string) {
  const response = await fetch(origin + path, { redirect: 'manual' })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, type: response.headers.get('content-type') ?? '' }
}

test('the builder makes code for any part of the calendar that everybody sees, and shows how it looks', async () => {
  const below = await make('/categories', {
    name: 'Big band',
    parent: (await make('/categories', { name: 'Brass' })).id,
  })
  await make('/venues', { venue: 'Secret cellar', status: 'draft' })
  const json = { title: 'Swing', categories: [below.id], start_date: '2026-11-28 20:00', end_date: '2026-11-28 22:00' }
  await make('/events', json)
  const base = '/events/category/brass/big-band/'
  const { text, headers } = await ask(`/de/embed/?view=month&of=${encodeURIComponent(base)}&cost=free&embed=1`)
  assert.match(text, /&lt;kalends-calendar src=[^ ]* view=&quot;month&quot; category=&quot;brass\/big-band&quot;/)
  assert.match(text, / filter=&quot;cost=free&quot; lang=&quot;de&quot;&gt;/)
  const frame = /<iframe class="preview" src="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.equal(frame, `/de${base}month/?cost=free&embed=1`)
  assert.match(headers.get('content-security-policy') ?? '', /frame-src 'self';/)
  assert.equal((await fetch(origin + frame)).status, 200)
  for (const [of, attribute] of [
    ['/venue/hall/', 'venue=&quot;hall&quot;'],
    ['/organizer/choir/', 'organizer=&quot;choir&quot;'],
    ['/events/tag/night/', 'tag=&quot;night&quot;'],
  ] as const)
    assert.ok((await ask(`/embed/?of=${of}`)).text.includes(`view=&quot;list&quot; ${attribute}`), of)
  for (const path of ['/venue/secret-cellar/', '/venue/none/', '/admin/', '/venue/hall/month/', '//elsewhere.example/'])
    for (const as of ['anonymous', 'administrator'] as const) {
      const { body } = await call(as, 'GET', `${origin}/embed/?of=${encodeURIComponent(path)}`)
      assert.match(String(body), /view=&quot;list&quot;&gt;&lt;/, path)
      assert.doesNotMatch(String(body), /Secret cellar/)
    }
})

test('a view offers feeds of what it shows, with its filters, and the code for other sites', async () => {
  for (const [path, base, query, embedding] of [
    ['/events/', '/events/', '', ''],
    ['/events/?cost=free&search=jazz', '/events/', 'search=jazz&cost=free', 'search=jazz&cost=free'],
    ['/events/2026-11/?tags=night', '/events/', 'tags=night', 'view=month&tags=night'],
    ['/search?q=jazz', '/events/', 'about=jazz', 'about=jazz'],
    ['/venue/hall/?search=jazz', '/venue/hall/', 'search=jazz', 'of=%2Fvenue%2Fhall%2F&search=jazz'],
    ['/events/map/?search=jazz', '/events/', 'search=jazz', 'search=jazz'],
  ] as const) {
    const page = (await ask(path)).text.replaceAll('&amp;', '&')
    const end = query === '' ? '' : `?${query}`
    for (const file of ['feed/', 'feed.json']) {
      const address = `${base}${file}${end}`
      assert.ok(page.includes(`<a href="${address}">`), `${path}: ${address}`)
      assert.ok(page.includes(`<link href="${origin}${address}" rel="alternate"`), `${path}: ${address}`)
    }
    assert.ok(
      page.includes(`/kalends/v1/events.ics${base === '/events/' ? end : `?venue=${hall.id}&${query}`}">iCalendar`),
      path,
    )
    assert.ok(page.includes(`<a href="/embed/${embedding === '' ? '' : `?${embedding}`}">`), path)
  }
  for (const [query, count] of [
    ['search=jazz', 1],
    ['search=opera', 0],
  ] as const) {
    const feed = JSON.parse((await ask(`/events/feed.json?${query}`)).text)
    assert.equal(feed.items.length, count, query)
    assert.equal((await ask(`/events/feed/?${query}`)).text.match(/<item>/g)?.length ?? 0, count, query)
  }
  const file = await ask('/search?q=jazz&ical=1')
  assert.deepEqual([file.type, file.text.match(/BEGIN:VEVENT/g)?.length], ['text/calendar; charset=utf-8', 1])
  const results = (await ask('/search?q=jazz')).text
  assert.match(results, /href="[^"]*\/events\/2026-11\/\?about=jazz">Month</)
  assert.match(results, /<link rel="canonical" href="[^"]*\/search\?q=jazz">/)
})

test('the start page shows the next events, or the month where the site wants it', async (t) => {
  const heading = /<h1>([^<]*)<\/h1>/
  assert.equal(heading.exec((await ask('/')).text)?.[1], 'What’s on')
  const other = await openTestApp(t, { frontPage: 'month', siteName: 'Harbour' })
  const month = await (await fetch(`${other.origin}/`)).text()
  assert.equal(heading.exec(month)?.[1], 'November 2026')
  assert.match(month, /<title>Harbour<\/title>/)
  assert.match(month, new RegExp(`<link rel="canonical" href="${other.origin}/">`))
  const noindex = /<meta name="robots" content="noindex/
  assert.doesNotMatch(month, noindex, 'the start page is listed, although nothing is on')
  assert.match(await (await fetch(`${other.origin}/events/month/`)).text(), noindex)
  assert.equal(heading.exec(await (await fetch(`${other.origin}/?page=1`)).text())?.[1], 'What’s on')
})

test('a view of dates leads to any other date', async () => {
  for (const [from, to] of [
    ['/events/2026-11/?start_date=2027-02-14', '/events/2027-02/'],
    ['/events/week/?start_date=2027-02-14&search=jazz', '/events/week/2027-02-14/?search=jazz'],
    ['/de/venue/hall/today/?start_date=2027-02-14', '/de/venue/hall/2027-02-14/'],
  ] as const) {
    const { status, headers } = await ask(from)
    assert.deepEqual([status, headers.get('location')], [302, to], from)
  }
  for (const path of [
    '/events/2026-11/?start_date=',
    '/events/2026-11/?start_date=soon',
    '/events/2026-11/?start_date=2026-02-31',
  ])
    assert.equal((await ask(path)).status, 200, path)
  assert.match(
    (await ask('/events/2026-11/')).text,
    /<form action="[^"]*\/events\/month\/" target="_self">\n<input type="date" name="start_date"/,
  )
})

test('a list is narrowed to a category, which stays chosen until it is removed', async () => {
  const linksOf = async (path: string) =>
    [...(await ask(path)).text.matchAll(/<a class="(c\d+|chip x)" href="([^"]*)"([^>]*)>/g)].map(
      ([, kind, href = '', more = '']) => ({ kind, href: href.replaceAll('&amp;', '&'), more }),
    )
  const pills = await linksOf('/events/?cost=free')
  assert.ok(pills.some(({ href, more }) => href === '/events/?categories=music&cost=free' && more === ''))
  const narrowed = await ask('/events/?search=&categories=music&start_date=')
  assert.equal(narrowed.text.match(/<h3 class="title">/g)?.length, 1)
  const chosen = (await linksOf('/events/?cost=free&categories=music')).filter(({ more }) => more !== '')
  assert.deepEqual(chosen.map(({ href }) => href).toSorted(), [
    '/events/?categories=music',
    ...Array(2).fill('/events/?cost=free'),
  ])
  assert.ok(chosen.some(({ more }) => more === ' aria-label="Remove filter: Music"'))
  const several = (await linksOf('/events/?categories=music,brass')).filter(({ kind }) => kind === 'chip x')
  assert.deepEqual(
    several.map(({ href }) => href),
    ['/events/?categories=brass', '/events/?categories=music'],
  )
  assert.ok((await linksOf('/events/category/music/')).every(({ href }) => !href.includes('categories=')))
})

test('an event names what comes next, and nothing of the days before', async () => {
  for (const [title, day] of [
    ['Yesterday', '2026-11-19'],
    ['Today', '2026-11-20'],
  ] as const)
    await make('/events', { title, categories: ['Music'], start_date: `${day} 19:30`, end_date: `${day} 22:30` })
  const related = /<h2>More like this<\/h2>[\s\S]*?<\/section>/.exec((await ask('/event/jazz/')).text)?.[0] ?? ''
  assert.deepEqual(
    [...related.matchAll(/<h3 class="title"><a [^>]*>([^<]*)</g)].map(([, title]) => title),
    ['Today'],
  )
})

test('whoever searches keeps the other filters, the dates and the language on every way from the results', async () => {
  for (let day = 1; day <= 12; day += 1) {
    const date = `2027-03-${String(day).padStart(2, '0')}`
    const times = { start_date: `${date} 19:00:00`, end_date: `${date} 22:00:00` }
    await make('/events', { title: `Tango ${day}`, tags: ['Night', ...(day === 12 ? [] : ['Dance'])], ...times })
  }
  const linksOf = async (path: string) => {
    const text = (await ask(path)).text.replaceAll('&amp;', '&')
    return [...text.matchAll(/<(?:a|link)\b[^>]*\bhref="([^"]*)"[^>]*>/g)].map(([tag, href = '']) => ({ tag, href }))
  }
  const dates = 'start_date=2027-03-01&starts_before=2027-03-31'
  const next = (await linksOf(`/de/search?q=tango&tags=dance&${dates}&per_page=10`)).find(({ tag }) =>
    tag.includes('rel="next"'),
  )
  assert.equal(next?.href, `/de/search?q=tango&tags=dance&${dates}&per_page=10&page=2`)
  const second = (await ask(next.href)).text
  assert.deepEqual(second.match(/>Tango \d+</g), ['>Tango 11<'])
  const polish = (await linksOf(next.href)).filter(({ tag }) => tag.includes('hreflang="pl"'))
  assert.deepEqual(
    new Set(polish.map(({ href }) => href.replace(origin, ''))),
    new Set([next.href.replace('/de/', '/pl/')]),
  )
  for (const path of ['/events/2027-03/', '/events/week/2027-03-01/', '/events/2027-03-01/', '/events/map/']) {
    const languages = (await linksOf(`${path}?tags=dance`)).filter(({ tag }) => tag.includes('hreflang="pl"'))
    assert.deepEqual(
      new Set(languages.map(({ href }) => href.replace(origin, ''))),
      new Set([`/pl${path}?tags=dance`]),
      path,
    )
  }
  const list = await linksOf(`/events/?${dates}`)
  assert.ok(list.some(({ href }) => href === `/events/?cost=free&${dates}`))
  assert.ok(
    list.some(({ href }) => href === `${origin}/cal/events/v1/events/?starts_before=2027-03-31&ends_after=2027-02-28`),
  )
})

test('a list that was asked for so many events a page keeps to that on all its pages', async () => {
  for (let day = 1; day <= 7; day += 1) {
    const date = `2027-04-0${day}`
    await make('/events', { title: `Polka ${day}`, start_date: `${date} 19:00`, end_date: `${date} 22:00` })
    await make('/events', {
      title: `Waltz ${day}`,
      start_date: `2026-04-0${day} 19:00`,
      end_date: `2026-04-0${day} 22:00`,
    })
  }
  const walk = async (first: string) => {
    const pages: string[] = []
    const names: (string | undefined)[][] = []
    for (let at: string | undefined = first; at !== undefined; ) {
      const { status, text }: { status: number; text: string } = await ask(at)
      assert.equal(status, 200, at)
      pages.push(at)
      names.push([...text.matchAll(/>((?:Polka|Waltz) \d+)</g)].map(([, name]) => name))
      const next: string | undefined = /<a [^>]*rel="next" href="([^"]*)"/.exec(text)?.[1]
      at = next?.replaceAll('&amp;', '&')
      if (pages.length > 1) {
        const before = /<a [^>]*rel="prev" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
        assert.equal((await ask(before ?? '')).text, (await ask(pages.at(-2) ?? '')).text)
      }
    }
    return { pages, names }
  }
  const numbered = (name: string, numbers: readonly number[]) => numbers.map((number) => `${name} ${number}`)
  const ahead = await walk('/events/?search=polka&per_page=3')
  assert.deepEqual(
    ahead.names,
    [[1, 2, 3], [4, 5, 6], [7]].map((part) => numbered('Polka', part)),
  )
  assert.equal(ahead.pages[1], '/events/?search=polka&per_page=3&page=2')
  const found = await walk('/search?q=polka&per_page=5')
  assert.deepEqual(found.names.flat(), numbered('Polka', [1, 2, 3, 4, 5, 6, 7]))
  const past = await walk('/events/past/?search=waltz&per_page=3')
  assert.deepEqual(
    past.names,
    [[7, 6, 5], [4, 3, 2], [1]].map((part) => numbered('Waltz', part)),
  )
  const german = (await ask('/events/?search=polka&per_page=3&page=2')).text.replaceAll('&amp;', '&')
  assert.ok(german.includes(`href="/de/events/?search=polka&per_page=3&page=2" lang="de"`))
  // As many as the API gives at most, however many were asked for.
  const most = await ask('/events/?per_page=1000&search=polka')
  assert.match(most.text.replaceAll('&amp;', '&'), /rel="canonical" href="[^"]*\?search=polka&per_page=50"/)
  assert.equal((await ask('/events/?per_page=0')).status, 400)
})

test('weeks start where visitors are used to, unless the site has a day for everybody', async (t) => {
  const firstDay = async (address: string, language: string) => {
    const text = await (await fetch(address, { headers: { 'accept-language': language } })).text()
    return /<time datetime="([^"]*)"/.exec(text)?.[1]
  }
  for (const [language, day] of [
    ['en-US', '2026-11-22'],
    ['en', '2026-11-23'],
    ['ar', '2026-11-21'],
    ['ar-AE', '2026-11-23'],
    ['en-US', '2026-11-22'],
  ] as const)
    assert.equal(await firstDay(`${origin}/events/week/2026-11-25/`, language), day, language)
  assert.equal(await firstDay(`${origin}/events/2026-12/`, 'en-US'), '2026-11-29')
  const other = await openTestApp(t, { weekStart: 'saturday' })
  assert.equal(await firstDay(`${other.origin}/events/week/2026-11-25/`, 'en-US'), '2026-11-21')
})

test('at the end of a week and of a month views start at the present', async (t) => {
  const other = await openTestApp(t)
  other.clock.now = Date.UTC(2026, 10, 29, 18)
  const shown = async (path: string) => {
    const text = await (await fetch(other.origin + path)).text()
    return [/<h1>([^<]*)</.exec(text)?.[1]?.replace(/\s/g, ' '), /<time datetime="([^"]*)"/.exec(text)?.[1]]
  }
  assert.deepEqual(await shown('/events/month/'), ['December 2026', '2026-11-23'])
  assert.deepEqual(await shown('/events/2026-11/'), ['November 2026', '2026-10-26'])
  assert.deepEqual(await shown('/events/week/'), ['29 November – 5 December 2026', '2026-11-29'])
  assert.deepEqual(await shown('/events/week/2026-11-29/'), ['23 – 29 November 2026', '2026-11-23'])
  other.clock.now = Date.UTC(2026, 10, 28, 18)
  assert.deepEqual(await shown('/events/week/'), ['23 – 29 November 2026', '2026-11-23'])
})

test('a month in a frame opens at the next event, and at a date that is asked for', async (t) => {
  const other = await openTestApp(t)
  const json = { title: 'Late', start_date: '2027-02-03 10:00', end_date: '2027-02-03 11:00' }
  assert.equal((await other.call('administrator', 'POST', '/events', { json })).status, 201)
  const heading = async (path: string) => /<h1>([^<]*)</.exec(await (await fetch(other.origin + path)).text())?.[1]
  assert.equal(await heading('/events/month/?embed=1'), 'February 2027')
  assert.equal(await heading('/events/month/'), 'November 2026')
  assert.equal(await heading('/events/month/?embed=1&starts_after=2027-05-09'), 'May 2027')
})
