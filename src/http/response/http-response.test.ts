import assert from 'node:assert/strict'
import test from 'node:test'
import { type CallSketch, callerOf, callFor, routeFor } from '../../../test/support/http.ts'
import { fail } from '../../base/errors.ts'
import { translate } from '../../base/i18n/translate.ts'
import type { CallerRole } from '../auth/rights.ts'
import type { Reply } from '../route.ts'
import { allowByRole, errorReply, renderReply } from './http-response.ts'

const REPLY: Reply = { status: 200, body: { id: 1, total: 2 }, headers: { 'X-TEC-Total': '2' } }

function answer(sketch: CallSketch, reply: Reply = REPLY) {
  const sent = renderReply(callFor(sketch), reply, 'GET')
  return { ...sent, body: JSON.parse(String(sent.body)) as unknown }
}

test('an answer is JSON with the headers of every answer and the allowed methods', () => {
  const { status, headers, body } = answer({})
  assert.equal(status, 200)
  assert.deepEqual(body, REPLY.body)
  assert.equal(headers['content-type'], 'application/json; charset=UTF-8')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['x-robots-tag'], 'noindex')
  assert.equal(headers['X-TEC-Total'], '2')
  assert.equal(headers['allow'], 'GET')
  assert.match(headers['access-control-expose-headers'] ?? '', /X-TEC-Total, X-TEC-TotalPages.*Link, ETag/)
})

test('answers to callers with credentials, and secret ones, are stored by nobody', () => {
  assert.equal(answer({}).headers['cache-control'], undefined)
  assert.match(answer({ caller: callerOf('subscriber') }).headers['cache-control'] ?? '', /no-store, private/)
  assert.match(answer({}, { ...REPLY, secret: true }).headers['cache-control'] ?? '', /no-store, private/)
})

test('_fields selects of answers, not of errors', () => {
  assert.deepEqual(answer({ sent: { _fields: 'id' } }).body, { id: 1 })
  const error = { status: 404, body: { code: 'x' } }
  assert.deepEqual(answer({ sent: { _fields: 'id' } }, error).body, { code: 'x' })
})

test('_envelope puts status, own headers and Allow into a body with status 200', () => {
  const reply = { status: 404, body: { code: 'x' }, headers: { 'X-TEC-Total': '2', vary: 'Origin, Accept-Language' } }
  const { status, headers, body } = answer({ sent: { _envelope: '1' } }, reply)
  assert.equal(status, 200)
  assert.equal(headers['X-TEC-Total'], undefined)
  assert.equal(headers['vary'], 'Origin, Accept-Language')
  assert.deepEqual(body, { body: { code: 'x' }, status: 404, headers: { 'X-TEC-Total': '2', Allow: 'GET' } })
  for (const no of ['0', 'false', 0, false]) assert.equal(answer({ sent: { _envelope: no } }, reply).status, 404)
})

test('_pretty indents the answer, in an envelope too', () => {
  for (const sent of [{}, { _envelope: '1' }]) {
    const plain = String(renderReply(callFor({ sent }), REPLY, 'GET').body)
    const pretty = String(renderReply(callFor({ sent: { ...sent, _pretty: '1' } }), REPLY, 'GET').body)
    assert.equal(pretty, JSON.stringify(JSON.parse(plain), undefined, 4))
    assert.ok(!plain.includes('\n'))
  }
})

test('an answer of no route allows nothing', () => {
  assert.equal(renderReply(callFor(), REPLY).headers['allow'], undefined)
  const wrapped = JSON.parse(String(renderReply(callFor({ sent: { _envelope: '1' } }), REPLY).body)) as Reply
  assert.deepEqual(wrapped.headers, REPLY.headers)
})

test('a failure is answered with code, message in the language of the request, and data with the status', () => {
  const failure = fail('rest_missing_callback_param', { params: 'title' }, { params: ['title'] })
  const german = errorReply(failure, 'de').body as { message: string }
  assert.deepEqual(errorReply(failure, 'en'), {
    status: 400,
    body: {
      code: 'rest_missing_callback_param',
      message: 'Missing required parameters: title',
      data: { status: 400, params: ['title'] },
    },
    headers: { vary: 'Origin, Accept-Language' },
    secret: false,
  })
  assert.equal(german.message, translate('de', 'errors.rest_missing_callback_param', { params: 'title' }))
})

test('anything else that was thrown is an internal error that tells nothing', () => {
  for (const thrown of [new Error('the password is x'), 'text', undefined]) {
    const { status, body } = errorReply(thrown, 'en')
    assert.equal(status, 500)
    assert.doesNotMatch(JSON.stringify(body), /password|stack|answer\.test/)
  }
  assert.equal(errorReply(fail('wrong_usage', { reason: 'x' }), 'en').status, 500)
})

test('refusals of a caller are stored by nobody', () => {
  assert.equal(errorReply(fail('rest_forbidden'), 'en').secret, true)
  assert.equal(errorReply(fail('incorrect_password'), 'en').secret, true)
  assert.equal(errorReply(fail('rest_no_route'), 'en').secret, false)
})

test('the allowed methods are those open to the caller, in declared order', () => {
  const handle = async (): Promise<Reply> => REPLY
  const open = (role: CallerRole): boolean => role !== 'anonymous'
  const routes = [
    routeFor('GET', '/tags/:id', { handle }),
    routeFor('POST', '/tags/:id', { handle, open }),
    routeFor('DELETE', '/tags/:id', { handle, open }),
  ]
  assert.equal(allowByRole(routes).anonymous, 'GET')
  assert.equal(allowByRole(routes).author, 'GET, POST, DELETE')
})
