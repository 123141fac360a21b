import assert from 'node:assert/strict'
import test from 'node:test'
import { routeFor } from '../../../test/support/http.ts'
import type { MessageId } from '../../base/i18n/translate.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { choice } from '../../model/kinds/choice.ts'
import { field } from '../../model/kinds/field.ts'
import { idList } from '../../model/kinds/list.ts'
import { openApiDocument } from './document.ts'
import { named, open, ref, type Schema } from './parts.ts'

const handle = async () => ({ status: 200, body: {} })

/** What a path of member names leads to. */
function at(document: unknown, ...members: readonly string[]): unknown {
  return members.reduce<unknown>((node, member) => (node as Schema | undefined)?.[member], document)
}

test('two schemas of one name are a mistake of the program', () => {
  const answering = (text: MessageId) => ({ status: 200, schema: named('Event', open(text, {})) })
  const routes = (['common.events', 'common.id'] as const).map((text) =>
    routeFor('GET', `/${text.length}`, { handle, response: answering(text) }),
  )
  assert.ok(openApiDocument(routes.slice(0, 1)))
  assert.throws(() => openApiDocument(routes), /two schemas are named Event/)
})

test('only components that operations lead to are in the document', () => {
  const [inner, outer] = [named('Inner', open('common.id', {})), open('common.events', { inner: ref('Inner') })]
  const answer = { status: 200, schema: named('Outer', outer, [inner]) }
  const { schemas, headers } = at(
    openApiDocument([routeFor('GET', '/events', { handle, response: answer })]),
    'components',
  ) as {
    [kind: string]: Schema
  }
  assert.deepEqual(Object.keys(schemas ?? {}), ['Outer', 'Inner', 'Error', 'InvalidParameters', 'InvalidJson'])
  assert.equal(headers?.['Location'], undefined)
})

test('two bodies of one name must be the same', () => {
  const one = routeFor('PUT', '/events/:id', { handle, fields: [field('a', boolean, 'fields.title')] })
  const same = routeFor('PATCH', '/events/:id', { handle, fields: [field('a', boolean, 'fields.title')] })
  const other = routeFor('PATCH', '/events/:id', { handle, fields: [field('b', boolean, 'fields.name')] })
  assert.ok(openApiDocument([one, same]))
  assert.throws(() => openApiDocument([one, other]), /two bodies are named EventUpdate/)
})

test('optional fields take null, required ones do not', () => {
  const fields = [
    field('status', choice(['draft', 'publish']), 'fields.status'),
    field('kind', choice(['a']), 'fields.name', { required: true }),
  ]
  const document = openApiDocument([routeFor('POST', '/events', { handle, fields })])
  const properties = at(document, 'components', 'schemas', 'EventUpdate', 'properties')
  assert.deepEqual(at(properties, 'status'), {
    type: ['string', 'null'],
    enum: ['draft', 'publish', null],
    description: 'fields.status',
  })
  assert.deepEqual(at(properties, 'kind'), { type: 'string', enum: ['a'], description: 'fields.name' })
})

test('parameters show the default in force and never one that is computed', () => {
  const fields = [
    field('a', boolean, 'fields.title', { default: true, shownDefault: '1' }),
    field('b', idList, 'fields.name', { shownDefault: () => 'today' }),
    field('c', boolean, 'fields.venue', { shownDefault: null }),
  ]
  const document = openApiDocument([routeFor('GET', '/events', { handle, fields })])
  const all = at(document, 'paths', '/events', 'get', 'parameters') as Schema[]
  const parameters = all.filter((one) => one['$ref'] === undefined)
  assert.deepEqual(
    parameters.map((one) => at(one, 'schema', 'default')),
    [true, undefined, undefined],
  )
  assert.deepEqual([parameters[1]?.['style'], parameters[1]?.['explode']], ['form', false])
})

test('operations of a new part of the service are tagged as of the service', () => {
  const document = openApiDocument([routeFor('GET', '/changes', { handle })])
  assert.deepEqual(at(document, 'paths', '/changes', 'get', 'tags'), ['service'])
})
