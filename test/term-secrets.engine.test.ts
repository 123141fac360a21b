import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '../src/http/auth/rights.ts'
import { openTestApp } from './support/app.ts'

/* Terms that only events use which a caller may not read are not revealed to that caller (decisions: Term lists). */

const TIMES = { start_date: '2027-01-01 10:00:00', end_date: '2027-01-01 12:00:00' }

for (const [path, field] of [
  ['/categories', 'categories'],
  ['/tags', 'tags'],
] as const) {
  test(`${field} that only unreadable events use are shown to those who read these, unused ones to all`, async (t) => {
    const { call, origin } = await openTestApp(t)
    const term = async (name: string): Promise<number> =>
      (await call('editor', 'POST', path, { json: { name } })).body.id
    const ids = { Unused: 0, Open: 0, Draft: 0, Private: 0, Trashed: 0 }
    for (const name of ['Unused', 'Open', 'Draft', 'Private', 'Trashed'] as const) ids[name] = await term(name)
    const list = async (as: Role | 'anonymous', query: Record<string, string | number> = {}) => {
      const asked = { hide_empty: 'false', ...query }
      const { body, headers } = await call(as, 'GET', path, { query: asked })
      const names = body[field].map((one: { name: string }) => one.name)
      assert.equal(headers.get('x-tec-total'), String(body.total))
      return { names, total: body.total, next: body.next_rest_url }
    }
    const all = ['Draft', 'Open', 'Private', 'Trashed', 'Unused']
    assert.deepEqual((await list('anonymous')).names, all, 'nobody uses any yet')
    assert.equal((await call('anonymous', 'GET', `${path}/${ids.Draft}`)).status, 200)
    const event = async (name: keyof typeof ids, status: string): Promise<number> => {
      const json = { title: name, ...TIMES, status, [field]: [ids[name]] }
      return (await call('author', 'POST', '/events', { json })).body.id
    }
    await event('Open', 'publish')
    const draft = await event('Draft', 'draft')
    await event('Private', 'private')
    await call('author', 'DELETE', `/events/${await event('Trashed', 'publish')}`)

    for (const as of ['anonymous', 'subscriber', 'contributor'] as const) {
      const { names, total } = await list(as)
      assert.deepEqual([names, total], [['Open', 'Unused'], 2], as)
      assert.deepEqual((await list(as, { include: ids.Draft })).names, [], as)
      assert.deepEqual((await list(as, { search: 'draft' })).names, [], as)
      const { status, body } = await call(as, 'GET', `${path}/${ids.Draft}`)
      const unknown = await call(as, 'GET', `${path}/999999`)
      assert.deepEqual([status, body.code, body.data], [unknown.status, unknown.body.code, unknown.body.data], as)
      assert.equal((await call(as, 'GET', `${path}/${ids.Unused}`)).status, 200, as)
    }
    for (const as of ['author', 'editor', 'administrator'] as const) {
      assert.deepEqual((await list(as)).names, all, as)
      assert.equal((await call(as, 'GET', `${path}/${ids.Private}`)).status, 200, as)
    }
    const page = await list('anonymous', { per_page: 1 })
    assert.deepEqual([page.names, page.total], [['Open'], 2])
    assert.ok(page.next.includes('hide_empty=0') && page.next.includes('page=2'))
    assert.equal((await list('anonymous', { per_page: 1, page: 2 })).next, undefined)
    if (field === 'tags') {
      const bare = await call('anonymous', 'GET', `${origin}/wp/v2/tags`)
      assert.deepEqual(
        bare.body.map((one: { name: string }) => one.name),
        ['Open', 'Unused'],
      )
      assert.equal((await call('anonymous', 'GET', `${origin}/wp/v2/tags/${ids.Draft}`)).status, 404)
    }
    const { link } = (await call('editor', 'GET', `${path}/${ids.Draft}`)).body
    if (link !== undefined) assert.equal((await call('anonymous', 'GET', link)).status, 404)

    await call('author', 'PATCH', `/events/${draft}`, { json: { status: 'publish' } })
    assert.deepEqual((await list('anonymous')).names, ['Draft', 'Open', 'Unused'], 'published, it is known')
    await call('author', 'PATCH', `/events/${draft}`, { json: { status: 'draft' } })
    assert.deepEqual((await list('anonymous')).names, ['Open', 'Unused'], 'also in answers that are kept')
    assert.equal((await call('anonymous', 'GET', `${path}/${ids.Draft}`)).status, 400)
    await call('author', 'PATCH', `/events/${draft}`, { json: { [field]: [] } })
    assert.deepEqual((await list('anonymous')).names, ['Draft', 'Open', 'Unused'], 'nobody uses it again')
    assert.equal((await call('anonymous', 'GET', `${path}/${ids.Draft}`)).status, 200)
    const json = { [field]: [ids.Unused] }
    await call('author', 'PATCH', `/events/${draft}`, { json })
    assert.deepEqual((await list('anonymous')).names, ['Draft', 'Open'])
    assert.notEqual((await call('anonymous', 'GET', `${path}/${ids.Unused}`)).status, 200)
  })
}

for (const [path, field] of [
  ['/categories', 'categories'],
  ['/tags', 'tags'],
] as const) {
  test(`a list of events with ${field} is empty, not refused, when the last of them is hidden or in the trash`, async (t) => {
    const { call } = await openTestApp(t)
    const { id } = (await call('editor', 'POST', path, { json: { name: 'Jazz' } })).body
    const event = (await call('editor', 'POST', '/events', { json: { title: 'x', ...TIMES, [field]: [id] } })).body
    const listed = async () => {
      const { status, body } = await call('anonymous', 'GET', '/events', { query: { [field]: id } })
      return [status, body.total]
    }
    assert.deepEqual(await listed(), [200, 1])
    await call('editor', 'POST', `/events/${event.id}`, { json: { status: 'private' } })
    assert.deepEqual(await listed(), [200, 0])
    await call('editor', 'DELETE', `/events/${event.id}`)
    assert.deepEqual(await listed(), [200, 0])
  })
}

for (const [path, field] of [
  ['/categories', 'categories'],
  ['/tags', 'tags'],
] as const) {
  test(`writes that name hidden ${field} are answered as those that name none, and change nothing`, async (t) => {
    const { call } = await openTestApp(t)
    const { id, slug } = (await call('editor', 'POST', path, { json: { name: 'Merger of Acme' } })).body
    const hidden = { title: 'Hidden', ...TIMES, status: 'draft', [field]: [id] }
    assert.equal((await call('editor', 'POST', '/events', { json: hidden })).status, 201)
    const own = (await call('contributor', 'POST', '/events', { json: { title: 'Own', ...TIMES, status: 'draft' } }))
      .body
    const answers = async (as: Role | 'anonymous', named: unknown) => {
      const created = await call(as, 'POST', '/events', { json: { title: 'New', ...TIMES, [field]: named } })
      const changed = await call(as, 'POST', `/events/${own.id}`, { json: { [field]: named } })
      return [created, changed].map(({ status, body }) => [status, body.code, body.data])
    }
    for (const as of ['anonymous', 'subscriber', 'contributor'] as const) {
      assert.deepEqual(await answers(as, [id]), await answers(as, [999_999]), `${as}: a number`)
      for (const named of [slug, 'Merger of Acme', `${id}`, [slug], 'MERGER OF ACME'])
        assert.deepEqual(await answers(as, named), await answers(as, 'Merger of nobody'), `${as}: ${named}`)
    }
    assert.deepEqual((await call('contributor', 'GET', `/events/${own.id}`)).body[field], [])
    assert.equal(
      (await call('author', 'POST', '/events', { json: { title: 'x', ...TIMES, [field]: [id] } })).status,
      400,
    )
    const open = { title: 'Open', ...TIMES, [field]: [id] }
    assert.equal((await call('editor', 'POST', '/events', { json: open })).status, 201)
    const [created, changed] = await answers('contributor', [id])
    assert.deepEqual([created?.[0], changed?.[0]], [201, 200], 'what a readable event uses may be named')
  })
}
