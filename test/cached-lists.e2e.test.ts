import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openApp } from '../src/app/app.ts'
import { readConfig } from '../src/base/config.ts'
import { createLog } from '../src/base/log.ts'
import { databaseFlags, openTestApp, UNLIMITED } from './support/app.ts'
import { hitsOf, METRICS } from './support/cache-hits.ts'
import { MEETING } from './support/events.ts'

const data = await mkdtemp(join(tmpdir(), 'kalends-lists-'))
after(() => rm(data, { recursive: true, force: true }))
const FLAGS = { data, synchronous: 'NORMAL', siteZone: 'America/New_York', siteHost: 'calendar.example' }
const SHARED = { ...FLAGS, ...(await databaseFlags()), secret: 'one secret for both of the servers' }
const app = await openTestApp({ after }, { ...SHARED, ...METRICS })
const { storage } = app.app

/** Another server on the same database. */
async function openAnother(): Promise<string> {
  const now = (): number => app.clock.now
  const config = readConfig({ ...UNLIMITED, ...SHARED, port: '0' }, {})
  const another = await openApp(config, { now, log: createLog({ level: 'silent', now }), role: 'serve' })
  after(() => another.close())
  return (await another.listen()).addresses[0] ?? assert.fail('no address')
}

/** Asks as an anonymous reader; whether a kept answer was sent, and what was answered. */
async function ask(path: string): Promise<{ readonly wasKept: boolean; readonly body: string }> {
  const before = await hitsOf(app.app, 'answer')
  const answer = await fetch(`${app.origin}/cal/events/v1${path}`)
  const body = await answer.text()
  assert.equal(answer.status, 200, `${path}: ${body}`)
  return { wasKept: (await hitsOf(app.app, 'answer')) > before, body }
}

/** Writes through one of the servers. */
let writer = ''

async function write(method: string, path: string, json: object = {}): Promise<number> {
  const address = writer === '' ? path : `${writer}/cal/events/v1${path}`
  const { status, body } = await app.call('administrator', method, address, { json })
  assert.ok(status < 300, JSON.stringify(body))
  return body.id
}

const create = (collection: string, json: object): Promise<number> => write('POST', `/${collection}`, json)

function onDay(day: string, more: object = {}): object {
  return { ...MEETING, title: `Event of ${day}`, start_date: `${day} 10:00:00`, end_date: `${day} 12:00:00`, ...more }
}

/** Which of some lists a write ends, by name; those that it leaves are what a server without cache would answer. */
async function endedBy(lists: Readonly<Record<string, string>>, change: () => Promise<unknown>): Promise<string[]> {
  for (const path of Object.values(lists)) await ask(path)
  for (const path of Object.values(lists)) assert.ok((await ask(path)).wasKept, path)
  await change()
  // The first request only counts what was written.
  await ask('/doc')
  const ended: string[] = []
  for (const [name, path] of Object.entries(lists)) {
    const { wasKept, body } = await ask(path)
    if (!wasKept) ended.push(name)
    const made = await app.call('subscriber', 'GET', path)
    assert.deepEqual(JSON.parse(body), made.body, name)
  }
  return ended
}

const venue = await create('venues', { venue: 'Hall' })
const [low, high, other] = [
  await create('categories', { name: 'Opera' }),
  await create('categories', { name: 'Music' }),
  await create('categories', { name: 'Chess' }),
]
await write('PATCH', `/categories/${low}`, { parent: high })
const tag = await create('tags', { name: 'free' })
const first = await create('events', onDay('2026-12-01', { venue, categories: [low] }))
await create('events', onDay('2026-12-11', { categories: [other], tags: [tag] }))

const window = (from: string, to: string): string => `/events?start_date=${from}&end_date=${to}`
const LISTS = {
  early: window('2026-12-01', '2026-12-09'),
  late: window('2026-12-10', '2026-12-19'),
  over: '/events?ends_after=2026-12-10&starts_before=2026-12-12',
  venue: `/events?venue=${venue}&start_date=2026-12-01`,
  music: `/events?categories=${high}&start_date=2026-12-01`,
  chess: `/events?categories=${other}&start_date=2026-12-01`,
  free: `/events?tags=${tag}&start_date=2026-12-01`,
  search: `${window('2026-12-01', '2026-12-09')}&search=event`,
}
const ended = (change: () => Promise<unknown>): Promise<string[]> => endedBy(LISTS, change)

/** Lists hold events in an order; whether they are other events than before is known for all lists at once. */
const ALL = Object.keys(LISTS)

test('a new event invalidates all lists, and so does one that changes its place in them', async () => {
  assert.deepEqual(await ended(() => create('events', onDay('2027-03-01'))), ALL)
  const id = await create('events', onDay('2026-12-05'))
  const set = (json: object) => () => write('PATCH', `/events/${id}`, json)
  assert.deepEqual(await ended(set(onDay('2026-12-06'))), ALL)
  assert.deepEqual(await ended(set({ featured: true })), ALL)
  assert.deepEqual(await ended(set({ venue })), ALL)
  assert.deepEqual(await ended(set({ date: '2026-11-01 10:00:00' })), ALL)
})

test('what nobody sees invalidates only searches until it is published, and again when it goes', async () => {
  assert.deepEqual(await ended(() => create('events', onDay('2026-12-05', { status: 'draft' }))), ['search'])
  const id = await create('events', onDay('2026-12-05', { status: 'draft' }))
  const set = (json: object) => () => write('PATCH', `/events/${id}`, json)
  assert.deepEqual(await ended(set({ title: 'Event in the making' })), ['search'])
  assert.deepEqual(await ended(set({ status: 'publish' })), ALL)
  assert.deepEqual(await ended(set({ hide_from_listings: true })), ALL)
  assert.deepEqual(await ended(set({ hide_from_listings: false })), ALL)
  assert.deepEqual(await ended(() => write('DELETE', `/events/${id}`)), ALL)
  assert.deepEqual(await ended(() => write('DELETE', `/events/${id}`, { force: true })), ['search'])
  const gone = await create('events', onDay('2026-12-05'))
  assert.deepEqual(await ended(() => write('DELETE', `/events/${gone}`, { force: true })), ALL)
})

test('an event whose texts change invalidates the pages that show it, and searches that may find it', async () => {
  const id = await create('events', onDay('2026-12-08'))
  const pages = { one: `${LISTS.early}&per_page=1`, two: `${LISTS.early}&per_page=1&page=2`, search: LISTS.search }
  const change = (of: number, json: object) => () => write('PATCH', `/events/${of}`, json)
  assert.deepEqual(await endedBy(pages, change(first, { title: 'Event with a name' })), ['one', 'search'])
  assert.deepEqual(await endedBy(pages, change(id, { description: 'A text' })), ['search'])
})

test('what is linked ends the lists that show it, and a category those that ask for categories', async () => {
  const rename = (path: string, json: object) => () => write('PATCH', path, json)
  assert.deepEqual(await ended(rename(`/venues/${venue}`, { venue: 'Great hall' })), [
    'early',
    'venue',
    'music',
    'search',
  ])
  assert.deepEqual(await ended(() => create('venues', { venue: 'Cellar' })), [])
  assert.deepEqual(await ended(rename(`/tags/${tag}`, { name: 'gratis' })), ['late', 'over', 'chess', 'free'])
  assert.deepEqual(await ended(rename(`/categories/${low}`, { parent: 0 })), [
    'early',
    'venue',
    'music',
    'chess',
    'search',
  ])
})

test('a category lasts until it or one above it changes, what an event has until the event does', async () => {
  await write('PATCH', `/categories/${low}`, { parent: high })
  const lists = {
    low: `/categories/${low}`,
    high: `/categories/${high}`,
    terms: `/categories?event=${first}`,
    venues: `/venues?event=${first}`,
    tags: `/tags?post=${first}&hide_empty=0`,
  }
  const change = (path: string, json: object) => () => write('PATCH', path, json)
  const chess = (): Promise<number> => create('events', onDay('2027-03-04', { categories: [other] }))
  assert.deepEqual(await endedBy(lists, chess), ['terms'])
  assert.deepEqual(await endedBy(lists, change(`/categories/${high}`, { slug: 'sound' })), ['low', 'high', 'terms'])
  assert.deepEqual(await endedBy(lists, change(`/events/${first}`, { cost: '5' })), ['terms', 'venues', 'tags'])
})

/** A term that nobody uses goes with the first draft that takes it up, comes back, and is left alone by other drafts. */
async function checkTakenUp(name: string): Promise<void> {
  const club = await create('categories', { name })
  const lists = { all: '/categories?hide_empty=0', high: `/categories/${high}` }
  const plain = await create('events', onDay('2027-03-08', { status: 'draft' }))
  const set = (json: object) => () => write('PATCH', `/events/${plain}`, json)
  assert.deepEqual(await endedBy(lists, set({ title: 'Event in the making' })), [])
  await ask(`/categories/${club}`)
  assert.deepEqual(await endedBy(lists, set({ categories: [club] })), ['all'])
  assert.equal((await app.call('anonymous', 'GET', `/categories/${club}`)).status, 400)
  assert.deepEqual(await endedBy(lists, set({ cost: '5' })), [])
  assert.deepEqual(await endedBy(lists, () => write('DELETE', `/events/${plain}`, { force: true })), ['all'])
  await ask(`/categories/${club}`)
}

test('a term without events lasts until the first event takes it up, be it a draft', () => checkTakenUp('Club'))

// PostgreSQL tells one server of the commits of another in a moment, not at once.
test('a write through another process ends the same lists', { skip: storage.engine !== 'sqlite' }, async () => {
  writer = await openAnother()
  const id = await create('events', onDay('2027-03-05', { categories: [other] }))
  const set = (json: object) => () => write('PATCH', `/events/${id}`, json)
  assert.deepEqual(await ended(() => create('events', onDay('2026-12-05'))), ALL)
  assert.deepEqual(await ended(() => create('events', onDay('2027-03-06', { status: 'draft' }))), ['search'])
  assert.deepEqual(await ended(set({ title: 'Event far away' })), ['chess', 'search'])
  assert.deepEqual(await ended(set({ categories: [] })), ALL)
  const many = async (): Promise<void> => {
    for (let turn = 0; turn < 21; turn += 1) await create('events', onDay('2027-03-07', { status: 'draft' }))
  }
  assert.deepEqual(await ended(many), ALL)
  await checkTakenUp('Choir')
})
