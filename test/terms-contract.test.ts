import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, openTestApp } from './support/app.ts'

/*
 * What categories and tags take, refuse and answer, row by row (wire: rest 1.5, 2.2, 2.4, 2.6, 3.9, 3.10, as decisions
 * change them).
 */

const { call, origin } = await openTestApp({ after })

const ROOMS = [
  { path: '/categories', taxonomy: 'tribe_events_cat' },
  { path: '/tags', taxonomy: 'post_tag' },
] as const

type Room = (typeof ROOMS)[number]
type Body = Readonly<Record<string, unknown>>

/** Runs a test for categories and for tags. */
function each(title: string, run: (room: Room) => Promise<void>): void {
  for (const room of ROOMS) test(`${room.path}: ${title}`, () => run(room))
}

let names = 0
function newName(): string {
  names += 1
  return `Kind ${names} of`
}

async function make({ path }: { readonly path: string }, json: Body = {}): Promise<Answer['body']> {
  const answer = await call('editor', 'POST', path, { json: { name: newName(), ...json } })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

function told({ status, body }: Answer): readonly [number, unknown] {
  return [status, body.code ?? body.slug]
}

const REFUSED = [400, 'rest_invalid_param'] as const
const API = `${origin}/cal/events/v1`

each('a term has its members in the order of the wire, _links when it is alone', async (room) => {
  const isCategory = room.path === '/categories'
  const members = ['id', 'count', 'description', 'name', 'slug', 'taxonomy']
  const order = [...members, ...(isCategory ? ['parent'] : []), 'meta', 'url', 'urls']
  const name = newName()
  const made = await make(room, { name: `${name} R&B <b>x</b>` })
  assert.deepEqual(Object.keys(made), [...order, '_links'])
  assert.deepEqual(
    [made.name, made.taxonomy, made.meta, made.description],
    [`${name} R&amp;B x`, room.taxonomy, [], ''],
  )
  assert.deepEqual(made.urls, { self: `${API}${room.path}/${made.id}`, collection: `${API}${room.path}` })
  const { body } = await call('anonymous', 'GET', room.path, { query: { hide_empty: 0, slug: made.slug } })
  assert.deepEqual(Object.keys(body), ['rest_url', 'total', 'total_pages', room.path.slice(1)])
  assert.deepEqual(Object.keys(body[room.path.slice(1)][0]), order)
  const gone = await call('editor', 'DELETE', `${room.path}/${made.id}`, { query: { force: 'false' } })
  assert.deepEqual(Object.keys(gone.body), order)
})

test('/categories: a category below another one shows it in parent, up and the address of its page', async () => {
  const [room] = ROOMS
  const above = await make(room)
  const below = await make(room, { parent: String(above.id) })
  assert.equal(below.parent, above.id)
  assert.equal(below.urls.up, `${API}/categories/${above.id}`)
  assert.deepEqual(below._links.up, [{ embeddable: true, href: `${API}/categories/${above.id}` }])
  assert.equal(below.url, `${origin}/events/category/${above.slug}/${below.slug}/`)
})

each('a name is text or a number, neither blank nor longer than 200 characters', async ({ path }) => {
  for (const name of ['', '0', 0, true, false, [], {}, ['x']])
    assert.deepEqual(told(await call('editor', 'POST', path, { json: { name } })), REFUSED, JSON.stringify(name))
  for (const name of [' ', '<b> </b>', '\n', '\u200b\u202e'])
    assert.deepEqual(told(await call('editor', 'POST', path, { json: { name } })), [400, 'empty_term_name'])
  const long = await call('editor', 'POST', path, { json: { name: '日'.repeat(201) } })
  assert.deepEqual(told(long), [400, 'db_insert_error'])
  assert.equal((await call('editor', 'POST', path, { json: { name: '日'.repeat(200) } })).status, 201)
  assert.deepEqual(told(await call('editor', 'POST', path, { json: { name: 1984 } })), [201, '1984'])
  const missing = await call('anonymous', 'POST', path, { json: { name: null, slug: '' } })
  assert.deepEqual([...told(missing), missing.body.data.params], [400, 'rest_missing_callback_param', ['name']])
})

each('a name is taken once, whatever its case and accents, unless it brings a slug that is free', async (room) => {
  const { path } = room
  const first = await make(room, { name: `Café & Öl ${path}` })
  for (const json of [{ name: `CAFE &amp; ol ${path}` }, { name: `Café & Öl ${path}`, slug: first.slug }]) {
    const { status, body } = await call('editor', 'POST', path, { json })
    assert.deepEqual([status, body.code, body.data], [400, 'term_exists', { status: 400, term_id: first.id }])
    assert.deepEqual(body.additional_data, [first.id, first.id])
  }
  const slug = `second-${path.slice(1)}`
  assert.deepEqual(told(await call('editor', 'POST', path, { json: { name: `Café & Öl ${path}`, slug } })), [201, slug])
  const other = await make(room)
  const renamed = await call('editor', 'PATCH', `${path}/${other.id}`, { json: { name: `Café & Öl ${path}` } })
  assert.deepEqual(told(renamed), [200, other.slug])
})

each('of equal names at once one is made and the others are told of it', async ({ path }) => {
  const json = { name: newName() }
  const answers = await Promise.all(Array.from({ length: 8 }, () => call('editor', 'POST', path, { json })))
  const made = answers.filter((one) => one.status === 201)
  assert.equal(made.length, 1)
  const others = answers.filter((one) => one.body.code === 'term_exists')
  assert.deepEqual(
    others.map((one) => one.body.data.term_id),
    Array.from({ length: 7 }, () => made[0]?.body.id),
  )
})

each('a slug is made plain, numbered where it is taken, and refused where nothing of it remains', async (room) => {
  const { path } = room
  const end = path.slice(1)
  for (const [slug, made] of [
    [`My Slug! ${end}`, `my-slug-${end}`],
    [`ÜBER/${end}`, `uber-${end}`],
    [`-x-${end}-`, `x-${end}`],
    [`my slug ${end}`, `my-slug-${end}-2`],
    [2001, '2001'],
    [null, undefined],
  ] as const) {
    const term = await make(room, { slug })
    assert.equal(term.slug, made ?? term.name.toLowerCase().replaceAll(' ', '-'))
  }
  for (const slug of ['', '!!!', [], true])
    assert.deepEqual(told(await call('editor', 'POST', path, { json: { name: newName(), slug } })), REFUSED)
  const { id } = await make(room)
  const taken = await call('editor', 'PATCH', `${path}/${id}`, { json: { slug: `x-${end}` } })
  assert.deepEqual([...told(taken), taken.body.data], [400, 'duplicate_term_slug', { status: 400 }])
  assert.deepEqual(told(await call('editor', 'PATCH', `${path}/${id}`, { json: { slug: `New ${end}` } })), [
    200,
    `new-${end}`,
  ])
})

test('/categories: a taken slug below other categories takes their slugs along, then a number', async () => {
  const [room] = ROOMS
  const rock = await make(room, { name: 'Rock' })
  const alpha = await make(room, { name: 'Alpha' })
  const beta = await make(room, { name: 'Beta', parent: alpha.id })
  const slugs: string[] = []
  for (const [name, parent] of [
    ['Rock', alpha.id],
    ['Rock', beta.id],
  ] as const)
    slugs.push((await make(room, { name, parent })).slug)
  for (const parent of [beta.id, beta.id]) slugs.push((await make(room, { slug: rock.slug, parent })).slug)
  assert.deepEqual(slugs, ['rock-alpha', 'rock-beta', 'rock-beta-alpha', 'rock-beta-alpha-2'])
})

test('/categories: a parent is the id of another category that does not lie below; every empty value is none', async () => {
  const [room, tags] = ROOMS
  const above = await make(room)
  const below = await make(room, { parent: above.id })
  const tag = await make(tags)
  for (const parent of [tag.id, 999_999, -1, 'alpha', above.slug, [above.id], true, above.id, below.id]) {
    const { status, body } = await call('editor', 'PATCH', `/categories/${above.id}`, { json: { parent } })
    assert.deepEqual([status, body.code, Object.keys(body.data.params)], [...REFUSED, ['parent']], String(parent))
  }
  for (const parent of [0, '0', '', null, false]) {
    const { body } = await call('editor', 'PATCH', `/categories/${below.id}`, { json: { parent } })
    assert.deepEqual([body.parent, 'up' in body.urls], [0, false], String(parent))
    await call('editor', 'PATCH', `/categories/${below.id}`, { json: { parent: above.id } })
  }
  const kept = await call('editor', 'PATCH', `/categories/${below.id}`, { json: { description: 'x' } })
  assert.equal(kept.body.parent, above.id)
})

test('/categories: what lies below a deleted category moves up, and the events lose it', async () => {
  const [room] = ROOMS
  const top = await make(room)
  const middle = await make(room, { parent: top.id })
  const low = await make(room, { parent: middle.id })
  const event = { title: 'Event', start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }
  const { body } = await call('editor', 'POST', '/events', { json: { ...event, categories: [middle.id, low.id] } })
  const gone = await call('editor', 'DELETE', `/categories/${middle.id}`)
  assert.deepEqual([gone.status, gone.body.id, gone.body.count], [200, middle.id, 1])
  assert.equal((await call('anonymous', 'GET', `/categories/${low.id}`)).body.parent, top.id)
  const left = (await call('anonymous', 'GET', `/events/${body.id}`)).body.categories
  assert.deepEqual(
    left.map((one: { id: number }) => one.id),
    [low.id],
  )
  for (const method of ['GET', 'DELETE', 'PATCH'])
    assert.deepEqual(told(await call('editor', method, `/categories/${middle.id}`, { json: undefined })), REFUSED)
})

test('/tags: a tag that is given a parent is refused with a code of its own, an empty one says nothing', async () => {
  const [, room] = ROOMS
  const tag = await make(room)
  for (const parent of [tag.id, 999_999, 'x', [1]])
    for (const path of ['/tags', `/tags/${tag.id}`]) {
      const answer = await call('editor', 'POST', path, { json: { name: newName(), parent } })
      assert.deepEqual(told(answer), [400, 'rest_taxonomy_not_hierarchical'], String(parent))
    }
  for (const parent of [0, '', null, false])
    assert.equal((await call('editor', 'POST', '/tags', { json: { name: newName(), parent } })).status, 201)
})

each('a description is simple HTML and is emptied by null and empty text', async (room) => {
  const sent = 'A <b>b</b> <a href="https://a.example" onclick="x()">l</a>\n<p>p</p><script>s</script>'
  const { id, description } = await make(room, { description: sent })
  assert.match(description, /^A <b>b<\/b> <a href="https:\/\/a\.example"[^>]*>l<\/a>\s+p$/)
  for (const empty of [null, '']) {
    await call('editor', 'PATCH', `${room.path}/${id}`, { json: { description: 'x' } })
    const { body } = await call('editor', 'PATCH', `${room.path}/${id}`, { json: { description: empty } })
    assert.equal(body.description, '')
  }
  assert.deepEqual(told(await call('editor', 'PATCH', `${room.path}/${id}`, { json: { description: [] } })), REFUSED)
})

each('parameters of lists that cannot be read, and names of nothing, are refused', async (room) => {
  const { id } = await make(room)
  for (const query of [
    ...['0', '-1', 'abc', '1.5', ''].flatMap((value) => [`page=${value}`, `per_page=${value}`]),
    ...['search=', `search=${'x'.repeat(257)}`, 'search[]=a', 'order=', 'order=bogus', 'orderby=', 'orderby=bogus'],
    ...['exclude=', 'include=', 'exclude=999999', 'include=999999,1', 'include=nothing-so-called'],
    ...['2', '', 'abc'].map((value) => `hide_empty=${value}`),
    ...['abc', '0', '', '999999'].flatMap((value) => [`post=${value}`, `event=${value}`]),
    ...['slug=', 'slug[]=a', `event=${id}`],
    ...(room.path === '/tags' ? [] : ['parent=', 'parent=abc', 'parent=-1', 'parent=999999', `parent=${id},${id}`]),
  ])
    assert.deepEqual(told(await call('anonymous', 'GET', `${API}${room.path}?${query}`)), REFUSED, query)
  const typed = (await call('anonymous', 'GET', `${API}${room.path}?hide_empty=2`)).body.data.details
  assert.equal(typed.hide_empty.code, 'rest_invalid_type')
})

each('a page past the end is 200 and empty, with totals and a way back', async (room) => {
  for (let n = 0; n < 3; n += 1) await make(room, { description: 'paged' })
  const query = { hide_empty: 0, search: 'paged', per_page: 2 }
  const past = await call('anonymous', 'GET', room.path, { query: { ...query, page: 3 } })
  const member = room.path.slice(1)
  assert.deepEqual([past.status, past.body[member], past.body.total, past.body.total_pages], [200, [], 3, 2])
  assert.equal(past.headers.get('x-tec-total'), '3')
  const { body: second } = await call('anonymous', 'GET', past.body.previous_rest_url)
  assert.equal(second[member].length, 1)
  const { body: first } = await call('anonymous', 'GET', second.previous_rest_url)
  assert.deepEqual((await call('anonymous', 'GET', first.next_rest_url)).body, second)
  assert.deepEqual(Object.keys(second).slice(-1), ['previous_rest_url'])
  assert.deepEqual(Object.keys(first).slice(-2), [member, 'next_rest_url'])
})

each('links repeat every filter that was sent', async (room) => {
  const some = [await make(room), await make(room)]
  const filters = {
    search: 'k&d "of" -x',
    exclude: some[0].slug,
    order: 'DESC',
    orderby: 'slug',
    hide_empty: 'no',
    ...(room.path === '/categories' && { parent: 0 }),
  }
  const { body } = await call('anonymous', 'GET', room.path, { query: { per_page: 99, ...filters } })
  const sent = Object.fromEntries(new URL(body.rest_url).searchParams)
  assert.deepEqual(sent, {
    page: '1',
    per_page: '50',
    ...filters,
    order: 'desc',
    hide_empty: '0',
    ...(room.path === '/categories' && { parent: '0' }),
  })
  assert.deepEqual((await call('anonymous', 'GET', body.rest_url)).body, body)
})

each('parameters that no list declares are ignored', async (room) => {
  const query = { hide_empty: 0, per_page: 50 }
  const { body } = await call('anonymous', 'GET', room.path, { query })
  const more = { offset: 1, context: 'embed', status: 'bogus', ...(room.path === '/tags' && { parent: 'abc' }) }
  assert.deepEqual((await call('anonymous', 'GET', room.path, { query: { ...query, ...more } })).body, body)
})
