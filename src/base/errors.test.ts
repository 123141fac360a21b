import assert from 'node:assert/strict'
import test from 'node:test'
import { ERRORS, errorsReference, errorText, Failure, fail, isErrorCode } from './errors.ts'
import { CATALOGUES, translate } from './i18n/translate.ts'

test('a failure carries code, status, text with filled slots and the members of data', () => {
  const failure = fail('rest_missing_callback_param', { params: 'title, end_date' }, { params: ['title', 'end_date'] })
  assert.ok(failure instanceof Failure)
  assert.equal(failure.code, 'rest_missing_callback_param')
  assert.equal(failure.status, 400)
  assert.equal(failure.message, 'Missing required parameters: title, end_date')
  assert.deepEqual(failure.data, { params: ['title', 'end_date'] })
})

test('an explicit status replaces that of the code and is no member of data', () => {
  const failure = fail('rest_forbidden', {}, { status: 401 })
  assert.equal(failure.status, 401)
  assert.deepEqual(failure.data, {})
  assert.equal(fail('rest_forbidden').status, 403)
})

test('a value with braces or a dollar sign is put into a text as it is', () => {
  assert.equal(errorText('en', 'wrong_usage', { reason: '{b} and $& <a>' }), '{b} and $& <a>')
})

test('a value that is the id of a message is said in the language of the error', () => {
  const reason = 'subscriptions.problem.duplicate'
  assert.equal(
    errorText('de', 'bad_subscription', { reason }),
    errorText('de', 'bad_subscription', { reason: translate('de', reason) }),
  )
  assert.doesNotMatch(fail('bad_subscription', { reason }).message, /subscriptions/)
})

test('only codes of the table are codes', () => {
  assert.ok(isErrorCode('rest_no_route'))
  assert.ok(!isErrorCode('toString'))
})

test('every text is one sentence or more and every status is an HTTP error or 0', () => {
  for (const [code, error] of Object.entries(ERRORS)) {
    assert.match(CATALOGUES['en']?.[`errors.${code}`] ?? '', /[.:}]$/, code)
    assert.ok(error.status === 0 || (error.status >= 400 && error.status < 600), code)
  }
})

test('the reference page names every code once', () => {
  const page = errorsReference()
  for (const code of Object.keys(ERRORS)) assert.equal(page.split(`| \`${code}\` |`).length, 2, code)
})
