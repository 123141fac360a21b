import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, openTestApp } from './support/app.ts'

/*
 * What venues and organizers take and refuse, row by row (wire: rest 2.4, 2.5, 3.1 to 3.8, as decisions change them).
 */

const { call, origin } = await openTestApp({ after })

const ROOMS = [
  { path: '/venues', key: 'venue' },
  { path: '/organizers', key: 'organizer' },
] as const

type Room = (typeof ROOMS)[number]
type Body = Readonly<Record<string, unknown>>

/** Runs a test for venues and for organizers. */
function each(title: string, run: (room: Room) => Promise<void>): void {
  for (const room of ROOMS) test(`${room.path}: ${title}`, () => run(room))
}

let names = 0
function newName(): string {
  names += 1
  return `Place ${names}`
}

async function make({ path, key }: Room, json: Body = {}): Promise<Answer['body']> {
  const answer = await call('editor', 'POST', path, { json: { [key]: newName(), ...json } })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

/** Status and error code, or the value of a member. */
function told({ status, body }: Answer, member = 'status'): readonly [number, unknown] {
  return [status, body.code ?? body[member]]
}

const REFUSED = [400, 'rest_invalid_param'] as const

each('page and per_page are whole numbers of 1 or more, and of repeated ones the last counts', async ({ path }) => {
  for (const name of ['page', 'per_page']) {
    for (const value of ['0', '-1', 'abc', '1.5', '', '99999999999999999999']) {
      assert.deepEqual(told(await call('anonymous', 'GET', path, { query: { [name]: value } })), REFUSED, value)
    }
    assert.deepEqual(told(await call('anonymous', 'GET', `${origin}/cal/events/v1${path}?${name}[]=1`)), REFUSED)
    for (const value of ['1', '1.0', '1e0', ' 1'])
      assert.equal((await call('anonymous', 'GET', path, { query: { [name]: value } })).status, 200)
  }
  const { body } = await call('anonymous', 'GET', `${origin}/cal/events/v1${path}?per_page=5&per_page=77`)
  assert.equal(new URL(body.rest_url).searchParams.get('per_page'), '50')
})

each('nothing found is 200 with zeros on the first page and 404 on the next', async ({ path, key }) => {
  const query = { search: 'nothingiscalledso' }
  const { status, body, headers } = await call('anonymous', 'GET', path, { query })
  assert.deepEqual([status, body[path.slice(1)], body.total, body.total_pages], [200, [], 0, 0])
  assert.deepEqual([headers.get('x-tec-total'), headers.get('x-tec-totalpages')], ['0', '0'])
  const past = await call('anonymous', 'GET', path, { query: { ...query, page: 2 } })
  assert.deepEqual(told(past), [404, `${key}-archive-page-not-found`])
  assert.deepEqual([past.body.data, past.headers.get('x-tec-total')], [{ status: 404 }, null])
})

each('filters that cannot be read are refused, flags that do not read as yes are no', async (room) => {
  const { path } = room
  const { id } = await make(room)
  const refused = [
    ['search', ''],
    ['search', 'x'.repeat(257)],
    ...['abc', '0', '', '999999', String(id), `${id},${id}`].map((value) => ['event', value]),
    ...['Publish', 'inherit', 'auto-draft', 'publish,x', ','].map((value) => ['status', value]),
  ] as const
  for (const [name, value] of refused)
    assert.deepEqual(told(await call('editor', 'GET', path, { query: { [name]: value } })), REFUSED, `${name}=${value}`)
  for (const name of ['search', 'event'])
    assert.deepEqual(told(await call('editor', 'GET', `${origin}/cal/events/v1${path}?${name}[]=a`)), REFUSED, name)
  for (const [value, isYes] of [
    ...['1', 'true', 'YES', 'y', 'On', 'enable', 'enabled'].map((value) => [value, 'true'] as const),
    ...['0', 'no', 'abc', ''].map((value) => [value, 'false'] as const),
  ]) {
    const { body } = await call('anonymous', 'GET', path, { query: { has_events: value } })
    assert.equal(new URL(body.rest_url).searchParams.get('has_events'), isYes, value)
  }
})

each('an empty status asks those who may write for what is published and private', async (room) => {
  const { path, key } = room
  const token = newName().replace(' ', '')
  const made = new Map<string, number>()
  for (const status of ['publish', 'private', 'draft', 'trash'])
    made.set(status, (await make(room, { [key]: `${token} ${status}`, status })).id)
  const { status, body } = await call('editor', 'GET', path, { query: { search: token, status: '' } })
  const ids = body[path.slice(1)].map((one: { id: number }) => one.id)
  assert.deepEqual([status, ids.sort(), body.total], [200, [made.get('publish'), made.get('private')], 2])
  assert.deepEqual((await call('editor', 'GET', body.rest_url)).body, body)
  assert.deepEqual(told(await call('anonymous', 'GET', path, { query: { status: '' } })), REFUSED)
})

each('parameters that no list declares are ignored', async ({ path }) => {
  const plain = await call('anonymous', 'GET', path)
  const query = { sort: 'bogus', include: 'abc', author: 'y', offset: 1, context: 'embed', slug: '' }
  assert.deepEqual((await call('anonymous', 'GET', path, { query })).body, plain.body)
})

each('a slug is found in any case, raw or percent-encoded, and never with a slash', async (room) => {
  const { path, key } = room
  const { id, slug } = await make(room, { [key]: `Café 日本 ${key}` })
  assert.equal(slug, `cafe-%e6%97%a5%e6%9c%ac-${key}`)
  const forms = [slug, slug.toUpperCase(), `cafe-日本-${key}`, `caf%C3%A9%20日本%20${key}`, `cafe%2D日本%2D${key}/`]
  for (const form of forms) {
    const answer = await call('anonymous', 'GET', `${path}/by-slug/${form}`)
    assert.deepEqual(told(answer, 'id'), [200, id], form)
  }
  for (const form of [`cafe%2F日本%2F${key}`, '0', 'nothing-is-called-so', '%21']) {
    const answer = await call('anonymous', 'GET', `${path}/by-slug/${form}`)
    assert.deepEqual([...told(answer), Object.keys(answer.body.data.params)], [...REFUSED, ['slug']], form)
  }
  for (const form of ['', `cafe-日本-${key}/x`])
    assert.deepEqual(told(await call('anonymous', 'GET', `${path}/by-slug/${form}`)), [404, 'rest_no_route'], form)
})

each('an item is found by its slug however often and in whatever script its name is used', async (room) => {
  const { path, key } = room
  // 200 bytes are full: each number takes the place of whole characters.
  const name = `${key} ${'日本語の会場'.repeat(10)}`
  for (let n = 0; n < 11; n += 1) {
    const { id, slug } = await make(room, { [key]: name, phone: String(n) })
    assert.ok(slug.length <= 200)
    assert.deepEqual(told(await call('anonymous', 'GET', `${path}/by-slug/${slug}`), 'id'), [200, id], slug)
  }
})

each('a number is a name, and what is neither text nor number is none', async ({ path, key }) => {
  const made = await call('editor', 'POST', path, { json: { [key]: 1984 } })
  assert.deepEqual([made.status, made.body[key], made.body.slug], [201, '1984', '1984'])
  for (const name of [0, true, false, [], {}, ['x'], '', '0'])
    assert.deepEqual(told(await call('editor', 'POST', path, { json: { [key]: name } })), REFUSED, JSON.stringify(name))
  for (const name of ['  ', '<b></b>', '\n', '\u200b\u202e'])
    assert.deepEqual(told(await call('editor', 'POST', path, { json: { [key]: name } })), [
      400,
      `could-not-create-${key}`,
    ])
  const missing = await call('anonymous', 'POST', path, { json: { [key]: null, website: 'x' } })
  assert.deepEqual([...told(missing), missing.body.data.params], [400, 'rest_missing_callback_param', [key]])
})

each('what each field refuses is told in declared order, and nothing is written', async (room) => {
  const { path, key } = room
  const { id } = await make(room)
  const before = (await call('editor', 'GET', `${path}/${id}`)).body
  const refused: Readonly<Record<string, readonly unknown[]>> = {
    [key]: ['', '0', null, ' ', [], {}],
    author: [999, 0, '', 'abc', [1], -1],
    date: ['', 'nonsense', [], true, '2026-02-30'],
    date_utc: ['', 'nonsense', {}],
    description: [[], {}],
    status: ['', 'any', 'inherit', 'auto-draft', 'Publish', ['publish'], 1],
    phone: [[], {}, ['1']],
    website: [
      'a.example',
      '//a.example',
      'javascript:alert(1)',
      'http://a b',
      'mailto:a@b.example',
      'ftp://a.example',
      [],
    ],
    image: ['foo bar', 999_999, '999999', {}, true],
  }
  for (const [name, values] of Object.entries(refused)) {
    for (const value of values) {
      const answer = await call('editor', 'PATCH', `${path}/${id}`, { json: { [name]: value } })
      assert.deepEqual(
        [...told(answer), Object.keys(answer.body.data.params)],
        [...REFUSED, [name]],
        `${name} ${value}`,
      )
    }
  }
  assert.deepEqual((await call('editor', 'GET', `${path}/${id}`)).body, before)
  const json = { website: 'x', status: 'x', author: 0, date: 'x', [key]: '', description: [] }
  const { body } = await call('anonymous', 'POST', path, { json })
  assert.deepEqual(Object.keys(body.data.params), ['author', 'date', key, 'description', 'status', 'website'])
  assert.deepEqual(body.data.details.description.code, 'rest_invalid_type')
  assert.deepEqual(Object.keys(body.data.details), ['description'])
})

each('null says nothing about author, date and status, and empties the rest', async (room) => {
  const { path } = room
  const { id } = await make(room, { description: 'd', phone: '1', website: 'https://a.example', date: '2026-01-01' })
  const json = { author: null, date: null, date_utc: null, status: null, show_map: null }
  const kept = await call('editor', 'PATCH', `${path}/${id}`, { json })
  assert.deepEqual([kept.status, kept.body.date, kept.body.phone], [200, '2026-01-01 00:00:00', '1'])
  const emptied = await call('editor', 'PUT', `${path}/${id}`, {
    json: { description: null, phone: '', website: null },
  })
  for (const member of ['description', 'phone', 'website']) assert.ok(!(member in emptied.body), member)
})

const MAP_FLAGS: readonly (readonly [unknown, boolean])[] = [
  ...['1', 'true', 'Yes', 'y', 'ON', 'enable', 'enabled', 1, true].map((value) => [value, true] as const),
  ...['', 'abc', 'no', '0', 'off', 0, false].map((value) => [value, false] as const),
]

test('/venues: map flags are any text, yes in its spellings and else no, or a plain yes or no', async () => {
  const room = ROOMS[0]
  const { id, show_map, show_map_link } = await make(room)
  assert.deepEqual([show_map, show_map_link], [true, true])
  for (const [value, flag] of MAP_FLAGS) {
    const { body } = await call('editor', 'PATCH', `/venues/${id}`, { json: { show_map: value, show_map_link: value } })
    assert.deepEqual([body.show_map, body.show_map_link], [flag, flag], JSON.stringify(value))
  }
  for (const value of [2, [], {}])
    assert.deepEqual(told(await call('editor', 'PATCH', `/venues/${id}`, { json: { show_map: value } })), REFUSED)
})

test('/venues: a region written for itself stays when other parts of the address change', async () => {
  const { id } = await make(ROOMS[0], { stateprovince: 'Bavaria', country: 'Germany' })
  const answer = await call('editor', 'PATCH', `/venues/${id}`, { json: { country: 'Deutschland' } })
  assert.deepEqual([answer.body.stateprovince, answer.body.country], ['Bavaria', 'Deutschland'])
})

test('/venues: coordinates are two numbers on the earth, come together and go together', async () => {
  const { id } = await make(ROOMS[0])
  const change = (json: Body): Promise<Answer> => call('editor', 'PATCH', `/venues/${id}`, { json })
  for (const [json, names] of [
    [{ geo_lat: 1 }, ['geo_lat']],
    [{ geo_lng: 1 }, ['geo_lng']],
    [{ geo_lat: 90.1, geo_lng: 1 }, ['geo_lat']],
    [{ geo_lat: 1, geo_lng: 'east' }, ['geo_lng']],
    [{ geo_lat: 1, geo_lng: null }, ['geo_lat']],
    [{ geo_lat: -91, geo_lng: 181 }, ['geo_lat', 'geo_lng']],
    [{ geo_lat: false, geo_lng: [] }, ['geo_lat', 'geo_lng']],
  ] as const) {
    const answer = await change(json)
    assert.deepEqual([...told(answer), Object.keys(answer.body.data.params)], [...REFUSED, names], JSON.stringify(json))
  }
  for (const [lat, lng] of [
    [-90, 180],
    [90, -180],
    [0, 0],
  ]) {
    const { body } = await change({ geo_lat: lat, geo_lng: String(lng) })
    assert.deepEqual([body.geo_lat, body.geo_lng], [lat, lng])
  }
  assert.deepEqual((await change({ geo_lng: 7 })).body.geo_lng, 7)
  for (const cleared of [{ geo_lat: null }, { geo_lng: '' }]) {
    const { body } = await change(cleared)
    assert.deepEqual(['geo_lat' in body, 'geo_lng' in body], [false, false])
    await change({ geo_lat: 1, geo_lng: 2 })
  }
})

const VENUE_LINES = ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'stateprovince'] as const

test('every line of a venue or organizer is plain text, decoded once and answered encoded, like its name', async (t) => {
  const { call, origin } = await openTestApp(t)
  const sent = '5 &lt; 6 &amp;amp; <b>seven</b> &lt;img src=x onerror=alert(1)&gt;'
  const plain = '5 < 6 &amp; seven <img src=x onerror=alert(1)>'
  const shown = '5 &lt; 6 &amp;amp; seven &lt;img src=x onerror=alert(1)&gt;'
  for (const [path, key, lines] of [
    ['/venues', 'venue', VENUE_LINES],
    ['/organizers', 'organizer', ['phone']],
  ] as const) {
    const json = { [key]: sent, ...Object.fromEntries(lines.map((line) => [line, sent])) }
    const { status, body } = await call('author', 'POST', path, { json })
    assert.equal(status, 201)
    for (const line of [key, ...lines]) assert.equal(body[line], shown, line)
    const { body: again } = await call('author', 'POST', `${path}/${body.id}`, { json: body })
    assert.deepEqual(again, body, 'sent back, nothing changes')
    assert.equal((await call('author', 'POST', path, { json })).body.id, body.id, 'the same once more')
    const { body: equal } = await call('author', 'POST', path, {
      json: Object.fromEntries([key, ...lines].map((line) => [line, shown])),
    })
    assert.equal(equal.id, body.id, 'the same as it is answered')
    const { body: changed } = await call('author', 'PATCH', `${path}/${body.id}`, { json: { phone: '1 &amp; 2 ' } })
    assert.equal(changed.phone, '1 &amp; 2')
    const { json_ld } = (await call('anonymous', 'GET', `${path}/${body.id}`)).body
    assert.deepEqual([json_ld.name, json_ld.telephone], [plain, '1 & 2'], 'data for programs is plain')
  }
  const times = { start_date: '2027-01-01 10:00:00', end_date: '2027-01-01 12:00:00' }
  const venue = { venue: 'V', address: sent, city: 'a, b; c', phone: sent }
  const organizer = { organizer: 'O', phone: sent }
  const { body: event } = await call('author', 'POST', '/events', { json: { title: 'E', ...times, venue, organizer } })
  assert.deepEqual([event.venue.address, event.organizer[0].phone], [shown, shown])
  const { body: calendar } = await call('anonymous', 'GET', `${origin}/kalends/v1/events/${event.id}.ics`)
  const lines = calendar.replaceAll('\r\n ', '').split('\r\n')
  assert.ok(lines.includes(`LOCATION:V\\, ${plain.replaceAll(';', '\\;')}\\, a\\, b\\; c`), lines.join('\n'))
})
