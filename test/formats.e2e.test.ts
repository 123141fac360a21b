import assert from 'node:assert/strict'
import { get } from 'node:http'
import { type TestContext, test } from 'node:test'
import { decodeHTML } from 'entities'
import ICAL from 'ical.js'
import { openTestApp, type TestApp } from './support/app.ts'
import { fetchChecked } from './support/checked.ts'
import { statementsDuring } from './support/work.ts'

/*
 * Lists and events in formats other than JSON: at addresses of their own, and by Accept.
 */

const HOSTILE = [
  '=HYPERLINK("http://evil.example","x")',
  '+1',
  '-2+3',
  '@SUM(A1)',
  '\tTab',
  'Line\r\nX-Injected: 1\r\nBEGIN:VEVENT',
  'Quotes " and, commas; and \\ and ^',
  '<script>alert(1)</script>&amp;]]>',
  '東京 😀 Łódź',
  'plain',
]

interface Made {
  readonly id: number
  readonly title: string
}

async function openFilled(t: TestContext): Promise<{ app: TestApp; made: Made[] }> {
  const app = await openTestApp(t)
  const made: Made[] = []
  for (const [index, title] of HOSTILE.entries()) {
    const { status, body } = await app.call('administrator', 'POST', '/events', {
      json: {
        ...{ title, description: `<p>${title}</p>`, start_date: `2027-01-${10 + index} 10:00:00` },
        ...{ end_date: `2027-01-${10 + index} 11:30:00`, timezone: 'Europe/Berlin', all_day: index === 9 },
        ...{ venue: { venue: title, address: title, geo_lat: -33.5, geo_lng: 151.25 }, tags: [title, 'all'] },
        ...{ organizer: [{ organizer: title, email: 'o@example.org', phone: '+49 30 1' }], categories: [title] },
        ...{ website: 'https://example.org/?a=1&b=2' },
      },
    })
    assert.equal(status, 201, JSON.stringify(body))
    // The interface has titles as HTML, files as text.
    made.push({ id: body.id, title: decodeHTML(body.title) })
  }
  return { app, made }
}

const RANGE = 'start_date=2027-01-01&end_date=2027-12-31'

/** JSON of any shape. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
async function json(response: Promise<Response>): Promise<any> {
  return (await response).json()
}

function own(app: TestApp, path: string, init: RequestInit = {}): Promise<Response> {
  return fetchChecked(`${app.origin}/kalends/v1${path}`, init)
}

/** The rows of a table as RFC 4180 has them. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.slice(0, -1)
}

test('a list as CSV has a line for each event, and no cell is a formula', async (t) => {
  const { app, made } = await openFilled(t)
  const response = await own(app, `/events.csv?${RANGE}`)
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  assert.equal(response.headers.get('content-disposition'), 'inline; filename="events.csv"')
  assert.equal(response.headers.get('x-tec-total'), String(made.length))
  const [head = [], ...rows] = readCsv(await response.text())
  assert.equal(rows.length, made.length)
  for (const [index, row] of rows.entries()) {
    assert.equal(row.length, head.length)
    const cell = (name: string): string => row[head.indexOf(name)] ?? ''
    assert.equal(cell('id'), String(made[index]?.id))
    assert.equal(cell('title').replace(/^'/, ''), made[index]?.title)
    assert.equal(cell('geo_lat'), '-33.5')
    for (const [column, text] of row.entries())
      assert.ok(!/^[=+\-@\t\r\n]/.test(text) || /^-?\d+(\.\d+)?$/.test(text), `${head[column]}: ${text}`)
  }
})

test('filters and rights are those of the list', async (t) => {
  const { app, made } = await openFilled(t)
  await app.call('administrator', 'POST', '/events', {
    json: { title: 'Draft', start_date: '2027-01-20', end_date: '2027-01-20', status: 'draft' },
  })
  const ids = async (query: string, headers = {}) => {
    const [, ...rows] = readCsv(await (await own(app, `/events.csv?${query}`, { headers })).text())
    return rows.map(([id]) => Number(id))
  }
  assert.deepEqual(await ids(`${RANGE}&search=plain`), [made[9]?.id])
  assert.deepEqual(await ids(`${RANGE}&per_page=2&page=2`), [made[2]?.id, made[3]?.id])
  assert.equal((await ids(`${RANGE}&status=draft`, { authorization: app.authorization('editor') })).length, 1)
  assert.equal((await own(app, `/events.csv?${RANGE}&status=draft`)).status, 400)
  assert.equal((await own(app, `/events.csv?${RANGE}&page=99&per_page=5`)).status, 404)
})

test('protected events keep their content in every format, and open with their password', async (t) => {
  const app = await openTestApp(t)
  const json = {
    title: 'Party',
    description: 'SECRETTEXT',
    start_date: '2027-01-10',
    end_date: '2027-01-11',
    password: 'open',
  }
  const { body } = await app.call('administrator', 'POST', '/events', { json })
  for (const ending of ['csv', 'json', 'rss', 'jcal', 'jscal', 'jsonld', 'ics']) {
    const closed = await (await own(app, `/events.${ending}?${RANGE}`)).text()
    assert.equal(closed.includes('SECRETTEXT'), false, ending)
    const opened = await own(app, `/events.${ending}?${RANGE}&password=open`)
    if (ending !== 'jsonld') assert.ok((await opened.text()).includes('SECRETTEXT'), ending)
    assert.match(opened.headers.get('cache-control') ?? '', /no-store/)
  }
  for (const ending of ['jcal', 'jscal', 'jsonld']) {
    const closed = await own(app, `/events/${body.id}.${ending}`)
    assert.equal(closed.status, 403, ending)
    await closed.text()
  }
  assert.equal((await own(app, `/events/${body.id}.jcal?password=open`)).status, 200)
})

test('a JSON Feed and an RSS feed hold what was written, whatever it is', async (t) => {
  const { app, made } = await openFilled(t)
  const feed = await json(own(app, `/events.json?${RANGE}`))
  assert.equal(feed.version, 'https://jsonfeed.org/version/1.1')
  assert.deepEqual(
    feed.items.map((item: { title: string }) => item.title),
    made.map(({ title }) => title),
  )
  assert.deepEqual(feed.items[0]._event.start, '2027-01-10T10:00:00+01:00')
  const rss = await (await own(app, `/events.rss?${RANGE}`)).text()
  assertWellFormed(rss)
  assert.equal(rss.includes('<script>'), false)
  assert.equal(rss.split('<item>').length - 1, made.length)
})

/** Fails unless every tag is closed in its order and nothing else begins with `<` or `&`. */
function assertWellFormed(xml: string): void {
  const open: string[] = []
  const tag = /<(\/?)([\w:]+)(?:\s+[\w:]+="[^"<]*")*\s*(\/?)>/g
  const body = xml.replace(/^<\?xml[^?]*\?>/, '')
  for (const [, end, name, self] of body.matchAll(tag)) {
    if (end !== '') assert.equal(open.pop(), name)
    else if (self === '') open.push(name ?? '')
  }
  const rest = body.replace(tag, '')
  assert.deepEqual(open, [])
  assert.equal(rest.includes('<'), false, rest)
  assert.equal(/&(?!(amp|lt|gt|quot|apos);)/.test(rest), false, rest)
}

test('jCal says what the iCalendar file says, and other programs read it', async (t) => {
  const { app, made } = await openFilled(t)
  const recurring = {
    title: 'Weekly',
    start_date: '2027-02-01 10:00:00',
    end_date: '2027-02-01 11:00:00',
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
  }
  await app.call('administrator', 'POST', '/events', { json: recurring })
  for (const path of [`/events.jcal?${RANGE}`, `/events/${made[5]?.id}.jcal`, '/events.jcal?search=nothing+at+all']) {
    const response = await own(app, path)
    assert.equal(response.headers.get('content-type'), 'application/calendar+json')
    const jcal = await json(Promise.resolve(response))
    const text = await (await own(app, path.replace('.jcal', '.ics'))).text()
    const ics = ICAL.parse(text)
    assert.deepEqual(sorted(new ICAL.Component(jcal)), sorted(new ICAL.Component(ics)), path)
  }
})

/** All properties of all events and zones as iCalendar lines: what a program has understood. */
function sorted(calendar: ICAL.Component): string[][] {
  return calendar.getAllSubcomponents().map((one) => one.toString().split('\r\n'))
}

test('JSCalendar has times, places and people', async (t) => {
  const { app, made } = await openFilled(t)
  const group = await json(own(app, `/events.jscal?${RANGE}`))
  assert.equal(group['@type'], 'Group')
  assert.equal(group.entries.length, made.length)
  const event = await json(own(app, `/events/${made[6]?.id}.jscal`))
  assert.deepEqual(event, group.entries[6])
  assert.equal(event.uid, `${made[6]?.id}@calendar.example`)
  assert.deepEqual([event.start, event.timeZone, event.duration], ['2027-01-16T10:00:00', 'Europe/Berlin', 'PT1H30M'])
  const [place] = Object.values<{ name: string; coordinates: string }>(event.locations)
  assert.deepEqual([place?.name, place?.coordinates], [made[6]?.title, 'geo:-33.5,151.25'])
  const whole = group.entries[9]
  assert.deepEqual([whole.start, whole.timeZone, whole.duration], ['2027-01-19T00:00:00', null, 'P1D'])
})

test('JSON-LD of a list has each event in its place', async (t) => {
  const { app, made } = await openFilled(t)
  const list = await json(own(app, `/events.jsonld?${RANGE}`))
  assert.equal(list['@type'], 'ItemList')
  const { body } = await app.call('anonymous', 'GET', `/events/${made[2]?.id}`)
  assert.deepEqual(list.itemListElement[2], { '@type': 'ListItem', position: 3, item: body.json_ld })
  assert.deepEqual(await json(own(app, `/events/${made[2]?.id}.jsonld`)), body.json_ld)
})

const PLAIN = { 'accept-encoding': 'identity' }

const TYPES = [
  'text/calendar',
  'text/csv',
  'application/feed+json',
  'application/rss+xml',
  'application/calendar+json',
  'application/jscalendar+json',
  'application/ld+json',
]

test('the document of the interface names all types in which events are sent', async (t) => {
  const app = await openTestApp(t)
  const { body } = await app.call('anonymous', 'GET', '/doc')
  for (const path of ['/events', '/events/{id}', '/events/by-slug/{slug}']) {
    const response = body.paths[path].get.responses['200']
    assert.deepEqual(Object.keys(response['x-accept']).sort(), TYPES.toSorted(), path)
    assert.deepEqual(Object.keys(response.content), ['application/json'])
    for (const [type, { schema, examples }] of Object.entries<{ schema: object; examples: object }>(
      response['x-accept'],
    ))
      assert.deepEqual([Object.hasOwn(schema, 'type'), Object.keys(examples).length], [true, 1], `${path} ${type}`)
  }
})

test('Accept chooses the format of a list and of an event, and JSON stays as it was', async (t) => {
  const { app, made } = await openFilled(t)
  const base = `${app.origin}/cal/events/v1/events`
  const id = made[3]?.id
  for (const path of [`?${RANGE}&per_page=3`, `/${id}`, '/by-slug/plain']) {
    const plain = await fetch(base + path, { headers: PLAIN })
    const body = await plain.text()
    for (const type of TYPES) {
      for (let turn = 0; turn < 2; turn += 1) {
        const response = await fetchChecked(base + path, { headers: { accept: type } })
        assert.equal(response.headers.get('content-type')?.split(';')[0], type, path)
        assert.match(response.headers.get('vary') ?? '', /\bAccept\b(?!-)/)
        assert.notEqual(await response.text(), body)
      }
    }
    for (const accept of ['*/*', 'application/json', 'text/html', 'nonsense']) {
      const again = await fetch(base + path, { headers: { ...PLAIN, accept } })
      assert.deepEqual(headersOf(again), headersOf(plain))
      assert.equal(await again.text(), body)
    }
    assert.equal(plain.headers.get('vary'), 'Origin, Accept-Encoding')
  }
  const page = await fetch(`${base}?${RANGE}&per_page=3`, { headers: { accept: 'text/csv' } })
  assert.equal(readCsv(await page.text()).length, 4)
  assert.match(page.headers.get('link') ?? '', /per_page=3.*page=2>; rel="next"/)
})

test('the weights of Accept decide, and wildcards and unknown types mean JSON', async (t) => {
  const { app } = await openFilled(t)
  const address = `${app.origin}/cal/events/v1/events?${RANGE}&per_page=3`
  for (const [accept, type] of [
    ['text/csv;q=0.5, application/json;q=0.4', 'text/csv'],
    ['text/csv;q=0.4, application/json;q=0.5', 'application/json'],
    ['text/calendar;q=0.3, text/csv;q=0.8, */*;q=0.1', 'text/csv'],
    ['text/csv;q=0, */*', 'application/json'],
    ['text/csv;q=0.9, */*', 'application/json'],
    ['text/csv;q=nonsense', 'application/json'],
    ['text/*', 'application/json'],
    ['application/*;q=0.2, text/*', 'application/json'],
    ['image/png, text/csvx', 'application/json'],
  ] as const) {
    const response = await fetchChecked(address, { headers: { accept } })
    assert.deepEqual([response.status, response.headers.get('content-type')?.split(';')[0]], [200, type], accept)
  }
})

function headersOf(response: Response): string[][] {
  return [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
}

/** More than a file that is made at once. */
async function addMany(app: TestApp): Promise<number> {
  const recurring = { start_date: '2028-01-01 10:00:00', end_date: '2028-01-01 11:00:00', timezone: 'Europe/Berlin' }
  const json = { ...recurring, title: 'Daily', recurrence: ['RRULE:FREQ=DAILY;COUNT=1000'] }
  const { status, body } = await app.call('administrator', 'POST', '/events', { json })
  assert.equal(status, 201, JSON.stringify(body))
  const zones = ['Europe/Berlin', 'America/New_York', 'UTC']
  for (let at = 0; at < 150; at += 10) {
    await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const times = { start_date: '2028-03-01 10:00:00', end_date: '2028-03-01 11:00:00', timezone: zones[at % 3] }
        const made = await app.call('administrator', 'POST', '/events', { json: { ...times, title: `${at} ${index}` } })
        assert.equal(made.status, 201)
      }),
    )
  }
  return 1150
}

const LONG = 'start_date=2028-01-01&end_date=2040-01-01'

test('lists beyond 1,000 events go out whole, in every format, while they are made', {
  timeout: 240_000,
}, async (t) => {
  const app = await openTestApp(t)
  const total = await addMany(app)
  const read = async (ending: string): Promise<string> => {
    const response = await own(app, `/events.${ending}?${LONG}`)
    assert.equal(response.headers.get('x-tec-total'), String(total), ending)
    assert.equal(response.headers.get('content-length'), null)
    assert.equal(response.headers.get('cache-control'), 'no-cache')
    return response.text()
  }
  const ics = await read('ics')
  const uids = ics.match(/^UID:.*$/gm) ?? []
  // The recurring event is in it once, whole.
  assert.deepEqual([uids.length, new Set(uids).size], [151, 151])
  assert.equal(ics.match(/^BEGIN:VTIMEZONE/gm)?.length, 2)
  assert.equal(ICAL.parse(ics)[2].length, 151 + 2)
  assert.equal(readCsv(await read('csv')).length, total + 1)
  assert.equal(JSON.parse(await read('json')).items.length, total)
  assert.equal(JSON.parse(await read('jcal'))[2].length, 151 + 2)
  assert.equal(JSON.parse(await read('jscal')).entries.length, 151)
  assert.equal(JSON.parse(await read('jsonld')).itemListElement.at(-1).position, total)
  const rss = await read('rss')
  assertWellFormed(rss)
  assert.equal(rss.split('<item>').length - 1, total)
  const head = await own(app, `/events.csv?${LONG}`, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  const page = await (await own(app, `/events.ics?${LONG}&per_page=1000&page=2`)).text()
  assert.ok((page.match(/^UID:/gm)?.length ?? 0) <= 151)
})

test('a page of a file is read and written a hundred events at a time', { timeout: 240_000 }, async (t) => {
  const app = await openTestApp(t)
  await addMany(app)
  const statements = await statementsDuring(app.app.storage, async () => {
    assert.equal((await own(app, `/events.csv?${LONG}&per_page=1000&page=1`)).status, 200)
  })
  // How long texts are is asked first, for all at once.
  const texts = statements.filter(({ sql }) => sql.includes('description') && !sql.includes('octet_length'))
  const lists = texts.flatMap(({ parameters }) => parameters)
  const lengths = lists.filter(Array.isArray).map((ids) => ids.length)
  assert.ok(lengths.length > 0 && Math.max(...lengths) <= 100, lengths.join())
})

test('the first events of a long list are sent before the next ones are sought', { timeout: 240_000 }, async (t) => {
  const held = Promise.withResolvers<void>()
  t.after(() => held.resolve())
  const app = await openTestApp(t)
  const total = await addMany(app)
  const { storage } = app.app
  const all: typeof storage.all = storage.all.bind(storage)
  let isHeld = false
  storage.all = async (statement, lane) => {
    const { sql } = statement.ready ?? statement.compile()
    const rows = await all(statement, lane)
    const isSecondPage = rows.length >= total - 1_000 && rows.length < 1_000 && /from "occurrence".* limit /.test(sql)
    isHeld ||= isSecondPage
    if (isSecondPage) await held.promise
    return rows
  }
  const signal = AbortSignal.timeout(120_000)
  const { body } = await fetch(`${app.origin}/kalends/v1/events.csv?${LONG}`, { signal })
  const reader = (body ?? assert.fail('no body')).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<boolean> => {
    const { done, value = '' } = await reader.read()
    text += value
    return !done
  }
  while (readCsv(text).length < 1_000) assert.ok(await next(), 'it has ended too soon')
  held.resolve()
  while (await next());
  assert.equal(isHeld, true)
  assert.equal(readCsv(text).length, total + 1)
})

test('a reader who leaves ends the making, and nobody waits for a slow one', { timeout: 240_000 }, async (t) => {
  const app = await openTestApp(t)
  await addMany(app)
  const address = `${app.origin}/kalends/v1/events.rss?${LONG}`
  // Reads its first bytes and then nothing more.
  const request = get(address)
  const begun = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject)
  })
  const whole = await (await fetch(address)).text()
  assert.ok(whole.endsWith('</rss>\n'))
  begun.destroy()
  assert.equal((await fetch(address, { method: 'HEAD' })).status, 200)
})
