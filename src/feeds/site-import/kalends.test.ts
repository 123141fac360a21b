import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { openMadeSite } from '../../../test/support/made-site.ts'
import type { Json } from '../json-import/testing.ts'
import { eventsOf, importMade, madeEvent } from './testing.ts'

/** Members that name the site or its users, and the page of the event, which is another one here. */
const OF_THE_SITE = /^(?:author|url|rest_url|website|global_id|global_id_lineage|urls|json_ld|count)$/

function comparable(value: Json): Json {
  const text = JSON.stringify(value, (name, one: unknown) => (OF_THE_SITE.test(name) ? undefined : one))
  return JSON.parse(text)
}

async function fill({ call }: TestApp): Promise<void> {
  const create = (path: string, json: Json) => call('administrator', 'POST', path, { json })
  const times = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' }
  const music = (await create('/categories', { name: 'Music' })).body
  await create('/categories', { name: 'Jazz', parent: music.id })
  const venue = { venue: 'Boathouse', city: 'Astoria', show_map: true }
  await create('/events', { title: 'Plain', ...times, venue, organizer: { organizer: 'Rowers' }, cost: '€5' })
  await create('/events', { title: 'Draft', ...times, status: 'draft', tags: ['new'] })
  await create('/events', { title: 'Secret', ...times, password: 'letmein', description: 'hush' })
  const weekly = { title: 'Weekly', ...times, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'], categories: ['Jazz'] }
  const series = (await create('/events', weekly)).body
  const own = { json: { title: 'Moved', start_date: '2026-12-09 10:00:00', end_date: '2026-12-09 11:00:00' } }
  await call('administrator', 'POST', `/events/${series.id + 1}`, own)
  await call('administrator', 'DELETE', `/events/${series.id}`, { query: { scope: 'this' } })
}

test('a Kalends becomes the same in another one, with series and protected events', async (t) => {
  const source = await openTestApp(t, { siteHost: 'first.example' })
  await fill(source)
  const app = await openTestApp(t, { siteHost: 'second.example' })
  const header = source.authorization('administrator').replace('Basic ', '')
  const [user = '', password = ''] = Buffer.from(header, 'base64').toString().split(':')
  const credentials = { user, password }
  const site = { origin: source.origin } as Parameters<typeof importMade>[1]
  const report = await importMade(app, site, credentials)
  assert.equal(report.complete, true)
  assert.deepEqual(comparable(await eventsOf(app)), comparable(await eventsOf(source)))
  const secret = (await eventsOf(app)).find(({ title }) => title === 'Secret')
  const shown = await app.call('anonymous', 'GET', `/events/${secret.id}`)
  assert.equal(shown.body.code, 'event-password-protected')
  const again = await importMade(app, site, credentials)
  assert.deepEqual([again.counts.event.created, again.counts.event.updated], [0, 0])
})

test('an image that is gone for good does not make a Kalends that has not changed be read again', async (t) => {
  const [source, app] = [await openTestApp(t), await openTestApp(t)]
  const site = await openMadeSite(t)
  site.content.events = [madeEvent(1, { image: { url: `${site.origin}/up/gone.png`, id: 502, extension: 'png' } })]
  await importMade(source, site)
  const there = { origin: source.origin } as Parameters<typeof importMade>[1]
  const first = await importMade(app, there)
  assert.deepEqual([first.pictures.found, first.pictures.fetched, first.told], [1, 0, true])
  assert.equal((await importMade(app, there)).changed, false)
})
