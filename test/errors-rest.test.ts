import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { Role } from '../src/http/auth/rights.ts'
import { openTestApp, type Sending } from './support/app.ts'
import { fetchChecked } from './support/checked.ts'

/*
 * The table of errors outside of events, one test a row (wire: rest 6.1; statuses of 500 that are the caller's mistake
 * are 400 here, decisions: Validation). A request is sent for each trigger that the row names.
 */

const { call, origin } = await openTestApp({ after })

async function make(path: string, json: object): Promise<{ readonly id: number; readonly slug: string }> {
  const answer = await call('editor', 'POST', path, { json })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

const hidden = { venue: await make('/venues', { venue: 'Hidden', status: 'private' }) }
const draft = { organizer: await make('/organizers', { organizer: 'Hidden', status: 'draft' }) }
const gone = {
  venue: await make('/venues', { venue: 'Gone', status: 'trash' }),
  organizer: await make('/organizers', { organizer: 'Gone', status: 'trash' }),
}
const jazz = await make('/categories', { name: 'Jazz' })
const blues = await make('/categories', { name: 'Blues' })
const open = await make('/tags', { name: 'Open' })

type Trigger = readonly [as: Role | 'anonymous', method: string, path: string, sending?: Sending]

/** Codes with their status, what sets them off, and what the answer holds in `data` beside the status. */
const ROWS: readonly (readonly [code: string, status: number, triggers: readonly Trigger[], data?: object])[] = [
  [
    'rest_no_route',
    404,
    [
      ['anonymous', 'GET', '/places'],
      ['editor', 'DELETE', '/venues'],
      ['editor', 'POST', '/doc'],
      ['editor', 'PATCH', '/tags'],
      ['anonymous', 'GET', '/venues/abc'],
      ['anonymous', 'GET', '/venues/-1'],
      ['anonymous', 'GET', '/categories/1.5'],
      ['anonymous', 'GET', '/venues/by-slug/'],
      ['anonymous', 'GET', '/tags/by-slug/open'],
    ],
    {},
  ],
  ['rest_invalid_namespace', 404, [['anonymous', 'GET', '', { query: { namespace: 'no/such' } }]], {}],
  [
    'rest_missing_callback_param',
    400,
    [
      ['anonymous', 'POST', '/venues'],
      ['anonymous', 'POST', '/venues', { json: { venue: null } }],
      ['anonymous', 'POST', '/venues', { json: ['venue'] }],
      ['anonymous', 'POST', '/venues', { json: { venue: 'x' }, headers: { 'content-type': 'text/plain' } }],
    ],
    { params: ['venue'] },
  ],
  [
    'rest_invalid_param',
    400,
    [
      ['anonymous', 'GET', '/venues/999999'],
      ['anonymous', 'GET', '/venues/0'],
      ['anonymous', 'PATCH', '/organizers/99999999999999999999999', { json: {} }],
      ['anonymous', 'DELETE', `/venues/${jazz.id + 900}`],
      ['anonymous', 'GET', `/venues/${draft.organizer.id}`],
      ['anonymous', 'GET', '/organizers/by-slug/no-such'],
      ['anonymous', 'GET', `/tags/${jazz.id}`],
      ['anonymous', 'POST', '/venues', { json: { venue: 'x', website: 'y' } }],
      ['anonymous', 'GET', '/tags', { query: { orderby: 'bogus' } }],
    ],
  ],
  ['rest_forbidden', 401, [['anonymous', 'POST', '/venues', { json: { venue: 'x' } }]], {}],
  [
    'rest_forbidden',
    403,
    [
      ['subscriber', 'POST', '/organizers', { json: { organizer: 'x' } }],
      ['contributor', 'POST', '/tags', { json: { name: 'x' } }],
      ['author', 'PATCH', `/venues/${hidden.venue.id}`, { json: { city: 'x' } }],
      ['author', 'DELETE', `/organizers/by-slug/${draft.organizer.slug}`],
    ],
    {},
  ],
  [
    'incorrect_password',
    401,
    [
      ['anonymous', 'GET', '', { headers: basic('editor:wrong') }],
      ['anonymous', 'GET', '/no-route', { headers: basic('nobody:x') }],
      ['anonymous', 'GET', '/venues', { headers: basic('nobody@example.org:x') }],
      ['anonymous', 'GET', '/venues', { headers: { authorization: 'Basic ???' } }],
    ],
    {},
  ],
  [
    'venue-not-accessible',
    403,
    [
      ['anonymous', 'GET', `/venues/${hidden.venue.id}`],
      ['author', 'GET', `/venues/by-slug/${hidden.venue.slug}`],
      ['contributor', 'GET', `/venues/${gone.venue.id}`],
    ],
    {},
  ],
  ['organizer-not-accessible', 403, [['anonymous', 'GET', `/organizers/${draft.organizer.id}`]], {}],
  ['venue-archive-page-not-found', 404, [['anonymous', 'GET', '/venues', { query: { page: 9 } }]], {}],
  ['organizer-archive-page-not-found', 404, [['anonymous', 'GET', '/organizers', { query: { page: 2 } }]], {}],
  ['could-not-create-venue', 400, [['anonymous', 'POST', '/venues', { json: { venue: ' ' } }]], {}],
  ['could-not-create-organizer', 400, [['editor', 'POST', '/organizers', { form: { organizer: '<i></i>' } }]], {}],
  ['venue-is-in-trash', 410, [['editor', 'DELETE', `/venues/${gone.venue.id}`]], {}],
  ['organizer-is-in-trash', 410, [['editor', 'DELETE', `/organizers/by-slug/${gone.organizer.slug}`]], {}],
  ['term_exists', 400, [['editor', 'POST', '/categories', { json: { name: 'JAZZ' } }]], { term_id: jazz.id }],
  [
    'rest_taxonomy_not_hierarchical',
    400,
    [
      ['editor', 'POST', '/tags', { json: { name: 'x', parent: open.id } }],
      ['editor', 'PUT', `/tags/${open.id}`, { json: { parent: jazz.id } }],
    ],
    {},
  ],
  ['empty_term_name', 400, [['editor', 'POST', '/tags', { json: { name: ' ' } }]], {}],
  ['duplicate_term_slug', 400, [['editor', 'PATCH', `/categories/${blues.id}`, { json: { slug: 'jazz' } }]], {}],
  ['db_insert_error', 400, [['editor', 'POST', '/tags', { json: { name: 'x'.repeat(201) } }]], {}],
]

function basic(credentials: string): Record<string, string> {
  return { authorization: `Basic ${btoa(credentials)}` }
}

for (const [code, status, triggers, data] of ROWS) {
  test(`${status} ${code}: code, message and status stand in the body, however it is set off`, async () => {
    for (const [as, method, path, sending] of triggers) {
      const { body, ...answer } = await call(as, method, path, sending)
      const what = `${as} ${method} ${path}`
      assert.deepEqual([answer.status, body.code], [status, code], what)
      assert.equal(typeof body.message, 'string', what)
      assert.equal(body.data.status, status, what)
      if (data !== undefined) assert.deepEqual(body.data, { status, ...data }, what)
      assert.ok(!answer.headers.has('x-tec-total') && !answer.headers.has('www-authenticate'), what)
    }
  })
}

test('400 rest_invalid_json: told before permission, with the number and the words of the fault', async () => {
  const headers = { 'content-type': 'application/json' }
  for (const [raw, number] of [
    ['{"venue":', 4],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 5],
  ] as const) {
    const answer = await fetchChecked(`${origin}/cal/events/v1/venues`, { method: 'POST', headers, body: raw })
    const { code, data } = (await answer.json()) as { code: string; data: Record<string, unknown> }
    assert.deepEqual(
      [answer.status, code, data['status'], data['json_error_code']],
      [400, 'rest_invalid_json', 400, number],
    )
    assert.equal(typeof data['json_error_message'], 'string')
  }
})

test('rest_invalid_type stands in details under the name of the parameter, never on its own', async () => {
  const json = { venue: ['x'], show_map: [], website: 'x' }
  const { status, body } = await call('anonymous', 'POST', '/venues', { json })
  assert.deepEqual([status, body.code], [400, 'rest_invalid_param'])
  assert.deepEqual(Object.keys(body.data.params), ['venue', 'show_map', 'website'])
  assert.deepEqual(Object.keys(body.data.details), ['venue', 'show_map'])
  const { code, data } = body.data.details.venue
  assert.deepEqual([code, data], ['rest_invalid_type', { param: 'venue' }])
})

test('details is an empty list when no type was wrong', async () => {
  assert.deepEqual((await call('anonymous', 'GET', '/venues/0')).body.data.details, [])
})

test('Allow stands beside the errors of a known path and beside no others', async () => {
  for (const [as, method, path, allow] of [
    ['anonymous', 'GET', '/venues/0', 'GET'],
    ['editor', 'PATCH', '/venues/0', 'GET, DELETE, POST, PUT, PATCH'],
    ['anonymous', 'POST', '/tags', 'GET'],
    ['editor', 'DELETE', '/tags/0', 'GET, POST, PUT, PATCH, DELETE'],
    ['anonymous', 'GET', '/places', null],
    ['editor', 'DELETE', '/venues', null],
  ] as const) {
    const { headers } = await call(as, method, path)
    assert.equal(headers.get('allow'), allow, `${method} ${path}`)
  }
})

/** Codes of the table that no request sets off here, and a request that would elsewhere, with what it comes to. */
const NEVER: Readonly<Record<string, readonly [number, string | undefined, ...Trigger] | undefined>> = {
  rest_cookie_invalid_nonce: [200, undefined, 'anonymous', 'GET', '/venues', { headers: { 'x-wp-nonce': 'bad' } }],
  rest_callback_invalid: [200, undefined, 'anonymous', 'GET', '/venues', { query: { _jsonp: 'a b' } }],
  rest_batch_not_allowed: undefined,
  'archive-bad-search-string': [400, 'rest_invalid_param', 'anonymous', 'GET', '/venues', { query: { search: '' } }],
  'could-not-update-venue': [
    400,
    'rest_invalid_param',
    'editor',
    'PUT',
    `/venues/${hidden.venue.id}`,
    { json: { venue: ' ' } },
  ],
  'could-not-update-organizer': undefined,
  'could-not-delete-venue': undefined,
  'could-not-delete-organizer': undefined,
  'venue-not-found': [400, 'rest_invalid_param', 'editor', 'DELETE', '/venues/999999'],
  'organizer-not-found': [400, 'rest_invalid_param', 'editor', 'DELETE', '/organizers/by-slug/no-such'],
  'invalid-linked-post-id': [
    400,
    'rest_invalid_param',
    'editor',
    'POST',
    '/events',
    { json: { title: 'x', start_date: '2027-01-01', end_date: '2027-01-02', venue: { id: 999_999 } } },
  ],
  rest_term_invalid: [
    400,
    'rest_invalid_param',
    'editor',
    'POST',
    '/categories',
    { json: { name: 'x', parent: 999_999 } },
  ],
  rest_trash_not_supported: undefined,
  rest_cannot_delete: undefined,
  'rest-invalid-event-id': [400, 'rest_invalid_param', 'anonymous', 'GET', '/tags', { query: { event: 'x' } }],
}

test('codes of the table that never occur are named in docs/api.md, with what is answered instead', async () => {
  const page = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')
  for (const [code, instead] of Object.entries(NEVER)) {
    assert.ok(page.includes(`\`${code}\``), code)
    if (instead === undefined) continue
    const [status, told, ...[as, method, path, sending]] = instead
    const answer = await call(as, method, path, sending)
    assert.deepEqual([answer.status, answer.body.code], [status, told], code)
  }
})
