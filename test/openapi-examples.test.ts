import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openTestApp } from './support/app.ts'

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
const document: Document = (await app.call('anonymous', 'GET', '/doc')).body

test('the document of our own namespace is valid', async () => {
  const { body } = await app.call('anonymous', 'GET', `${app.origin}/kalends/v1/doc`)
  const result = await new Validator().validate(body)
  assert.deepEqual([result.valid, result.errors ?? []], [true, []])
})

/** Names of schemas that have an example, with that example. */
const examples = Object.entries(document.components.examples)
  .filter(([name]) => Object.hasOwn(document.components.schemas, name))
  .map(([name, { value }]) => ({ name, value }))

test('every example is valid by its schema', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  assert.ok(examples.length > 20)
  for (const { name, value } of examples)
    assert.ok(
      ajv.validate({ $ref: `document#/components/schemas/${name}` }, value),
      `${name} ${JSON.stringify(value)} ${ajv.errorsText()}`,
    )
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
