import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { fetchChecked } from '../support/checked.ts'

/*
 * Must hold 1: the requests that the MCP server of The Events Calendar sends, in its order of parameters, with its headers
 * and bodies: JSON is announced even where there is none, lists are texts with commas, orders are in lower case, updates
 * are PUT and always have a status.
 */

const app = await openTestApp({ after })
type As = Parameters<typeof app.authorization>[0]
type Query = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>

interface Sent {
  readonly as?: As
  readonly query?: Query
  readonly body?: object
}

async function send(method: string, path: string, { as = 'administrator', query = {}, body }: Sent = {}) {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    parameters.append(name, Array.isArray(value) ? value.join(',') : String(value))
  const search = parameters.size === 0 ? '' : `?${parameters}`
  const answer = await fetchChecked(`${app.origin}/wp-json${path}${search}`, {
    method,
    headers: {
      authorization: app.authorization(as),
      'content-type': 'application/json',
      'x-tec-eea': 'I know that this may change.',
      accept: '*/*',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
}

interface Item {
  readonly id: number
}

async function idsOf(kind: string, query: Query = {}): Promise<number[]> {
  const { status, headers, body } = await send('GET', `/tec/v1/${kind}`, { query })
  assert.equal(status, 200, `${kind} ${JSON.stringify(query)}: ${JSON.stringify(body)}`)
  assert.equal(headers.get('x-wp-total'), String(body.length))
  return body.map(({ id }: Item) => id)
}

async function make(kind: string, body: object): Promise<number> {
  const made = await send('POST', `/tec/v1/${kind}`, { body })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.equal(made.headers.get('location'), `${app.origin}/wp-json/tec/v1/${kind}/${made.body.id}`)
  return made.body.id
}

const term = async (path: string): Promise<number> =>
  (await app.call('editor', 'POST', path, { json: { name: 'Jazz' } })).body.id

const [category, tag] = [await term('/categories'), await term('/tags')]
const place = { address: 'Rynek 1', country: 'Poland', city: 'Łódź', state: 'LD', zip: '90-001', phone: '+48 42' }
const venue = await make('venues', { title: 'Old Mint', status: 'publish', ...place, lat: 51.77, lng: 19.45 })
const barn = await make('venues', { title: 'Barn', status: 'publish', country: 'Ireland', city: 'Cork' })
const contact = { phone: '123', website: 'https://friends.example/', email: 'f@example.org' }
const organizer = await make('organizers', { title: 'Friends', status: 'publish', ...contact })
const terms = { comment_status: 'closed', tags: [tag], tribe_events_cat: [category] }
const night = await make('events', {
  ...{ title: 'Night', status: 'publish', content: '<p>Late</p>', excerpt: 'Late', ...terms },
  ...{ start_date: '2027-05-31 19:00:00', end_date: '2027-05-31 22:00:00', timezone: 'Europe/Warsaw' },
  ...{ featured: true, cost: '12', organizers: [organizer], venues: [venue] },
})
const noon = { start_date: '2027-05-01 12:00:00', end_date: '2027-05-01 12:00:00', all_day: true }
const draft = await make('events', { title: 'Draft', status: 'draft', ...noon })
const later = { start_date: '2027-06-10 10:00:00', end_date: '2027-06-10 11:00:00' }
const talk = await make('events', { title: 'Talk', status: 'publish', ...later })
await app.call('editor', 'PATCH', `/events/${night}`, {
  json: { tickets: [{ name: 'Adult', price: '12' }, { name: 'Child' }] },
})

test('it learns what the site is, whose credentials it has, and as administrator its settings', async () => {
  const { body: root } = await send('GET', '/')
  for (const name of ['name', 'description', 'url', 'home', 'timezone_string'])
    assert.equal(typeof root[name], 'string')
  assert.equal(typeof root.gmt_offset, 'number')
  assert.ok(root.namespaces.includes('tec/v1'))
  for (const as of ['administrator', 'editor'] as const) {
    assert.equal((await send('GET', '/wp/v2/users/me', { as })).status, 200)
    const { status, body } = await send('GET', '/wp/v2/settings', { as })
    assert.deepEqual([status, body.title ?? body.code], as === 'editor' ? [403, 'rest_forbidden'] : [200, root.name])
  }
})

test('it reads items by their IDs', async () => {
  for (const [kind, id] of Object.entries({ events: night, venues: venue, organizers: organizer })) {
    const { status, body } = await send('GET', `/tec/v1/${kind}/${id}`)
    assert.deepEqual([status, body.id], [200, id])
  }
})

test('it lists events with all its filters', async () => {
  assert.deepEqual(await idsOf('events'), [night, talk])
  assert.deepEqual(await idsOf('events', { order: 'desc', orderby: 'event_date' }), [talk, night])
  assert.deepEqual(await idsOf('events', { page: 1, per_page: 100, order: 'asc', orderby: 'title' }), [night, talk])
  assert.deepEqual(await idsOf('events', { status: 'draft' }), [draft])
  assert.deepEqual(await idsOf('events', { status: ['publish', 'draft'] }), [draft, night, talk])
  assert.deepEqual(await idsOf('events', { include: [night, draft], exclude: [talk] }), [night])
  assert.deepEqual(await idsOf('events', { search: 'night' }), [night])
  assert.deepEqual(await idsOf('events', { start_date: '2027-05-01', end_date: '2027-05-31' }), [night])
  for (const [name, value] of Object.entries({ venue, organizer, featured: true, categories: [category], tags: [tag] }))
    assert.deepEqual(await idsOf('events', { [name]: value }), [night], name)
  assert.deepEqual(await idsOf('events', { featured: false }), [talk])
})

test('it lists venues and organizers with all its filters', async () => {
  assert.deepEqual(await idsOf('venues', { order: 'desc', orderby: 'title' }), [venue, barn])
  assert.deepEqual(await idsOf('venues', { order: 'asc', orderby: 'title', search: 'mint' }), [venue])
  for (const [name, value] of Object.entries({ city: 'lodz', state: 'ld', country: 'POLAND', zip: '90-001' }))
    assert.deepEqual(await idsOf('venues', { [name]: value }), [venue], name)
  assert.deepEqual(await idsOf('venues', { geo_lat: 51.7, geo_lng: 19.4, radius: 50 }), [venue])
  for (const [name, value] of Object.entries({ ...contact, email: 'F@example.org' }))
    assert.deepEqual(await idsOf('organizers', { [name]: value }), [organizer], name)
})

test('it reads tickets, whose other filters are ignored and named', async () => {
  const [adult = 0, child] = await idsOf('tickets', { order: 'asc', event: night })
  assert.deepEqual(await idsOf('tickets', { order: 'desc', orderby: 'title' }), [child, adult])
  assert.equal((await send('GET', `/tec/v1/tickets/${adult}`)).body.event_id, night)
  const query = { provider: 'RSVP', type: 'paid', available: true, min_price: 1, max_price: 9 }
  const { headers } = await send('GET', '/tec/v1/tickets', { query })
  assert.deepEqual(headers.get('x-kalends-ignored')?.split(', '), Object.keys(query).toSorted())
  const refused = [
    await send('POST', '/tec/v1/tickets', { body: {} }),
    await send('DELETE', `/tec/v1/tickets/${adult}`),
  ]
  for (const { status, body } of refused) assert.deepEqual([status, body.code], [404, 'rest_no_route'])
})

test('it updates with PUT, and errors have a code and a message', async () => {
  const update = (path: string, body: object) => send('PUT', `/tec/v1/${path}`, { body })
  const event = await update(`events/${talk}`, { status: 'publish', ...later, cost: '15', venues: [barn] })
  assert.deepEqual([event.status, event.body.venues[0].id, event.body.duration], [200, barn, '3600'])
  assert.equal((await update(`events/${talk}`, { status: 'private', ...later })).body.status, 'private')
  assert.equal((await update(`events/${draft}`, { title: 'Renamed' })).body.status, 'draft')
  assert.equal((await update(`venues/${barn}`, { status: 'publish', city: 'Kinsale' })).body.city, 'Kinsale')
  const renamed = await update(`organizers/${organizer}`, { title: 'Old friends', status: 'publish' })
  assert.deepEqual(renamed.body.title, { rendered: 'Old friends' })
  const backwards = { title: 'x', status: 'publish', start_date: later.end_date, end_date: later.start_date }
  const refusals = [
    [await update(`events/${talk}`, { status: 'trash', ...later }), 400, 'rest_invalid_param'],
    [await send('POST', '/tec/v1/events', { body: backwards }), 400, 'rest_invalid_param'],
    [await send('POST', '/tec/v1/events', { as: 'subscriber', body: { title: 'x', ...later } }), 403, 'rest_forbidden'],
    [await send('GET', '/tec/v1/events/999999'), 403, 'rest_forbidden'],
    [await send('GET', '/tec/v1/events', { query: { orderby: 'nothing' } }), 400, 'rest_invalid_param'],
    [await send('GET', '/tec/v1/venues', { query: { geo_lat: 1 } }), 400, 'rest_invalid_param'],
    [await send('GET', '/tec/v1/events', { query: { page: 99 } }), 404, 'tec_rest_organizers_page_not_found'],
  ] as const
  for (const [{ status, body }, wanted, code] of refusals) {
    assert.deepEqual([status, body.code, body.data.status], [wanted, code, wanted], JSON.stringify(body))
    assert.notEqual(body.message, '')
  }
})

test('it moves to the trash and deletes for good', async () => {
  for (const [kind, id] of Object.entries({ events: night, venues: venue, organizers: organizer })) {
    const path = `/tec/v1/${kind}/${id}`
    const answers = [await send('DELETE', path), await send('DELETE', path)]
    answers.push(await send('DELETE', path, { query: { force: true } }), await send('GET', path))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 410, 200, 403],
      kind,
    )
    assert.deepEqual([answers[0]?.body, answers[1]?.body.code], [[], `${kind.slice(0, -1)}-is-in-trash`])
  }
})
