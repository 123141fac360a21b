import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Role } from '../src/http/auth/rights.ts'
import { readSince } from '../src/storage/journal/read.ts'
import { openTestApp } from './support/app.ts'
import { fetchChecked } from './support/checked.ts'
import { MEETING, make } from './support/events.ts'
import { kalends, startServer } from './support/server.ts'

const app = await openTestApp({ after })

const UNSTORED = /no-store.*private|private.*no-store/

const CONTENT = {
  title: 'Closed party',
  description: 'behind the bakery',
  excerpt: 'with cake',
  cost: '$5',
  website: 'https://party.example/',
  categories: ['Parties'],
  tags: ['cake'],
  venue: { venue: 'Bakery' },
  organizer: { organizer: 'Baker' },
  tickets: [{ name: 'Guest' }],
  all_day: true,
  featured: true,
  show_map: true,
}

test('a list tells of a protected event its title, times and author, and nothing else', async () => {
  const event = await make(app, { ...CONTENT, password: 'open sesame', post_parent: (await make(app)).id })
  const { body } = await app.call('anonymous', 'GET', '/events', { query: { include: event.id } })
  const [listed] = body.events
  const { has_password: told, ...unlocked } = event
  assert.equal(told, true)
  const { tickets: _tickets, post_parent: _parent, ...whole } = unlocked
  assert.deepEqual(Object.keys(listed), Object.keys(whole))
  const nothing = {
    ...{ description: '', excerpt: '', image: false, all_day: null, cost: '', website: '' },
    cost_details: { currency_symbol: '', currency_position: '', currency_code: '', values: [] },
    ...{ show_map: null, show_map_link: null, hide_from_listings: null, sticky: null, featured: null },
    ...{ categories: [], tags: [], venue: [], organizer: [], custom_fields: [] },
  }
  assert.deepEqual(listed, { ...whole, ...nothing })
  assert.deepEqual(Object.keys(listed.cost_details), Object.keys(nothing.cost_details))
  for (const as of ['subscriber', 'author', 'contributor'] as const) {
    const answer = await app.call(as, 'GET', '/events', { query: { include: event.id } })
    assert.deepEqual(answer.body.events, body.events, as)
  }
  const opened = await app.call('anonymous', 'GET', '/events', {
    query: { include: event.id, password: 'open sesame' },
  })
  assert.deepEqual(opened.body.events, [unlocked])
  assert.match(opened.headers.get('cache-control') ?? '', UNSTORED)
  assert.deepEqual((await app.call('editor', 'GET', '/events', { query: { include: event.id } })).body.events, [event])
})

test('those who may edit an event are told that it has a password, wherever they see it, and nobody else is', async () => {
  const { cursor } = (await app.call('anonymous', 'GET', `${app.origin}/kalends/v1/changes`)).body
  const create = async (as: Role, more: object) => {
    const { status, body } = await app.call(as, 'POST', '/events', { json: { ...MEETING, ...more } })
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }
  const locked = await create('author', { password: 'plum' })
  const draft = await create('contributor', { password: 'plum', status: 'draft' })
  const open = await create('author', {})
  assert.deepEqual([locked.has_password, draft.has_password, 'has_password' in open], [true, true, false])
  const ids = [locked.id, draft.id, open.id]
  const idsIn = (items: readonly Record<string, unknown>[]): unknown[] =>
    items.filter((item) => 'has_password' in item).map((item) => [item['id'], item['has_password']])
  /** What single reads, lists and changes tell somebody who knows the password. */
  const told = async (as: Role | 'anonymous'): Promise<unknown[]> => {
    const password = 'plum'
    const single = ids.map(async (id) => (await app.call(as, 'GET', `/events/${id}`, { query: { password } })).body)
    const state = as === 'anonymous' || as === 'subscriber' ? {} : { status: 'any' }
    const query = { include: ids.join(), password, ...state }
    const listed: Record<string, number>[] = (await app.call(as, 'GET', '/events', { query })).body.events
    const changes = `${app.origin}/kalends/v1/changes?since=${cursor}&expand=item`
    const changed = (await app.call(as, 'GET', changes)).body.changes.map(({ item = {} }) => item)
    const byId = listed.toSorted((one, other) => Number(one['id']) - Number(other['id']))
    return [idsIn(await Promise.all(single)), idsIn(byId), idsIn(changed)]
  }
  const [first, second] = [
    [locked.id, true],
    [draft.id, true],
  ]
  const both = [first, second]
  assert.deepEqual(await told('editor'), [both, both, both])
  assert.deepEqual(await told('author'), [[first], [first], [first]])
  assert.deepEqual(await told('contributor'), [[second], [second], [second]])
  for (const as of ['anonymous', 'subscriber'] as const) assert.deepEqual(await told(as), [[], [], []], as)
  const { body: cleared } = await app.call('author', 'PATCH', `/events/${locked.id}`, { json: { password: '' } })
  assert.equal('has_password' in cleared, false)
  const { body: sent } = await app.call('author', 'PATCH', `/events/${open.id}`, { json: { has_password: true } })
  assert.deepEqual([sent.id, 'has_password' in sent], [open.id, false])
})

test('no search finds what a password hides, by having it or by lacking it', async () => {
  const count = async (search: string, as: Role | 'anonymous'): Promise<number> =>
    (await app.call(as, 'GET', '/events', { query: { search, password: 'open sesame' } })).body.total
  for (const as of ['anonymous', 'subscriber', 'contributor', 'author'] as const) {
    for (const search of ['bakery', '"with cake"', 'party -bakery'])
      assert.equal(await count(search, as), search === 'party -bakery' ? 1 : 0, search)
  }
  for (const as of ['editor', 'administrator'] as const) {
    for (const search of ['bakery', '"with cake"', 'party -bakery', 'closed party bakery', 'party ca'])
      assert.equal(await count(search, as), search === 'party -bakery' ? 0 : 1, search)
  }
})

test('who may edit a protected event finds it by what is hidden as long as it is, readers only by its title', async () => {
  const times = { start_date: '2027-05-01 10:00:00', end_date: '2027-05-01 12:00:00' }
  const json = { ...times, title: 'Mirabelle', description: 'cellar of the distillery', password: 'plum' }
  const { body: event } = await app.call('author', 'POST', '/events', { json })
  const draft = { ...json, title: 'Quince', description: 'attic of the distillery', status: 'draft' }
  const { body: own } = await app.call('contributor', 'POST', '/events', { json: draft })
  const open = { ...times, title: 'Open day', description: 'the distillery opens' }
  const { body: other } = await app.call('editor', 'POST', '/events', { json: open })
  const found = async (as: 'anonymous' | 'contributor' | 'author' | 'editor', search: string) => {
    const query = { search, per_page: 50, status: as === 'anonymous' ? 'publish' : 'any', start_date: '2027-01-01' }
    const { body } = await app.call(as, 'GET', '/events', { query })
    assert.equal(body.total, body.events.length, search)
    return body.events.map((one: { id: number }) => one.id).toSorted()
  }
  const expect = async (search: string, seen: Record<'anonymous' | 'contributor' | 'author' | 'editor', number[]>) => {
    for (const as of ['anonymous', 'contributor', 'author', 'editor'] as const)
      assert.deepEqual(await found(as, search), seen[as].toSorted(), `${as} ${search}`)
  }
  const [a, b, c] = [event.id, own.id, other.id]
  await expect('distillery', { anonymous: [c], contributor: [b, c], author: [a, c], editor: [a, b, c] })
  await expect('mirabelle', { anonymous: [a], contributor: [a], author: [a], editor: [a] })
  await expect('mirabelle -cellar', { anonymous: [a], contributor: [a], author: [], editor: [] })
  await expect('"of the distillery" la', { anonymous: [], contributor: [], author: [a], editor: [a] })
  await expect('mirabelle ar', { anonymous: [], contributor: [], author: [a], editor: [a] })
  await app.call('author', 'PATCH', `/events/${a}`, { json: { description: 'vineyard' } })
  await expect('cellar', { anonymous: [], contributor: [], author: [], editor: [] })
  await expect('vineyard', { anonymous: [], contributor: [], author: [a], editor: [a] })
  await app.call('author', 'PATCH', `/events/${a}`, { json: { password: '' } })
  await expect('vineyard', { anonymous: [a], contributor: [a], author: [a], editor: [a] })
  await app.call('author', 'PATCH', `/events/${a}`, { json: { password: 'plum' } })
  await expect('vineyard', { anonymous: [], contributor: [], author: [a], editor: [a] })
  assert.equal((await app.call('editor', 'DELETE', `/events/${a}`, { query: { force: 'true' } })).status, 200)
  const left = await app.app.storage.all(app.app.storage.db.selectFrom('entry_text').select('id').where('id', '=', -a))
  assert.deepEqual(left, [])
})

test('the password of an event is set and cleared by id and by slug, in a body or a form, by whoever may edit', async () => {
  const { body } = await app.call('author', 'POST', '/events', { json: { ...MEETING, title: 'Mine' } })
  const paths = [`/events/${body.id}`, '/events/by-slug/mine']
  const asked = async (password?: string): Promise<number> =>
    (await app.call('anonymous', 'GET', paths[0] ?? '', { query: password === undefined ? {} : { password } })).status
  for (const path of paths) {
    for (const [sending, password] of [
      [{ json: { password: 'first' } }, 'first'],
      [{ form: { password: 'second' } }, 'second'],
      [{ json: { title: 'Mine' } }, 'second'],
      [{ json: { password: 5 } }, '5'],
    ] as const) {
      assert.equal((await app.call('author', 'PATCH', path, sending)).status, 200)
      assert.deepEqual([await asked(), await asked('wrong'), await asked(password)], [403, 403, 200], password)
      assert.equal((await app.call('editor', 'GET', path)).status, 200)
    }
    for (const none of ['', null]) {
      await app.call('author', 'PATCH', path, { json: { password: 'x' } })
      assert.equal((await app.call('author', 'PATCH', path, { json: { password: none } })).body.password, undefined)
      assert.equal(await asked(), 200)
    }
    assert.equal((await app.call('contributor', 'PATCH', path, { json: { password: 'theirs' } })).status, 403)
    assert.equal((await app.call('anonymous', 'PATCH', path, { json: { password: 'theirs' } })).status, 401)
    assert.equal(await asked(), 200)
  }
})

test('no answer about a protected event may be kept, and none is confirmed without its password', async () => {
  const event = await make(app, { title: 'Kept by nobody', password: 'open sesame' })
  const path = `/events/${event.id}`
  const right = await app.call('anonymous', 'GET', path, { query: { password: 'open sesame' } })
  for (const answer of [right, await app.call('anonymous', 'GET', path), await app.call('author', 'GET', path)])
    assert.match(answer.headers.get('cache-control') ?? '', UNSTORED)
  for (const validator of ['*', right.headers.get('etag') ?? '"x"']) {
    const answer = await app.call('anonymous', 'GET', path, { headers: { 'if-none-match': validator } })
    assert.equal(answer.status, 403)
  }
})

test('the journal knows that an event has a password and nothing of it', async () => {
  const entries = (await readSince(app.app.storage, 0, 1_000)).filter((entry) => entry.resource === 'event')
  assert.ok(entries.some((entry) => JSON.stringify(entry.snapshot).includes('"has_password":true')))
  assert.ok(!/sesame|scrypt|password_hash/.test(JSON.stringify(entries)))
})

test('a password of an event is neither in the log, however much is logged, nor in the data folder', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-'))
  const server = await startServer(folder, ['--log-level', 'trace'])
  t.after(async () => {
    await server.stop('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  let log = ''
  server.child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const password = /^ {2}Password +(.+)$/m.exec(server.output())?.[1]?.trim() ?? ''
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/json' }
  const events = `${server.origin}/cal/events/v1/events`
  const send = (path: string, method: string, body: string) => fetchChecked(events + path, { method, headers, body })
  const made = await send('', 'POST', JSON.stringify({ ...MEETING, password: 'sesame one' }))
  assert.equal(made.status, 201)
  const { id } = (await made.json()) as { id: number }
  await send(`/${id}`, 'PATCH', '{"password":"sesame two"}')
  await send(`/${id}?password=sesame+three`, 'PUT', '{"password":"sesame four",')
  for (const path of [
    `/${id}?password=sesame+two`,
    '?password=sesame+five',
    '/%FF?password=sesame',
    '?password=sesame%ZZ',
  ])
    await fetchChecked(events + path)
  await kalends('user', 'list', '--data', folder)
  await server.stop('SIGTERM')
  assert.match(log, /stopped/)
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')))
  assert.ok(!/sesame/i.test([log, server.output(), ...files].join('\n')))
})
