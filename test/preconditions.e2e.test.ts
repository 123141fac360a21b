import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, openTestApp, type TestApp } from './support/app.ts'
import { paint } from './support/images.ts'
import { upload } from './support/upload.ts'

/*
 * Whoever sends the ETag of an item as If-Match changes it only in the state that the tag was answered for (RFC 9110
 * section 13). Tags are those of GET, in whatever form the item was read.
 */

const EVENT = { title: 'Regatta', start_date: '2027-05-01 10:00:00', end_date: '2027-05-01 12:00:00' }
const CREATIONS: Readonly<Record<string, object>> = {
  events: EVENT,
  venues: { venue: 'Boathouse' },
  organizers: { organizer: 'Rowing club' },
  categories: { name: 'Rowing' },
  tags: { name: 'outdoors' },
}

interface Made {
  readonly app: TestApp
  /** Path below the namespace. */
  readonly path: string
  readonly answer: Answer
}

async function make(app: TestApp, collection: string, more: object = {}): Promise<Made> {
  const answer = await app.call('editor', 'POST', `/${collection}`, { json: { ...CREATIONS[collection], ...more } })
  assert.equal(answer.status, 201)
  return { app, path: `/${collection}/${answer.body.id}`, answer }
}

function tagOf({ headers }: Answer): string {
  const tag = headers.get('etag') ?? ''
  assert.match(tag, /^"[\w-]{22}\.[\w-]{16}"$/)
  return tag
}

for (const collection of Object.keys(CREATIONS)) {
  const nameOf = (name: string): object => {
    const [[member] = []] = Object.entries(CREATIONS[collection] ?? {})
    return { [String(member)]: name }
  }

  test(`${collection}: answers to writes have the validators that GET answers, and a stale tag changes nothing`, async (t) => {
    const { app, path, answer } = await make(await openTestApp(t), collection)
    const { call, clock } = app
    const first = tagOf(answer)
    const read = await call('editor', 'GET', path)
    assert.equal(tagOf(read), first)
    assert.equal(read.headers.get('last-modified'), new Date(clock.now).toUTCString())
    assert.equal(answer.headers.get('last-modified'), read.headers.get('last-modified'))
    clock.now += 5000
    const changed = await call('editor', 'PUT', path, { json: nameOf('Other'), headers: { 'if-match': first } })
    assert.equal(changed.status, 200)
    assert.equal(changed.headers.get('last-modified'), new Date(clock.now).toUTCString())
    const again = await call('editor', 'GET', path)
    assert.equal(tagOf(again), tagOf(changed))
    assert.notEqual(tagOf(again), first)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const json = method === 'DELETE' ? {} : { json: nameOf('Lost') }
      const refused = await call('editor', method, path, { ...json, headers: { 'if-match': first } })
      assert.deepEqual([refused.status, refused.body.code], [412, 'precondition_failed'], method)
    }
    assert.deepEqual((await call('editor', 'GET', path)).body, again.body)
    const gone = await call('editor', 'DELETE', path, { headers: { 'if-match': tagOf(again) } })
    assert.equal(gone.status, 200)
  })

  test(`${collection}: If-Unmodified-Since refuses what was changed after that second`, async (t) => {
    const { app, path, answer } = await make(await openTestApp(t), collection)
    const { call, clock } = app
    const since = answer.headers.get('last-modified') ?? ''
    clock.now += 1000
    const change = (headers: Readonly<Record<string, string>>, name: string): Promise<Answer> =>
      call('editor', 'PATCH', path, { json: nameOf(name), headers })
    assert.equal((await change({ 'if-unmodified-since': 'yesterday' }, 'No date')).status, 200)
    assert.equal((await change({ 'if-unmodified-since': since }, 'Late')).status, 412)
    const newer = new Date(clock.now).toUTCString()
    assert.equal((await change({ 'if-unmodified-since': newer }, 'In time')).status, 200)
    assert.equal((await change({ 'if-unmodified-since': since, 'if-match': '*' }, 'Any')).status, 200)
  })
}

test('any tag of a list counts, weak ones never do, and malformed headers are refused', async (t) => {
  const { app, path, answer } = await make(await openTestApp(t), 'events')
  const tag = tagOf(answer)
  const statusOf = async (name: string, value: string): Promise<number> =>
    (await app.call('editor', 'PATCH', path, { json: {}, headers: { [name]: value } })).status
  for (const value of [tag, ` ${tag} `, `"a,b", ${tag}`, `"x",,${tag},`, '*', `${tag.slice(0, -1)}-br"`])
    assert.equal(await statusOf('if-match', value), 200, value)
  for (const value of [`W/${tag}`, '"x"', '""', '"*"', `${tag.slice(0, -1)}-x"`, `"x${tag.slice(1)}`])
    assert.equal(await statusOf('if-match', value), 412, value)
  for (const value of ['x', `${tag} ${tag}`, '"x', `*, ${tag}`, `w/${tag}`, ',', tag.slice(1, -1)])
    assert.equal(await statusOf('if-match', value), 400, value)
  assert.equal(await statusOf('if-none-match', '*'), 412)
  assert.equal(await statusOf('if-none-match', `W/${tag}`), 412)
  assert.equal(await statusOf('if-none-match', '"x"'), 200)
})

test('a tag is one of the item in every form, language and mount, by id and by slug', async (t) => {
  const { app, path, answer } = await make(await openTestApp(t), 'events')
  const { call, origin } = app
  const { id, slug } = answer.body
  const forms = [
    `${path}?_fields=title`,
    `${path}?_envelope=1`,
    `/events/by-slug/${slug}`,
    `${origin}/wp-json/tribe/events/v1/events/${id}`,
    `${origin}/de/wp-json/cal/events/v1/events/${id}?lang=fr`,
    `${origin}/?rest_route=/cal/events/v1/events/${id}`,
  ]
  const tags = new Set<string>()
  for (const form of forms) {
    const tag = tagOf(await call('editor', 'GET', form))
    tags.add(tag)
    const target = `/events/by-slug/${slug}`
    const kept = await call('editor', 'PUT', target, { json: { title: 'Regatta' }, headers: { 'if-match': tag } })
    assert.equal(kept.status, 200, form)
  }
  // The bodies differ, so strong validators do.
  assert.ok(tags.size >= 4)
})

test('an event has changed when what it embeds for this caller has, and not when what others see or count has', async (t) => {
  const app = await openTestApp(t)
  const { call } = app
  const shown = await make(app, 'venues')
  const hidden = await make(app, 'venues', { venue: 'Secret shed', status: 'private' })
  const category = await make(app, 'categories')
  const venue = [shown.answer.body.id, hidden.answer.body.id]
  const author = await call('author', 'POST', '/events', { json: { ...EVENT, venue: venue[0] } })
  const path = `/events/${author.body.id}`
  const linked = await call('editor', 'PATCH', path, { json: { venue, categories: [category.answer.body.id] } })
  assert.equal(linked.status, 200)
  const tags = { author: tagOf(await call('author', 'GET', path)), editor: tagOf(linked) }
  await call('editor', 'PATCH', hidden.path, { json: { venue: 'Other shed' } })
  await make(app, 'events', { categories: [category.answer.body.id] })
  const attempt = async (as: 'author' | 'editor'): Promise<number> =>
    (await call(as, 'PATCH', path, { json: {}, headers: { 'if-match': tags[as] } })).status
  assert.deepEqual([await attempt('author'), await attempt('editor')], [200, 412])
  await call('editor', 'PATCH', shown.path, { json: { venue: 'Other house' } })
  assert.equal(await attempt('author'), 412)
})

test('what refuses a request without the condition refuses it first', async (t) => {
  const { app, path } = await make(await openTestApp(t), 'events')
  const { call } = app
  const headers = { 'if-match': '"x"' }
  assert.equal((await call('editor', 'PUT', '/events/99999', { json: {}, headers })).status, 404)
  assert.equal((await call('editor', 'PUT', path, { json: { start_date: 'never' }, headers })).status, 400)
  assert.equal((await call('author', 'PUT', path, { json: {}, headers })).status, 403)
  assert.equal((await call('anonymous', 'PUT', path, { json: {}, headers })).status, 401)
  await call('editor', 'DELETE', path)
  assert.equal((await call('editor', 'DELETE', path, { headers })).status, 410)
})

test('of two writers with one tag exactly one wins, also when they write at once', async (t) => {
  const { app, path, answer } = await make(await openTestApp(t), 'events')
  const headers = { 'if-match': tagOf(answer) }
  const titles = Array.from({ length: 12 }, (_none, number) => `Title ${number}`)
  const answers = await Promise.all(
    titles.map((title) => app.call('editor', 'PUT', path, { json: { title }, headers })),
  )
  const won = answers.filter(({ status }) => status === 200)
  assert.deepEqual([won.length, answers.filter(({ status }) => status === 412).length], [1, 11])
  assert.equal((await app.call('editor', 'GET', path)).body.title, won[0]?.body.title)
})

test('a create whose slug is taken is refused when it must be new', async (t) => {
  const { call } = await openTestApp(t)
  const headers = { 'if-none-match': '*' }
  for (const [collection, json] of [
    ['events', { ...EVENT, slug: 'regatta' }],
    ['categories', { name: 'Rowing', slug: 'rowing' }],
    ['tags', { name: 'outdoors', slug: 'outdoors' }],
  ] as const) {
    const create = () => call('editor', 'POST', `/${collection}`, { json, headers })
    const statuses = (await Promise.all([create(), create(), create()])).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [201, 412, 412], collection)
  }
  assert.equal(
    (await call('editor', 'POST', '/events', { json: { ...EVENT, slug: 'regatta' } })).body.slug,
    'regatta-2',
  )
  assert.equal((await call('editor', 'POST', '/events', { json: EVENT, headers })).status, 201)
})

test('a protected event has a tag for those who see it', async (t) => {
  const { app, path } = await make(await openTestApp(t), 'events', { password: 'oars' })
  const tag = tagOf(await app.call('editor', 'GET', path))
  const opened = await app.call('anonymous', 'GET', path, { query: { password: 'oars' } })
  tagOf(opened)
  assert.match(opened.headers.get('cache-control') ?? '', /no-store/)
  const json = { title: 'Other' }
  assert.equal((await app.call('editor', 'PUT', path, { json, headers: { 'if-match': tag } })).status, 200)
  assert.equal((await app.call('editor', 'PUT', path, { json, headers: { 'if-match': tag } })).status, 412)
})

test('pictures and the tags of writers have tags, too', async (t) => {
  const app = await openTestApp(t)
  const { call, origin } = app
  const tag = await call('editor', 'POST', '/tags', { json: { name: 'outdoors' } })
  const bare = await call('editor', 'GET', `${origin}/wp/v2/tags/${tag.body.id}`)
  const headers = { 'if-match': tagOf(bare) }
  assert.equal((await call('editor', 'PUT', `/tags/${tag.body.id}`, { json: { name: 'inside' }, headers })).status, 200)
  assert.equal((await call('editor', 'PUT', `/tags/${tag.body.id}`, { json: { name: 'x' }, headers })).status, 412)
  const picture = await upload(app, 'editor', { bytes: await paint(40, 32).png().toBuffer() })
  const media = `${origin}/wp-json/kalends/v1/media/${picture.body.id}`
  const shown = await call('editor', 'GET', media)
  assert.equal(tagOf(shown), tagOf(picture))
  assert.equal(shown.headers.get('last-modified'), picture.headers.get('last-modified'))
  tagOf(await call('editor', 'GET', `${origin}/wp/v2/media/${picture.body.id}`))
  assert.equal((await call('editor', 'DELETE', media, { headers: { 'if-match': '"x"' } })).status, 412)
  assert.equal((await call('editor', 'DELETE', media, { headers: { 'if-match': tagOf(shown) } })).status, 200)
})

test('where it is required, a change without If-Match is refused and a create is not', async (t) => {
  const { app, path, answer } = await make(await openTestApp(t, { requireIfMatch: 'yes' }), 'events')
  const { call } = app
  const json = { title: 'Other' }
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const refused = await call('editor', method, path, { json })
    assert.deepEqual([refused.status, refused.body.code], [428, 'precondition_required'])
  }
  assert.equal((await call('editor', 'DELETE', path)).status, 428)
  assert.equal((await call('author', 'DELETE', path)).status, 403)
  assert.equal((await call('editor', 'PUT', path, { json, headers: { 'if-match': tagOf(answer) } })).status, 200)
  assert.equal((await call('editor', 'DELETE', path, { headers: { 'if-match': '*' } })).status, 200)
})

test('the secret of a webhook is replaced for the version that is meant, and no other', async (t) => {
  const { call, origin } = await openTestApp(t)
  const webhooks = `${origin}/kalends/v1/webhooks`
  const json = { url: 'https://receiver.example/calendar', events: ['venue.created'] }
  const made = await call('administrator', 'POST', webhooks, { json })
  const path = `${webhooks}/${made.body.id}`
  const before = tagOf(await call('administrator', 'GET', path))
  await call('administrator', 'PUT', path, { json: { description: 'another' } })
  const replace = (tag: string) => call('administrator', 'POST', `${path}/secret`, { headers: { 'if-match': tag } })
  const stale = await replace(before)
  assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'])
  const done = await replace(tagOf(await call('administrator', 'GET', path)))
  assert.equal(done.status, 200)
  assert.notEqual(done.body.secret, made.body.secret)
})
