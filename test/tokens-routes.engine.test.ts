import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addToken } from '../src/accounts/tokens/index.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { callWith, tokenOf } from './support/tokens.ts'

const PATH = '/kalends/v1/tokens'

test('a token with the scope admin makes, lists and revokes tokens of its owner', async (t) => {
  const site = await openTestApp(t)
  const { token, id } = await tokenOf(site, 'author', 'admin')
  const json = { name: 'Search', scopes: ['events:write', 'read'], expires_at: '2026-12-01T00:00:00Z' }
  const created = await callWith(site, token, { method: 'POST', path: PATH, json })
  assert.equal(created.headers.get('location'), `${site.origin}${PATH}/${created.body.id}`)
  const { token: text, ...shown } = created.body
  assert.deepEqual(shown, {
    id: shown.id,
    name: 'Search',
    scopes: ['read', 'events:write'],
    created_at: '2026-11-20 18:00:00',
    expires_at: '2026-12-01 00:00:00',
    last_used_at: null,
  })
  assert.equal((await callWith(site, text, { method: 'GET', path: '/events' })).status, 200)
  const { tokens } = (await callWith(site, token, { method: 'GET', path: PATH })).body
  assert.deepEqual(tokens.map((one: { id: string }) => one.id).sort(), [id, shown.id].sort())
  assert.ok(!JSON.stringify(tokens).includes(text))
  const revoked = await callWith(site, token, { method: 'DELETE', path: `${PATH}/${shown.id}` })
  assert.deepEqual([revoked.status, revoked.body.id], [200, shown.id])
  assert.equal((await callWith(site, text, { method: 'GET', path: '/events' })).status, 401)
  const again = await callWith(site, token, { method: 'DELETE', path: `${PATH}/${shown.id}` })
  assert.deepEqual([again.status, again.body.code], [404, 'token-not-found'])
})

test('tokens need a session or the scope admin: an application password makes none', async (t) => {
  const site = await openTestApp(t)
  const url = site.origin + PATH
  for (const method of ['GET', 'POST']) {
    const { status, body } = await site.call(
      'administrator',
      method,
      url,
      method === 'GET' ? {} : { json: { name: 'x' } },
    )
    assert.deepEqual([status, body.code], [403, 'rest_forbidden'])
    const json = method === 'GET' ? {} : { json: { name: 'x' } }
    assert.equal((await site.call('anonymous', method, url, json)).status, 401)
  }
  const browser = await visitor(site, 'author')
  assert.equal((await browser.show(PATH)).status, 200)
  const page = (await browser.show('/admin/profile')).text
  const csrf = /name="_csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const create = () =>
    fetch(url, {
      method: 'POST',
      headers: {
        cookie: browser.cookie,
        origin: site.origin,
        'x-kalends-csrf': csrf,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'Search' }),
    })
  assert.equal((await create()).status, 201)
  // As under Profile: a browser that was left alone makes no way in that outlasts its session.
  site.clock.now += 10 * 60_000
  assert.equal((await create()).status, 403)
})

test('a token makes none with more scopes or a later expiry than its own', async (t) => {
  const site = await openTestApp(t)
  const made = await addToken(site.app, {
    user: 'administrator',
    name: 'short',
    scopes: ['admin'],
    expiresAt: '2026-11-22 00:00:00',
  })
  const create = (json: object) =>
    callWith(site, made.token, { method: 'POST', path: PATH, json: { name: 'x', ...json } })
  assert.equal((await create({})).body.expires_at, '2026-11-22 00:00:00')
  for (const expires_at of ['2026-11-22 00:00:01', null, ''])
    assert.deepEqual([(await create({ expires_at })).body.code], ['bad_token'], String(expires_at))
  assert.equal((await create({ scopes: ['admin'], expires_at: '2026-11-21 00:00:00' })).status, 201)
  for (const json of [
    { scopes: ['write'] },
    { scopes: [] },
    { expires_at: 'tomorrow' },
    { expires_at: '2026-02-31 00:00:00' },
  ])
    assert.equal((await create(json)).body.code, 'rest_invalid_param', JSON.stringify(json))
  const endless = await tokenOf(site, 'author', 'admin')
  const refused = await callWith(site, endless.token, {
    method: 'POST',
    path: PATH,
    json: { name: 'x', expires_at: null },
  })
  assert.deepEqual([refused.status, refused.body.code], [400, 'bad_token'])
})

test('a token expires at the moment that programs write in their own ways', async (t) => {
  const site = await openTestApp(t)
  const own = { user: 'author', name: 'a year', scopes: ['admin'], expiresAt: '2027-11-01 00:00:00' }
  const { token } = await addToken(site.app, own)
  const created = async (expires_at: string) =>
    (await callWith(site, token, { method: 'POST', path: PATH, json: { name: 'x', expires_at } })).body
  const [, example = ''] = /such as (\d[\d: -]+\d)/.exec(JSON.stringify(await created('soon'))) ?? []
  for (const [sent, expiry] of [
    [example, '2027-04-17 18:00:00'],
    ['2026-11-30', '2026-11-30 00:00:00'],
    ['2026-11-30T09:30Z', '2026-11-30 09:30:00'],
    ['2026-11-30T09:30:00.123Z', '2026-11-30 09:30:00'],
    ['2026-11-30T09:30:00.123456+02:00', '2026-11-30 07:30:00'],
    ['2026-11-30 09:30:00-05:30', '2026-11-30 15:00:00'],
    [' 2026-11-30t09:30:00z ', '2026-11-30 09:30:00'],
  ] as const)
    assert.equal((await created(sent)).expires_at, expiry, sent)
  for (const sent of [
    '1796031000',
    'next week',
    '2026-11-31',
    '2026-11-30T25:00Z',
    '30.11.2026',
    '2026-11-30T09:30:60Z',
  ])
    assert.equal((await created(sent)).code, 'rest_invalid_param', sent)
})

test('only administrators revoke the tokens of others', async (t) => {
  const site = await openTestApp(t)
  const [own, other] = [await tokenOf(site, 'editor', 'admin'), await tokenOf(site, 'author', 'read')]
  const remove = (token: string, id: string) => callWith(site, token, { method: 'DELETE', path: `${PATH}/${id}` })
  assert.equal((await remove(own.token, other.id)).status, 404)
  const administrator = await tokenOf(site, 'administrator', 'admin')
  assert.equal((await remove(administrator.token, other.id)).status, 200)
  // A token may end itself.
  assert.equal((await remove(own.token, own.id)).status, 200)
  assert.equal((await remove(own.token, own.id)).status, 401)
})

test('the text of a token is shown once, also to those who repeat their request', async (t) => {
  const site = await openTestApp(t)
  const { token } = await tokenOf(site, 'author', 'admin')
  const headers = { 'idempotency-key': 'one' }
  const create = () => callWith(site, token, { method: 'POST', path: PATH, json: { name: 'Search' }, headers })
  const [first, second] = [await create(), await create()]
  assert.match(first.body.token, /^kal_/)
  assert.deepEqual([second.body.id, second.body.token], [first.body.id, undefined])
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  const { storage } = site.app
  const kept = await storage.all(storage.db.selectFrom('idempotency_key').select('body'))
  assert.ok(!JSON.stringify(kept).includes(first.body.token))
})
