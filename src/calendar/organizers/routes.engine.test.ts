import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLinkedServer } from '../../../test/support/linked-server.ts'

const FULL = {
  organizer: 'Acme "Org"',
  description: 'Text',
  phone: '1',
  website: 'http://o.example',
  email: 'a@b.example',
}

const HEAD = ['id', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'organizer']
const TAIL = ['global_id', 'global_id_lineage']

test('an organizer has its members in the order of the wire, json_ld only when it is read alone', async (t) => {
  const server = await openLinkedServer(t)
  const { body } = await server.call('editor', 'POST /organizers', { json: FULL })
  const members = [...HEAD, 'description', 'slug', 'phone', 'website', 'email']
  assert.deepEqual(Object.keys(body), [...members, ...TAIL])
  const read = (await server.call('anonymous', `GET /organizers/${body.id}`)).body
  assert.deepEqual(Object.keys(read), [...members, 'json_ld', ...TAIL])
  assert.deepEqual(read.json_ld, {
    '@type': 'Organization',
    name: 'Acme "Org"',
    description: 'Text',
    url: FULL.website,
    telephone: '1',
    email: FULL.email,
    sameAs: FULL.website,
  })
})

test('an organizer with a name alone has no empty members', async (t) => {
  const server = await openLinkedServer(t)
  const { body } = await server.call('editor', 'POST /organizers', { json: { organizer: 'Min Org' } })
  assert.deepEqual(Object.keys(body), [...HEAD, 'slug', ...TAIL])
})

test('what is no e-mail address is refused, and an empty one clears', async (t) => {
  const server = await openLinkedServer(t)
  const { id } = (await server.call('editor', 'POST /organizers', { json: FULL })).body
  const change = (email: unknown) => server.call('editor', `PATCH /organizers/${id}`, { json: { email } })
  const refused = await change('nomail')
  assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['email']])
  assert.equal((await change('c@d.example')).body.email, 'c@d.example')
  assert.ok(!('email' in (await change('')).body))
})

test('a search looks at e-mail address and web site', async (t) => {
  const server = await openLinkedServer(t)
  await server.call('editor', 'POST /organizers', { json: FULL })
  for (const search of ['A@B.example', 'o.example', 'acme']) {
    assert.equal((await server.call('anonymous', 'GET /organizers', { query: { search } })).body.total, 1, search)
  }
})
