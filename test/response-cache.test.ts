import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openTestApp } from './support/app.ts'
import { hitsOf, METRICS, missesOf } from './support/cache-hits.ts'

const app = await openTestApp({ after }, METRICS)
const API = `${app.origin}/cal/events/v1`
const LEAST = { title: 'Board meeting', start_date: '2026-11-22 10:00:00', end_date: '2026-11-22 12:00:00' }

interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  /** Whether no kept answer was sent, be the database asked or not. */
  readonly wasMade: boolean
}

/** Asks with exactly these headers, `Host` included. */
async function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Told> {
  const before = await hitsOf(app.app, 'answer')
  const { promise, resolve, reject } = Promise.withResolvers<Omit<Told, 'wasMade'>>()
  const asking = request(`${API}${path}`, { method, headers, agent: false }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () =>
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers as Told['headers'],
        body: Buffer.concat(chunks),
      }),
    )
  })
  asking.on('error', reject).end()
  const told = await promise
  return { ...told, wasMade: (await hitsOf(app.app, 'answer')) === before }
}

/** Asks twice, because the first time may only notice what was written before. */
async function keep(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Told> {
  await ask(path, headers)
  const told = await ask(path, headers)
  assert.equal(told.wasMade, false, path)
  return told
}

async function make(
  path: string,
  json: object,
): Promise<{ id: number; venue: { id: number }; tags: { id: number }[] }> {
  const answer = await app.call('administrator', 'POST', path, { json })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

async function change(path: string, json: object): Promise<void> {
  assert.equal((await app.call('administrator', 'PATCH', path, { json })).status, 200)
}

/** Whether the answer is still kept after a write; the first request only counts what was written. */
async function isStillKept(path: string): Promise<boolean> {
  await ask('/doc')
  return !(await ask(path)).wasMade
}

test('a write changes what it can affect at once, and leaves the rest', async () => {
  const one = await make('/events', { ...LEAST, venue: { venue: 'Hall' }, tags: ['free'] })
  const other = await make('/events', { ...LEAST, title: 'Other', tags: ['late'] })
  const paths = [`/events/${one.id}`, `/events/${other.id}`, '/events', '/venues', '/tags', '/organizers']
  const keptAfter = async (write: () => Promise<unknown>): Promise<boolean[]> => {
    for (const path of paths) await keep(path)
    await write()
    const kept: boolean[] = []
    for (const path of paths) kept.push(await isStillKept(path))
    return kept
  }
  const tag = one.tags[0]?.id
  assert.deepEqual(await keptAfter(() => change(`/tags/${tag}`, { name: 'gratis' })), [
    false,
    true,
    false,
    true,
    false,
    true,
  ])
  assert.deepEqual(await keptAfter(() => change(`/events/${other.id}`, { title: 'Else' })), [
    true,
    false,
    false,
    true,
    true,
    true,
  ])
  assert.deepEqual(await keptAfter(() => change(`/venues/${one.venue.id}`, { city: 'Bern' })), [
    false,
    true,
    false,
    false,
    true,
    true,
  ])
  // The other event takes up the tag, which is counted anew wherever it is shown.
  assert.deepEqual(await keptAfter(() => change(`/events/${other.id}`, { tags: [tag] })), [
    false,
    false,
    false,
    true,
    false,
    true,
  ])
  assert.deepEqual(await keptAfter(() => make('/organizers', { organizer: 'Club' })), [
    true,
    true,
    true,
    true,
    true,
    false,
  ])
})

test('HEAD, 304 and requests for a range are served from what GET has kept', async () => {
  const whole = await keep('/events')
  const etag = whole.headers['etag'] ?? ''
  const head = await ask('/events', {}, 'HEAD')
  assert.deepEqual([head.status, head.body.length, head.wasMade], [200, 0, false])
  assert.equal(head.headers['content-length'], String(whole.body.length))
  for (const list of [etag, `W/${etag}`, `"other", ${etag}`, '*', etag.replace(/"$/, '-br"')]) {
    const same = await ask('/events', { 'if-none-match': list })
    assert.deepEqual([same.status, same.body.length, same.wasMade], [304, 0, false], list)
    assert.equal(same.headers['content-type'], undefined)
    assert.equal(same.headers['cache-control'], 'public, max-age=0, must-revalidate')
  }
  assert.equal((await ask('/events', { 'if-none-match': '"other"' })).status, 200)
  const part = await ask('/events', { range: 'bytes=0-9' })
  assert.deepEqual([part.status, part.body.length, part.wasMade], [200, whole.body.length, false])
})

test('what is kept is sent without a question to the database', async () => {
  const reads = (): number => app.app.storage.stats().readsInline + app.app.storage.stats().readsOffloaded
  await keep('/events')
  const before = reads()
  for (let turn = 0; turn < 50; turn += 1) assert.equal((await ask('/events')).wasMade, false)
  // What the server does in the background reads now and then, too.
  assert.ok(reads() - before < 25, `${reads() - before} reads for 50 requests`)
})

test('a kept answer is compressed as the client likes, with a tag of its own', async () => {
  const plain = await keep('/events', { 'accept-encoding': 'identity' })
  for (const [encoding, unpack] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const told = await ask('/events', { 'accept-encoding': encoding })
    assert.equal(told.headers['content-encoding'], encoding)
    assert.deepEqual(unpack(told.body), plain.body)
    assert.equal(told.headers['etag'], plain.headers['etag']?.replace(/"$/, `-${encoding}"`))
    assert.match(told.headers['vary'] ?? '', /Accept-Encoding/)
  }
  const refused = await ask('/events', { 'accept-encoding': 'br;q=0, gzip;q=0' })
  assert.deepEqual([refused.headers['content-encoding'], refused.body], [undefined, plain.body])
})

test('the host of one request never shows in the answer to another', async () => {
  const own = await keep('/events')
  const { host } = new URL(app.origin)
  for (const headers of [
    { host: 'evil.example' },
    { host, 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    { host: `evil.example:${new URL(app.origin).port}` },
  ]) {
    await ask('/events', headers)
    const told = await ask('/events', headers)
    assert.match(told.body.toString(), new RegExp(`"rest_url":"http://${headers.host.replaceAll('.', '\\.')}/`))
    assert.deepEqual((await ask('/events')).body, own.body)
  }
  assert.equal((await ask('/events', { host: 'evil.example' })).wasMade, true)
})

test('the language of one request never shows in the answer to another', async () => {
  const title = async (headers: Readonly<Record<string, string>>): Promise<string> => {
    const { body } = await ask('', headers)
    return JSON.parse(String(body)).routes['/cal/events/v1'].endpoints[0].args.context.description
  }
  const plain = await title({})
  const german = await title({ 'accept-language': 'de' })
  assert.notEqual(german, plain)
  assert.deepEqual([await title({}), await title({ 'accept-language': 'de-AT' })], [plain, german])
  assert.equal(await title({ 'accept-language': 'sv' }), plain)
})

test('each origin gets its own CORS headers from the same kept answer', async () => {
  await keep('/events')
  const told = await ask('/events', { origin: 'https://elsewhere.example' })
  assert.deepEqual([told.wasMade, told.headers['access-control-allow-origin']], [false, '*'])
  assert.equal((await ask('/events')).headers['access-control-allow-origin'], undefined)
})

test('a kept answer names the parameters that its own address has in vain', async () => {
  for (const [path, named] of [
    ['/events', undefined],
    ['/events?colour=1', 'colour'],
    ['/events?colour=1&size=2', 'colour, size'],
  ] as const) {
    const told = await keep(path)
    assert.equal(told.headers['x-kalends-ignored'], named)
    const known = await ask(path, { 'if-none-match': String(told.headers['etag']) })
    assert.deepEqual([known.status, known.wasMade, known.headers['x-kalends-ignored']], [304, false, named])
  }
})

test('what a password opens, and what a caller with credentials sees, is never kept', async () => {
  const { id } = await make('/events', { ...LEAST, title: 'Secret', description: 'hush', password: 'sesame' })
  const hidden = await ask(`/events/${id}`)
  const opened = await ask(`/events/${id}?p%61ssword=sesame`)
  assert.deepEqual([hidden.status, opened.status], [403, 200])
  assert.equal((await ask(`/events/${id}?p%61ssword=sesame`)).wasMade, true)
  for (const path of ['/events', '/events?_fields=events.description']) {
    assert.doesNotMatch((await ask(path)).body.toString(), /hush/)
    await ask(path, { authorization: app.authorization('editor') })
    assert.doesNotMatch((await ask(path)).body.toString(), /hush/)
  }
})

test('a list with a default window lasts until the day ends, one of this moment does not last', async () => {
  const { clock } = app
  const start = clock.now
  await keep('/events')
  await keep('/events?start_date=today&end_date=tomorrow')
  await ask('/events?start_date=now&strict_dates=1')
  assert.equal((await ask('/events?start_date=now&strict_dates=1')).wasMade, true)
  assert.equal((await ask('/venues?only_with_upcoming=1')).wasMade, true)
  assert.equal((await ask('/venues?only_with_upcoming=1')).wasMade, true)
  clock.now = Date.UTC(2026, 10, 21) - 1
  // Where hours pass without a word from PostgreSQL nothing is believed for a while.
  if (app.app.storage.engine === 'sqlite') assert.equal((await ask('/events')).wasMade, false)
  clock.now = Date.UTC(2026, 10, 21, 5)
  const { body } = await ask('/events')
  assert.match(body.toString(), /start_date=2026-11-21/)
  clock.now = start
  assert.match((await ask('/events')).body.toString(), /start_date=2026-11-20/)
  // A clock that was set back is believed again when PostgreSQL has answered by it.
  while ((await ask('/events')).wasMade);
})

test('--cache-size 0 keeps nothing', async (t) => {
  const without = await openTestApp(t, { cacheSize: '0' })
  const { storage } = without.app
  await without.call('anonymous', 'GET', '/events')
  const { readsInline } = storage.stats()
  const again = await without.call('anonymous', 'GET', '/events')
  assert.ok(storage.stats().readsInline > readsInline)
  assert.match(again.headers.get('etag') ?? '', /^"/)
})

test('many who ask for the same at once wait for one answer', async () => {
  const counts = async (): Promise<number[]> => [await hitsOf(app.app, 'answer'), await missesOf(app.app, 'answer')]
  const asked = async (path: string): Promise<{ hits: number; misses: number; answers: Set<string> }> => {
    await keep('/events?per_page=1')
    const [hits = 0, misses = 0] = await counts()
    const all = await Promise.all(Array.from({ length: 40 }, () => ask(path)))
    const [hitsAfter = 0, missesAfter = 0] = await counts()
    const answers = new Set(all.map(({ status, body }) => `${status} ${body}`))
    return { hits: hitsAfter - hits, misses: missesAfter - misses, answers }
  }
  const listed = await asked('/events?per_page=7&start_date=2026-11-02')
  assert.deepEqual([listed.hits, listed.misses, listed.answers.size], [39, 1, 1])
  // What is not kept is made for each of them, and none waits for another one twice.
  const refused = await asked('/events?page=99')
  assert.deepEqual([refused.hits, refused.misses], [0, 40])
  assert.match([...refused.answers].join(), /^404 [^,]*,/)
})
