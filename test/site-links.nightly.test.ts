import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { crawl } from './support/pages.ts'

/** More addresses than a calendar of this size can have: each filter and view of each part, and no more. */
const MOST = 4_000

test('no link of any page, feed or sitemap is dead', { timeout: 1_200_000 }, async (t) => {
  const app = await openTestApp(t, { submissions: 'yes', mapTiles: 'https://tiles.example/{z}/{x}/{y}.png' })
  const make = async (path: string, json: object) => {
    const { status, body } = await app.call('administrator', 'POST', path, { json })
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }
  const times = { start_date: '2026-11-28 19:00', end_date: '2026-11-28 22:00' }
  const top = await make('/categories', { name: 'Ünder 日本' })
  const low = await make('/categories', { name: 'month', parent: top.id })
  const venue = await make('/venues', { venue: 'Café 日本', city: 'Bern', geo_lat: 46.9, geo_lng: 7.4 })
  const links = { venue: venue.id, organizer: { organizer: 'Группа «А»' }, tags: ['Живая музыка & more'] }
  await make('/events', { title: 'Jazz', ...times, ...links, categories: [low.id], featured: true })
  const weekly = { ...times, ...links, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=60'], categories: [top.id] }
  await make('/events', { title: 'Yoga & “tea”', ...weekly })
  await make('/events', { title: 'Closed', ...times, password: 'sesame' })
  await make('/events', { title: 'Over', start_date: '2026-11-02 10:00', end_date: '2026-11-02 11:00' })
  const starts = ['/', '/events/2026-11/', '/robots.txt', '/sitemap.xml', '/events/feed/', '/reference/', '/submit/']
  const seen = await crawl(
    app,
    'anonymous',
    starts.map((path) => app.origin + path),
  )
  assert.ok(seen.size < MOST, `${seen.size} addresses`)
  const paths = [...seen].map((address) => decodeURIComponent(address.slice(app.origin.length)))
  for (const part of [
    ...['/event/jazz/', '/event/yoga-tea/2026-12-05/', '/series/yoga-tea/', '/venue/cafe-日本/', '/events/past/'],
    ...['/events/category/under-日本/month/', '/events/map/', '/reference/guides/filters/', '/embed/?of=', '?page=2'],
    ...['/oembed?url=', '/events/?embed=1', '/events/feed.json?cost=free'],
  ])
    assert.ok(
      paths.some((path) => path.includes(part)),
      part,
    )
})
