// Runs in a copy of this tree, in which filters of events are planted: see test/recipe.engine.nightly.test.ts.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/base/config.ts'
import { createLog } from '../../src/base/log.ts'
import { EVERYTHING } from '../../src/calendar/events/list/filters.ts'
import { planOf } from '../../src/calendar/events/list/plan.ts'
import { databaseFlags, openTestApp, UNLIMITED } from '../support/app.ts'
import { hitsOf, METRICS } from '../support/cache-hits.ts'

const data = await mkdtemp(join(tmpdir(), 'kalends-planted-'))
after(() => rm(data, { recursive: true, force: true }))
const SHARED = {
  data,
  baseUrl: 'https://calendar.example',
  secret: 'one secret for both of the servers here',
  ...(await databaseFlags()),
}
const cached = await openTestApp({ after }, { ...SHARED, ...METRICS })
const { call } = cached
const uncached = await openUncached()

async function openUncached(): Promise<string> {
  const now = (): number => cached.clock.now
  const site = { siteZone: 'America/New_York', siteHost: 'calendar.example' }
  const config = readConfig({ ...UNLIMITED, ...SHARED, ...site, port: '0', cacheSize: '0' }, {})
  const app = await openApp(config, { now, log: createLog({ level: 'silent', now }), role: 'serve' })
  after(() => app.close())
  return (await app.listen()).addresses[0] ?? assert.fail('no address')
}

async function make(path: string, json: object): Promise<number> {
  const { status, body } = await call('editor', 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

/** Titles of a list, asked of both servers; the one with the cache is asked twice. */
async function titles(query: string): Promise<string[]> {
  const fresh = (await (await fetch(`${uncached}/cal/events/v1/events?${query}`)).json()) as {
    events: { title: string }[]
  }
  for (let time = 0; time < 2; time += 1)
    assert.deepEqual((await call('anonymous', 'GET', `/events?${query}`)).body, fresh)
  return fresh.events.map((one) => one.title)
}

const WHEN = { start_date: '2026-12-01 10:00:00', end_date: '2026-12-01 12:00:00' }
const bern = await make('/venues', { venue: 'Hall', city: 'Bern' })
const basel = await make('/venues', { venue: 'Barn', city: 'Basel' })
const plain = await make('/events', { ...WHEN, title: 'Plain', venue: basel })
await make('/events', { ...WHEN, title: 'Sticky', sticky: true, venue: bern, date: '2026-11-18 10:00:00' })
await make('/events', { ...WHEN, title: 'Other', sticky: true, venue: basel })

test('a planted filter leaves the events that it names, alone and beside others, and links repeat it', async () => {
  assert.deepEqual(await titles('sticky=true'), ['Sticky', 'Other'])
  assert.deepEqual(await titles('sticky=false'), ['Plain'])
  assert.deepEqual(await titles(`sticky=true&venue=${bern}`), ['Sticky'])
  assert.deepEqual(await titles('sticky=1&city=Basel&search=other'), ['Other'])
  const { body } = await call('anonymous', 'GET', '/events?sticky=true&published_after=2026-11-01&per_page=1')
  assert.equal(body.total, 2)
  const { searchParams } = new URL(body.next_rest_url)
  assert.deepEqual([searchParams.get('sticky'), searchParams.get('published_after')], ['true', '2026-11-01'])
  assert.deepEqual((await call('anonymous', 'GET', `/events?${searchParams}`)).body.events[0].title, 'Other')
})

test('a planted filter is read where a scan holds nobody up', () => {
  const visibility = { ofAll: ['publish'], ofOwn: [], ownerId: 0 } as const
  const laneOf = (query: object): string => {
    const listing = { query: { ...EVERYTHING, ...query }, visibility, limit: 10, offset: 0 }
    return planOf(listing).lane
  }
  assert.deepEqual(
    [laneOf({}), laneOf({ sticky: true }), laneOf({ sticky: true, venue: [1] })],
    ['inline', 'offloaded', 'offloaded'],
  )
})

test('any change invalidates the cached lists of a planted filter: of an event, or of what it looks at beside', async () => {
  const before = await hitsOf(cached.app, 'answer')
  assert.deepEqual(await titles('sticky=true&per_page=7'), ['Sticky', 'Other'])
  assert.ok((await hitsOf(cached.app, 'answer')) > before)
  // No list that is known to the cache turns on this column.
  await call('editor', 'PATCH', `/events/${plain}`, { json: { sticky: true } })
  assert.deepEqual(await titles('sticky=true&per_page=7'), ['Sticky', 'Other', 'Plain'].toSorted(byOrder))
  assert.deepEqual(await titles('city=Bern'), ['Sticky'])
  await call('editor', 'PATCH', `/venues/${basel}`, { json: { city: 'Bern' } })
  assert.equal((await titles('city=Bern')).length, 3)
})

test('time invalidates the cached lists of a planted filter of moments', async () => {
  assert.deepEqual(await titles('published_after=yesterday'), ['Plain', 'Other'])
  cached.clock.now += 3 * 86_400_000
  assert.deepEqual(await titles('published_after=yesterday'), [])
})

/** Events that begin together stand in the order of their publication: Sticky was published first. */
function byOrder(one: string, other: string): number {
  const order = ['Sticky', 'Plain', 'Other']
  return order.indexOf(one) - order.indexOf(other)
}
