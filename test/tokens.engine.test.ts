import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { addToken, listTokens, revokeToken } from '../src/accounts/tokens/index.ts'
import { disableUser, enableUser, setRole } from '../src/accounts/users/index.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { callWith, tokenOf } from './support/tokens.ts'
import { eventually } from './support/webhook-receiver.ts'

const EVENT = { title: 'Regatta', start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

const create = (site: TestApp, token: string, more: object = {}) =>
  callWith(site, token, { method: 'POST', path: '/events', json: { ...EVENT, ...more } })

test('a token does what its scope and the role of its owner allow, and names the scope that it lacks', async (t) => {
  const site = await openTestApp(t)
  const [reader, writer] = [await tokenOf(site, 'editor', 'read'), await tokenOf(site, 'editor', 'events:write')]
  const draft = (await create(site, writer.token, { status: 'draft' })).body
  assert.equal((await callWith(site, reader.token, { method: 'GET', path: `/events/${draft.id}` })).status, 200)
  const refused = await create(site, reader.token)
  assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope'])
  assert.equal(refused.headers.get('www-authenticate'), 'Bearer error="insufficient_scope", scope="events:write"')
  const terms = await callWith(site, writer.token, { method: 'POST', path: '/tags', json: { name: 'Rowing' } })
  assert.deepEqual([terms.status, terms.body.code], [403, 'insufficient_scope'])
  // A scope widens nothing.
  const subscriber = await tokenOf(site, 'subscriber', 'admin')
  const forbidden = await create(site, subscriber.token)
  assert.deepEqual([forbidden.status, forbidden.body.code], [403, 'rest_forbidden'])
})

test('an event makes terms and has images fetched only with the scopes of those', async (t) => {
  const site = await openTestApp(t)
  const { token } = await tokenOf(site, 'editor', 'events:write')
  const tags = await create(site, token, { tags: ['Unheard of'] })
  assert.match(tags.headers.get('www-authenticate') ?? '', /scope="terms:write"/)
  const image = await create(site, token, { image: 'https://elsewhere.example/a.png' })
  assert.match(image.headers.get('www-authenticate') ?? '', /scope="media:write"/)
  const venue = await create(site, token, { venue: { venue: 'Hall', image: 'https://elsewhere.example/a.png' } })
  assert.match(venue.headers.get('www-authenticate') ?? '', /scope="media:write"/)
  const both = await tokenOf(site, 'editor', 'events:write', 'terms:write')
  assert.equal((await create(site, both.token, { tags: ['Unheard of'] })).status, 201)
  // What is there already may be named.
  assert.equal((await create(site, token, { tags: ['Unheard of'] })).status, 201)
})

test('each request of a batch needs its own scope', async (t) => {
  const site = await openTestApp(t)
  const { token } = await tokenOf(site, 'editor', 'events:write')
  const requests = [
    { method: 'POST', path: '/venues', body: { venue: 'Hall' } },
    { method: 'POST', path: '/tags', body: { name: 'Rowing' } },
  ]
  const batch = (given: string, atomic: boolean) =>
    callWith(site, given, { method: 'POST', path: '/kalends/v1/batch', json: { requests, atomic } })
  const whole = await batch(token, true)
  assert.deepEqual([whole.status, whole.body.data.failed.body.code], [400, 'insufficient_scope'])
  const each = (await batch(token, false)).body.responses
  assert.deepEqual([each[0].status, each[1].status, each[1].body.code], [201, 403, 'insufficient_scope'])
  const both = await tokenOf(site, 'editor', 'events:write', 'terms:write')
  assert.equal((await batch(both.token, true)).status, 200)
  const reader = await tokenOf(site, 'editor', 'read')
  assert.equal((await batch(reader.token, false)).status, 403)
})

test('an unknown, mistyped, expired or revoked token, and that of a disabled user, is an invalid one', async (t) => {
  const site = await openTestApp(t)
  const { app, clock } = site
  const made = await tokenOf(site, 'author', 'read')
  const isInvalid = async (token: string): Promise<void> => {
    const { status, headers, body } = await callWith(site, token, { method: 'GET', path: '/events' })
    assert.deepEqual([status, body.code], [401, 'invalid_token'])
    assert.equal(headers.get('www-authenticate'), 'Bearer error="invalid_token"')
  }
  const isValid = async (token: string): Promise<void> =>
    assert.equal((await callWith(site, token, { method: 'GET', path: '/events' })).status, 200)
  await isValid(made.token)
  for (const text of ['x', '', made.token.slice(0, -1), `${made.token.slice(0, -1)}~`]) await isInvalid(text)
  await disableUser(app, { name: 'author' })
  await isInvalid(made.token)
  await enableUser(app, { name: 'author' })
  await isValid(made.token)
  await revokeToken(app, { id: made.id })
  await isInvalid(made.token)
  await assert.rejects(revokeToken(app, { id: made.id }), { code: 'token-not-found' })
  const short = await addToken(app, { user: 'author', name: 'short', expiresAt: '2026-11-20 19:00:00' })
  clock.now += 3_599_000
  await isValid(short.token)
  clock.now += 1000
  await isInvalid(short.token)
  assert.deepEqual(await listTokens(app, { user: 'author' }), [])
})

test('a user has at most 20 tokens that have not expired', async (t) => {
  const site = await openTestApp(t)
  const { app, clock } = site
  for (let count = 0; count < 20; count += 1) await tokenOf(site, 'author', 'read')
  await assert.rejects(tokenOf(site, 'author', 'read'), { code: 'bad_token' })
  await tokenOf(site, 'editor', 'read')
  clock.now += 91 * 24 * 3_600_000
  await tokenOf(site, 'author', 'read')
  const stored = await app.storage.all(app.storage.db.selectFrom('token').select('created_at'))
  assert.deepEqual(stored.map((one) => one.created_at).sort(), ['2026-11-20 18:00:00', '2027-02-19 18:00:00'])
})

test('the last use of a token is known to the hour, and the networks that it was used from', async (t) => {
  const site = await openTestApp(t, { trustedProxies: '127.0.0.1' })
  const { app, clock } = site
  const { token, id } = await tokenOf(site, 'author', 'read')
  const use = (address: string) =>
    callWith(site, token, { method: 'GET', path: '/events', headers: { 'x-forwarded-for': address } })
  const row = async () =>
    app.storage.first(app.storage.db.selectFrom('token').select(['used_at', 'networks']).where('id', '=', id))
  const [first, second] = ['192.0.2.0/24', '192.0.2.0/24 2001:db8:1::/48']
  const uses = [
    ['192.0.2.7', first],
    ['192.0.2.9', first],
    ['2001:db8:1:2::1', second],
    ['2001:db8:1:3::1', second],
  ] as const
  for (const [address, networks] of uses) {
    await use(address)
    await eventually(address, async () => (await row())?.networks === networks)
  }
  await eventually('the hour', async () => (await row())?.used_at !== null)
  assert.equal((await row())?.used_at, '2026-11-20 18:00:00')
  clock.now += 3_599_999
  await use('192.0.2.7')
  clock.now += 1
  await use('192.0.2.7')
  await eventually('the next hour', async () => (await row())?.used_at === '2026-11-20 19:00:00')
})

test('two kinds of credentials are ambiguous', async (t) => {
  const { origin, authorization, ...site } = await openTestApp(t)
  const { token } = await tokenOf({ origin, authorization, ...site }, 'author', 'read')
  const { hostname, port } = new URL(origin)
  const ask = (values: readonly string[], path = '/cal/events/v1/events') => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const headers = ['host', 'localhost', ...values.flatMap((value) => ['authorization', value])]
    const sent = request({ hostname, port, path, headers }, (response) => {
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve(`${response.statusCode} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`))
    })
    sent.on('error', reject).end()
    return promise
  }
  const [bearer, basic] = [`Bearer ${token}`, authorization('author')]
  assert.deepEqual([await ask([bearer]), await ask([basic])], ['200 ', '200 '])
  for (const values of [
    [bearer, basic],
    [basic, bearer],
    [bearer, bearer],
    [`${basic}, ${bearer}`],
    [`${bearer},${basic}`],
  ])
    assert.equal(await ask(values), '400 ambiguous_credentials', values.join())
})

test('an Idempotency-Key belongs to a token', async (t) => {
  const site = await openTestApp(t)
  const [first, second] = [await tokenOf(site, 'editor', 'events:write'), await tokenOf(site, 'editor', 'events:write')]
  const reader = await tokenOf(site, 'editor', 'read')
  const send = (token: string) =>
    callWith(site, token, { method: 'POST', path: '/events', json: EVENT, headers: { 'idempotency-key': 'k' } })
  const made = await send(first.token)
  const again = await send(first.token)
  assert.deepEqual([again.body.id, again.headers.get('idempotency-replayed')], [made.body.id, 'true'])
  assert.notEqual((await send(second.token)).body.id, made.body.id)
  assert.equal((await send(reader.token)).status, 403)
})

test('the role of the owner counts as it is now', async (t) => {
  const site = await openTestApp(t)
  const { token } = await tokenOf(site, 'editor', 'events:write')
  assert.equal((await create(site, token)).status, 201)
  await setRole(site.app, { name: 'editor', role: 'subscriber' })
  assert.equal((await create(site, token)).status, 403)
})

test('a token without an end gets one when its owner is no administrator any more', async (t) => {
  const site = await openTestApp(t)
  await setRole(site.app, { name: 'editor', role: 'administrator' })
  const endless = await addToken(site.app, { user: 'editor', name: 'endless', expiresAt: null })
  const brief = await addToken(site.app, { user: 'editor', name: 'brief', expiresAt: '2026-12-01 00:00:00' })
  const status = async () => (await callWith(site, endless.token, { method: 'GET', path: '/events' })).status
  const DAY = 86_400_000
  site.clock.now += 89 * DAY
  await setRole(site.app, { name: 'editor', role: 'author' })
  assert.equal(await status(), 200)
  assert.equal((await listTokens(site.app, { user: 'editor' }))[0]?.expiresAt, '2027-02-18 18:00:00')
  site.clock.now += DAY
  assert.equal(await status(), 401)
  await setRole(site.app, { name: 'editor', role: 'administrator' })
  assert.equal(await status(), 401)
  const { storage } = site.app
  const rows = await storage.all(storage.db.selectFrom('token').select(['id', 'expires_at']))
  assert.equal(rows.find(({ id }) => id === brief.id)?.expires_at, '2026-12-01 00:00:00')
})

test('a token learns what it may do', async (t) => {
  const site = await openTestApp(t)
  const path = `${site.origin}/wp/v2/users/me?context=edit`
  const may = async (...scopes: Parameters<typeof tokenOf>[2][]): Promise<string[]> => {
    const { token } = await tokenOf(site, 'author', ...scopes)
    const { capabilities } = (await callWith(site, token, { method: 'GET', path })).body
    return Object.keys(capabilities).filter((name) =>
      /^(read|upload_files|manage_categories|publish_posts)$/.test(name),
    )
  }
  assert.deepEqual(await may('read'), ['read'])
  assert.deepEqual(await may('events:write'), ['read', 'publish_posts'])
  assert.deepEqual(await may('media:write', 'terms:write'), ['read', 'upload_files', 'manage_categories'])
  assert.deepEqual(await may('admin'), ['read', 'upload_files', 'manage_categories', 'publish_posts'])
  // What generic clients take for everything that the role may do.
  const roles = async (scope: 'events:write' | 'admin') => {
    const { token } = await tokenOf(site, 'administrator', scope)
    const { capabilities, extra_capabilities } = (await callWith(site, token, { method: 'GET', path })).body
    return [capabilities.administrator, extra_capabilities.administrator]
  }
  assert.deepEqual(await roles('events:write'), [undefined, undefined])
  assert.deepEqual(await roles('admin'), [true, true])
})
