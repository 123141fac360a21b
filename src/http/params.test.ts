import assert from 'node:assert/strict'
import test from 'node:test'
import { Failure } from '../base/errors.ts'
import { boolean } from '../model/kinds/boolean.ts'
import { type AnyField, field } from '../model/kinds/field.ts'
import { positive } from '../model/kinds/integer.ts'
import { type Kind, mistyped, refuse } from '../model/kinds/kind.ts'
import { missingFailure, missingFields, readFields, refusedFailure } from './params.ts'

const word: Kind<string> = {
  declared: { type: 'string' },
  schema: { type: 'string' },
  parse: (value) =>
    typeof value !== 'string' ? mistyped('not_text') : value === '' ? refuse('empty') : { ok: true, value },
}

const TITLE = field('title', word, 'fields.title', { required: true })
const CITY = field('city', word, 'fields.city', { cleared: 'none' })
const STATUS = field('status', word, 'fields.status')
const ALL_DAY = field('all_day', boolean, 'fields.allDay', { default: false })
const AUTHOR = field('author', positive, 'fields.name')
const FIELDS: readonly AnyField[] = [TITLE, CITY, STATUS, ALL_DAY, AUTHOR]

function reading(body: Readonly<Record<string, unknown>>, more: { fillsDefaults?: boolean; shown?: object } = {}) {
  return readFields(FIELDS, {
    sent: body,
    context: { now: 0, siteZone: 'UTC' },
    fillsDefaults: more.fillsDefaults ?? false,
    shown: more.shown as Readonly<Record<string, unknown>> | undefined,
  })
}

function failureOf(error: Error): Failure {
  assert.ok(error instanceof Failure)
  return error
}

test('required fields are missing when they are not sent or null, in declared order', () => {
  const fields = [TITLE, STATUS, field('end', word, 'fields.ends', { required: true })]
  assert.deepEqual(missingFields(fields, {}), ['title', 'end'])
  assert.deepEqual(missingFields(fields, { title: '', status: '', end: null }), ['end'])
  const failure = failureOf(missingFailure(['title', 'end']))
  assert.equal(failure.code, 'rest_missing_callback_param')
  assert.deepEqual(failure.data, { params: ['title', 'end'] })
})

test('fields that are not sent are absent, unless defaults are filled in', () => {
  assert.deepEqual(reading({}), { values: {}, refusals: [] })
  assert.deepEqual(reading({}, { fillsDefaults: true }).values, { all_day: false })
  assert.deepEqual(reading({ all_day: null }, { fillsDefaults: true }).values, { all_day: false })
})

test('null and empty text clear a field that can be cleared', () => {
  assert.deepEqual(reading({ city: null }).values, { city: 'none' })
  assert.deepEqual(reading({ city: '' }).values, { city: 'none' })
})

test('null counts as not sent where nothing can be cleared; empty text is a value', () => {
  assert.deepEqual(reading({ status: null, author: null }), { values: {}, refusals: [] })
  assert.deepEqual(reading({ status: '' }).refusals, [{ name: 'status', code: 'rest_invalid_param', reason: 'empty' }])
})

test('a required field cannot be emptied', () => {
  assert.deepEqual(reading({ title: null }).refusals, [{ name: 'title', code: 'rest_invalid_param', reason: 'empty' }])
})

test('what GET answers now is passed over, whatever its shape; anything else is read', () => {
  const shown = { title: '', city: { a: [1] } }
  assert.deepEqual(reading({ title: '', city: { a: [1] } }, { shown }), { values: {}, refusals: [] })
  assert.equal(reading({ city: { a: [2] } }, { shown }).refusals.length, 1)
  // What is undefined is not there for those who read the answer.
  const embedded = { city: { a: [1], b: undefined } }
  assert.deepEqual(reading({ city: { a: [1] } }, { shown: embedded }), { values: {}, refusals: [] })
  const flags = { city: false, title: 7 }
  assert.deepEqual(reading({ city: 'false', title: '7' }, { shown: flags }), { values: {}, refusals: [] })
})

test('all refused fields are told together, in declared order, each with a sentence', () => {
  const { refusals } = reading({ author: 'x', title: 5, all_day: 'maybe', city: 'Bern' })
  const order = FIELDS.map((one) => one.name)
  const failure = failureOf(refusedFailure([...refusals].reverse(), order, 'en'))
  assert.equal(failure.code, 'rest_invalid_param')
  assert.deepEqual(Object.entries(failure.data['params'] as object), [
    ['title', 'title must be text.'],
    ['all_day', 'all_day must be true or false.'],
    ['author', 'author must be a whole number of 1 or more.'],
  ])
})

test('details names the fields of a wrong type only, and is an empty list without any', () => {
  const order = ['a', 'b']
  const typed = failureOf(
    refusedFailure(
      [
        { name: 'a', code: 'rest_invalid_type', reason: 'not_text' },
        { name: 'b', code: 'rest_invalid_param', reason: 'empty' },
      ],
      order,
      'en',
    ),
  )
  const detail = { code: 'rest_invalid_type', message: 'a must be text.', data: { param: 'a' } }
  assert.deepEqual(typed.data['details'], { a: detail })
  const refused = refusedFailure([{ name: 'b', code: 'rest_invalid_param', reason: 'empty' }], order, 'en')
  assert.deepEqual(failureOf(refused).data['details'], [])
})
