import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addToken } from '../../src/accounts/tokens/index.ts'
import { createLog } from '../../src/base/log.ts'
import { ROLES, type Role, TOKEN_SCOPES, type TokenScope } from '../../src/http/auth/rights.ts'
import { createServer } from '../../src/http/server.ts'
import { openEndpoint } from '../../src/mcp/index.ts'
import { visitor } from '../support/admin.ts'
import { openTestApp } from '../support/app.ts'
import { serverParts } from '../support/http.ts'
import { askMcp, PLAIN_SITE } from '../support/mcp.ts'
import { tokenOf } from '../support/tokens.ts'

const READING = [
  ...['search_events', 'get_event', 'find_references', 'preview_recurrence', 'check_conflicts', 'list_changes'],
]
const WRITING = ['create_event', 'update_event', 'cancel_event', 'trash_event', 'restore_event']
const EVERYTHING = [...READING, ...WRITING]
const CREATE = {
  name: 'create_event',
  arguments: { title: 'Fair', start: '2026-12-01T10:00', end: '2026-12-01T12:00' },
}

const app = await openTestApp({ after })
const { origin } = app

async function bearer(role: Role, ...scopes: readonly TokenScope[]) {
  return { authorization: `Bearer ${(await tokenOf(app, role, ...scopes)).token}` }
}

async function listed(headers: Record<string, string>): Promise<string[]> {
  const { body } = await askMcp({ origin, headers }, 'tools/list')
  return body.result.tools.map(({ name }: { name: string }) => name)
}

test('tools are listed in their order by role and scope, and cookies count for nothing', async () => {
  assert.deepEqual(await listed({}), READING)
  assert.deepEqual(await listed({ cookie: (await visitor(app, 'editor')).cookie }), READING)
  for (const role of ROLES) {
    const own = role === 'subscriber' ? READING : EVERYTHING
    assert.deepEqual(await listed({ authorization: app.authorization(role) }), own, role)
    for (const scope of TOKEN_SCOPES) {
      if (scope === 'admin' && role !== 'administrator') continue
      const isEnough = scope === 'events:write' || scope === 'admin'
      assert.deepEqual(await listed(await bearer(role, scope)), isEnough ? own : READING, `${role} ${scope}`)
    }
  }
})

test('tools that only read need no more than the scope read', async () => {
  const headers = await bearer('editor', 'read')
  const when = { start: '2026-12-01T10:00', end: '2026-12-01T12:00' }
  const { body: hall } = await app.call('editor', 'POST', '/venues', { json: { venue: 'Hall' } })
  for (const [name, args] of Object.entries({
    search_events: { status: 'draft' },
    find_references: { kind: 'tag' },
    preview_recurrence: { ...when, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] },
    check_conflicts: { ...when, venue: hall.id },
    list_changes: {},
  })) {
    const { body } = await askMcp({ origin, headers }, 'tools/call', { name, arguments: args })
    assert.notEqual(body.result.isError, true, `${name}: ${JSON.stringify(body.result.content)}`)
  }
})

test('whoever calls a tool that changes something without what it needs is told what that is', async () => {
  for (const name of WRITING) {
    const call = (headers: Record<string, string>) => askMcp({ origin, headers }, 'tools/call', { ...CREATE, name })
    const { cookie } = await visitor(app, 'editor')
    for (const headers of [{}, { cookie }]) {
      const { status, headers: sent, body } = await call(headers)
      assert.deepEqual([status, body.error.data.code, body.id], [401, 'rest_not_logged_in', 7])
      assert.equal(sent.get('www-authenticate'), 'Bearer scope="read events:write"')
    }
    const { status, headers, body } = await call(await bearer('editor', 'read', 'terms:write'))
    assert.deepEqual([status, body.error.data.code], [403, 'insufficient_scope'])
    assert.equal(headers.get('www-authenticate'), 'Bearer error="insufficient_scope", scope="read events:write"')
    const { result } = (await call(await bearer('subscriber', 'events:write'))).body
    assert.equal(result.isError, true)
    assert.deepEqual([JSON.parse(result.content[0].text).code], ['rest_forbidden'])
  }
  assert.equal((await app.call('administrator', 'GET', '/events', { query: { status: 'any' } })).body.total, 0)
})

test('a scope only narrows a role: new categories need terms:write, too', async () => {
  const create = async (headers: Record<string, string>, name: string) => {
    const args = { ...CREATE.arguments, title: name, categories: [name] }
    return (await askMcp({ origin, headers }, 'tools/call', { ...CREATE, arguments: args })).body.result
  }
  assert.equal((await create(await bearer('author', 'events:write'), 'One')).isError, true)
  assert.equal((await create(await bearer('contributor', 'events:write', 'terms:write'), 'Two')).isError, true)
  assert.notEqual((await create(await bearer('author', 'events:write', 'terms:write'), 'Three')).isError, true)
})

test('over the budget of writes a call says when to come back and changes nothing, and others go on', async (t) => {
  const other = await openTestApp(t, { limitMcpWrites: '1/3600' })
  const create = async (role: Role, title: string) => {
    const headers = { authorization: other.authorization(role) }
    const args = { ...CREATE.arguments, title }
    return (await askMcp({ origin: other.origin, headers }, 'tools/call', { ...CREATE, arguments: args })).body.result
  }
  assert.notEqual((await create('editor', 'First')).isError, true)
  const refused = await create('editor', 'Second')
  const told = JSON.parse(refused.content[0].text)
  assert.deepEqual([told.code, told.status], ['rest_too_many_requests', 429])
  assert.ok(told.retry_after > 60)
  assert.notEqual((await create('author', 'Third')).isError, true)
  const query = { status: 'draft', orderby: 'title' }
  const { body } = await other.call('editor', 'GET', '/events', { query })
  assert.deepEqual(
    body.events.map(({ title }: { title: string }) => title),
    ['First', 'Third'],
  )
})

test('each call that writes is a line of the audit, with the token and what the client says that it is', async () => {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const parts = serverParts([])
  const counted: string[] = []
  const count = (...call: string[]): void => void counted.push(call.join(' '))
  const own = { isPrivate: false, host: '127.0.0.1', site: PLAIN_SITE, metadata: () => '', count }
  const server = createServer({
    ...parts,
    log: createLog({ level: 'info', now: () => 0, stream }),
    authenticate: async () => ({ id: 1, role: 'author', name: 'eve', token: 'my agent', scopes: ['events:write'] }),
    further: (deps) => [
      { methods: ['POST'], path: '/mcp', target: { name: '/mcp', bodyLimit: 9999, ...openEndpoint(deps, own) } },
    ],
  })
  after(() => server.close())
  const place = {
    origin: `http://127.0.0.1:${await server.listen({ host: '127.0.0.1', port: 0 })}`,
    headers: { authorization: 'Bearer secret' },
  }
  await askMcp(place, 'tools/call', { name: 'trash_event', arguments: { id: 4, if_match: '"x"' } })
  await askMcp(place, 'tools/call', { name: 'get_event', arguments: { id: 4 } })
  for (const id of ['a password', { text: 'x'.repeat(9000) }, 1e300, 0.5])
    await askMcp(place, 'tools/call', { name: 'trash_event', arguments: { id, if_match: '"x"' } })
  const unreadable = { name: 'x', version: { toString: 1 } }
  const older = { ...place, headers: { ...place.headers, 'mcp-protocol-version': '2025-06-18' } }
  const _meta = { 'io.modelcontextprotocol/clientInfo': unreadable }
  await askMcp(older, 'tools/call', { name: 'trash_event', arguments: { id: 4, if_match: '"x"' }, _meta })
  const wrong = lines.splice(1, 4)
  assert.deepEqual(
    wrong.map(({ id, code }) => [id, code]),
    Array.from({ length: 4 }, () => [undefined, 'rest_invalid_param']),
  )
  const about = { change: 'tool called', by: 'eve', token: 'my agent', tool: 'trash_event', client: 'a test 1.2' }
  const line = { level: 30, time: 0, ...about, id: 4, code: 'rest_no_route', msg: 'audit' }
  assert.deepEqual(lines, [line, { ...line, client: 'x' }])
  const refused = Array.from({ length: 5 }, () => 'trash_event refused')
  assert.deepEqual(counted, ['trash_event refused', 'get_event refused', ...refused])
})

test('histories say through which program something was changed', async (t) => {
  const own = await openTestApp(t)
  const call = async (headers: Record<string, string>, name: string, args: object) =>
    (await askMcp({ origin: own.origin, headers }, 'tools/call', { name, arguments: args })).body.result
      .structuredContent
  const { token } = await addToken(own.app, { user: 'editor', name: 'My agent', scopes: ['events:write'] })
  const { id, version } = await call({ authorization: `Bearer ${token}` }, 'create_event', CREATE.arguments)
  const change = { id, if_match: version, changes: { title: 'Great fair' } }
  await call({ authorization: own.authorization('editor') }, 'update_event', change)
  await own.call('editor', 'POST', `/events/${id}`, { json: { cost: '€5' } })
  const { text } = await (await visitor(own, 'editor')).show(`/admin/events/${id}/history`)
  const lines = [
    ...text.matchAll(/<strong>([^<]*)<\/strong> · <bdi>editor<\/bdi>(?: · <bdi>(through [^<]*)<\/bdi>)? · /g),
  ]
  assert.deepEqual(
    lines.map(([, what, through]) => [what, through]),
    [
      ['Changed', undefined],
      ['Changed', 'through a test 1.2 (MCP)'],
      ['Created', 'through My agent (MCP)'],
    ],
  )
})
