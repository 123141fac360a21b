import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts'
import { paint } from '../../../../../test/support/images.ts'
import type { Json } from '../../../../../test/support/json-import.ts'
import { eventsOf, importMade } from '../../../../../test/support/site-import.ts'
import { upload } from '../../../../../test/support/upload.ts'
import { addUser } from '../../../../accounts/users/index.ts'

/** Members that name the site, and the page of the event, which is another one here. */
const OF_THE_SITE = /^(?:url|rest_url|website|global_id|global_id_lineage|urls|json_ld|count)$/

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
  for (const role of ['editor', 'author'] as const)
    await call(role, 'POST', '/events', { json: { title: `Of an ${role}`, ...times } })
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
  const isOpen = ({ title }: Json): boolean => title !== 'Secret'
  const here = await eventsOf(app)
  assert.deepEqual(comparable(here.filter(isOpen)), comparable((await eventsOf(source)).filter(isOpen)))
  assert.deepEqual(
    here.filter((event) => !isOpen(event)).map(({ status, description }) => [status, description.trim()]),
    [['draft', '<p>hush</p>']],
  )
  const again = await importMade(app, site, credentials)
  assert.deepEqual([again.counts.event.created, again.counts.event.updated], [0, 0])
})

test('users of another Kalends own here what they own there; who is not here is made, disabled', async (t) => {
  const [source, app] = [await openTestApp(t), await openTestApp(t, { siteHost: 'second.example' })]
  const book = { storage: source.app.storage, now: source.app.now, secret: source.app.secret }
  const ada = await addUser(book, { name: 'ada', email: 'ada@there.example', role: 'author', displayName: 'Ada Byron' })
  const times = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' }
  for (const author of [ada.id, 2]) {
    const json = { title: `Of ${author}`, ...times, author }
    assert.equal((await source.call('administrator', 'POST', '/events', { json })).status, 201)
  }
  const header = source.authorization('administrator').replace('Basic ', '')
  const [user = '', password = ''] = Buffer.from(header, 'base64').toString().split(':')
  const site = { origin: source.origin } as Parameters<typeof importMade>[1]
  const report = await importMade(app, site, { user, password })
  assert.deepEqual([report.users.created, report.skipped], [1, []])
  const { body } = await app.call('administrator', 'GET', `${app.origin}/wp-json/kalends/v1/users`)
  const made = body.users.find(({ name }: { name: string }) => name === 'ada')
  const { id, created_at: _at, ...others } = made
  const names = { name: 'ada', display_name: 'Ada Byron', email: 'ada@there.example' }
  assert.deepEqual(others, { ...names, role: 'author', disabled: true })
  const [one, other] = await eventsOf(app)
  assert.deepEqual([one.title, one.author, other.title, other.author], [`Of ${ada.id}`, String(id), 'Of 2', '2'])
})

test('to those who may not see its users, a Kalends gives items without them, and the report says so', async (t) => {
  const [source, app] = [await openTestApp(t), await openTestApp(t, { siteHost: 'second.example' })]
  const times = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' }
  await source.call('editor', 'POST', '/events', { json: { title: 'Open', ...times } })
  const report = await importMade(app, { origin: source.origin } as Parameters<typeof importMade>[1])
  assert.deepEqual(
    report.notes.map(({ what }) => what),
    ['user 2'],
  )
  assert.equal((await eventsOf(app))[0].author, '1')
})

test('images of another Kalends keep their title, alternative text and caption', async (t) => {
  const [source, app] = [await openTestApp(t), await openTestApp(t, { siteHost: 'second.example' })]
  const bytes = await paint(60, 40).png().toBuffer()
  const { body: image } = await upload(source, 'administrator', { bytes })
  const said = { title: 'The <harbour>', alt_text: 'Boats & more', caption: 'By <em>Ada</em>' }
  await source.call('administrator', 'POST', `${source.origin}/wp-json/wp/v2/media/${image.id}`, { json: said })
  const times = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' }
  await source.call('administrator', 'POST', '/events', { json: { title: 'Boats', ...times, image: image.id } })
  await importMade(app, { origin: source.origin } as Parameters<typeof importMade>[1])
  const saying = async ({ call, origin }: TestApp) => {
    const { body } = await call('administrator', 'GET', `${origin}/wp-json/wp/v2/media/${image.id}`)
    return { title: body.title, alt: body.alt_text, caption: body.caption, slug: body.slug }
  }
  const there = await saying(source)
  assert.match(there.caption.rendered, /<em>Ada<\/em>/)
  assert.deepEqual(await saying(app), there)
})

test('what has a password at a Kalends is a draft here, whatever it is there, and opens once it has none there', async (t) => {
  const [source, app] = [await openTestApp(t), await openTestApp(t, { siteHost: 'second.example' })]
  const times = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' }
  const create = async (json: Json): Promise<number> => {
    const { status, body } = await source.call('administrator', 'POST', '/events', { json: { ...times, ...json } })
    assert.equal(status, 201, JSON.stringify(body))
    return body.id
  }
  const secret = { password: 'letmein', description: 'hush' }
  const ids = [
    await create({ ...secret, title: 'Open' }),
    await create({ ...secret, title: 'Scheduled', status: 'future', date: '2026-11-30 10:00:00' }),
    await create({ ...secret, title: 'Private', status: 'private' }),
    await create({ ...secret, title: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] }),
  ]
  const { body } = await source.call('administrator', 'GET', '/events', { query: { series: ids[3] ?? 0 } })
  await source.call('administrator', 'POST', `/events/${body.events[1].id}`, { json: { title: 'Another week' } })
  const header = source.authorization('administrator').replace('Basic ', '')
  const [user = '', password = ''] = Buffer.from(header, 'base64').toString().split(':')
  const site = { origin: source.origin } as Parameters<typeof importMade>[1]
  const report = await importMade(app, site, { user, password })
  for (const id of ids)
    assert.ok(
      report.notes.some(({ what }) => what.startsWith(`event ${id} `)),
      String(id),
    )
  const events = await eventsOf(app)
  assert.deepEqual(
    events.map(({ title, status }) => `${title}: ${status}`).sort(),
    ['Another week', 'Open', 'Private', 'Scheduled', 'Weekly', 'Weekly'].map((title) => `${title}: draft`),
  )
  assert.ok(events.every(({ description }) => description.includes('hush')))
  await source.call('administrator', 'POST', `/events/${ids[0]}`, { json: { password: '' } })
  assert.equal((await importMade(app, site, { user, password })).counts.event.updated, 1)
  assert.equal((await app.call('anonymous', 'GET', `/events/${ids[0]}`)).body.title, 'Open')
})
