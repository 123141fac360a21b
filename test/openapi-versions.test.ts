// SQLite alone: the documents are made of the routes alone.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { LANGUAGES } from '../src/base/i18n/languages.ts'
import { openTestApp } from './support/app.ts'
import { draws } from './support/draws.ts'

type Node = Readonly<Record<string, unknown>>

interface Document extends Node {
  readonly openapi: string
  readonly components: {
    readonly schemas: Readonly<Record<string, Node>>
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
    readonly headers: Readonly<Record<string, { readonly schema: Node }>>
    readonly parameters: Readonly<Record<string, { readonly schema: Node }>>
  }
}

const app = await openTestApp({ after })
const documentOf = async (query: Readonly<Record<string, string>>): Promise<Document> =>
  (await app.call('anonymous', 'GET', '/doc', { query })).body
const document = await documentOf({})
const older = await documentOf({ version: '3.0' })

/** A judge of values by the name of a schema, in the dialect of each version. */
function judgeOf(written: Document): (name: string, value: unknown) => boolean {
  const ajv = written.openapi.startsWith('3.0') ? new Ajv({ strict: false }) : new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(written, 'document')
  const known = new Map<string, ValidateFunction>()
  return (name, value) => {
    const validate = known.get(name) ?? ajv.compile({ $ref: `document#/components/schemas/${name}` })
    known.set(name, validate)
    return validate(value) === true
  }
}

const isValid = judgeOf(document)
const isValidOlder = judgeOf(older)

test('the document of our own namespace is valid in both versions', async () => {
  for (const version of ['3.1', '3.0']) {
    const url = `${app.origin}/kalends/v1/doc?version=${version}`
    const { body } = await app.call('anonymous', 'GET', url)
    const result = await new Validator().validate(body)
    assert.deepEqual([result.valid, result.errors ?? []], [true, []], version)
  }
})

for (const language of LANGUAGES) {
  test(`the document is valid OpenAPI 3.0 (${language})`, async () => {
    const written = await documentOf({ lang: language, version: '3.0' })
    const result = await new Validator().validate(JSON.parse(JSON.stringify(written)))
    assert.deepEqual(result.errors ?? [], [])
    assert.equal(written.openapi, '3.0.3')
  })
}

test('the newer version is answered when none is asked for, and an unknown one is refused', async () => {
  assert.deepEqual(await documentOf({ version: '3.1' }), document)
  assert.equal(document.openapi, '3.1.0')
  for (const version of ['2.0', '', '3', '3.1.0 ']) {
    const { status, body } = await app.call('anonymous', 'GET', '/doc', { query: { version } })
    assert.deepEqual(
      [status, body.code, Object.keys(body.data.params)],
      [400, 'rest_invalid_param', ['version']],
      version,
    )
  }
})

test('the older version has no word that OpenAPI 3.0 does not know', () => {
  const unknown = ['const', 'examples', '$defs', 'prefixItems', 'patternProperties', 'if', 'unevaluatedProperties']
  const wrong: string[] = []
  const walk = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return
    const { $ref, type, example: _data, enum: _words, default: _value, properties, ...others } = node as Node
    if ($ref !== undefined && Object.keys(node).length > 1) wrong.push(`${place} has siblings of $ref`)
    if (Array.isArray(type)) wrong.push(`${place} has several types`)
    if (type === 'array' && !('items' in others)) wrong.push(`${place} has no items`)
    wrong.push(...unknown.filter((word) => word in others).map((word) => `${place} has ${word}`))
    for (const [name, member] of Object.entries({ ...others, ...(properties as Node) }))
      walk(member, `${place}/${name}`)
  }
  for (const [name, schema] of Object.entries(older.components.schemas)) walk(schema, name)
  assert.deepEqual(wrong, [])
})

/** Names of schemas that have an example, with that example. */
const examples = Object.entries(document.components.examples)
  .filter(([name]) => Object.hasOwn(document.components.schemas, name))
  .map(([name, { value }]) => ({ name, value }))

test('every example is valid by its schema, in both versions', () => {
  assert.ok(examples.length > 20)
  for (const { name, value } of examples) {
    assert.ok(isValid(name, value), `${name} ${JSON.stringify(value)}`)
    assert.ok(isValidOlder(name, value), `${name} in 3.0`)
  }
})

test('every example inside a schema, a parameter or a header is valid by it', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  let count = 0
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { examples: own, ...rest } = node as Node
    if (Array.isArray(own)) {
      const text = JSON.stringify(node).replaceAll('"$ref":"#', '"$ref":"document#')
      for (const example of own) assert.ok(ajv.validate(JSON.parse(text), example), `${text} ${ajv.errorsText()}`)
      count += own.length
    }
    for (const member of Object.values(rest)) walk(member)
  }
  const { schemas, headers, parameters } = document.components
  walk([schemas, headers, parameters, document['paths']])
  assert.ok(count > 100)
})

/** Every place in a value: the path of member names that leads to it. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, member]) => placesIn(member, [...path, name]))]
}

function changed(value: unknown, [name, ...rest]: readonly string[], replacement: unknown): unknown {
  if (name === undefined) return replacement
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? changed(item, rest, replacement) : item))
  return { ...(value as Node), [name]: changed((value as Node)[name], rest, replacement) }
}

const samples = fc.constantFrom(...examples).chain(({ name, value }) =>
  fc.record({
    name: fc.constant(name),
    value: fc
      .tuple(fc.constantFrom(...placesIn(value)), fc.oneof(fc.jsonValue(), fc.string()))
      .map(([place, replacement]) => JSON.parse(JSON.stringify(changed(value, place, replacement)))),
  }),
)

test('both versions judge every value alike', () => {
  fc.assert(
    fc.property(samples, ({ name, value }) => {
      assert.equal(isValidOlder(name, value), isValid(name, value), name)
    }),
    { numRuns: draws(500, 2000) },
  )
})
