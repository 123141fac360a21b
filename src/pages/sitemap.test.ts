import assert from 'node:assert/strict'
import test from 'node:test'
import { sql } from 'kysely'
import { openTestApp } from '../../test/support/app.ts'

/** More items than one sitemap has room for. */
const MANY = 50_001

test('more pages than one sitemap may have stand in several, each page in one of them', async (t) => {
  const { app, origin, call } = await openTestApp(t)
  const { body } = await call('administrator', 'POST', '/venues', { json: { venue: 'Hall' } })
  const { storage } = app
  const row = await storage.first(storage.db.selectFrom('venue').selectAll().where('id', '=', body.id))
  const others = Object.keys(row ?? {}).filter((name) => name !== 'id' && name !== 'slug')
  const columns = sql.join(others.map((name) => sql.ref(name)))
  const copies = sql`insert into venue (id, slug, ${columns})
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(MANY - 1)})
    select id + n, slug || '-' || n, ${columns} from venue, numbers where venue.id = ${body.id}`
  await storage.write((tx) => tx.run({ compile: () => copies.compile(storage.db) }))
  const addressesIn = async (address: string, element: string): Promise<readonly string[]> => {
    const response = await fetch(address)
    assert.equal(response.status, 200, address)
    const found = (await response.text()).matchAll(new RegExp(`<${element}><loc>([^<]*)</loc>`, 'g'))
    return [...found].map(([, one = '']) => one)
  }
  const files = await addressesIn(`${origin}/sitemap.xml`, 'sitemap')
  assert.deepEqual(files, [`${origin}/sitemap-1.xml`, `${origin}/sitemap-2.xml`])
  const [first = [], second = []] = [await addressesIn(files[0] ?? '', 'url'), await addressesIn(files[1] ?? '', 'url')]
  assert.equal(first.length, 50_000)
  assert.deepEqual(
    first.slice(0, 3),
    ['/', '/events/', '/events/month/'].map((path) => origin + path),
  )
  const venues = [...first.slice(3), ...second]
  assert.equal(venues.length, MANY)
  assert.equal(new Set(venues).size, MANY)
  assert.ok(venues.includes(`${origin}/venue/hall/`) && venues.includes(`${origin}/venue/hall-50000/`))
  assert.equal((await fetch(`${origin}/sitemap-3.xml`)).status, 404)
})

test('every address of the sitemap is there: recurring events have one, whatever single dates have for themselves', async (t) => {
  const { origin, call } = await openTestApp(t)
  const times = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 11:00:00' }
  const json = { title: 'Yoga', ...times, recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] }
  const { body: series } = await call('editor', 'POST', '/events', { json })
  const { body } = await call('editor', 'GET', '/events', { query: { series: series.id, starts_after: '2027-01-01' } })
  const [first, second, third] = body.events
  const changes = [{ title: 'Yoga for all' }, { title: 'Yoga outdoors' }, { slug: 'yoga-guest' }]
  for (const [index, { id }] of [first, second, third].entries())
    assert.equal((await call('editor', 'PATCH', `/events/${id}?scope=this`, { json: changes[index] })).status, 200)
  const text = await (await fetch(`${origin}/sitemap.xml`)).text()
  const addresses = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address)
  assert.deepEqual(addresses.slice(3), [`${origin}/event/yoga/`])
  for (const address of addresses) assert.equal((await fetch(address)).status, 200, address)
})
