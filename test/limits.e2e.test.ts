import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../src/base/config.ts'
import { visitor } from './support/admin.ts'
import { type Answer, openTestApp, type TestApp } from './support/app.ts'

const usual = readConfig({}, {})
const USUAL = Object.fromEntries(
  (['limitReads', 'limitCostlyReads', 'limitWrites', 'limitLogIns', 'limitGuesses'] as const).map((name) => [
    name,
    `${usual[name].count}/${usual[name].seconds}`,
  ]),
)
const PROXY = { trustedProxies: '127.0.0.1' }

/** Items with parameters of a structured field that is a list (RFC 9651 section 4.2), for strings and whole numbers. */
function itemsOf(field: string | null): Record<string, Record<string, number>> {
  assert.ok(field !== null, 'there is no such field')
  const item = '"([\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*)"((?:;[a-z*][a-z0-9_.*-]*=-?\\d{1,15})*)'
  assert.match(field, new RegExp(`^${item}(?:[ \\t]*,[ \\t]*${item})*$`))
  return Object.fromEntries(
    [...field.matchAll(new RegExp(item, 'g'))].map(([, name, parameters = '']) => [
      name,
      Object.fromEntries(
        [...parameters.matchAll(/;([^=]+)=(-?\d+)/g)].map(([, key, value]) => [key, Number(value)]),
      ) as Record<string, number>,
    ]),
  )
}

/** Lists that no cache knows, of one client where a proxy is believed. */
function openReader({ call }: TestApp): (address?: string) => Promise<Answer> {
  let page = 0
  return (address) => {
    page += 1
    const headers = address === undefined ? {} : { 'x-forwarded-for': address }
    return call('anonymous', 'GET', '/tags', { query: { per_page: page }, headers })
  }
}

function assertRefused(answer: Answer, policy: string): void {
  assert.equal(answer.status, 429, JSON.stringify(answer.body))
  assert.equal(answer.body.code, 'rest_too_many_requests')
  const limit = itemsOf(answer.headers.get('ratelimit'))[policy]
  assert.equal(limit?.['r'], 0)
  assert.equal(answer.headers.get('retry-after'), String(limit?.['t']))
  assert.match(answer.headers.get('cache-control') ?? '', /no-store/)
}

test('reads of an address are counted, told and refused, and free again with the next window', async (t) => {
  const app = await openTestApp(t, { limitReads: '5/60' })
  const read = openReader(app)
  // The first answer is compared with the document, which is read for that.
  await read()
  app.clock.now += 60_000
  const left: (number | undefined)[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    const answer = await read()
    assert.equal(answer.status, 200)
    assert.deepEqual(itemsOf(answer.headers.get('ratelimit-policy')), { reads: { q: 5, w: 60 } })
    const limit = itemsOf(answer.headers.get('ratelimit'))['reads']
    left.push(limit?.['r'])
    assert.ok((limit?.['t'] ?? 0) >= 1 && (limit?.['t'] ?? 99) <= 60)
  }
  assert.deepEqual(left, [4, 3, 2, 1, 0])
  const refused = await read()
  assertRefused(refused, 'reads')
  assert.match(refused.headers.get('access-control-expose-headers') ?? '', /RateLimit, RateLimit-Policy, Retry-After/)
  const page = await app.call('anonymous', 'GET', `${app.origin}/`)
  assert.equal(page.status, 429, 'pages are reads as well')
  assert.ok(page.headers.has('retry-after') && page.headers.has('ratelimit'))
  assert.equal((await app.call('anonymous', 'GET', `${app.origin}/kalends/v1/health`)).status, 200)
  app.clock.now += 60_000
  assert.equal((await read()).status, 200)
})

test('addresses of nothing are counted, wherever they seem to lead; files of pages are not', async (t) => {
  const app = await openTestApp(t, { limitReads: '4/60' })
  const get = async (path: string) => (await app.call('anonymous', 'GET', app.origin + path)).status
  const page = await app.call('anonymous', 'GET', `${app.origin}/embed`)
  const file = /\/assets\/[a-z]+\.[0-9a-f]{10}\.css/.exec(String(page.body))?.[0] ?? ''
  const nothing = ['/assets/nothing.css', '/assets/%zz', '/%zz']
  for (const path of nothing) assert.ok([400, 404].includes(await get(path)), path)
  for (const path of [...nothing, '/uploads/nothing.png', '/nothing']) assert.equal(await get(path), 429, path)
  assert.equal(await get(file), 200, 'without its style sheet even the refusal could not be read')
})

test('answers from the cache cost nothing and say nothing of limits', async (t) => {
  const { call } = await openTestApp(t, { limitReads: '3/60' })
  const first = await call('anonymous', 'GET', '/events')
  assert.ok(first.headers.has('ratelimit'))
  for (let turn = 0; turn < 10; turn += 1) {
    const kept = await call('anonymous', 'GET', '/events')
    assert.deepEqual([kept.status, kept.headers.get('ratelimit')], [200, null])
  }
  const known = { 'if-none-match': first.headers.get('etag') ?? '' }
  for (let turn = 0; turn < 10; turn += 1)
    assert.equal((await call('anonymous', 'GET', '/events', { headers: known })).status, 304)
  assert.equal((await call('anonymous', 'GET', '/venues')).status, 200)
})

test('clients behind a believed proxy are counted one by one, those of one /64 together, and the proxy never', async (t) => {
  const app = await openTestApp(t, { limitReads: '2/60', ...PROXY })
  const read = openReader(app)
  const statuses = async (addresses: readonly (string | undefined)[]): Promise<number[]> => {
    const answers: number[] = []
    for (const address of addresses) answers.push((await read(address)).status)
    return answers
  }
  assert.deepEqual(await statuses(['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2']), [200, 200, 429, 200])
  assert.deepEqual(await statuses(['::ffff:192.0.2.1', '198.51.100.9, 192.0.2.1']), [429, 429])
  const network = ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:DB8:0:1::3', '2001:db8:0:2::1']
  assert.deepEqual(await statuses(network), [200, 200, 429, 200])
  const proxy: undefined[] = [undefined, undefined, undefined, undefined]
  assert.deepEqual(await statuses(proxy), [200, 200, 200, 200])
})

test('without a believed proxy nobody can choose who pays', async (t) => {
  const read = openReader(await openTestApp(t, { limitReads: '2/60' }))
  const answers = [await read('192.0.2.1'), await read('192.0.2.2'), await read('192.0.2.3')]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 429],
  )
})

test('working out dates counts as a costly read, in the API as in the form of the administration', async (t) => {
  const site = await openTestApp(t, { limitCostlyReads: '4/60' })
  const { call, origin } = site
  const { id } = (await call('editor', 'POST', '/venues', { json: { venue: 'Hall' } })).body
  const dates = { start_date: '2027-03-01 10:00', recurrence: 'RRULE:FREQ=DAILY;COUNT=3' }
  const asked = new URLSearchParams(dates)
  const conflicts = () => call('anonymous', 'GET', `${origin}/kalends/v1/conflicts?venue=${id}&${asked}`)
  assert.equal((await conflicts()).body.dates, 3)
  const preview = `${origin}/kalends/v1/recurrence`
  assert.equal((await call('anonymous', 'GET', `${preview}?${asked}`)).body.total, 3)
  assert.equal((await call('anonymous', 'POST', preview, { json: dates })).body.total, 3)
  const editor = await visitor(site, 'editor')
  const token = /name="_csrf" value="([^"]+)"/.exec((await editor.show('/admin/events/new')).text)?.[1] ?? ''
  const previewed = async () => {
    const body = new URLSearchParams({ _csrf: token, start_date: '2027-03-01', repeat: 'daily' })
    const headers = { cookie: editor.cookie, origin }
    return (await fetch(`${origin}/admin/recurrence`, { method: 'POST', headers, body })).status
  }
  assert.equal(await previewed(), 200)
  assertRefused(await conflicts(), 'costly-reads')
  assert.equal(await previewed(), 429)
})

test('writes, reads and costly reads have budgets of their own', async (t) => {
  const { call } = await openTestApp(t, { limitReads: '9/60', limitCostlyReads: '2/60', limitWrites: '2/60' })
  const write = (): Promise<Answer> => call('editor', 'POST', '/tags', { json: {} })
  assert.equal((await write()).status, 400)
  const second = await write()
  assert.deepEqual(itemsOf(second.headers.get('ratelimit-policy')), { writes: { q: 2, w: 60 } })
  assertRefused(await write(), 'writes')
  const search = (words: string): Promise<Answer> => call('anonymous', 'GET', '/events', { query: { search: words } })
  const found = await search('boat')
  assert.deepEqual(itemsOf(found.headers.get('ratelimit-policy')), {
    reads: { q: 9, w: 60 },
    'costly-reads': { q: 2, w: 60 },
  })
  const near = await call('anonymous', 'GET', '/venues', { query: { geoloc_lat: 1, geoloc_lng: 2 } })
  assert.deepEqual([near.status, itemsOf(near.headers.get('ratelimit'))['costly-reads']?.['r']], [200, 0])
  assertRefused(await search('ferry'), 'costly-reads')
  const head = await call('anonymous', 'HEAD', '/events', { query: { search: 'ship' } })
  assert.equal(head.status, 429, 'a response without its body takes as long to make')
  assert.equal((await call('anonymous', 'GET', '/events', { query: { page: 1 } })).status, 200)
})

test('a distance is a costly read under its names in both interfaces', async (t) => {
  const { origin } = await openTestApp(t, { limitCostlyReads: '1/3600' })
  const statuses: number[] = []
  for (const path of ['/tec/v1/venues?geo_lat=1&geo_lng=2', '/cal/events/v1/venues?geoloc_lat=1&geoloc_lng=2'])
    statuses.push((await fetch(origin + path)).status)
  assert.deepEqual(statuses, [200, 429])
})

test('a search is a costly read under each of its addresses', async (t) => {
  const { origin } = await openTestApp(t, { limitCostlyReads: '3/3600' })
  const page = encodeURIComponent(`${origin}/search?q=boat`)
  const statuses: number[] = []
  for (const path of ['/search?q=boat', '/?s=boat', `/oembed?url=${page}`, `/oembed?url=${page}&format=json`, '/?s=a'])
    statuses.push((await fetch(origin + path)).status)
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  const list = encodeURIComponent(`${origin}/events/`)
  assert.equal((await fetch(`${origin}/oembed?url=${list}`)).status, 200)
})

test('changes that pages of other sites send are refused as reads, and take nothing from the writes of their visitor', async (t) => {
  const { call } = await openTestApp(t, { limitReads: '4/3600', limitWrites: '1/3600' })
  const foreign = () =>
    call('anonymous', 'POST', '/tags', { json: {}, headers: { origin: 'https://elsewhere.example' } })
  // The first answer is compared with the document, which is read for that.
  const statuses = [await foreign(), await foreign(), await foreign(), await foreign(), await foreign()]
  assert.deepEqual([statuses[0]?.status, statuses.at(-1)?.status], [403, 429])
  assert.equal((await call('editor', 'POST', '/tags', { json: { name: 'Own' } })).status, 201)
})

test('a user has a budget wherever the requests come from', async (t) => {
  const { call } = await openTestApp(t, { limitReads: '3/60', ...PROXY })
  const read = (as: 'editor' | 'author', address: number): Promise<Answer> =>
    call(as, 'GET', '/tags', { headers: { 'x-forwarded-for': `192.0.2.${address}` } })
  for (let address = 1; address <= 3; address += 1) assert.equal((await read('editor', address)).status, 200)
  assertRefused(await read('editor', 4), 'reads')
  assert.equal((await read('author', 5)).status, 200)
})

test('no limit is no limit, and is not spoken of', async (t) => {
  const app = await openTestApp(t, { limitReads: 'none', limitLogIns: '0' })
  const answer = await openReader(app)()
  assert.equal(answer.headers.get('ratelimit'), null)
  for (let turn = 0; turn < 10; turn += 1) assert.equal((await wrong(app, 'editor')).status, 401)
})

test('the usual limits are far beyond what a client that hurries asks for', async (t) => {
  const app = await openTestApp(t, USUAL)
  const read = openReader(app)
  const answers = await Promise.all(Array.from({ length: 300 }, () => read()))
  assert.ok(answers.every(({ status }) => status === 200))
  const limit = itemsOf(answers.at(-1)?.headers.get('ratelimit') ?? null)['reads']
  assert.equal(limit?.['r'], 120_000 - 300)
  for (let turn = 0; turn < 60; turn += 1) assert.equal((await wrong(app, `nobody ${turn}`)).status, 401)
})

function wrong({ call }: TestApp, name: string, headers: Record<string, string> = {}): Promise<Answer> {
  const authorization = `Basic ${btoa(`${name}:wrong`)}`
  return call('anonymous', 'GET', '/venues', { headers: { authorization, ...headers } })
}

test('an address that fails to log in too often is refused, whatever the names; others and known ones are heard', async (t) => {
  const app = await openTestApp(t, { limitLogIns: '4/900', ...PROXY })
  const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address })
  const here = from('192.0.2.1')
  const ask = (as: 'editor' | 'author', headers: Record<string, string>): Promise<Answer> =>
    app.call(as, 'GET', '/venues', { headers })
  assert.equal((await ask('editor', here)).status, 200)
  for (const name of ['editor', 'nobody', 'nobody@example.org', 'author']) {
    const answer = await wrong(app, name, here)
    assert.deepEqual([answer.status, answer.body.code], [401, 'incorrect_password'], name)
    assert.ok(itemsOf(answer.headers.get('ratelimit'))['log-ins'])
  }
  assertRefused(await wrong(app, 'nobody', here), 'log-ins')
  assertRefused(await ask('author', here), 'log-ins')
  assert.equal((await ask('editor', here)).status, 200, 'credentials that were right before')
  assert.equal((await ask('author', from('192.0.2.2'))).status, 200, 'right ones from elsewhere')
  assert.equal((await app.call('anonymous', 'GET', '/venues', { headers: here })).status, 200)
  app.clock.now += 900_000
  assert.equal((await ask('author', here)).status, 200)
})

const GUARDED = { start_date: '2027-05-01 10:00:00', end_date: '2027-05-01 12:00:00', status: 'publish' }

test('different wrong passwords of an event are counted for each client and event, alone and in lists', async (t) => {
  const { call, clock } = await openTestApp(t, { limitGuesses: '3/600', ...PROXY })
  const [one, other] = await Promise.all(
    ['one', 'other'].map(async (title) => {
      const made = await call('editor', 'POST', '/events', {
        json: { ...GUARDED, title, password: `${title} is right` },
      })
      assert.equal(made.status, 201)
      return made.body.id as number
    }),
  )
  const open = (password: string, { id = one, address = '192.0.2.1' } = {}): Promise<Answer> =>
    call('anonymous', 'GET', `/events/${id}`, { query: { password }, headers: { 'x-forwarded-for': address } })
  const listed = async (password: string): Promise<string[]> => {
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    const { body } = await call('anonymous', 'GET', '/events', { query: { password }, headers })
    return (body.events as { id: number; description: string; slug: string; start_date?: string }[]).flatMap((event) =>
      event.description.includes('open to all who know') ? [event.slug] : [],
    )
  }
  const json = { description: 'open to all who know' }
  for (const id of [one, other]) assert.equal((await call('editor', 'POST', `/events/${id}`, { json })).status, 200)
  assert.equal((await open('one is right')).status, 200)
  for (let turn = 0; turn < 9; turn += 1) assert.equal((await open('wrong')).status, 403)
  assert.equal((await open('wrong too')).status, 403)
  assert.deepEqual(await listed('wrong as well'), [])
  assertRefused(await open('other is right'), 'event-passwords')
  assert.deepEqual(await listed('one is right'), ['one'], 'what was right before opens as before')
  assert.equal((await open('wrong')).status, 403, 'what was wrong before costs nothing')
  assert.equal((await open('one is right', { address: '192.0.2.2' })).status, 200)
  assert.equal((await open('other is right', { id: other })).status, 200)
  assert.equal((await call('editor', 'GET', `/events/${one}`)).status, 200)
  clock.now += 600_000
  assert.equal((await open('a fourth')).status, 403)
})

test('a list does not try passwords on an event on which a client has tried too many', async (t) => {
  const { call } = await openTestApp(t, { limitGuesses: '2/600' })
  const json = { ...GUARDED, title: 'one', password: 'right', description: 'open to all who know' }
  assert.equal((await call('editor', 'POST', '/events', { json })).status, 201)
  const shows = async (password: string): Promise<boolean> => {
    const { body } = await call('anonymous', 'GET', '/events', { query: { password } })
    return body.events[0].description.includes('open to all who know')
  }
  assert.equal(await shows('first'), false)
  assert.equal(await shows('second'), false)
  assert.equal(await shows('right'), false)
})

test('limits that are no rate are refused with what they must be', () => {
  for (const limitReads of ['5', '5/0', '0x5/60', '-1/60', '5/86401', '5/60/7', '1e3/60', '']) {
    assert.throws(() => readConfig({ limitReads }, {}), /--limit-reads must be COUNT\/SECONDS/, limitReads)
  }
  assert.deepEqual(readConfig({ limitReads: '600/60' }, {}).limitReads, { count: 600, seconds: 60 })
  for (const limitReads of ['none', '0', '0/60']) assert.equal(readConfig({ limitReads }, {}).limitReads.count, 0)
})
