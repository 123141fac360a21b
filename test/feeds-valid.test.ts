import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { faultsOfJsonFeed, faultsOfRss } from './support/feed-rules.ts'
import { sampleImage } from './support/sample-image.ts'
import { upload } from './support/upload.ts'
import { parseXml } from './support/xml.ts'

const app = await openTestApp({ after }, { siteName: 'Tom & Jerry’s <calendar> ]]> "quoted"' })

/** Texts that break what is put together carelessly. */
const HOSTILE = [
  'Fish & Chips <b>now</b> ]]> <!-- ',
  'A </title></item></channel></rss> B',
  '&#0; &#xB; &nbsp; &unknown; &amp;amp;',
  'controls \u0001\u000b\u001f \ufffe\uffff and \ud800 alone',
  '\u202eright to left\u202c 🎉👩‍👩‍👧 \u0000',
  'x'.repeat(300),
  '"quotes" \'single\' `back`',
  ']]>'.repeat(50),
]

test('feeds of all views are valid, whatever is in them', async () => {
  const picture = await upload(app, 'administrator', { bytes: await sampleImage(1), name: 'a&b<c>".png' })
  assert.equal(picture.status, 201)
  for (const [index, text] of HOSTILE.entries()) {
    const json = {
      ...{ title: text, description: `<p>${text}</p><img src="/x.png?a=1&b=2">${text}`, language: 'de' },
      ...{ start_date: `2026-11-2${index + 1} 10:00`, end_date: `2026-11-2${index + 1} 12:00`, image: picture.body.id },
      ...{
        venue: { venue: text, city: text },
        organizer: { organizer: 'Choir' },
        categories: ['Music', `${text.slice(0, 150)} K`],
      },
      ...{ tags: ['Night'], event_status: index % 2 === 0 ? 'canceled' : 'scheduled', event_status_reason: text },
    }
    const { status, body } = await app.call('administrator', 'POST', '/events', { json })
    assert.equal(status, 201, JSON.stringify(body).slice(0, 500))
  }
  const weekly = { title: 'Yoga', start_date: '2026-11-24 18:00', end_date: '2026-11-24 19:00' }
  const series = { ...weekly, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] }
  assert.equal((await app.call('administrator', 'POST', '/events', { json: series })).status, 201)
  let items = 0
  for (const path of [
    ...['/events/', '/events/category/music/', '/events/tag/night/', '/organizer/choir/', '/series/yoga/'],
    ...['/de/events/', '/ar/series/yoga/', '/events/tag/night/'],
  ])
    for (const query of ['', '?search=chips', '?is_virtual=true&cost=free', '?search=%22%26%3C%22'])
      for (const [file, faultsOf] of [
        ['feed/', faultsOfRss],
        ['feed.json', faultsOfJsonFeed],
      ] as const) {
        const address = `${app.origin}${path}${file}${query}`
        const response = await fetch(address)
        const text = await response.text()
        assert.equal(response.status, 200, `${address}: ${text}`)
        assert.deepEqual(faultsOf(text, new URL(address).href), [], address)
        if (file === 'feed/')
          items += parseXml(text).children[0]?.children.filter(({ name }) => name === 'item').length ?? 0
      }
  assert.ok(items > 40, `${items} items`)
})

test('the rules find what is wrong with a feed', () => {
  const address = 'https://a.example/feed/'
  const rss = (channel: string) =>
    `<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>${channel}</channel></rss>`
  const head = `<title>A</title><link>https://a.example/</link><description>B</description><atom:link rel="self" href="${address}"/>`
  const item = (more: string) =>
    `<item><title>C</title><link>https://a.example/c</link><guid>https://a.example/c</guid>${more}</item>`
  const date = '<pubDate>Fri, 20 Nov 2026 18:00:00 GMT</pubDate>'
  assert.deepEqual(faultsOfRss(rss(head + item(date)), address), [])
  for (const wrong of [
    ...[rss(head + item('')), rss(head + item('<pubDate>2026-11-20</pubDate>')), rss(item(date))],
    ...[rss(head + item(date) + item(date)), rss(head + item(`${date}<colour>red</colour>`)), rss(head + head)],
  ])
    assert.notDeepEqual(faultsOfRss(wrong, address), [], wrong)
  for (const broken of [
    '<rss/>',
    rss('<title>A & B</title>'),
    rss('<title>A<b></title>'),
    rss('\u0001'),
    rss('&nbsp;'),
  ])
    assert.throws(() => faultsOfRss(broken, address), Error, broken)
  const feed = { version: 'https://jsonfeed.org/version/1.1', title: 'A', feed_url: address, items: [] as object[] }
  const entry = { id: 'https://a.example/c', content_html: '', date_published: '2026-11-20T18:00:00Z' }
  assert.deepEqual(faultsOfJsonFeed(JSON.stringify({ ...feed, items: [entry] }), address), [])
  for (const wrong of [
    ...[
      { ...feed, version: 1 },
      { ...feed, title: undefined },
      { ...feed, items: [{ ...entry, id: 5 }] },
    ],
    ...[
      { ...feed, items: [{ id: 'a' }] },
      { ...feed, items: [{ ...entry, date_published: '2026-11-20 18:00' }] },
    ],
    ...[
      { ...feed, items: [entry, entry] },
      { ...feed, items: [{ ...entry, tags: ['a', 1] }] },
      { ...feed, item: [] },
    ],
  ])
    assert.notDeepEqual(faultsOfJsonFeed(JSON.stringify(wrong), address), [], JSON.stringify(wrong))
})
