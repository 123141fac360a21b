import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Role } from '../src/http/auth/rights.ts'
import { openTestApp, type Sending } from './support/app.ts'
import { MEETING, make } from './support/events.ts'

const app = await openTestApp({ after })

const open = await make(app, { title: 'Open' })
const draft = await make(app, { title: 'Draft', status: 'draft' })
const closed = await make(app, { title: 'Closed', password: 'open sesame' })
const trashed = await make(app, { title: 'Gone' })
await app.call('administrator', 'DELETE', `/events/${trashed.id}`)
const hall = await app.call('editor', 'POST', '/venues', { json: { venue: 'Hall' } })

const basic = (user: string, password: string): Sending => ({
  headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
})
const create = (json: object): Sending => ({ json: { ...MEETING, ...json } })

/** A row of the error table of the events routes (wire: events 10, with the changes of the decisions). */
interface Row {
  readonly says: string
  readonly as?: Role
  readonly request: readonly [method: string, path: string, sending?: Sending]
  readonly status: number
  readonly code: string
  /** Names in `data.params`, in their order. */
  readonly params?: readonly string[]
  /** Names in `data.details`, each `rest_invalid_type`. */
  readonly typed?: readonly string[]
}

const INVALID = { status: 400, code: 'rest_invalid_param' } as const

const ROWS: readonly Row[] = [
  { says: 'an unknown path', request: ['GET', '/evnts'], status: 404, code: 'rest_no_route' },
  { says: 'an id that is no number', request: ['GET', '/events/abc'], status: 404, code: 'rest_no_route' },
  { says: 'an id below zero', request: ['GET', '/events/-1'], status: 404, code: 'rest_no_route' },
  { says: 'an id with decimals', request: ['GET', '/events/10.5'], status: 404, code: 'rest_no_route' },
  { says: 'PUT of the collection', request: ['PUT', '/events', { json: {} }], status: 404, code: 'rest_no_route' },
  { says: 'DELETE of the collection', request: ['DELETE', '/events'], status: 404, code: 'rest_no_route' },
  { says: 'a slug route without a slug', request: ['GET', '/events/by-slug/'], status: 404, code: 'rest_no_route' },
  {
    says: 'broken JSON, before any right is asked for',
    request: ['POST', '/events', { raw: '{"title":', headers: { 'content-type': 'application/json' } }],
    status: 400,
    code: 'rest_invalid_json',
  },
  {
    says: 'a create without its required fields, in declared order and with nothing else',
    as: 'administrator',
    request: ['POST', '/events', { json: { end_date: null, author: 'nobody' } }],
    status: 400,
    code: 'rest_missing_callback_param',
    params: ['title', 'start_date', 'end_date'],
  },
  {
    says: 'JSON that is a list counts as nothing sent',
    as: 'administrator',
    request: ['POST', '/events', { json: [MEETING] }],
    status: 400,
    code: 'rest_missing_callback_param',
    params: ['title', 'start_date', 'end_date'],
  },
  {
    says: 'a body of another type counts as nothing sent',
    as: 'administrator',
    request: ['POST', '/events', { ...create({}), headers: { 'content-type': 'text/plain' } }],
    status: 400,
    code: 'rest_missing_callback_param',
    params: ['title', 'start_date', 'end_date'],
  },
  {
    says: 'several bad values, in declared order',
    as: 'administrator',
    request: ['POST', '/events', create({ website: 'nowhere', status: 'soon', title: '', author: 0 })],
    ...INVALID,
    params: ['author', 'title', 'status', 'website'],
    typed: [],
  },
  {
    says: 'values of another type',
    as: 'administrator',
    request: ['POST', '/events', create({ title: ['x'], featured: 'perhaps', start_date: {} })],
    ...INVALID,
    params: ['title', 'start_date', 'featured'],
    typed: ['title', 'start_date', 'featured'],
  },
  {
    says: 'bad parameters of a list, in declared order',
    request: ['GET', '/events', { query: { venue: 'x', page: 0, start_date: '2028-02-30', tags: 'nope' } }],
    ...INVALID,
    params: ['page', 'start_date', 'tags', 'venue'],
    typed: [],
  },
  {
    says: 'list parameters of another type',
    request: ['GET', '/events', { query: { featured: '', geoloc: 'x', ticketed: '2' } }],
    ...INVALID,
    params: ['featured', 'geoloc', 'ticketed'],
    typed: ['featured', 'geoloc', 'ticketed'],
  },
  { says: 'id 0', request: ['GET', '/events/0'], ...INVALID, params: ['id'] },
  { says: 'an id beyond every id', request: ['GET', `/events/${'9'.repeat(30)}`], ...INVALID, params: ['id'] },
  { says: 'the id of a venue', request: ['GET', `/events/${hall.body.id}`], ...INVALID, params: ['id'] },
  {
    says: 'an unknown id, before any right is asked for',
    request: ['PATCH', '/events/999999', { json: { title: 'x' } }],
    status: 404,
    code: 'rest-event-not-found',
  },
  ...(['GET', 'DELETE'] as const).flatMap((method): Row[] => [
    {
      says: `${method} of an unknown id`,
      request: [method, '/events/999999'],
      status: 404,
      code: 'rest-event-not-found',
    },
    { says: `${method} of an unknown slug`, request: [method, '/events/by-slug/nope'], ...INVALID, params: ['slug'] },
    { says: `${method} with an empty password`, request: [method, `/events/${open.id}?password=`], ...INVALID },
  ]),
  {
    says: 'an update of an unknown slug',
    as: 'editor',
    request: ['PUT', '/events/by-slug/nope', { json: { title: 'x' } }],
    ...INVALID,
    params: ['slug'],
  },
  {
    says: 'an update and a bad value of it together, for anonymous callers too',
    request: ['POST', '/events/by-slug/nope', { json: { status: 'soon' } }],
    ...INVALID,
    params: ['slug', 'status'],
  },
  { says: 'a write without login', request: ['POST', '/events', create({})], status: 401, code: 'rest_forbidden' },
  {
    says: 'a write without the right',
    as: 'subscriber',
    request: ['POST', '/events', create({})],
    status: 403,
    code: 'rest_forbidden',
  },
  {
    says: 'a deletion without login',
    request: ['DELETE', `/events/${open.id}`],
    status: 401,
    code: 'rest_forbidden',
  },
  {
    says: "a change of somebody else's event",
    as: 'author',
    request: ['PATCH', '/events/by-slug/open', { json: { title: 'Mine' } }],
    status: 403,
    code: 'rest_forbidden',
  },
  {
    says: 'an unknown user, on public reads too',
    request: ['GET', '/events', basic('nobody', 'x')],
    status: 401,
    code: 'incorrect_password',
  },
  {
    says: 'a wrong application password, on public reads too',
    request: ['GET', '/events', basic('editor', 'wrong')],
    status: 401,
    code: 'incorrect_password',
  },
  { says: 'an unpublished event', request: ['GET', `/events/${draft.id}`], status: 403, code: 'event-not-accessible' },
  {
    says: 'an unpublished event by slug, for those who do not own it',
    as: 'author',
    request: ['GET', '/events/by-slug/draft'],
    status: 403,
    code: 'event-not-accessible',
  },
  {
    says: 'a protected event without its password',
    request: ['GET', `/events/${closed.id}`],
    status: 403,
    code: 'event-password-protected',
  },
  {
    says: 'a protected event with a wrong password, by slug, for logged-in readers',
    as: 'subscriber',
    request: ['GET', '/events/by-slug/closed', { query: { password: 'open' } }],
    status: 403,
    code: 'event-password-protected',
  },
  {
    says: 'a page behind the last',
    request: ['GET', '/events', { query: { page: 2 } }],
    status: 404,
    code: 'event-archive-page-not-found',
  },
  {
    says: 'page 2 of a list without events',
    request: ['GET', '/events', { query: { page: 2, search: 'no such thing' } }],
    status: 404,
    code: 'event-archive-page-not-found',
  },
  {
    says: 'a second deletion by id',
    as: 'editor',
    request: ['DELETE', `/events/${trashed.id}`],
    status: 410,
    code: 'event-is-in-trash',
  },
  {
    says: 'a second deletion by slug',
    as: 'editor',
    request: ['DELETE', '/events/by-slug/gone__trashed'],
    status: 410,
    code: 'event-is-in-trash',
  },
  {
    says: 'a venue without a name inside an event',
    as: 'editor',
    request: ['POST', '/events', create({ venue: { venue: '', city: 'Bern' } })],
    status: 400,
    code: 'could-not-create-venue',
  },
  {
    says: 'an organizer without a name inside an event',
    as: 'editor',
    request: ['POST', '/events', create({ organizer: [{ organizer: ' ' }] })],
    status: 400,
    code: 'could-not-create-organizer',
  },
  {
    says: 'a linked object with an id that is none',
    as: 'editor',
    request: ['POST', '/events', create({ venue: { id: 999_999 }, organizer: [{ id: 'x' }] })],
    ...INVALID,
    params: ['venue', 'organizer'],
  },
  {
    says: 'a blank title, which the reference answers with 500',
    as: 'editor',
    request: ['POST', '/events', create({ title: ' \t ' })],
    ...INVALID,
    params: ['title'],
  },
  {
    says: 'zones that end the reference with 500',
    as: 'editor',
    request: ['POST', '/events', create({ timezone: 'UTCfoo' })],
    ...INVALID,
    params: ['timezone'],
  },
  {
    says: 'objects inside lists of terms, which end the reference with 500',
    as: 'editor',
    request: ['POST', '/events', create({ categories: [{}], tags: [[1]] })],
    ...INVALID,
    params: ['categories', 'tags'],
  },
  {
    says: 'an end before the start',
    as: 'editor',
    request: ['PATCH', `/events/${open.id}`, { json: { end_date: '2027-03-01 09:59:59' } }],
    ...INVALID,
    params: ['end_date'],
  },
]

for (const { says, as = 'anonymous', request, status, code, params, typed } of ROWS) {
  test(`${status} ${code}: ${says}`, async () => {
    const [method, path, sending] = request
    const answer = await app.call(as, method, path, sending)
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    assert.equal(answer.body.data.status, status)
    assert.equal(typeof answer.body.message, 'string')
    assert.deepEqual(Object.keys(answer.body), ['code', 'message', 'data'])
    assert.equal(answer.headers.get('x-tec-total'), null)
    if (params !== undefined) {
      const named = answer.body.data.params
      assert.deepEqual(Array.isArray(named) ? named : Object.keys(named), params)
    }
    if (typed !== undefined) {
      const { details } = answer.body.data
      if (typed.length === 0) assert.deepEqual(details, [])
      else assert.deepEqual(Object.keys(details), typed)
      for (const name of typed) {
        assert.equal(details[name].code, 'rest_invalid_type')
        assert.deepEqual(details[name].data, { param: name })
      }
    }
  })
}

test('broken JSON tells what a client of the reference looks for', async () => {
  const headers = { 'content-type': 'application/vnd.api+json' }
  const { body } = await app.call('anonymous', 'PUT', `/events/${open.id}`, { raw: 'nonsense', headers })
  assert.deepEqual(Object.keys(body.data), ['status', 'json_error_code', 'json_error_message'])
  assert.equal(body.data.json_error_code, 4)
})

test('refused writes of events store nothing', async () => {
  const { body } = await app.call('administrator', 'GET', '/events', { query: { status: 'any', per_page: 50 } })
  assert.deepEqual(
    body.events.map((one: { title: string }) => one.title),
    ['Open', 'Draft', 'Closed'],
  )
  for (const path of ['/venues', '/organizers']) {
    const { total } = (await app.call('administrator', 'GET', path)).body
    assert.equal(total, path === '/venues' ? 1 : 0)
  }
})
