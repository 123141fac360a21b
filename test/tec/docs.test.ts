import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openTestApp } from '../support/app.ts'
import { contractAt } from '../support/checked.ts'
import { make } from '../support/events.ts'

const app = await openTestApp({ after })
const TEC = `${app.origin}/de/wp-json/tec/v1`

/** Every operation, as clients of this interface name them. */
const OPERATIONS = [
  ...['Event', 'Venue', 'Organizer'].flatMap((one) => [
    ...[`get${one}s`, `get${one}`, `create${one}`, `update${one}`, `patch${one}`, `delete${one}`],
  ]),
  ...['getIndex', 'getOpenApiDocs', 'getTickets', 'getTicket'],
]

for (const [query, version] of [
  ['', '3.0.4'],
  ['?version=3.0', '3.0.4'],
  ['?version=3.1', '3.1.0'],
] as const)
  test(`the document${query} is one of OpenAPI ${version}, for the mount that was called`, async () => {
    const { status, body } = await app.call('anonymous', 'GET', `${TEC}/docs${query}`)
    assert.deepEqual([status, body.openapi, body.info.version], [200, version, '1.0.0'])
    assert.deepEqual(body.servers, [{ url: TEC }])
    const found = Object.values(body.paths as Record<string, Record<string, { readonly operationId: string }>>)
      .flatMap((methods) => Object.values(methods))
      .map(({ operationId }) => operationId)
    assert.deepEqual(found.toSorted(), OPERATIONS.toSorted())
    const { valid, errors } = await new Validator().validate(body)
    assert.ok(valid, JSON.stringify(errors))
    assert.equal(body.components.schemas.Event.properties.duration.type, 'string')
    const isOld = version === '3.0.4'
    assert.equal(JSON.stringify(body).includes('"nullable":true'), isOld)
    assert.equal(JSON.stringify(body).includes('"const":'), !isOld)
  })

test('what answers may not be is seen by both documents', async () => {
  const { id } = await make(app, { password: 'x' })
  const url = `${TEC}/events/${id}`
  const answer = await app.call('anonymous', 'GET', url)
  const { problemsOf } = await contractAt(app.origin)
  const problems = (change: object) =>
    problemsOf({ ...answer, method: 'GET', url, text: JSON.stringify({ ...answer.body, ...change }) }).length
  assert.equal(problems({}), 0)
  for (const wrong of [{ duration: 5400 }, { all_day: 'no' }, { unknown: 1 }, { dates: {} }, { is_past: null }])
    assert.ok(problems(wrong) >= 2, JSON.stringify(wrong))
})
