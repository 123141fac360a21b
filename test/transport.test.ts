import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, openTestApp, type Sending } from './support/app.ts'

/*
 * The table of the transport layer (wire: rest 6, 4.5; decisions: CORS, `_method`), row by row, as far as the whole
 * application is needed for it. Rows that one file decides are tested beside that file: `src/http/mount.test.ts`,
 * `body.test.ts`, `select.test.ts`, `answer.test.ts`, `server.test.ts`.
 */

const TRUSTED = 'https://admin.example'
const { call, origin, authorization } = await openTestApp({ after }, { corsOrigins: TRUSTED })
const API = `${origin}/cal/events/v1`

const made = await call('author', 'POST', '/venues', { json: { venue: 'Hall' } })
const VENUE = `/venues/${made.body.id}`
await call('author', 'POST', '/venues', { json: { venue: 'Barn' } })

function get(path: string, sending: Sending = {}): Promise<Answer> {
  return call('anonymous', 'GET', path, sending)
}

/** Every kind of answer of the API, with its status. */
const ANSWERS: readonly (readonly [status: number, ask: () => Promise<Answer>])[] = [
  [200, () => get('/venues')],
  [200, () => get('')],
  [200, () => call('anonymous', 'OPTIONS', '/venues')],
  [200, () => call('anonymous', 'OPTIONS', '/nothing')],
  [200, () => get(`${origin}/wp-json/`)],
  [201, () => call('author', 'POST', '/organizers', { json: { organizer: 'Org' } })],
  [400, () => get('/venues', { query: { page: 0 } })],
  [400, () => call('author', 'POST', '/venues', { json: '{' })],
  [401, () => call('anonymous', 'POST', '/venues', { json: { venue: 'x' } })],
  [401, () => get('/venues', { headers: { authorization: 'Basic eDp5' } })],
  [403, () => call('subscriber', 'POST', '/venues', { json: { venue: 'x' } })],
  [404, () => get('/nothing')],
  [404, () => get('/venues', { query: { page: 9 } })],
]

test('every answer is JSON that nobody indexes or guesses at, and names the index of namespaces', async () => {
  for (const [status, ask] of ANSWERS) {
    const { headers, ...answer } = await ask()
    const place = JSON.stringify(answer.body).slice(0, 80)
    assert.equal(headers.get('content-type'), 'application/json; charset=UTF-8', place)
    assert.equal(headers.get('x-robots-tag'), 'noindex', place)
    assert.equal(headers.get('x-content-type-options'), 'nosniff', place)
    assert.match(headers.get('vary') ?? '', /^Origin/, place)
    assert.ok(headers.get('link')?.startsWith(`<${origin}/wp-json/>; rel="https://api.w.org/"`), place)
    assert.equal(headers.get('www-authenticate'), null, place)
    if (status >= 400) assert.equal(answer.body.data.status, answer.status, place)
  }
})

test('the link to the index is that of the language, and stands before those of a list', async () => {
  const german = await get(`${origin}/de/cal/events/v1/venues?per_page=1`)
  const [index, next, ...others] = (german.headers.get('link') ?? '').split(', ')
  assert.equal(index, `<${origin}/de/wp-json/>; rel="https://api.w.org/"`)
  assert.equal(next, `<${german.body.next_rest_url}>; rel="next"`)
  assert.deepEqual(others, [])
  assert.equal((await get(`${origin}/de/wp-json/`)).status, 200)
})

test('Allow names what the caller may do, also with 400, 401 and 403, and never without a route', async () => {
  const reader = 'GET'
  const collection = 'GET, POST'
  const item = 'GET, DELETE, POST, PUT, PATCH'
  const broken = { json: undefined, headers: { 'content-type': 'application/json' } }
  for (const [as, method, path, sending, status, allow] of [
    ['anonymous', 'GET', '/venues', {}, 200, reader],
    ['contributor', 'GET', '/venues', {}, 200, collection],
    ['author', 'GET', VENUE, {}, 200, item],
    ['author', 'GET', '/categories/999999', {}, 400, 'GET, POST, PUT, PATCH, DELETE'],
    ['author', 'POST', '/venues', { json: {} }, 400, collection],
    ['anonymous', 'POST', '/venues', { json: {} }, 400, reader],
    ['anonymous', 'POST', '/venues', { json: { venue: 'x' } }, 401, reader],
    ['subscriber', 'PATCH', VENUE, { json: { venue: 'x' } }, 403, reader],
    ['author', 'GET', '/doc', {}, 200, reader],
    ['author', 'GET', '/nothing', {}, 404, null],
    ['author', 'PUT', '/venues', broken, 404, null],
    ['anonymous', 'GET', '/venues', { headers: { authorization: 'Basic eDp5' } }, 401, null],
  ] as const) {
    const answer = await call(as, method, path, sending)
    assert.deepEqual([answer.status, answer.headers.get('allow')], [status, allow], `${as} ${method} ${path}`)
  }
})

test('a body that cannot be read is refused with the methods of the route, as nobody and as somebody', async () => {
  for (const [as, allow] of [
    [undefined, 'GET'],
    ['author', 'GET, POST'],
  ] as const) {
    for (const [type, body, code] of [
      ['application/json', '{', 'rest_invalid_json'],
      ['application/vnd.api+json', '{"a":', 'rest_invalid_json'],
      ['multipart/form-data; boundary=x', 'nonsense', 'rest_bad_request'],
    ] as const) {
      const headers = { 'content-type': type }
      const answer = await fetchText(`${API}/venues`, { headers, body, as })
      assert.deepEqual([answer.status, answer.code, answer.allow], [400, code, allow], type)
    }
  }
})

async function fetchText(
  url: string,
  sent: { headers: Record<string, string>; body: string; as: 'author' | undefined },
): Promise<{ status: number; code: string; allow: string | null }> {
  const headers = { ...sent.headers, ...(sent.as && { authorization: authorization(sent.as) }) }
  const answer = await fetch(url, { method: 'POST', headers, body: sent.body })
  const { code } = (await answer.json()) as { code: string }
  return { status: answer.status, code, allow: answer.headers.get('allow') }
}

test('a preflight is answered for every origin, and only configured ones may send cookies and the like', async () => {
  for (const [from, allowed, credentials] of [
    ['https://other.example', '*', null],
    ['null', '*', null],
    [TRUSTED, TRUSTED, 'true'],
  ] as const) {
    for (const [method, path] of [
      ['OPTIONS', VENUE],
      ['OPTIONS', '/nothing'],
      ['GET', '/venues'],
      ['GET', '/nothing'],
      ['GET', '/venues?page=0'],
      ['POST', '/venues'],
    ] as const) {
      const sent = { origin: from, 'access-control-request-method': 'PATCH' }
      const { status, headers } = await call('anonymous', method, path, { headers: sent })
      const place = `${from} ${method} ${path}`
      if (method === 'OPTIONS') assert.equal(status, 200, place)
      assert.equal(headers.get('access-control-allow-origin'), allowed, place)
      assert.equal(headers.get('access-control-allow-credentials'), credentials, place)
      assert.equal(headers.get('access-control-allow-methods'), 'OPTIONS, GET, POST, PUT, PATCH, DELETE', place)
      assert.match(headers.get('vary') ?? '', /Origin/, place)
    }
  }
})

test('answers to writes carry the number of the journal, which grows, and reads do not', async () => {
  const seqOf = async (method: string, path: string, json?: object): Promise<number> => {
    const { headers } = await call('editor', method, path, json === undefined ? {} : { json })
    return Number(headers.get('x-kalends-seq') ?? Number.NaN)
  }
  const first = await seqOf('POST', '/tags', { name: 'counted' })
  const second = await seqOf('POST', '/tags', { name: 'counted too' })
  assert.ok(first > 0 && second > first, `${first} ${second}`)
  assert.equal(await seqOf('GET', '/tags'), Number.NaN)
})

test('scripts may send what they need and read what lists say, also when no origin is named', async () => {
  for (const headers of [{}, { origin: 'https://other.example' }]) {
    const answer = await get('/venues', { headers })
    const accepted = answer.headers.get('access-control-allow-headers')?.split(', ') ?? []
    for (const name of ['Authorization', 'X-WP-Nonce', 'Content-Disposition', 'Content-MD5', 'Content-Type']) {
      assert.ok(accepted.includes(name), name)
    }
    for (const name of ['If-None-Match', 'X-HTTP-Method-Override']) assert.ok(accepted.includes(name), name)
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ') ?? []
    for (const name of ['X-TEC-Total', 'X-TEC-TotalPages', 'X-WP-Total', 'X-WP-TotalPages', 'Link', 'ETag']) {
      assert.ok(exposed.includes(name), name)
      assert.ok(name === 'Link' || answer.headers.has(name), name)
    }
  }
})

test('_envelope wraps every answer, errors and refused credentials included, with the headers as they are written', async () => {
  const list = await get('/venues', { query: { _envelope: 1, per_page: 1 } })
  assert.equal(list.headers.get('x-tec-total'), null)
  const next = `<${list.body.body.next_rest_url}>; rel="next"`
  assert.deepEqual(list.body.headers, {
    'X-TEC-Total': '2',
    'X-TEC-TotalPages': '2',
    'X-WP-Total': '2',
    'X-WP-TotalPages': '2',
    Link: next,
    Allow: 'GET',
  })
  for (const [path, status, code] of [
    ['/venues?page=0', 400, 'rest_invalid_param'],
    ['/nothing?', 404, 'rest_no_route'],
  ] as const) {
    const answer = await get(`${path}&_envelope`)
    assert.deepEqual([answer.status, answer.body.status, answer.body.body.code], [200, status, code], path)
  }
  const headers = { authorization: 'Basic eDp5' }
  const refused = await get('/venues?_envelope=1', { headers })
  assert.deepEqual([refused.status, refused.body.status, refused.body.body.code], [200, 401, 'incorrect_password'])
  assert.match(refused.headers.get('cache-control') ?? '', /no-store/)
})

test('_fields cuts items, lists and term lists to dotted paths, and leaves errors whole', async () => {
  const { id } = made.body
  for (const [path, body] of [
    [`${VENUE}?_fields=id,venue`, { id, venue: 'Hall' }],
    [`${VENUE}?_fields[]=id&_fields[]=venue`, { id, venue: 'Hall' }],
    [`${VENUE}?_fields=json_ld.name`, { json_ld: { name: 'Hall' } }],
    [`${VENUE}?_fields=nothing`, []],
    ['/venues?_fields=venues.venue,total', { venues: [{ venue: 'Barn' }, { venue: 'Hall' }], total: 2 }],
    ['/tags?_fields=tags.id', { tags: [] }],
  ] as const) {
    assert.deepEqual((await get(path)).body, body, path)
  }
  assert.equal((await get('/venues?page=0&_fields=id')).body.code, 'rest_invalid_param')
})

test('_embed, _jsonp, _locale, context, nonces and Accept change nothing', async () => {
  const plain = await get(VENUE)
  for (const [query, headers] of [
    [{ _embed: 1 }, {}],
    [{ _embed: 'up' }, {}],
    [{ _jsonp: 'run' }, {}],
    [{ _jsonp: 'not a name' }, {}],
    [{ _locale: 'user', context: 'edit' }, {}],
    [{ _wpnonce: 'x' }, { 'x-wp-nonce': 'x', cookie: 'wordpress_logged_in_x=y' }],
    [{}, { accept: 'text/html' }],
  ] as const) {
    const answer = await get(VENUE, { query, headers })
    const place = JSON.stringify([query, headers])
    assert.deepEqual([answer.status, answer.body], [200, plain.body], place)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, place)
  }
})

test('_pretty is for people: the same answer, indented', async () => {
  const text = await (await fetch(`${API}${VENUE}?_pretty=1`)).text()
  assert.equal(text, JSON.stringify((await get(VENUE)).body, undefined, 4))
  assert.match(await (await fetch(`${API}/nothing?_pretty=1`)).text(), /\n {4}"code"/)
})

test('ids in a path: digits only, leading zeros are fine, too many name nothing', async () => {
  for (const id of ['abc', '-1', '1.5', '1e1', '+1', '%201', '1%20']) {
    assert.equal((await get(`/venues/${id}`)).body.code, 'rest_no_route', id)
  }
  for (const id of ['0', '999999', '2147483648', '9'.repeat(23)]) {
    const { status, body } = await get(`/venues/${id}`)
    assert.deepEqual([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', ['id']], id)
  }
  assert.equal((await get(`/venues/00${made.body.id}`)).body.id, made.body.id)
})

test('the path wins over id and slug of the query string and the body', async () => {
  const barn = (await get('/venues/by-slug/barn')).body
  assert.equal((await get(`${VENUE}?id=${barn.id}&slug=barn`)).body.venue, 'Hall')
  assert.equal((await get('/venues/by-slug/hall?slug=barn')).body.venue, 'Hall')
  const kept = await call('author', 'PATCH', `${VENUE}?id=${barn.id}`, { json: { id: barn.id, slug: 'barn' } })
  assert.deepEqual([kept.body.id, kept.body.slug], [made.body.id, 'hall'])
})

test('a field comes from the JSON body, else from the query string', async () => {
  const first = await call('author', 'POST', '/tags?name=Query&description=from%20query', { json: { name: 'Body' } })
  assert.deepEqual([first.body.name, first.body.description], ['Body', 'from query'])
  const second = await call('author', 'POST', '/tags?name=Query', { form: { name: 'Form' } })
  assert.equal(second.body.name, 'Form')
  const third = await call('author', 'POST', '/tags?name=Query')
  assert.equal(third.body.name, 'Query')
})

test('what nobody knows is ignored, in bodies and in query strings', async () => {
  const json = { organizer: 'Plain', foo: 1, post_title: 'x', ID: 7, orderby: ['x'], context: {} }
  const { status, body } = await call('author', 'POST', '/organizers', { json })
  assert.deepEqual([status, body.organizer, Object.hasOwn(body, 'foo')], [201, 'Plain', false])
  const list = await get('/venues', { query: { foo: 1, fields: 'id', author: 'x', page: 1 } })
  assert.deepEqual([list.status, list.body.total], [200, 2])
  assert.equal((await get('/venues?per_page=1&per_page=2')).body.venues.length, 2)
})

test('bodies are read by their type, and one of another type is none', async () => {
  const json = JSON.stringify({ organizer: 'Typed' })
  for (const [type, body, status] of [
    ['application/json', json, 201],
    ['application/json; charset=utf-8', json, 201],
    ['application/vnd.api+json', json, 201],
    ['application/x-www-form-urlencoded', 'organizer=Typed', 201],
    ['text/plain', json, 400],
    ['text/json', json, 400],
    ['application/json', '[{"organizer":"x"}]', 400],
    ['application/json', 'null', 400],
    ['application/json', '', 400],
  ] as const) {
    const headers = { 'content-type': type, authorization: authorization('author') }
    const answer = await fetch(`${API}/organizers`, { method: 'POST', headers, body })
    assert.equal(answer.status, status, `${type}: ${body}`)
    const { code } = (await answer.json()) as { code?: string }
    if (status === 400) assert.equal(code, 'rest_missing_callback_param', type)
  }
})

test('callers with credentials get answers that nobody keeps, anonymous ones answers to keep and ask about', async () => {
  const kept = {
    '/venues': 'public, max-age=0, must-revalidate',
    [VENUE]: 'public, max-age=0, must-revalidate',
    '': 'public, max-age=60, stale-while-revalidate=86400',
    '/doc': 'public, max-age=60, stale-while-revalidate=86400',
    '/nothing': null,
  }
  for (const [path, policy] of Object.entries(kept)) {
    const own = (await call('subscriber', 'GET', path)).headers
    assert.equal(own.get('cache-control'), 'no-cache, must-revalidate, max-age=0, no-store, private', path)
    assert.ok(Date.parse(own.get('expires') ?? '') < Date.UTC(2000, 0), path)
    assert.equal((await get(path)).headers.get('cache-control'), policy, path)
  }
})

test('_method and X-HTTP-Method-Override replace POST, in any case, and nothing else', async () => {
  let made = 0
  const tag = async (): Promise<string> => {
    made += 1
    const { body } = await call('author', 'POST', '/tags', { json: { name: `Tag ${made}` } })
    return `/tags/${body.id}`
  }
  const isThere = async (path: string): Promise<boolean> => (await get(path)).status === 200
  for (const [method, query, headers, leaves] of [
    ['POST', { _method: 'DELETE' }, {}, false],
    ['POST', { _method: 'delete' }, {}, false],
    ['POST', {}, { 'x-http-method-override': 'Delete' }, false],
    ['POST', { _method: 'nonsense' }, {}, true],
    ['GET', { _method: 'DELETE' }, { 'x-http-method-override': 'DELETE' }, true],
    ['PUT', { _method: 'DELETE' }, { 'x-http-method-override': 'DELETE' }, true],
    ['HEAD', { _method: 'DELETE' }, { 'x-http-method-override': 'DELETE' }, true],
  ] as const) {
    const path = await tag()
    const { status } = await call('author', method, path, { query, headers })
    assert.deepEqual([status, await isThere(path)], [200, leaves], JSON.stringify([method, query, headers]))
  }
  const path = await tag()
  assert.equal((await call('author', 'POST', path, { form: { _method: 'DELETE' } })).status, 200)
  assert.ok(await isThere(path))
})
