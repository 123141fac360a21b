import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { paint } from './support/images.ts'
import { upload } from './support/upload.ts'

const app = await openTestApp({ after })
const WP = `${app.origin}/wp-json/wp/v2`
const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const

/** Members of the calling user by context, in their order. */
const VIEW = ['id', 'name', 'url', 'description', 'link', 'slug', 'avatar_urls', 'meta', '_links']
const EMBED = VIEW.filter((name) => name !== 'meta')
const EDIT = [
  ...['id', 'username', 'name', 'first_name', 'last_name', 'email', 'url', 'description', 'link', 'locale'],
  ...['nickname', 'slug', 'roles', 'registered_date', 'capabilities', 'extra_capabilities', 'avatar_urls', 'meta'],
  '_links',
]

function get(path: string, as: Parameters<typeof app.call>[0] = 'anonymous') {
  return app.call(as, 'GET', WP + path)
}

test('callers learn who they are, in the shape of generic clients', async () => {
  for (const role of ROLES) {
    const { status, body, headers } = await get('/users/me', role)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), VIEW)
    assert.deepEqual([body.name, body.slug, body.link], [role, role, `${app.origin}/`])
    assert.deepEqual([body.avatar_urls, body.meta], [{}, []])
    assert.deepEqual(body._links, { self: [{ href: `${WP}/users/me` }] })
    assert.match(headers.get('cache-control') ?? '', /no-store, private/)
    assert.equal(headers.get('allow'), 'GET')
  }
  assert.deepEqual(Object.keys((await get('/users/me?context=embed', 'author')).body), EMBED)
  assert.deepEqual((await get('/users/me?_fields=id,name', 'editor')).body, { id: 2, name: 'editor' })
})

test('nobody in particular is rest_not_logged_in, after what is invalid', async () => {
  const { status, body } = await get('/users/me')
  assert.deepEqual([status, body.code, body.data], [401, 'rest_not_logged_in', { status: 401 }])
  assert.equal((await get('/users/me?context=all')).body.code, 'rest_invalid_param')
  assert.equal((await app.call('anonymous', 'OPTIONS', `${WP}/users/me`)).headers.get('allow'), 'GET')
})

test('with context=edit callers learn what they may do, and may do it', async () => {
  for (const role of ROLES) {
    const { body } = await get('/users/me?context=edit', role)
    assert.deepEqual(Object.keys(body), EDIT)
    assert.deepEqual([body.username, body.email, body.roles], [role, `${role}@example.org`, [role]])
    assert.equal(body.registered_date, '2026-11-20T18:00:00+00:00')
    assert.deepEqual(body.extra_capabilities, { [role]: true })
    const may = (capability: string): boolean => body.capabilities[capability] === true
    assert.ok(may('read') && may(role))
    const event = { title: 'Mine', start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' }
    const made = await app.call(role, 'POST', '/events', { json: event })
    assert.equal(made.status === 201, may('edit_tribe_events') && may('edit_posts'), role)
    const published = await app.call(role, 'POST', '/events', { json: { ...event, status: 'publish' } })
    assert.equal(published.body.status === 'publish', may('publish_tribe_events'), role)
    const term = await app.call(role, 'POST', '/tags', { json: { name: `Of ${role}` } })
    assert.equal(term.status === 201, may('manage_categories'), role)
    const others = await app.call('administrator', 'POST', '/venues', { json: { venue: `For ${role}` } })
    const changed = await app.call(role, 'PATCH', `/venues/${others.body.id}`, { json: { city: 'Rome' } })
    assert.equal(changed.status === 200, may('edit_others_tribe_venues'), role)
    assert.equal(may('upload_files'), ['administrator', 'editor', 'author'].includes(role))
  }
})

const tags = new Map<string, number>()
for (const name of ['Rock & Roll', 'Jazz', 'Folk']) {
  const { body } = await app.call('author', 'POST', '/tags', { json: { name, description: `About ${name}` } })
  tags.set(name, body.id)
}
const [rock = 0, jazz = 0, folk = 0] = tags.values()
const times = { start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' }
await app.call('author', 'POST', '/events', { json: { title: 'Session', ...times, tags: [jazz] } })

async function idsOf(query: string): Promise<number[]> {
  const { body } = await get(`/tags?search=about&${query}`)
  return body.map((one: { id: number }) => one.id)
}

test('tags are a bare array with totals in the headers, unused ones included', async () => {
  const { status, body, headers } = await get('/tags?search=about')
  assert.equal(status, 200)
  assert.deepEqual(
    body.map((one: { name: string }) => one.name),
    ['Folk', 'Jazz', 'Rock &amp; Roll'],
  )
  assert.deepEqual([headers.get('x-wp-total'), headers.get('x-wp-totalpages')], ['3', '1'])
  assert.deepEqual(body[1], {
    id: jazz,
    count: 1,
    description: 'About Jazz',
    link: `${app.origin}/tag/jazz/`,
    name: 'Jazz',
    slug: 'jazz',
    taxonomy: 'post_tag',
    meta: [],
    _links: {
      self: [{ href: `${WP}/tags/${jazz}` }],
      collection: [{ href: `${WP}/tags` }],
      about: [{ href: WP }],
    },
  })
  assert.deepEqual(Object.keys(body[0]), Object.keys(body[1]))
})

test('tags are found by text, slugs and ids; what does not exist is passed over', async () => {
  assert.deepEqual(await idsOf('hide_empty=true'), [jazz])
  assert.deepEqual(await idsOf('slug=folk'), [folk])
  assert.deepEqual(await idsOf('slug=folk,rock-roll,nothing'), [folk, rock])
  assert.deepEqual(await idsOf('slug=nothing'), [])
  assert.deepEqual(await idsOf(`include=${rock},${folk},999999`), [folk, rock])
  assert.deepEqual(await idsOf(`include=${rock},${folk}&orderby=include`), [rock, folk])
  assert.deepEqual(await idsOf(`include=${rock},${folk}&slug=folk`), [folk])
  assert.deepEqual(await idsOf(`exclude=${rock},999999`), [folk, jazz])
  assert.deepEqual(await idsOf('orderby=id&order=desc'), [folk, jazz, rock])
  assert.deepEqual((await get('/tags?search=no%20such%20tag')).body, [])
})

test('pages of tags have at most a hundred, are linked, and are empty past the end', async () => {
  const { body, headers } = await get('/tags?search=about&per_page=2')
  assert.deepEqual([body.length, headers.get('x-wp-total'), headers.get('x-wp-totalpages')], [2, '3', '2'])
  const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
  assert.ok(next.startsWith(`${WP}/tags/?`), next)
  assert.deepEqual((await app.call('anonymous', 'GET', next)).body.length, 1)
  assert.deepEqual((await get('/tags?search=about&per_page=2&page=3')).body, [])
  assert.equal((await get('/tags?page=0')).body.code, 'rest_invalid_param')
  for (let made = 0; made < 101; made++) {
    await app.call('author', 'POST', '/tags', { json: { name: `Many ${made}` } })
  }
  assert.equal((await get('/tags?search=many&per_page=1000')).body.length, 100)
})

test('one tag by id has the same shape; embed is less; an unknown one is 404', async () => {
  const list = (await get('/tags?slug=jazz')).body
  assert.deepEqual((await get(`/tags/${jazz}`)).body, list[0])
  const embedded = ['id', 'link', 'name', 'slug', 'taxonomy', '_links']
  assert.deepEqual(Object.keys((await get(`/tags/${jazz}?context=embed`)).body), embedded)
  assert.deepEqual(Object.keys((await get('/tags?slug=jazz&context=embed')).body[0]), embedded)
  for (const id of ['0', '999999', '9'.repeat(25)]) {
    const { status, body } = await get(`/tags/${id}`)
    assert.deepEqual([status, body.code], [404, 'rest_term_invalid'], id)
  }
  assert.equal((await get('/tags/jazz')).body.code, 'rest_no_route')
})

test('what is not here is rest_no_route in JSON, as writers expect of types that are missing', async () => {
  for (const [method, path] of [
    ['GET', '/types'],
    ['GET', '/types/tribe_events'],
    ['GET', '/tribe_events'],
    ['GET', '/posts'],
    ['GET', '/users'],
    ['GET', '/users/1'],
    ['POST', '/users/me'],
    ['DELETE', '/categories/1'],
    ['DELETE', `/tags/${jazz}`],
  ] as const) {
    const { status, body } = await app.call('administrator', method, WP + path)
    assert.deepEqual([status, body.code], [404, 'rest_no_route'], `${method} ${path}`)
  }
})

test('terms that an author creates are answered as generic clients read them', async () => {
  const post = (path: string, json: object, as: Parameters<typeof app.call>[0] = 'editor') =>
    app.call(as, 'POST', WP + path, { json })
  const top = await post('/categories', { name: 'Sports & more' })
  assert.equal(top.status, 201, JSON.stringify(top.body))
  assert.equal(top.headers.get('location'), `${WP}/categories/${top.body.id}`)
  const members = ['id', 'count', 'description', 'link', 'name', 'slug', 'taxonomy', 'parent', 'meta', '_links']
  assert.deepEqual(Object.keys(top.body), members)
  assert.deepEqual([top.body.name, top.body.slug, top.body.parent], ['Sports &amp; more', 'sports-more', 0])
  const low = await post('/categories', { name: 'Rowing', parent: top.body.id, description: 'On the bay', slug: 'row' })
  assert.deepEqual([low.body.parent, low.body.description, low.body.slug], [top.body.id, 'On the bay', 'row'])
  assert.equal(low.body.link, `${app.origin}/events/category/sports-more/row/`)
  assert.deepEqual((await get(`/categories/${low.body.id}`)).body, low.body)
  const listed = await get('/categories?slug=row,sports-more&orderby=id')
  assert.deepEqual(listed.body, [top.body, low.body])
  const tag = await post('/tags', { name: 'Late' }, 'author')
  assert.deepEqual([tag.status, tag.headers.get('location')], [201, `${WP}/tags/${tag.body.id}`])
  assert.ok(!('parent' in tag.body))
  const again = await post('/tags', { name: 'late' }, 'author')
  assert.deepEqual([again.status, again.body.code, again.body.data.term_id], [400, 'term_exists', tag.body.id])
  assert.equal((await post('/categories', {})).body.code, 'rest_missing_callback_param')
  assert.equal((await post('/categories', { name: 'x', parent: 99_999 })).body.code, 'rest_invalid_param')
  const refused = await Promise.all([
    post('/categories', { name: 'x' }, 'anonymous'),
    post('/tags', { name: 'x' }, 'subscriber'),
  ])
  assert.deepEqual(
    refused.map(({ status }) => status),
    [401, 403],
  )
  const event = { title: 'Regatta', ...times, categories: [low.body.id], tags: [tag.body.id] }
  const made = await app.call('author', 'POST', '/events', { json: event })
  assert.deepEqual([made.body.categories[0].slug, made.body.tags[0].name], ['row', 'Late'])
})

test('the root index says how far the clock of the site is ahead of UTC, in winter and in summer', async () => {
  const root = async () => (await app.call('anonymous', 'GET', `${app.origin}/wp-json/`)).body
  const { gmt_offset, timezone_string } = await root()
  assert.deepEqual([gmt_offset, timezone_string], [-5, 'America/New_York'])
  const { now } = app.clock
  app.clock.now = Date.UTC(2027, 6, 1, 12)
  assert.equal((await root()).gmt_offset, -4)
  app.clock.now = now
})

test('pictures are found again by their slug, and what is said of them is changed', async () => {
  const media = `${WP}/media`
  const read = async (query: string, as: Parameters<typeof app.call>[0] = 'author') =>
    (await app.call(as, 'GET', `${media}?${query}`)).body.map((one: { id: number }) => one.id)
  const picture = (side: number) => paint(side, side).png().toBuffer()
  const named = { texts: { title: 'Boats on the Bay' }, namespace: 'wp/v2' }
  const { body: boats } = await upload(app, 'author', { bytes: await picture(21), ...named })
  const { body: other } = await upload(app, 'editor', { bytes: await picture(22), namespace: 'wp/v2' })
  assert.equal(boats.slug, 'boats-on-the-bay')
  assert.deepEqual(await read('slug=boats-on-the-bay&media_type=image'), [boats.id])
  assert.deepEqual(await read('slug=Boats on the Bay,nothing'), [boats.id])
  assert.deepEqual(await read('slug=boats-on-the-bay&media_type=video'), [])
  assert.deepEqual(await read('slug=nothing'), [])
  assert.deepEqual(await read('media_type=image&per_page=100'), [other.id, boats.id])
  assert.deepEqual(await read('slug=boats-on-the-bay', 'anonymous'), [], 'nothing public shows it')
  assert.equal((await app.call('author', 'GET', `${media}?media_type=painting`)).body.code, 'rest_invalid_param')
  const list = await app.call('author', 'GET', `${media}?per_page=1&media_type=image`)
  assert.deepEqual([list.headers.get('x-wp-total'), list.headers.get('x-wp-totalpages')], ['2', '2'])
  assert.match(list.headers.get('link') ?? '', /media_type=image[^>]*>; rel="next"/)

  const event = await app.call('author', 'POST', '/events', { json: { title: 'Regatta', ...times, image: boats.id } })
  app.clock.now += 60_000
  const said = {
    title: { raw: 'Boats & sails' },
    alt_text: 'Two boats',
    caption: 'At <b>noon</b>',
    post: event.body.id,
  }
  const changed = await app.call('author', 'POST', `${media}/${boats.id}`, { json: said })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  const { title, alt_text, caption, post, slug, source_url, modified_gmt } = changed.body
  assert.deepEqual([title, alt_text, post], [{ rendered: 'Boats &amp; sails' }, 'Two boats', event.body.id])
  assert.deepEqual([caption, slug], [{ rendered: 'At <b>noon</b>' }, 'boats-on-the-bay'])
  assert.equal(source_url, boats.source_url)
  assert.notEqual(modified_gmt, boats.modified_gmt)
  const again = await app.call('anonymous', 'GET', `${media}/${boats.id}`)
  assert.deepEqual(again.body, changed.body)
  assert.equal(
    (await app.call('editor', 'GET', `${app.origin}/kalends/v1/media/${boats.id}`)).body.alt_text,
    'Two boats',
  )

  const less = await app.call('editor', 'PATCH', `${media}/${boats.id}`, { json: { caption: '', post: null } })
  assert.deepEqual([less.body.caption, less.body.post, less.body.title], [{ rendered: '' }, null, title])
  const stale = await app.call('editor', 'PUT', `${media}/${boats.id}`, {
    json: { alt_text: 'x' },
    headers: { 'if-match': changed.headers.get('etag') ?? '' },
  })
  assert.equal(stale.status, 412)
  const refused = async (as: Parameters<typeof app.call>[0], id: number, json: object) =>
    (await app.call(as, 'POST', `${media}/${id}`, { json })).status
  assert.equal(await refused('author', other.id, { title: 'Mine' }), 403)
  assert.equal(await refused('contributor', boats.id, { title: 'Mine' }), 403)
  assert.equal(await refused('anonymous', boats.id, { title: 'Mine' }), 401)
  assert.equal(await refused('editor', 999_999, { title: 'Mine' }), 404)
  assert.equal(await refused('editor', boats.id, { post: 999_999 }), 400)
  assert.equal(await refused('editor', boats.id, { post: 5_000_000_000 }), 400)
  const draft = { title: 'Secret', ...times, status: 'draft' }
  const { body: hidden } = await app.call('editor', 'POST', '/events', { json: draft })
  assert.equal(await refused('author', boats.id, { post: hidden.id }), 400)
})

test('administrators read the settings of the site, and nobody changes them', async () => {
  const { status, body } = await get('/settings', 'administrator')
  assert.equal(status, 200)
  const root = (await app.call('anonymous', 'GET', `${app.origin}/wp-json/`)).body
  assert.deepEqual(Object.entries(body), [
    ['title', root.name],
    ['description', root.description],
    ['url', root.url],
    ['timezone', 'America/New_York'],
    ['gmt_offset', root.gmt_offset],
    ['timezone_string', 'America/New_York'],
    ['start_of_week', 1],
    ['language', 'en'],
    ['posts_per_page', 10],
  ])
  for (const role of ['anonymous', ...ROLES.slice(1)] as const) {
    const refused = await get('/settings', role)
    assert.deepEqual([refused.status, refused.body.code], [role === 'anonymous' ? 401 : 403, 'rest_forbidden'], role)
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    assert.equal((await app.call('administrator', method, `${WP}/settings`, { json: {} })).body.code, 'rest_no_route')
})

test('the categories of events have the address that programs for calendars of this kind know, too', async () => {
  const { status, body } = await app.call('editor', 'POST', `${WP}/tribe_events_cat`, { json: { name: 'Walks' } })
  assert.equal(status, 201)
  for (const path of ['?search=walks', `?include=${body.id}`, `/${body.id}`]) {
    const [one, other] = [await get(`/categories${path}`), await get(`/tribe_events_cat${path}`)]
    assert.deepEqual([one.status, one.body], [other.status, other.body], path)
  }
  const { headers } = await get('/tribe_events_cat?per_page=1')
  assert.ok(headers.get('link')?.includes(`<${WP}/tribe_events_cat/?`), headers.get('link') ?? 'no link')
  assert.equal((await get('/tribe_events_cat/999999')).status, 404)
})
