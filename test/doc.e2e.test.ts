import assert from 'node:assert/strict'
import test from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import ENGLISH from '../locales/en.json' with { type: 'json' }
import { LANGUAGES } from '../src/base/i18n/languages.ts'
import { openTestApp, type TestApp } from './support/app.ts'

type Node = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly (Node & { readonly name?: string; readonly in?: string; readonly schema?: Node })[]
  readonly requestBody?: { readonly content: Node; readonly required: boolean }
  readonly responses: Node
  readonly security?: readonly Node[]
}

interface Document {
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Node>> }
}

async function documentOf({ call }: TestApp, lang = 'en'): Promise<Document> {
  return (await call('anonymous', 'GET', '/doc', { query: { lang } })).body as Document
}

function operationsOf({ paths }: Document): { path: string; method: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

/** Every value under a member name, at any depth. */
function valuesOf(node: unknown, name: string): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([member, value]) => (member === name ? [value] : valuesOf(value, name)))
}

/** Every schema of an array, at any depth. */
function arraysIn(node: unknown): Node[] {
  if (typeof node !== 'object' || node === null) return []
  const isArray = 'type' in node && [node.type].flat().includes('array')
  return [...(isArray ? [node as Node] : []), ...Object.values(node).flatMap(arraysIn)]
}

/** The same document with every text for people taken out. */
function withoutTexts(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutTexts)
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(
    ([name, value]) => typeof value !== 'string' || !['description', 'summary'].includes(name),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutTexts(value)]))
}

for (const language of LANGUAGES) {
  test(`the document is valid OpenAPI 3.1 (${language})`, async (t) => {
    const document = await documentOf(await openTestApp(t), language)
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    assert.deepEqual(result.errors ?? [], [])
    assert.ok(result.valid)
    assert.equal(document.openapi, '3.1.0')
  })
}

/** Every text, at any depth. */
function textsIn(node: unknown): string[] {
  if (typeof node === 'string') return [node]
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsIn) : []
}

test('no text of the document is the id of a message', async (t) => {
  const ids = new Set(Object.keys(ENGLISH))
  assert.deepEqual(
    textsIn(await documentOf(await openTestApp(t))).filter((one) => ids.has(one)),
    [],
  )
})

test('languages differ in texts and in nothing else', async (t) => {
  const app = await openTestApp(t)
  const english = await documentOf(app)
  for (const language of LANGUAGES.filter((one) => one !== 'en')) {
    const other = await documentOf(app, language)
    assert.notDeepEqual(other, english)
    assert.deepEqual(withoutTexts(other), withoutTexts(english))
  }
})

test('the document names the address under which it was read', async (t) => {
  const app = await openTestApp(t)
  assert.deepEqual((await documentOf(app)).servers, [{ url: `${app.origin}/cal/events/v1` }])
  const mounted = await app.call('anonymous', 'GET', `${app.origin}/de/wp-json/tribe/events/v1/doc/`)
  assert.deepEqual(mounted.body.servers, [{ url: `${app.origin}/de/wp-json/tribe/events/v1` }])
})

test('the document has every method of every path of the index', async (t) => {
  const app = await openTestApp(t)
  const index = (await app.call('anonymous', 'GET', '')).body
  const { paths } = await documentOf(app)
  const expected = Object.entries(index.routes as Readonly<Record<string, { methods: string[] }>>).map(
    ([pattern, one]) => {
      const path = pattern.slice('/cal/events/v1'.length).replace(/\(\?P<(\w+)>[^)]+\)/, '{$1}')
      return [path === '' ? '/' : path, one.methods.map((method) => method.toLowerCase())]
    },
  )
  const actual = Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods)])
  assert.deepEqual(actual, expected)
})

test('operations have names of their own, known tags, and parameters for every placeholder', async (t) => {
  const document = await documentOf(await openTestApp(t))
  const operations = operationsOf(document)
  const names = operations.map(({ operation }) => operation.operationId)
  assert.equal(new Set(names).size, names.length)
  for (const { path, operation } of operations) {
    assert.match(operation.operationId, /^[a-z][A-Za-z]+$/)
    for (const tag of operation.tags) assert.ok(document.tags.some((one) => one.name === tag))
    const inPath = operation.parameters.filter((one) => one.in === 'path').map((one) => one.name)
    assert.deepEqual(
      inPath,
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    )
  }
})

test('the document says what linters ask for: licence, contact, descriptions, and what every array holds', async (t) => {
  const app = await openTestApp(t)
  for (const space of ['cal/events/v1', 'kalends/v1']) {
    const { body } = await app.call('anonymous', 'GET', `${app.origin}/${space}/doc`)
    const { info, components } = body
    assert.equal(info.contact.url, `${app.origin}/`)
    assert.match(info.license.url, /^https:/)
    for (const { operation } of operationsOf(body)) assert.match(operation.description, /\.$/, operation.operationId)
    for (const array of arraysIn([body.paths, components])) assert.ok('items' in array, JSON.stringify(array))
    assert.deepEqual([...new Set(valuesOf(body, 'oneOf'))], [])
  }
})

test('every reference leads to something', async (t) => {
  const document = await documentOf(await openTestApp(t))
  for (const reference of new Set(valuesOf(document, '$ref'))) {
    const steps = String(reference).replace('#/', '').split('/')
    const target = steps.reduce<unknown>((node, step) => (node as Node | undefined)?.[step], document)
    assert.ok(target !== undefined, String(reference))
  }
})

test('bodies may be JSON or forms, multipart with POST only; everybody is told that writing needs credentials', async (t) => {
  for (const { path, method, operation } of operationsOf(await documentOf(await openTestApp(t)))) {
    const writes = ['post', 'put', 'patch'].includes(method)
    const forms = ['application/json', 'application/x-www-form-urlencoded']
    const expected = writes ? (method === 'post' ? [...forms, 'multipart/form-data'] : forms) : []
    assert.deepEqual(Object.keys(operation.requestBody?.content ?? {}), expected, `${method} ${path}`)
    const isOpen = method === 'get'
    const opening = [{}, { basic: [] }, { bearer: [] }, { eventPassword: [] }]
    const withPassword = isOpen && path.startsWith('/events') ? opening : undefined
    const scope = /^\/(categories|tags)/.test(path) ? 'terms:write' : 'events:write'
    const closed = [{ basic: [] }, { bearer: [scope] }]
    assert.deepEqual(operation.security, isOpen ? withPassword : closed, `${method} ${path}`)
  }
})

test('lists in a query are separated by commas', async (t) => {
  const { paths } = await documentOf(await openTestApp(t))
  const lists = paths['/events']?.['get']?.parameters.filter((one) => one.schema?.['type'] === 'array') ?? []
  const names = lists.map((one) => one.name)
  assert.deepEqual(names, ['categories', 'tags', 'venue', 'organizer', 'status', 'include', 'event_status'])
  for (const one of lists) assert.deepEqual([one['style'], one['explode']], ['form', false])
})

test('required fields are those of creating; no body has defaults, which would require members of generated types', async (t) => {
  const { schemas } = (await documentOf(await openTestApp(t))).components
  assert.deepEqual(schemas['EventCreate']?.['required'], ['title', 'start_date', 'end_date'])
  assert.equal(schemas['EventUpdate']?.['required'], undefined)
  for (const name of ['EventCreate', 'EventUpdate']) assert.deepEqual(valuesOf(schemas[name], 'default'), [], name)
})

test('representations have the names that clients know', async (t) => {
  const { schemas } = (await documentOf(await openTestApp(t))).components
  const known = ['ImageSize', 'CostDetails', 'Term', 'Image', 'DateDetails', 'Event', 'Venue', 'Organizer']
  for (const name of [...known, 'Category', 'Tag', 'Error', 'EventList', 'TagList']) assert.ok(schemas[name], name)
  assert.equal(propertyOf(schemas['Event'], 'author')['type'], 'string')
})

function propertyOf(schema: Node | undefined, name: string): Node {
  const properties = schema?.['properties'] as Readonly<Record<string, Node>> | undefined
  const property = properties?.[name]
  assert.ok(property, name)
  return property
}
