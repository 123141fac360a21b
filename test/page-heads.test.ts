import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { sampleImage } from './support/sample-image.ts'
import { upload } from './support/upload.ts'

const app = await openTestApp({ after }, { siteName: 'Harbour' })
const { origin } = app
const picture = (await upload(app, 'administrator', { bytes: await sampleImage(1) })).body.id
for (const json of [
  {
    ...{ title: 'Jazz', description: '<p>Three bands.</p>', image: picture, venue: { venue: 'Hall', city: 'Bern' } },
    ...{ start_date: '2026-11-28 19:00:00', end_date: '2026-11-28 22:00:00' },
  },
  { title: 'Fair', start_date: '2026-12-02', end_date: '2026-12-05', all_day: true },
])
  assert.equal((await app.call('administrator', 'POST', '/events', { json })).status, 201)

async function pageAt(path: string, from = origin): Promise<string> {
  const response = await fetch(from + path)
  assert.equal(response.status, 200, path)
  return (await response.text()).replaceAll('&amp;', '&')
}

/** What the head of a page says, by name; of several with one name the last. */
function headOf(text: string): ReadonlyMap<string, string> {
  const named = text.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)">/g)
  return new Map([
    ['title', /<title>([^<]*)<\/title>/.exec(text)?.[1] ?? ''],
    ['canonical', /<link rel="canonical" href="([^"]*)">/.exec(text)?.[1] ?? ''],
    ...[...named].map(([, name = '', content = '']) => [name, content] as const),
  ])
}

/** The schema.org data of a page. */
function dataOf(text: string): Readonly<Record<string, unknown>>[] {
  const data: unknown = JSON.parse(/<script type="application\/ld\+json">([^<]*)<\/script>/.exec(text)?.[1] ?? '[]')
  return [data].flat() as Readonly<Record<string, unknown>>[]
}

test('the head of a page says what it shows, where it is and in which languages', async () => {
  const about = 'Harbour: what’s on, when, and where.'
  for (const [path, title, description, events] of [
    ['/en/', 'Harbour', about, ['Jazz', 'Fair']],
    ['/en/events/', 'What’s on – Harbour', about, ['Jazz', 'Fair']],
    ['/en/events/2026-11/', 'November 2026 – Harbour', 'Harbour, November 2026: what’s on, when, and where.', ['Jazz']],
    ['/en/venue/hall/', 'Hall – Harbour', 'Hall: what’s on, when, and where.', ['Jazz']],
    ['/en/event/jazz/', 'Jazz – Harbour', 'Three bands.', ['Jazz']],
  ] as const) {
    const text = await pageAt(path)
    const head = headOf(text)
    const isEvent = path.startsWith('/en/event/')
    assert.deepEqual(
      ['title', 'description', 'canonical', 'og:url', 'og:description', 'og:type'].map((name) => head.get(name)),
      [title, description, origin + path, origin + path, description, isEvent ? 'article' : 'website'],
      path,
    )
    assert.equal(head.get('og:title'), title.replace(/ – .*/, ''), path)
    assert.equal(head.get('twitter:card'), isEvent ? 'summary_large_image' : 'summary', path)
    assert.equal(/\/media\/.*\.(png|webp|jpe?g)$/.test(head.get('og:image') ?? ''), isEvent, path)
    const languages = [...text.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">/g)]
    assert.equal(languages.length, 12, path)
    for (const [, language = '', address] of languages) {
      const start = language === 'x-default' ? '' : `/${language}`
      assert.equal(address, `${origin}${path.replace('/en', start)}`, path)
    }
    const data = dataOf(text)
    assert.deepEqual(
      data.map((one) => [one['@type'], one['name']]),
      events.map((name) => ['Event', name]),
      path,
    )
    assert.match(String(data[0]?.['startDate']), /^2026-11-28T19:00:00/)
    assert.match(String(data[0]?.['url']), /\/event\/jazz\/$/)
    assert.match(JSON.stringify(data[0]?.['location']), /"name":"Hall"/)
  }
})

test('an event without a text is described by when and where it is, one with a password by nothing', async () => {
  const open = { title: 'Talk', start_date: '2026-12-09 19:00:00', end_date: '2026-12-09 21:00:00', timezone: 'UTC' }
  const json = { ...open, venue: { venue: 'Hall', city: 'Bern' } }
  assert.equal((await app.call('administrator', 'POST', '/events', { json })).status, 201)
  const closed = { ...json, title: 'Party', password: 'lighthouse' }
  assert.equal((await app.call('administrator', 'POST', '/events', { json: closed })).status, 201)
  const described = async (path: string) => {
    const head = headOf(await pageAt(path))
    return [head.get('description'), head.get('og:description')]
  }
  for (const [path, text] of [
    ['/en/event/talk/', 'Wednesday, 9 December 2026, 19:00 – 21:00 UTC · Hall, Bern'],
    ['/de/event/talk/', 'Mittwoch, 9. Dezember 2026, 19:00 – 21:00 UTC · Hall, Bern'],
    ['/en/event/fair/', 'Wednesday, 2 December 2026 – Saturday, 5 December 2026'],
    ['/en/event/party/', undefined],
  ] as const)
    assert.deepEqual(await described(path), [text, text], path)
})

test('an event goes into the calendars of visitors with its moments, or with its days', async () => {
  for (const [path, dates, [from, to, allDay]] of [
    ['/event/jazz/', '20261129T000000Z/20261129T030000Z', ['2026-11-28T19:00:00', '2026-11-28T22:00:00', null]],
    ['/event/fair/', '20261202/20261206', ['2026-12-02', '2026-12-06', 'true']],
  ] as const) {
    const text = await pageAt(path)
    const linkTo = (start: string) => new URL(new RegExp(`href="(${start}[^"]*)"`).exec(text)?.[1] ?? '').searchParams
    const google = linkTo('https://calendar.google.com/calendar/render')
    assert.deepEqual([google.get('text'), google.get('dates')], [path === '/event/jazz/' ? 'Jazz' : 'Fair', dates])
    assert.ok(google.get('details')?.endsWith(origin + path))
    const outlook = linkTo('https://outlook.live.com/calendar/0/deeplink/')
    assert.ok(outlook.get('startdt')?.startsWith(from), path)
    assert.ok(outlook.get('enddt')?.startsWith(to), path)
    assert.equal(outlook.get('allday'), allDay, path)
    assert.equal(linkTo('https://outlook.office.com/').get('startdt'), outlook.get('startdt'))
    const yahoo = linkTo('https://calendar.yahoo.com/')
    assert.deepEqual([yahoo.get('title'), yahoo.get('st')], [google.get('text'), dates.split('/')[0]])
    assert.equal(yahoo.get('dur'), allDay === null ? null : 'allday')
    const [, file = ''] = /href="([^"]*)"[^>]*>Apple and others \(\.ics\)/.exec(text) ?? []
    assert.match(await pageAt(file), /^BEGIN:VCALENDAR/)
  }
})

test('a list without any event leads to none that are over', async (t) => {
  const other = await openTestApp(t)
  for (const path of ['/en/', '/en/events/']) {
    const text = await pageAt(path, other.origin)
    assert.match(text, /No events yet/, path)
    assert.doesNotMatch(text, />Past events</, path)
  }
  assert.match(await pageAt('/en/events/'), />Past events</)
})

test('where nothing is to come, what was last is shown and said to be over', async (t) => {
  const other = await openTestApp(t)
  const times = { start_date: '2026-10-02 10:00', end_date: '2026-10-02 11:00' }
  const made = await other.call('administrator', 'POST', '/events', { json: { title: 'Regatta', ...times } })
  assert.equal(made.status, 201)
  for (const path of ['/en/', '/en/events/']) {
    const text = await pageAt(path, other.origin)
    assert.match(text, /No upcoming events\.[\s\S]*>Recent past events<[\s\S]*>Regatta</, path)
  }
  const list = await pageAt('/en/events/', other.origin)
  assert.match(list, /<li class="card [^"]*\bover\b/)
})
