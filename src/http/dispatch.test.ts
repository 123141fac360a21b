import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerOf, callFor, routeFor } from '../../test/support/http.ts'
import type { Failure } from '../base/errors.ts'
import { boolean } from '../model/kinds/boolean.ts'
import { field } from '../model/kinds/field.ts'
import { name } from '../model/kinds/text.ts'
import { callOf, dispatch } from './dispatch.ts'
import type { AnyRoute, Incoming, InvalidParam } from './route.ts'

const FIELDS = [
  field('title', name(), 'fields.title', { required: true }),
  field('open', boolean, 'fields.featured', { default: true }),
  field('other', name(), 'fields.name'),
]

const ITEM = { id: 9 }
const LOADED = { venues: [1] }

/** A route that notes which of its stages ran, with what they were handed. */
function traced(parts: Omit<Partial<AnyRoute>, 'handle'> = {}): { route: AnyRoute; stages: [string, ...unknown[]][] } {
  const stages: [string, ...unknown[]][] = []
  const route = routeFor('POST', '/things/:id', {
    fields: FIELDS,
    fillsDefaults: true,
    target: async () => {
      stages.push(['target'])
      return { item: ITEM }
    },
    resolve: async (call, item) => {
      stages.push(['resolve', item, call.values])
      return LOADED
    },
    permit: (_call, item, loaded) => {
      stages.push(['permit', item, loaded])
      return true
    },
    handle: async () => assert.fail('replaced below'),
    ...parts,
  })
  const handle: AnyRoute['handle'] = async (call, item, loaded) => {
    stages.push(['handle', item, loaded, call.values])
    return { status: 200, body: {} }
  }
  return { route: { ...route, handle }, stages }
}

function incoming(body: Readonly<Record<string, unknown>>, role: 'author' | 'anonymous' = 'author'): Incoming {
  const { sent: _sent, values: _values, ...call } = callFor({ caller: callerOf(role) })
  return { ...call, path: { id: '9' }, query: {}, body }
}

/** The failure that a request ends with. */
async function failure(route: AnyRoute, request: Incoming): Promise<Failure> {
  return dispatch(route, callOf(route, request)).then(
    () => assert.fail('it was answered'),
    (error: Failure) => error,
  )
}

test('the stages run in their order, and each gets what the ones before it loaded, which is loaded once', async () => {
  const { route, stages } = traced()
  await dispatch(route, callOf(route, incoming({ title: 'A' })))
  const values = { title: 'A', open: true }
  assert.deepEqual(stages, [
    ['target'],
    ['resolve', ITEM, values],
    ['permit', ITEM, LOADED],
    ['handle', ITEM, LOADED, values],
  ])
  assert.equal(stages[2]?.[1], ITEM)
  assert.equal(stages[3]?.[2], LOADED)
})

test('a missing field ends the request before anything is loaded or read', async () => {
  const { route, stages } = traced()
  const { code, data } = await failure(route, incoming({ open: 'no idea', other: 7 }, 'anonymous'))
  assert.deepEqual([code, data], ['rest_missing_callback_param', { params: ['title'] }])
  assert.deepEqual(stages, [])
})

test('null counts as missing for a required field on create', async () => {
  const { route } = traced()
  assert.equal((await failure(route, incoming({ title: null }))).code, 'rest_missing_callback_param')
})

test('what fields refuse and what resolving refuses is told together in declared order, before permission', async () => {
  const { route, stages } = traced({
    resolve: async (_call, _item, refusals: InvalidParam[]) => {
      refusals.push({ name: 'open', code: 'rest_invalid_param', reason: 'own_descendant' })
    },
  })
  const { code, data } = await failure(route, incoming({ title: true, other: [] }, 'anonymous'))
  assert.equal(code, 'rest_invalid_param')
  assert.deepEqual(Object.keys(data['params'] as object), ['title', 'open', 'other'])
  assert.deepEqual(stages, [['target']])
})

test('a path that names nothing is told with the refused fields, and nothing else is loaded', async () => {
  const refused: InvalidParam = { name: 'id', code: 'rest_invalid_param', reason: 'unknown_id' }
  const { route, stages } = traced({
    pathFields: [field('id', name(), 'common.id')],
    target: async () => ({ refused }),
  })
  const { data } = await failure(route, incoming({ title: 'A', other: [] }))
  assert.deepEqual(Object.keys(data['params'] as object), ['id', 'other'])
  assert.deepEqual(stages, [])
})

test('who may not is told so with 401 or 403, and the handler is not reached', async () => {
  for (const [role, status] of [
    ['anonymous', 401],
    ['author', 403],
  ] as const) {
    for (const closed of [{ open: () => false }, { permit: () => 'rest_forbidden' as const }]) {
      const { route, stages } = traced(closed)
      const refusal = await failure(route, incoming({ title: 'A' }, role))
      assert.deepEqual([refusal.code, refusal.data['status'] ?? refusal.status], ['rest_forbidden', status])
      assert.ok(!stages.some(([stage]) => stage === 'handle'))
    }
  }
})

test('defaults are filled in where the route says so and nowhere else', async () => {
  const { route, stages } = traced({ fillsDefaults: false, fields: FIELDS.map((one) => ({ ...one, required: false })) })
  await dispatch(route, callOf(route, incoming({ other: 'B' })))
  assert.deepEqual(stages.at(-1), ['handle', ITEM, LOADED, { other: 'B' }])
})
