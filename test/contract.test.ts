import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { openTestApp } from './support/app.ts'
import { contractAt } from './support/checked.ts'

const app = await openTestApp({ after })
const contract = await contractAt(app.origin)
const url = `${app.origin}/cal/events/v1/events/1`

type Node = Readonly<Record<string, unknown>>

const sent = {
  title: 'Regatta',
  start_date: '2027-04-17 09:30',
  end_date: '2027-04-17 15:00',
  venue: { venue: 'Pier' },
}
const created = await app.call('author', 'POST', '/events', { json: sent })
const whole = await app.call('anonymous', 'GET', `/events/${created.body.id}`)

/** What the check says of an answer like the real one in which something is changed. */
function problemsWith(change: {
  body?: Node
  status?: number
  headers?: Node
  url?: string
  method?: string
}): string[] {
  const headers = new Headers(whole.headers)
  for (const [name, value] of Object.entries(change.headers ?? {})) {
    if (value === undefined) headers.delete(name)
    else headers.set(name, String(value))
  }
  return contract.problemsOf({
    method: change.method ?? 'GET',
    url: change.url ?? url,
    status: change.status ?? 200,
    headers,
    text: JSON.stringify({ ...whole.body, ...change.body }),
  })
}

test('an answer as it is breaks nothing', () => {
  assert.deepEqual(problemsWith({}), [])
})

/** Changes to a right answer, each of which has to be noticed. */
const BREACHES: Readonly<Record<string, Parameters<typeof problemsWith>[0]>> = {
  'a number as author': { body: { author: 1 } },
  'an id that is text': { body: { id: '1' } },
  'a missing member': { body: { all_day: undefined } },
  'a member that nobody knows': { body: { password_hash: 'x' } },
  'a status of another world': { body: { status: 'open' } },
  'a date with a T': { body: { start_date: '2027-04-17T09:30:00' } },
  'a month 13': { body: { start_date: '2027-13-17 09:30:00' } },
  'parts of a date as numbers': { body: { start_date_details: { ...whole.body.start_date_details, year: 2027 } } },
  'an empty member of a venue': { body: { venue: { ...whole.body.venue, city: '' } } },
  'a member of a venue that nobody knows': { body: { venue: { ...whole.body.venue, owner: 1 } } },
  'null as venue': { body: { venue: null } },
  'true as picture': { body: { image: true } },
  'a relative address': { body: { rest_url: '/events/1' } },
  'structured data of another type': { body: { json_ld: { ...whole.body.json_ld, '@type': 'Thing' } } },
  'a status code that is not documented': { status: 202 },
  'an error with the status of a success': { status: 404 },
  'another content type': { headers: { 'content-type': 'text/html' } },
  'no Allow header': { headers: { allow: undefined } },
  'a weak validator': { headers: { etag: 'W/"x"' } },
  'an item instead of a list': { url: `${app.origin}/cal/events/v1/events` },
  'an item under an alias, as answer of a list': { url: `${app.origin}/de/wp-json/tribe/events/v1/venues/` },
  'an answer where no route is': { url: `${app.origin}/cal/events/v1/nothing` },
  'the status of another method': { method: 'POST', url: `${app.origin}/cal/events/v1/events` },
}

for (const [breach, change] of Object.entries(BREACHES)) {
  test(`the check sees ${breach}`, () => assert.notDeepEqual(problemsWith(change), []))
}

test('an error must have a code that its operation can answer, and the data of that code', () => {
  const text = (error: unknown): string => JSON.stringify(error)
  const problems = (error: unknown): string[] =>
    contract.problemsOf({ method: 'GET', url, status: 400, headers: whole.headers, text: text(error) })
  const error = { code: 'rest_invalid_param', message: 'm', data: { status: 400, params: { id: 'x' }, details: [] } }
  assert.deepEqual(problems(error), [])
  assert.notDeepEqual(problems({ ...error, code: 'rest_missing_callback_param' }), [])
  assert.notDeepEqual(problems({ ...error, data: { status: 400 } }), [])
  assert.notDeepEqual(problems({ ...error, data: { ...error.data, params: [] } }), [])
})

test('members that are left out by _fields are not missed, wrong ones are seen all the same', () => {
  const cut = (body: unknown): string[] =>
    contract.problemsOf({
      method: 'GET',
      url: `${url}?_fields=id,title`,
      status: 200,
      headers: whole.headers,
      text: JSON.stringify(body),
    })
  assert.deepEqual(cut({ id: 1, title: 'x' }), [])
  assert.deepEqual(cut([]), [])
  assert.notDeepEqual(cut({ id: '1' }), [])
})

test('a wrong answer fails the test that asked for it', async (t) => {
  const broken = await openTestApp(t)
  const { storage } = broken.app
  const { body } = await broken.call('author', 'POST', '/venues', { json: { venue: 'Pier' } })
  const extra = JSON.stringify({ secret: true })
  await storage.write((tx) => tx.run(tx.db.updateTable('venue').set({ extra }).where('id', '=', body.id)))
  await assert.rejects(broken.call('anonymous', 'GET', `/venues/${body.id}`), /against the document/)
})

interface Posting {
  readonly requestBody: {
    readonly content: Readonly<Record<string, { readonly encoding?: Node; readonly examples: Node }>>
  }
}

test('the examples of bodies are accepted as they are, as JSON and as a form', async () => {
  const { paths, components } = (await app.call('anonymous', 'GET', '/doc')).body
  const collections = ['/events', '/venues', '/organizers', '/categories', '/tags']
  for (const path of collections) {
    const posting: Posting = paths[path].post
    const { examples, encoding = {} } =
      posting.requestBody.content['application/x-www-form-urlencoded'] ?? assert.fail()
    const { value } = components.examples[Object.keys(examples).join()]
    const json = await app.call('editor', 'POST', path, { json: value })
    assert.equal(json.status, 201, `${path} ${JSON.stringify(json.body)}`)
    const form = await app.call('editor', 'POST', path, { form: formOf(value, encoding) })
    // A category or tag of one name is made once.
    assert.ok(form.status === 201 || form.body.code === 'term_exists', `${path} ${JSON.stringify(form.body)}`)
  }
})

/** The members of a body as the fields of a form: lists that the document has encoded are separated by commas, objects have brackets. */
function formOf(value: Node, encoding: Node): Record<string, string> {
  const written = Object.entries(value).flatMap(([name, member]): [string, string][] => {
    if (typeof member !== 'object' || member === null) return [[name, String(member)]]
    if (!Array.isArray(member)) return Object.entries(member).map(([key, own]) => [`${name}[${key}]`, String(own)])
    const isPlain = member.every((item) => typeof item !== 'object')
    return isPlain && encoding[name] !== undefined ? [[name, member.join(',')]] : []
  })
  return Object.fromEntries(written)
}
