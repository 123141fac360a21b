import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ROLES, type Role, TOKEN_SCOPES, type TokenScope } from '../src/http/auth/rights.ts'
import { headSeq } from '../src/storage/journal/read.ts'
import { openTestApp } from './support/app.ts'
import { callWith, tokenOf } from './support/tokens.ts'

/*
 * Every operation of every document, and pages, with a token of each scope and each role. What an operation needs is
 * written down here from the contract and not read from the routes.
 */

const app = await openTestApp({ after }, { submissions: 'yes' })

/** What a write below a name needs; everything else needs `admin`. */
const WRITES: Readonly<Record<string, TokenScope>> = {
  events: 'events:write',
  venues: 'events:write',
  organizers: 'events:write',
  batch: 'events:write',
  recurrence: 'events:write',
  conflicts: 'events:write',
  categories: 'terms:write',
  tags: 'terms:write',
  tribe_events_cat: 'terms:write',
  media: 'media:write',
}

interface Operation {
  readonly method: string
  /** Without its namespace: `/events/{id}`. */
  readonly path: string
  readonly namespace: string
}

function neededBy({ method, path }: Operation): TokenScope {
  const [, first = ''] = path.split('/')
  if (first === 'tokens') return 'admin'
  return method === 'GET' ? 'read' : (WRITES[first] ?? 'admin')
}

/** A write scope implies read, and `admin` everything. */
function allows(own: TokenScope, needed: TokenScope): boolean {
  return own === needed || own === 'admin' || needed === 'read'
}

async function operationsOf(namespace: string, document = 'doc'): Promise<Operation[]> {
  const { paths } = (await app.call('anonymous', 'GET', `${app.origin}/${namespace}/${document}`)).body
  return Object.entries(paths as Record<string, object>).flatMap(([path, own]) =>
    Object.keys(own).map((method) => ({ method: method.toUpperCase(), path: path === '/' ? '' : path, namespace })),
  )
}

/** Those of writers have no document, but an index. */
async function indexedOperations(): Promise<Operation[]> {
  const { routes } = (await app.call('anonymous', 'GET', `${app.origin}/wp/v2`)).body
  return Object.entries(routes as Record<string, { readonly methods: readonly string[] }>).flatMap(([full, one]) =>
    one.methods.map((method) => ({
      method,
      path: full.replace('/wp/v2', '').replace(/\(\?P<(\w+)>[^)]*\)/g, '{$1}'),
      namespace: 'wp/v2',
    })),
  )
}

const operations = [
  ...(await operationsOf('cal/events/v1')),
  ...(await operationsOf('kalends/v1')),
  ...(await operationsOf('tec/v1', 'docs')),
  ...(await indexedOperations()),
].filter(({ path }) => path !== '/changes/stream')

const tokens = new Map<string, string>()
for (const role of ROLES)
  for (const scope of TOKEN_SCOPES) tokens.set(`${role} ${scope}`, (await tokenOf(app, role, scope)).token)

const TIMES = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

/** What each collection makes an item of. */
const BODIES: Readonly<Record<string, object>> = {
  events: { title: 'Regatta', ...TIMES },
  venues: { venue: 'Hall' },
  organizers: { organizer: 'Ada' },
  categories: { name: 'Sports' },
  tags: { name: 'Rowing' },
  batch: { requests: [{ method: 'POST', path: '/venues', body: { venue: 'Hall' } }] },
}
const made: Record<string, { readonly id: number; readonly slug: string }> = {}
for (const collection of ['events', 'venues', 'organizers', 'categories', 'tags']) {
  const created = await app.call('administrator', 'POST', `/${collection}`, { json: BODIES[collection] })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  made[collection] = created.body
}
const marker = 'Private marker of the editor'
await app.call('editor', 'POST', '/events', { json: { title: marker, ...TIMES, status: 'private' } })

/** The address of an operation, of an item that is there or of none. */
function addressOf({ path, namespace }: Operation, isThere: boolean): string {
  const item = made[path.split('/')[1] ?? '']
  const [id, slug] = isThere && item !== undefined ? [item.id, item.slug] : [999_999_999, 'no-such-slug']
  const own = path
    .replace('{slug}', slug)
    .replace('{token_id}', 'Ab3dE6gH')
    .replace(/\{\w+\}/, String(id))
  return `${app.origin}/${namespace}${own}`
}

/** Status and code of an answer. */
function outcomeOf({ status, body }: { readonly status: number; readonly body: unknown }): string {
  return `${status} ${String((body as { code?: unknown } | null)?.code ?? '')}`
}

/** A request of an operation with a token of a role. */
// biome-ignore lint/complexity/useMaxParams: an operation, and as whom
function ask(operation: Operation, role: Role, own: TokenScope, sending: { isThere: boolean; json?: object }) {
  const { method } = operation
  const path = addressOf(operation, sending.isThere)
  const json = method === 'GET' ? undefined : sending.json
  return callWith(app, tokens.get(`${role} ${own}`) ?? '', { method, path, json })
}

test('without its scope an operation answers 403 with the scope that it needs, and writes nothing', async () => {
  assert.ok(operations.length > 60, String(operations.length))
  const before = await headSeq(app.app.storage)
  for (const operation of operations) {
    const needed = neededBy(operation)
    for (const role of ROLES) {
      for (const own of TOKEN_SCOPES.filter((one) => !allows(one, needed))) {
        const place = `${operation.method} ${operation.namespace}${operation.path} as ${role} with ${own}`
        const { status, headers, body } = await ask(operation, role, own, {
          isThere: true,
          json: BODIES[operation.path.split('/')[1] ?? ''] ?? {},
        })
        assert.deepEqual([status, body.code], [403, 'insufficient_scope'], place)
        const challenge = `Bearer error="insufficient_scope", scope="${needed}"`
        assert.equal(headers.get('www-authenticate'), challenge, place)
        assert.ok(!JSON.stringify(body).includes(marker), place)
      }
    }
  }
  assert.equal(await headSeq(app.app.storage), before)
})

test('with its scope an operation does what the role of the owner allows, and no more', async () => {
  for (const operation of operations.filter(({ path }) => !path.startsWith('/tokens'))) {
    const { method } = operation
    for (const role of ROLES) {
      const url = addressOf(operation, false)
      const expected = outcomeOf(await app.call(role, method, url, method === 'GET' ? {} : { json: {} }))
      for (const own of TOKEN_SCOPES.filter((one) => allows(one, neededBy(operation)))) {
        const place = `${method} ${url} as ${role} with ${own}`
        assert.equal(outcomeOf(await ask(operation, role, own, { isThere: false, json: {} })), expected, place)
      }
    }
  }
})

test('read sees what the owner sees', async () => {
  const seen: string[] = []
  for (const operation of operations.filter((one) => one.method === 'GET' && neededBy(one) === 'read')) {
    // It says how much disk and memory there is.
    if (operation.path === '/health') continue
    for (const role of ROLES) {
      const own = await app.call(role, 'GET', addressOf(operation, true))
      const read = await ask(operation, role, 'read', { isThere: true })
      assert.deepEqual([read.status, read.body], [own.status, own.body], `${operation.path} as ${role}`)
      if (JSON.stringify(read.body).includes(marker)) seen.push(role)
    }
  }
  assert.deepEqual([...new Set(seen)].sort(), ['administrator', 'editor'])
})

const PAGES = ['/admin', '/admin/events', '/admin/events/new', '/admin/users', '/admin/profile', '/admin/settings']

test('pages with forms are for people and for tokens that may do everything; all others only read', async () => {
  const before = await headSeq(app.app.storage)
  for (const path of [...PAGES, '/submit', '/reference/']) {
    for (const role of ROLES) {
      for (const own of TOKEN_SCOPES.filter((one) => one !== 'admin')) {
        for (const method of ['GET', 'POST']) {
          const token = tokens.get(`${role} ${own}`) ?? ''
          const { status, headers, body } = await callWith(app, token, { method, path: app.origin + path })
          const isThere = status !== 404 && status !== 301 && status !== 308
          if (!isThere) continue
          assert.equal(status, 403, `${method} ${path} as ${role} with ${own}`)
          assert.match(headers.get('www-authenticate') ?? '', /scope="admin"/)
          assert.ok(!String(body).includes(marker))
        }
      }
    }
  }
  const read = await callWith(app, tokens.get('author read') ?? '', { method: 'GET', path: `${app.origin}/events/` })
  assert.deepEqual([read.status, String(read.body).includes(marker)], [200, false])
  assert.equal(await headSeq(app.app.storage), before)
})
