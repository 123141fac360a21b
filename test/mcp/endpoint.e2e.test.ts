import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { askMcp, type McpPlace, postMcp, REVISION } from '../support/mcp.ts'
import { tokenOf } from '../support/tokens.ts'

const SEARCH = { name: 'find_references', arguments: { kind: 'venue' } }

/** The status and code of an answer to a POST with headers that `fetch` does not let a test choose. */
function askWith(origin: string, headers: Readonly<Record<string, string>>): Promise<{ status: number; code: string }> {
  return new Promise((resolve, reject) => {
    const sent = { 'content-type': 'application/json', ...headers }
    const asking = request(`${origin}/mcp`, { method: 'POST', headers: sent, agent: false }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, code: JSON.parse(text).error.data.code }))
    })
    asking.on('error', reject)
    asking.end('[]')
  })
}

test('what is no request of the protocol is refused with an error of JSON-RPC and our code', async (t) => {
  const { origin } = await openTestApp(t)
  const refused = async (body: string, headers = {}) => {
    const answer = await postMcp({ origin, headers }, body)
    return [answer.status, answer.body.error.code, answer.body.error.data.code]
  }
  assert.deepEqual(await refused('{'), [400, -32_700, 'rest_invalid_json'])
  assert.deepEqual(await refused(''), [400, -32_700, 'rest_invalid_json'])
  assert.deepEqual(await refused('[{"jsonrpc":"2.0","id":1,"method":"ping"}]'), [400, -32_600, 'rest_bad_request'])
  assert.deepEqual(await refused('7'), [400, -32_600, 'rest_bad_request'])
  assert.deepEqual(await refused(JSON.stringify({ text: 'x'.repeat(262_144) })), [413, -32_000, 'rest_body_too_large'])
  const [status, , code] = await refused('{}', { 'content-type': 'text/plain' })
  assert.deepEqual([status, code], [415, 'rest_bad_request'])
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const answer = await fetch(`${origin}/mcp`, { method })
    assert.equal(answer.status, 405, method)
    assert.equal(answer.headers.get('allow'), 'POST')
    assert.equal(((await answer.json()) as { error: { data: { code: string } } }).error.data.code, 'rest_no_route')
  }
  assert.equal((await fetch(`${origin}/de/mcp`, { method: 'POST' })).status, 404)
})

test('headers and body must agree, and revisions and methods be known', async (t) => {
  const { origin } = await openTestApp(t)
  const refused = async (place: McpPlace, method: string, params = {}) => {
    const { status, body } = await askMcp(place, method, params)
    return [status, body.error.code, body.error.data.code, body.id]
  }
  const other = { origin, headers: { 'mcp-name': 'another' } }
  assert.deepEqual(await refused(other, 'tools/call', SEARCH), [400, -32_020, 'rest_bad_request', 7])
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2099-01-01',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const later = await askMcp({ origin, headers: { 'mcp-protocol-version': '2099-01-01' } }, 'tools/list', { _meta })
  assert.deepEqual([later.status, later.body.error.code], [400, -32_022])
  assert.deepEqual(later.body.error.data.supported, [REVISION])
  assert.equal(later.body.error.data.code, 'rest_bad_request')
  assert.deepEqual(await refused({ origin }, 'prompts/list'), [404, -32_601, 'rest_no_route', 7])
  const unknown = await askMcp({ origin }, 'tools/call', { name: 'delete_everything', arguments: {} })
  assert.equal(unknown.body.error.code, -32_602)
})

test('foreign hosts and origins are refused before credentials are looked at', async (t) => {
  const { origin, authorization } = await openTestApp(t, { limitLogIns: '3/900', corsOrigins: 'https://app.example' })
  const wrong = `Basic ${Buffer.from('editor:wrong').toString('base64')}`
  const { host } = new URL(origin)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    for (const [code, headers] of [
      ['rest_unknown_host', { host: 'evil.example', authorization: wrong }],
      ['rest_cross_origin', { host, origin: 'https://evil.example', authorization: wrong }],
      ['rest_unknown_host', { host: 'evil.example', origin: 'http://evil.example', authorization: wrong }],
      ['rest_cross_origin', { host, origin: 'null', authorization: wrong }],
    ] as const) {
      assert.deepEqual(await askWith(origin, headers), { status: 403, code })
    }
  }
  const right = { authorization: authorization('editor') }
  for (const headers of [
    { host: 'localhost:9', ...right },
    { host: '[::1]', ...right },
    { host, origin, ...right },
    { host, origin: 'https://app.example', ...right },
  ])
    assert.deepEqual(await askWith(origin, headers), { status: 400, code: 'rest_bad_request' })
})

test('whatever a client says of itself, a call runs, and nothing that is thrown here is told', async (t) => {
  const { origin } = await openTestApp(t)
  const own = { 'io.modelcontextprotocol/protocolVersion': REVISION, 'io.modelcontextprotocol/clientCapabilities': {} }
  const unreadable = { toString: 1, valueOf: 1 }
  for (const clientInfo of [
    { name: 'x', version: unreadable },
    { name: unreadable, version: '1' },
    { name: ['x'], version: ['x'] },
    unreadable,
    [],
    null,
    'x',
  ]) {
    const about = { 'io.modelcontextprotocol/clientInfo': clientInfo }
    const newer = await askMcp({ origin }, 'tools/call', { ...SEARCH, _meta: { ...own, ...about } })
    assert.doesNotMatch(JSON.stringify(newer.body), /primitive|not a function|TypeError/)
    const headers = { 'mcp-protocol-version': '2025-06-18' }
    const older = await askMcp({ origin, headers }, 'tools/call', { ...SEARCH, _meta: about })
    assert.match(JSON.stringify(older.body), /"result"|event: message/)
  }
  const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
  for (const text of [deep(100_000), `{"a":`.repeat(20_000) + 1 + '}'.repeat(20_000)]) {
    const message = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_event","arguments":{"id":${text}}}}`
    const { status, body } = await postMcp({ origin }, message)
    assert.deepEqual([status, body.error.code, body.error.data.code], [400, -32_600, 'rest_bad_request'])
  }
})

test('scripts of listed origins may send what the protocol needs', async (t) => {
  const { origin } = await openTestApp(t, { corsOrigins: 'https://app.example' })
  const preflight = (from: string) => fetch(`${origin}/mcp`, { method: 'OPTIONS', headers: { origin: from } })
  const answer = await preflight('https://app.example')
  assert.equal(answer.status, 204)
  assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example')
  const allowed = answer.headers.get('access-control-allow-headers')?.split(', ') ?? []
  for (const name of [
    'Authorization',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Session-Id',
    'Content-Type',
  ])
    assert.ok(allowed.includes(name), name)
  assert.equal((await preflight('https://evil.example')).status, 403)
})

test('credentials that are wrong are challenged, and cookies are ignored', async (t) => {
  const app = await openTestApp(t)
  const { origin } = app
  const ask = (headers: Record<string, string>) => askMcp({ origin, headers }, 'tools/call', SEARCH)
  const invalid = 'Bearer error="invalid_token"'
  for (const authorization of [
    `Basic ${Buffer.from('editor:wrong').toString('base64')}`,
    'Bearer kal_wrong',
    'Bearer eyJhbGciOiJub25lIn0.e30.',
    'Bearer',
    // What names nobody must not pass for reading without credentials.
    ...['kal_wrong', 'Token kal_wrong', 'Digest username="editor"', 'null'],
  ]) {
    const { status, headers, body } = await ask({ authorization })
    assert.equal(status, 401, authorization)
    assert.equal(headers.get('www-authenticate'), invalid)
    assert.equal(body.error.code, -32_000)
  }
  assert.equal((await ask({ authorization: app.authorization('editor') })).status, 200)
  const { token } = await tokenOf(app, 'editor', 'read')
  assert.equal((await ask({ authorization: `Bearer ${token}` })).status, 200)
  assert.equal((await ask({ cookie: 'kalends_session=forged' })).status, 200)
  const two = `Bearer ${token}, Bearer ${token}`
  assert.equal((await ask({ authorization: two })).body.error.data.code, 'ambiguous_credentials')
})

test('a private server needs credentials for everything, and there may be none at all', async (t) => {
  const app = await openTestApp(t, { mcp: 'private' })
  const list = (headers = {}) => askMcp({ origin: app.origin, headers }, 'tools/list')
  const refused = await list()
  assert.equal(refused.status, 401)
  assert.equal(refused.headers.get('www-authenticate'), 'Bearer scope="read"')
  assert.equal(refused.body.error.data.code, 'rest_not_logged_in')
  assert.equal((await list({ authorization: app.authorization('subscriber') })).status, 200)
  const { origin } = await openTestApp(t, { mcp: 'off' })
  assert.equal((await postMcp({ origin }, '{}')).status, 404)
})

test('over budget a call says when to come back, and others are not affected', async (t) => {
  const app = await openTestApp(t, { limitMcp: '2/60' })
  const { origin, authorization, clock } = app
  const call = async (headers = {}) => (await askMcp({ origin, headers }, 'tools/call', SEARCH)).body.result
  for (const headers of [{}, { authorization: authorization('editor') }]) {
    assert.notEqual((await call(headers)).isError, true)
    const read = await askMcp({ origin, headers }, 'resources/read', { uri: 'kalends://site' })
    assert.equal(read.body.error, undefined)
    const refused = await call(headers)
    assert.equal(refused.isError, true)
    const { code, retry_after: seconds } = JSON.parse(refused.content[0].text)
    assert.equal(code, 'rest_too_many_requests')
    assert.ok(seconds >= 1 && seconds <= 60)
    const unread = await askMcp({ origin, headers }, 'resources/read', { uri: 'kalends://site' })
    assert.deepEqual([unread.body.error.code, unread.body.error.data.code], [-32_000, 'rest_too_many_requests'])
    assert.ok(unread.body.error.data.retry_after >= 1)
  }
  assert.notEqual((await call({ authorization: authorization('author') })).isError, true)
  clock.now += 60_000
  assert.notEqual((await call()).isError, true)
})

test('the usual budgets hold for what tools do', async (t) => {
  const { origin } = await openTestApp(t, { limitReads: '3/60' })
  const ask = () => askMcp({ origin }, 'tools/call', SEARCH)
  // One for the request, and one for what it asks.
  assert.notEqual((await ask()).body.result.isError, true)
  assert.equal((await ask()).body.result.isError, true)
  const late = await ask()
  assert.deepEqual([late.status, late.body.error.data.code], [429, 'rest_too_many_requests'])
  assert.ok(Number(late.headers.get('retry-after')) >= 1)
  assert.equal((await fetch(`${origin}/cal/events/v1/tags?page=1`)).status, 429)
})
