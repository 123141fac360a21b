import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Role } from '../src/http/auth/rights.ts'
import { headSeq } from '../src/storage/journal/read.ts'
import { openTestApp } from './support/app.ts'

interface Endpoint {
  readonly methods: readonly string[]
  readonly args: Readonly<Record<string, { readonly required: boolean; readonly description: string }>>
}

/** A path of the index with an address that it stands for. */
interface Path {
  readonly pattern: string
  readonly path: string
  readonly methods: readonly string[]
  readonly endpoints: readonly Endpoint[]
}

const app = await openTestApp({ after })
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const ROLES: readonly (Role | 'anonymous')[] = ['anonymous', 'subscriber', 'contributor', 'author', 'administrator']
const NAMESPACE = '/cal/events/v1'

/** The least that a create needs. */
const LEAST: Readonly<Record<string, (name: string) => object>> = {
  '/events': (title) => ({ title, start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }),
  '/venues': (venue) => ({ venue }),
  '/organizers': (organizer) => ({ organizer }),
  '/categories': (name) => ({ name }),
  '/tags': (name) => ({ name }),
}

let made = 0

/** A new item of a collection, by the administrator. */
async function make(collection: string): Promise<{ readonly id: number; readonly slug: string }> {
  made += 1
  const json = LEAST[collection]?.(`Item ${made}`)
  const answer = await app.call('administrator', 'POST', collection, { json })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

function collectionOf(pattern: string): string {
  return `/${pattern.split('/')[1] ?? ''}`
}

/** The address of a path: of a new item where it names one. */
async function addressOf(pattern: string): Promise<string> {
  if (!pattern.includes('(?P<')) return pattern
  const { id, slug } = await make(collectionOf(pattern))
  return pattern.replace(/\(\?P<id>[^)]*\)/, String(id)).replace(/\(\?P<slug>[^)]*\)/, slug)
}

const { routes } = (await app.call('administrator', 'GET', '')).body as { routes: Record<string, Omit<Path, 'path'>> }
const paths: Path[] = []
for (const [full, one] of Object.entries(routes)) {
  const pattern = full.slice(NAMESPACE.length)
  paths.push({ ...one, pattern, path: await addressOf(pattern) })
}
const document = (await app.call('anonymous', 'GET', '/doc')).body

const isWrite = (endpoint: Endpoint): boolean => endpoint.methods.some((one) => one !== 'GET' && one !== 'DELETE')
const isCreate = ({ pattern }: Path, endpoint: Endpoint): boolean => isWrite(endpoint) && !pattern.includes('(?P<')

test('every method of every path in the index is answered, and no other', async () => {
  assert.ok(paths.length >= 10)
  for (const { path, methods } of paths) {
    for (const method of METHODS) {
      const answer = await app.call('anonymous', method, path)
      const isUnknown = answer.status === 404 && answer.body.code === 'rest_no_route'
      assert.equal(isUnknown, !methods.includes(method), `${method} ${path}: ${JSON.stringify(answer.body)}`)
    }
  }
  for (const path of [
    '/nothing',
    '/events/by-slug',
    '/events/by-slug/a/b',
    '/events/x1',
    '/tags/by-slug/a',
    '/doc/x',
  ]) {
    for (const method of METHODS) {
      const { body } = await app.call('administrator', method, path)
      assert.equal(body.code, 'rest_no_route', `${method} ${path}`)
    }
    assert.deepEqual((await app.call('administrator', 'OPTIONS', path)).body, [], path)
  }
})

test('OPTIONS of every path says what the index says, and so does the document', async () => {
  for (const { path, pattern, methods, endpoints } of paths) {
    const { body } = await app.call('administrator', 'OPTIONS', path)
    assert.deepEqual(body, routes[NAMESPACE + pattern], path)
    const written = pattern === '' ? '/' : pattern.replace(/\(\?P<(\w+)>[^)]*\)/, '{$1}')
    const operations = document.paths[written]
    assert.deepEqual(Object.keys(operations).sort(), methods.map((one) => one.toLowerCase()).toSorted(), written)
    for (const { methods: same, args } of endpoints) {
      for (const method of same) assertParameters(operations[method.toLowerCase()], args, `${method} ${written}`)
    }
  }
  assert.equal(Object.keys(document.paths).length, paths.length)
})

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly $ref?: string; readonly description?: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>> }
}

/** What only the document knows: the interface does not have these parameters, and the index shows its own ones. */
const UNLISTED = [
  'version',
  'about',
  'color',
  'scope',
  'recurrence',
  'series',
  'hide_subsequent_recurrences',
  'event_status',
  'event_status_reason',
  'is_virtual',
  'virtual_url',
  'virtual_type',
  'custom_fields',
]

/** The same of parameters that other routes of the interface have. */
const SOMETIMES_UNLISTED = [
  'cost',
  'cost_min',
  'cost_max',
  'exclusive',
  'language',
  'order',
  'orderby',
  'updated_since',
]

function assertParameters(operation: Operation, args: Endpoint['args'], place: string): void {
  const reference = operation.requestBody?.content['application/json']?.schema.$ref
  const body =
    reference === undefined ? {} : document.components.schemas[String(reference.split('/').at(-1))].properties
  const inAddress = (operation.parameters ?? [])
    // What every route takes is written once, and is not in the index.
    .filter((one) => one.$ref === undefined)
    .map((one) => [one.name, one.description] as const)
  const described = { ...Object.fromEntries(inAddress), ...descriptions(body) }
  for (const name of UNLISTED) {
    assert.ok(!(name in args), `${place}: ${name}`)
    delete described[name]
  }
  for (const name of SOMETIMES_UNLISTED) if (!(name in args)) delete described[name]
  assert.deepEqual(described, descriptions(args), place)
}

function descriptions(members: Readonly<Record<string, { readonly description?: string }>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).map(([name, one]) => [name, one.description]))
}

test('Allow of every path is the same from GET and OPTIONS, and what it leaves out is refused', async () => {
  for (const { path, pattern, endpoints } of paths) {
    for (const role of ROLES) {
      const allow = (await app.call(role, 'GET', path)).headers.get('allow') ?? ''
      assert.equal((await app.call(role, 'OPTIONS', path)).headers.get('allow'), allow, `${role} ${path}`)
      for (const method of endpoints.flatMap((one) => one.methods)) {
        if (allow.split(', ').includes(method)) continue
        const json = LEAST[collectionOf(pattern)]?.('Not allowed')
        const answer = await app.call(role, method, path, method === 'DELETE' ? {} : { json })
        assert.equal(answer.status, role === 'anonymous' ? 401 : 403, `${role} ${method} ${path}`)
      }
    }
  }
})

test('who is allowed to create may', async () => {
  for (const { path } of paths.filter((one) => one.endpoints.some((endpoint) => isCreate(one, endpoint)))) {
    for (const role of ROLES) {
      const allow = (await app.call(role, 'OPTIONS', path)).headers.get('allow') ?? ''
      made += 1
      const answer = await app.call(role, 'POST', path, { json: LEAST[path]?.(`By ${role} ${made}`) })
      assert.equal(answer.status === 201, allow.includes('POST'), `${role} ${path}`)
    }
  }
})

/** The fields of a collection in declared order; the endpoints of one item show what reading takes before them. */
function declaredOf(pattern: string): string[] {
  const create = routes[NAMESPACE + collectionOf(pattern)]?.endpoints.find(isWrite)
  return Object.keys(create?.args ?? {})
}

/** A value that no kind reads. */
const WRONG = [['\u0000', {}]]

/** Who a write is tried as, from nobody to those who may. */
const TRIED = [
  ['anonymous', 401],
  ['subscriber', 403],
  ['administrator', 200],
] as const

for (const one of paths.filter(({ endpoints }) => endpoints.some(isWrite))) {
  for (const endpoint of one.endpoints.filter(isWrite)) {
    for (const method of endpoint.methods) {
      test(`${method} ${one.pattern} asks for missing, then invalid, then permission, and refusals write nothing`, async () => {
        const creates = isCreate(one, endpoint)
        const path = creates ? one.path : await addressOf(one.pattern)
        const before = await headSeq(app.app.storage)
        const fields = Object.keys(endpoint.args).filter(
          (name) => name !== 'id' && !one.pattern.includes(`?P<${name}>`),
        )
        const required = fields.filter((name) => endpoint.args[name]?.required === true)
        assert.equal(required.length > 0, creates)
        const allWrong = Object.fromEntries(fields.map((name) => [name, WRONG]))
        const partly = Object.fromEntries(
          fields.filter((name) => !required.includes(name)).map((name) => [name, WRONG]),
        )
        for (const role of ROLES) {
          if (creates) {
            const missing = await app.call(role, method, path, { json: partly })
            assert.equal(missing.body.code, 'rest_missing_callback_param', `${role}: ${JSON.stringify(missing.body)}`)
            assert.deepEqual(missing.body.data.params, required)
          }
          const invalid = await app.call(role, method, path, { json: allWrong })
          assert.equal(invalid.body.code, 'rest_invalid_param', `${role}: ${JSON.stringify(invalid.body)}`)
          const told = Object.keys(invalid.body.data.params)
          assert.deepEqual(
            told,
            declaredOf(one.pattern).filter((name) => told.includes(name)),
          )
          for (const name of required) assert.ok(told.includes(name), name)
          assert.ok(told.length > fields.length / 2, `${told.join()} of ${fields.join()}`)
        }
        assert.equal(await headSeq(app.app.storage), before)
        for (const [role, status] of TRIED) {
          made += 1
          const json = LEAST[collectionOf(one.pattern)]?.(`Tried ${made}`)
          const answer = await app.call(role, method, path, { json })
          assert.equal(
            answer.status,
            status === 200 && creates ? 201 : status,
            `${role}: ${JSON.stringify(answer.body)}`,
          )
          if (status !== 200) assert.equal(await headSeq(app.app.storage), before)
        }
      })
    }
  }
}

for (const one of paths.filter(({ methods }) => methods.includes('DELETE'))) {
  test(`DELETE ${one.pattern} asks for what exists, then what is invalid, then permission, and refusals write nothing`, async () => {
    const path = await addressOf(one.pattern)
    const collection = collectionOf(one.pattern)
    const before = await headSeq(app.app.storage)
    const unknown = one.pattern.includes('?P<slug>') ? `${collection}/by-slug/no-such-item` : `${collection}/999999`
    const takesForce = Object.hasOwn(one.endpoints.find((e) => e.methods.includes('DELETE'))?.args ?? {}, 'force')
    for (const role of ROLES) {
      const { status } = await app.call(role, 'DELETE', unknown)
      assert.equal(status, collection === '/events' && unknown.endsWith('999999') ? 404 : 400, `${role} ${unknown}`)
      if (takesForce) {
        assert.equal((await app.call(role, 'DELETE', path, { query: { force: 'perhaps' } })).status, 400, role)
      }
    }
    for (const [role, status] of TRIED) {
      assert.equal(await headSeq(app.app.storage), before)
      assert.equal((await app.call(role, 'DELETE', path)).status, status, role)
    }
    assert.equal(await headSeq(app.app.storage), before + 1)
  })
}
