import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { MEETING } from '../src/events/testing.ts'
import { createLog } from '../src/log.ts'
import { databaseFlags, openTestApp, UNLIMITED } from './support/app.ts'
import { hitsOf, METRICS } from './support/cache-hits.ts'

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

test('a new event ends the lists that it comes into, and no others', async () => {
  assert.deepEqual(await ended(() => create('events', onDay('2026-12-05'))), ['early', 'search'])
  assert.deepEqual(await ended(() => create('events', onDay('2026-12-15'))), ['late'])
  assert.deepEqual(await ended(() => create('events', onDay('2027-03-01'))), [])
  assert.deepEqual(await ended(() => create('events', onDay('2027-03-02', { venue }))), ['venue'])
})

test('an event that moves ends the lists that it leaves and those that it comes into', async () => {
  const id = await create('events', onDay('2026-12-05'))
  const moveTo = (day: string) => () => write('PATCH', `/events/${id}`, onDay(day))
  assert.deepEqual(await ended(moveTo('2026-12-11')), ['early', 'late', 'over', 'search'])
  assert.deepEqual(await ended(moveTo('2027-02-01')), ['late', 'over'])
  assert.deepEqual(await ended(moveTo('2027-02-02')), [])
  assert.deepEqual(await ended(moveTo('2026-12-06')), ['early', 'search'])
  assert.deepEqual(await ended(moveTo('2026-12-07')), ['early', 'search'])
})

test('an end that touches the edge of a window decides to the second', async () => {
  const edge = { edge: '/events?ends_before=2026-12-03 18:00:00&strict_dates=1&start_date=2026-12-03' }
  const id = await create('events', { ...onDay('2026-12-03'), end_date: '2026-12-03 17:59:59' })
  const endAt = (time: string) => () => write('PATCH', `/events/${id}`, { end_date: `2026-12-03 ${time}` })
  assert.deepEqual(await endedBy(edge, endAt('18:00:00')), ['edge'])
  assert.deepEqual(await endedBy(edge, endAt('18:00:01')), [])
  assert.deepEqual(await endedBy(edge, endAt('17:59:58')), ['edge'])
})

test('what nobody sees ends nothing until it is published, and again when it goes', async () => {
  assert.deepEqual(await ended(() => create('events', onDay('2026-12-05', { status: 'draft' }))), [])
  const id = await create('events', onDay('2026-12-05', { status: 'draft' }))
  const set = (json: object) => () => write('PATCH', `/events/${id}`, json)
  assert.deepEqual(await ended(set({ title: 'Event in the making' })), [])
  assert.deepEqual(await ended(set({ status: 'publish' })), ['early', 'search'])
  assert.deepEqual(await ended(set({ hide_from_listings: true })), ['early', 'search'])
  assert.deepEqual(await ended(set({ hide_from_listings: false })), ['early', 'search'])
  assert.deepEqual(await ended(() => write('DELETE', `/events/${id}`)), ['early', 'search'])
  assert.deepEqual(await ended(() => write('DELETE', `/events/${id}`, { force: true })), [])
  const gone = await create('events', onDay('2026-12-05'))
  assert.deepEqual(await ended(() => write('DELETE', `/events/${gone}`, { force: true })), ['early', 'search'])
})

test('an event whose texts change ends the pages that show it, and searches that may find it', async () => {
  const id = await create('events', onDay('2026-12-08'))
  const pages = { one: `${LISTS.early}&per_page=1`, two: `${LISTS.early}&per_page=1&page=2`, search: LISTS.search }
  const change = (of: number, json: object) => () => write('PATCH', `/events/${of}`, json)
  assert.deepEqual(await endedBy(pages, change(first, { title: 'Event with a name' })), ['one', 'search'])
  assert.deepEqual(await endedBy(pages, change(id, { description: 'A text' })), ['search'])
  assert.deepEqual(await endedBy(pages, change(id, { featured: true })), ['search'])
})

test('an event that changes its category ends the lists of both, and those that count them', async () => {
  const id = await create('events', onDay('2027-03-03', { categories: [low] }))
  // The numbers of events of both stand with the events that have them.
  const both = ['early', 'late', 'over', 'venue', 'music', 'chess', 'free', 'search']
  assert.deepEqual(await ended(() => write('PATCH', `/events/${id}`, { categories: [other] })), both)
  assert.deepEqual(await ended(() => write('PATCH', `/events/${id}`, { categories: [] })), [
    'late',
    'over',
    'chess',
    'free',
  ])
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
  assert.deepEqual(await ended(() => create('events', onDay('2026-12-05'))), ['early', 'search'])
  assert.deepEqual(await ended(() => create('events', onDay('2027-03-06', { status: 'draft' }))), [])
  assert.deepEqual(await ended(set({ title: 'Event far away' })), ['chess'])
  assert.deepEqual(await ended(set({ categories: [] })), ['late', 'over', 'chess', 'free'])
  assert.deepEqual(await ended(set(onDay('2026-12-13'))), ['late'])
  assert.deepEqual(await ended(() => write('DELETE', `/events/${id}`, { force: true })), ['late'])
  const many = async (): Promise<void> => {
    for (let turn = 0; turn < 21; turn += 1) await create('events', onDay('2027-03-07', { status: 'draft' }))
  }
  assert.equal((await ended(many)).length, Object.keys(LISTS).length)
  await checkTakenUp('Choir')
})
