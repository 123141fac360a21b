import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  addTestEvent,
  type LinkedServer,
  openLinkedServer,
  type TestEvent,
} from '../../../../test/support/linked-server.ts'
import type { Status } from '../../../model/status.ts'
import { readSince } from '../../../storage/journal/read.ts'

// What venues and organizers share is shown for both; each module tests what is its own.

const ROOMS = [
  { key: 'venue', path: '/venues', member: 'venues', name: 'venue' },
  { key: 'organizer', path: '/organizers', member: 'organizers', name: 'organizer' },
] as const

type Room = (typeof ROOMS)[number]

async function add(server: LinkedServer, room: Room, json: Record<string, unknown>): Promise<number> {
  const answer = await server.call('administrator', `POST ${room.path}`, { json: { [room.name]: 'Hall', ...json } })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.id
}

function addEvent(server: LinkedServer, event: Partial<TestEvent>): Promise<number> {
  const times = { start: '2026-12-01 10:00:00', end: '2026-12-01 12:00:00' }
  return server.storage.write((tx) => addTestEvent(tx, { ...times, links: [], ...event }))
}

function each(name: string, run: (server: LinkedServer, room: Room, t: TestContext) => Promise<void>): void {
  for (const room of ROOMS) test(`${room.member}: ${name}`, async (t) => run(await openLinkedServer(t), room, t))
}

each('a create answers 201 with the item and its own address', async (server, room) => {
  const answer = await server.call('author', `POST ${room.path}`, { json: { [room.name]: 'R & <b>D</b>' } })
  const { id } = answer.body
  assert.equal(answer.status, 201)
  assert.equal(answer.headers['location'], `https://calendar.example/cal/events/v1${room.path}/${id}`)
  assert.equal(answer.body[room.name], 'R &amp; D')
  assert.equal(answer.body.slug, 'r-d')
  assert.equal(answer.body.author, String(server.users.get('author')))
  assert.equal(answer.body.date, '2026-11-20 13:00:00')
  assert.equal(answer.body.date_utc, '2026-11-20 18:00:00')
  assert.equal(answer.body.url, `https://calendar.example/${room.key}/r-d/`)
  assert.equal(answer.body.global_id, `calendar.example?id=${id}`)
  for (const member of ['description', 'image', 'phone', 'json_ld']) assert.ok(!(member in answer.body), member)
})

each('the same create again answers 201 with the stored item and its address', async (server, room) => {
  const id = await add(server, room, { phone: '1' })
  const again = await server.call('administrator', `POST ${room.path}`, { json: { [room.name]: 'HALL' } })
  assert.deepEqual([again.status, again.body.id, again.body.phone], [201, id, '1'])
  assert.ok(String(again.headers['location']).endsWith(`${room.path}/${id}`))
  assert.equal((await readSince(server.storage, 0, 100)).filter((one) => one.resource === room.key).length, 1)
})

each('a name that is missing, empty, blank or too long makes none', async (server, room) => {
  const codes = async (json: object): Promise<unknown[]> => {
    const { status, body } = await server.call('administrator', `POST ${room.path}`, { json })
    return [status, body.code]
  }
  assert.deepEqual(await codes({}), [400, 'rest_missing_callback_param'])
  assert.deepEqual(await codes({ [room.name]: null }), [400, 'rest_missing_callback_param'])
  assert.deepEqual(await codes({ [room.name]: '' }), [400, 'rest_invalid_param'])
  assert.deepEqual(await codes({ [room.name]: '  ' }), [400, `could-not-create-${room.key}`])
  assert.deepEqual(await codes({ [room.name]: '<b></b>' }), [400, `could-not-create-${room.key}`])
  assert.deepEqual(await codes({ [room.name]: '  ', website: 'foo' }), [400, 'rest_invalid_param'])
  assert.deepEqual(await codes({ [room.name]: 'x'.repeat(1001) }), [400, 'rest_invalid_param'])
})

each('an update changes what was sent, counts a revision and tells the journal', async (server, room) => {
  const id = await add(server, room, { phone: '1', website: 'https://a.example/' })
  server.clock.now += 60_000
  const answer = await server.call('editor', `PATCH ${room.path}/${id}`, {
    json: { [room.name]: 'Other', phone: null },
  })
  assert.equal(answer.status, 200)
  assert.equal(answer.body[room.name], 'Other')
  assert.equal(answer.body.slug, 'hall')
  assert.equal(answer.body.website, 'https://a.example/')
  assert.equal(answer.body.modified_utc, '2026-11-20 18:01:00')
  assert.ok(!('phone' in answer.body))
  const changes = (await readSince(server.storage, 0, 100)).filter((one) => one.resource === room.key)
  assert.deepEqual(
    changes.map((one) => [one.action, one.revision]),
    [
      ['create', 1],
      ['update', 2],
    ],
  )
  assert.equal(changes[1]?.actor, server.users.get('editor'))
})

each('what was read can be sent back, and changes nothing at all', async (server, room) => {
  const id = await add(server, room, { description: 'A\n\nB', website: 'https://a.example/', status: 'private' })
  const before = (await server.call('administrator', `GET ${room.path}/${id}`)).body
  server.clock.now += 60_000
  const answer = await server.call('administrator', `PUT ${room.path}/by-slug/hall`, { json: before })
  assert.equal(answer.status, 200)
  assert.deepEqual((await server.call('administrator', `GET ${room.path}/${id}`)).body, before)
})

each('bad values are refused together and change nothing', async (server, room) => {
  const id = await add(server, room, {})
  const json = { author: 999, date: 'foo', status: 'inherit', website: 'ftp://a.example', image: 12 }
  const answer = await server.call('administrator', `POST ${room.path}/${id}`, { json })
  assert.deepEqual([answer.status, answer.body.code], [400, 'rest_invalid_param'])
  assert.deepEqual(Object.keys(answer.body.data.params), ['author', 'date', 'status', 'website', 'image'])
})

each('unknown ids and slugs, id 0 and ids of another kind are 400', async (server, room) => {
  const other = await add(server, ROOMS.find((one) => one !== room) ?? room, {})
  for (const path of ['999', '0', '99999999999999999999999', String(other)]) {
    const answer = await server.call('anonymous', `GET ${room.path}/${path}`)
    assert.deepEqual(
      [answer.status, answer.body.code, 'id' in answer.body.data.params],
      [400, 'rest_invalid_param', true],
      path,
    )
  }
  const answer = await server.call('anonymous', `GET ${room.path}/by-slug/none`)
  assert.deepEqual([answer.status, 'slug' in answer.body.data.params], [400, true])
})

each('a slug is found in any case', async (server, room) => {
  const id = await add(server, room, { [room.name]: 'Café 日本' })
  for (const slug of ['cafe-%e6%97%a5%e6%9c%ac', 'CAFE-%E6%97%A5%E6%9C%AC', 'Cafe-日本']) {
    assert.equal(
      (await server.call('anonymous', `GET ${room.path}/by-slug/${encodeURI(decodeURI(slug))}`)).body.id,
      id,
      slug,
    )
  }
})

each('deleting moves to the trash, again is 410, a status brings it back', async (server, room) => {
  const id = await add(server, room, {})
  const gone = await server.call('editor', `DELETE ${room.path}/${id}`)
  assert.deepEqual([gone.status, gone.body.status, gone.body.slug], [200, 'trash', 'hall__trashed'])
  assert.match(gone.body.url, /\?post_type=\w+&p=\d+$/)
  const again = await server.call('editor', `DELETE ${room.path}/by-slug/hall__trashed`)
  assert.deepEqual([again.status, again.body.code], [410, `${room.key}-is-in-trash`])
  assert.equal((await server.call('anonymous', `GET ${room.path}/${id}`)).body.code, `${room.key}-not-accessible`)
  assert.notEqual(await add(server, room, {}), id)
  const back = await server.call('editor', `PATCH ${room.path}/${id}`, { json: { status: 'publish' } })
  assert.deepEqual([back.status, back.body.status, back.body.slug], [200, 'publish', 'hall-2'])
  const actions = (await readSince(server.storage, 0, 100)).filter((one) => one.id === id && one.resource === room.key)
  assert.deepEqual(
    actions.map((one) => one.action),
    ['create', 'trash', 'restore'],
  )
})

each('force deletes for good, for editors only, also from the trash', async (server, room) => {
  const id = await add(server, room, { author: server.users.get('author') })
  await addEvent(server, { links: [{ key: room.key, id }] })
  const asForce = { query: { force: 'true' } }
  const refused = await server.call('author', `DELETE ${room.path}/${id}`, asForce)
  assert.deepEqual([refused.status, refused.body.code], [403, 'rest_forbidden'])
  assert.equal((await server.call('author', `DELETE ${room.path}/${id}`)).status, 200)
  const gone = await server.call('editor', `DELETE ${room.path}/${id}`, asForce)
  assert.deepEqual([gone.status, gone.body.id], [200, id])
  assert.equal((await server.call('editor', `GET ${room.path}/${id}`)).status, 400)
  assert.equal((await server.call('editor', `DELETE ${room.path}/${id}`, asForce)).status, 400)
  const { storage } = server
  assert.deepEqual(await storage.all(storage.db.selectFrom(`event_${room.key}`).select('event_id')), [])
  assert.deepEqual(await storage.all(storage.db.selectFrom('entry_text').select('id').where('id', '=', id)), [])
  assert.ok((await add(server, room, {})) > id)
  const last = (await readSince(storage, 0, 100)).findLast((one) => one.id === id)
  assert.deepEqual([last?.action, last?.revision, last?.snapshot], ['delete', 3, null])
})

each('anonymous writes are 401, those of subscribers 403, after validation', async (server, room) => {
  const json = { [room.name]: 'Hall' }
  assert.equal((await server.call('anonymous', `POST ${room.path}`, { json })).status, 401)
  assert.equal((await server.call('subscriber', `POST ${room.path}`, { json })).status, 403)
  assert.equal((await server.call('anonymous', `POST ${room.path}`, { json: { ...json, website: 'x' } })).status, 400)
  assert.equal((await server.call('anonymous', `DELETE ${room.path}/999`)).status, 400)
})

each('contributors propose, and write what is their own and unpublished', async (server, room) => {
  const write = (json: object) =>
    server.call('contributor', `POST ${room.path}`, { json: { [room.name]: 'Mine', ...json } })
  assert.equal((await write({})).body.status, 'draft')
  const proposed = await write({ phone: '1', status: 'publish' })
  assert.equal(proposed.body.status, 'pending')
  for (const status of ['private', 'trash']) assert.equal((await write({ phone: status, status })).status, 403, status)
  assert.equal((await write({ author: server.users.get('editor') })).status, 403)
  const own = `${room.path}/${proposed.body.id}`
  assert.equal((await server.call('contributor', `PATCH ${own}`, { json: { phone: '2' } })).body.status, 'pending')
  await server.call('editor', `PATCH ${own}`, { json: { status: 'publish' } })
  assert.equal((await server.call('contributor', `PATCH ${own}`, { json: { phone: '3' } })).status, 403)
  assert.equal((await server.call('contributor', `DELETE ${own}`)).status, 403)
})

each('a publication date to come makes it wait', async (server, room) => {
  const answer = await server.call('editor', `POST ${room.path}`, {
    json: { [room.name]: 'Soon', date: '2026-12-24 09:00:00' },
  })
  assert.deepEqual([answer.body.status, answer.body.date_utc], ['future', '2026-12-24 14:00:00'])
  const path = `${room.path}/${answer.body.id}`
  const earlier = await server.call('editor', `PATCH ${path}`, { json: { date_utc: '2026-01-01 00:00:00' } })
  assert.deepEqual([earlier.body.status, earlier.body.date], ['publish', '2025-12-31 19:00:00'])
})

each('lists show the newest first, page by page, with links and totals', async (server, room) => {
  for (const day of ['02', '03', '01'])
    await add(server, room, { [room.name]: `Day ${day}`, date_utc: `2026-01-${day} 00:00:00` })
  const list = async (path: string) =>
    server.call('anonymous', path.startsWith('http') ? `GET ${path}` : `GET ${room.path}${path}`)
  const first = await list('?per_page=2&search=day&has_events=no')
  assert.deepEqual(Object.keys(first.body), [room.member, 'rest_url', 'next_rest_url', 'total', 'total_pages'])
  assert.deepEqual(
    first.body[room.member].map((one: Record<string, unknown>) => one[room.name]),
    ['Day 03', 'Day 02'],
  )
  assert.deepEqual([first.body.total, first.body.total_pages, first.headers['x-tec-total']], [3, 2, '3'])
  const query = new URL(first.body.next_rest_url).searchParams
  assert.deepEqual(Object.fromEntries(query), {
    per_page: '2',
    has_events: 'false',
    search: 'day',
    status: 'publish',
    page: '2',
  })
  const second = await list(first.body.next_rest_url)
  assert.deepEqual(
    second.body[room.member].map((one: Record<string, unknown>) => one[room.name]),
    ['Day 01'],
  )
  assert.equal((await list(second.body.previous_rest_url)).body.total, 3)
  for (const page of ['3', '9007199254740991']) {
    const beyond = await list(`?per_page=2&page=${page}`)
    assert.deepEqual([beyond.status, beyond.body.code], [404, `${room.key}-archive-page-not-found`])
  }
  const none = await list('?search=nothing')
  assert.deepEqual([none.status, none.body[room.member], none.body.total, none.body.total_pages], [200, [], 0, 0])
})

each('every word of a search must occur somewhere, none that is excluded', async (server, room) => {
  const id = await add(server, room, { [room.name]: 'Crème', description: '<p>brûlée &amp; tea</p>', phone: '555' })
  await add(server, room, { [room.name]: 'Crème', phone: '777' })
  const found = async (search: string) =>
    (await server.call('anonymous', `GET ${room.path}`, { query: { search } })).body.total
  assert.equal(await found('creme'), 2)
  assert.equal(await found('CREME 555 tea'), 1)
  assert.equal(await found('"brulee & tea"'), 1)
  assert.equal(await found('creme -tea'), 1)
  assert.equal(await found('creme "tea 555"'), 0)
  assert.equal(await found('é'), 2)
  await server.call('editor', `PATCH ${room.path}/${id}`, { json: { description: '' } })
  assert.equal(await found('tea'), 0)
  const refused = await server.call('anonymous', `GET ${room.path}`, { query: { search: 'x'.repeat(257) } })
  assert.deepEqual([refused.status, 'search' in refused.body.data.params], [400, true])
})

each('a list of an event names what the event is linked to, if the caller may know', async (server, room) => {
  const id = await add(server, room, {})
  await add(server, room, { phone: '2' })
  const links = [{ key: room.key, id }]
  const open = await addEvent(server, { links })
  const draft = await addEvent(server, { links, status: 'draft' })
  const locked = await addEvent(server, { links, passwordHash: 'hash' })
  const ids = async (as: 'anonymous' | 'editor', event: number) => {
    const { status, body } = await server.call(as, `GET ${room.path}`, { query: { event: String(event) } })
    return status === 200 ? body[room.member].map((one: { id: number }) => one.id) : status
  }
  assert.deepEqual(await ids('anonymous', open), [id])
  assert.equal(await ids('anonymous', draft), 400)
  assert.deepEqual(await ids('editor', draft), [id])
  assert.deepEqual(await ids('anonymous', locked), [])
  assert.deepEqual(await ids('editor', locked), [id])
  for (const event of [id, 0, 999]) assert.equal(await ids('editor', event), 400, String(event))
})

each('use and coming use count by the events that the caller may read, by instants', async (server, room) => {
  const names = ['past', 'running', 'coming', 'ended', 'hidden', 'unused']
  const ids = new Map<string, number>()
  for (const name of names) ids.set(name, await add(server, room, { [room.name]: name }))
  const event = (name: string, [start, end]: [string, string], status: Status = 'publish') =>
    addEvent(server, { start, end, status, links: [{ key: room.key, id: ids.get(name) ?? 0 }] })
  await event('past', ['2026-11-19 10:00:00', '2026-11-19 12:00:00'])
  await event('running', ['2026-11-20 17:00:00', '2026-11-20 18:00:01'])
  await event('coming', ['2026-11-20 18:30:00', '2026-11-20 19:00:00'])
  await event('ended', ['2026-11-20 17:00:00', '2026-11-20 18:00:00'])
  await event('hidden', ['2026-12-01 10:00:00', '2026-12-01 12:00:00'], 'draft')
  const found = async (as: 'anonymous' | 'editor', query: Record<string, string>) => {
    const { body } = await server.call(as, `GET ${room.path}`, { query })
    assert.equal(body.total, body[room.member].length)
    return body[room.member].map((one: Record<string, unknown>) => one[room.name]).sort()
  }
  assert.deepEqual(await found('anonymous', { has_events: 'YES' }), ['coming', 'ended', 'past', 'running'])
  assert.deepEqual(await found('anonymous', { has_events: '' }), ['hidden', 'unused'])
  assert.deepEqual(await found('editor', { has_events: 'enabled' }), ['coming', 'ended', 'hidden', 'past', 'running'])
  assert.deepEqual(await found('anonymous', { only_with_upcoming: '1' }), ['coming', 'running'])
  assert.deepEqual(await found('editor', { only_with_upcoming: 'true' }), ['coming', 'hidden', 'running'])
  assert.equal((await found('anonymous', { only_with_upcoming: 'perhaps' })).length, 6)
})

each('lists show unpublished items to editors and to their authors', async (server, room) => {
  await add(server, room, { [room.name]: 'open' })
  await add(server, room, { [room.name]: 'draft', status: 'draft' })
  await add(server, room, { [room.name]: 'mine', status: 'pending', author: server.users.get('author') })
  await add(server, room, { [room.name]: 'gone', status: 'trash' })
  const found = async (as: 'anonymous' | 'subscriber' | 'author' | 'editor', status?: string) => {
    const answer = await server.call(as, `GET ${room.path}`, { query: status === undefined ? {} : { status } })
    if (answer.status !== 200) return answer.status
    const shown = as === 'anonymous' || as === 'subscriber' ? 'publish' : null
    assert.equal(new URL(answer.body.rest_url).searchParams.get('status'), status ?? shown)
    return answer.body[room.member].map((one: Record<string, unknown>) => one[room.name]).sort()
  }
  assert.deepEqual(await found('anonymous'), ['open'])
  assert.deepEqual(await found('anonymous', 'publish'), ['open'])
  assert.equal(await found('subscriber', 'draft'), 400)
  assert.deepEqual(await found('author'), ['mine', 'open'])
  assert.deepEqual(await found('author', 'draft,pending'), ['mine'])
  assert.deepEqual(await found('editor'), ['draft', 'mine', 'open'])
  assert.deepEqual(await found('editor', 'any'), ['draft', 'mine', 'open'])
  assert.deepEqual(await found('editor', 'trash'), ['gone'])
})
