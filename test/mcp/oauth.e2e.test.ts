import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { openAccess, type Provider } from '../../src/accounts/single-sign-on/index.ts'
import { disableUser } from '../../src/accounts/users/index.ts'
import { createLog } from '../../src/base/log.ts'
import { addressGate } from '../../src/base/outgoing/addresses.ts'
import { openTestApp } from '../support/app.ts'
import { askMcp } from '../support/mcp.ts'
import { tokensFor } from '../support/oidc-provider.ts'
import { Surfer, siteWith } from '../support/single-sign-on.ts'

const SEARCH = { name: 'find_references', arguments: { kind: 'venue' } }

/** A calendar that takes the tokens of its provider, with somebody who has signed in there. */
async function open(t: Parameters<typeof siteWith>[0]) {
  const member = { create: 'yes', default_role: 'editor' }
  const { site, providers } = await siteWith(t, { town: { member } }, { mcpOauthIssuer: 'town' })
  const provider = providers['town']!
  provider.claims = { preferred_username: 'ada' }
  const ada = new Surfer(site)
  await ada.signIn('town')
  const resource = `${site.origin}/mcp`
  const back = `${site.origin}/admin/oidc/town/callback`
  const get = (scope: string, { audience = resource, by = ada } = {}) =>
    tokensFor(provider, { resource: audience, scope, back }, (address, end) => by.until(address, end))
  const ask = (token: string, method = 'tools/call', params: object = SEARCH) =>
    askMcp({ origin: site.origin, headers: { authorization: `Bearer ${token}` } }, method, { ...params })
  return { site, provider, get, ask, resource }
}

test('clients learn which authorization server gives out tokens, and only where one does', async (t) => {
  const { site, provider, resource } = await open(t)
  const refused = await askMcp({ origin: site.origin, headers: { authorization: 'Bearer x.y.z' } }, 'tools/list')
  const metadata = `${site.origin}/.well-known/oauth-protected-resource/mcp`
  const challenge = `Bearer error="invalid_token", resource_metadata="${metadata}"`
  assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, challenge])
  const expected = {
    resource,
    authorization_servers: [provider.issuer],
    scopes_supported: ['read', 'events:write'],
    bearer_methods_supported: ['header'],
    resource_documentation: `${site.origin}/reference/guides/agents/`,
  }
  for (const address of [metadata, `${site.origin}/.well-known/oauth-protected-resource`])
    assert.deepEqual(await (await fetch(address)).json(), expected)
  const { origin } = await openTestApp(t)
  for (const path of ['', '/mcp'])
    assert.equal((await fetch(`${origin}/.well-known/oauth-protected-resource${path}`)).status, 404)
})

test('an access token for this calendar acts for the user whose identity it names', async (t) => {
  const { site, ask, get, provider } = await open(t)
  const { access } = await get('read events:write')
  assert.notEqual((await ask(access)).body.result?.isError, true)
  assert.notEqual((await ask((await get('read')).access)).body.result?.isError, true)
  provider.subject = 'somebody who was never here'
  const stranger = await get('read', { by: new Surfer(site) })
  assert.equal((await ask(stranger.access)).status, 401)
  await disableUser(site.app, { name: 'ada' })
  assert.equal((await ask(access)).status, 401)
})

test('tokens for others, of others and out of time are refused', async (t) => {
  const { site, ask, get, provider, resource } = await open(t)
  const { access, id } = await get('read')
  const status = async (token: string): Promise<number> => (await ask(token)).status
  assert.equal(await status(access), 200)
  assert.equal(await status(id), 401)
  assert.equal(await status((await get('read', { audience: 'https://other.example/mcp' })).access), 401)
  assert.equal(await status(`${access}, Bearer ${access}`), 400)
  const [head = '', body = '', signature = ''] = access.split('.')
  assert.equal(await status(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`), 401)
  assert.equal(await status(`${head}.${body}.${signature.replace(/^./, (one) => (one === 'A' ? 'B' : 'A'))}`), 401)
  const { privateKey } = await generateKeyPair('RS256')
  const forged = new SignJWT({ scope: 'events:write' }).setProtectedHeader({ alg: 'RS256', kid: 'key 1' })
  const claims = forged.setIssuer(provider.issuer).setAudience(resource).setSubject('ada').setExpirationTime('5m')
  assert.equal(await status(await claims.sign(privateKey)), 401)
  const { now } = site.clock
  site.clock.now = now + 620_000
  assert.equal(await status(access), 200)
  site.clock.now = now + 640_000
  assert.equal(await status(access), 401)
})

test('each claim of a token is checked, and the log says why one was refused, a bounded number of times', async (t) => {
  const { site, provider, resource } = await open(t)
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
  provider.stand = ({ url }, response) => {
    if (url?.endsWith('/jwks') !== true) return false
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }))
    return true
  }
  const lines: string[] = []
  const access = openAccess({
    provider: { id: 'town', label: 'Town', issuer: provider.issuer } as Provider,
    audience: () => resource,
    storage: site.app.storage,
    gate: addressGate(['127.0.0.1']),
    log: createLog({ level: 'info', now: () => 0, stream: { write: (line) => void lines.push(line) } }),
    now: () => site.clock.now,
  })
  const seconds = Math.floor(site.clock.now / 1000)
  const claims = { iss: provider.issuer, aud: resource, sub: 'ada', exp: seconds + 300, scope: 'read' }
  const sign = (more: object, alg = 'RS256', key: Uint8Array | typeof privateKey = privateKey): Promise<string> =>
    new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg, kid: 'own' }).sign(key)
  assert.equal((await access(await sign({}))).name, 'ada')
  assert.deepEqual(lines, [])
  const secret = new TextEncoder().encode(JSON.stringify(jwk))
  for (const [token, reason] of [
    [await sign({ iss: 'https://other.example' }), /issuer/],
    [await sign({ aud: 'https://other.example/mcp' }), /other\.example/],
    [await sign({ nbf: seconds + 60 }), /valid from/],
    [await sign({ exp: seconds - 60 }), /valid until/],
    [await sign({ exp: undefined }), /never expires/],
    [await sign({ exp: String(seconds + 300) }), /exp of the access token is no number/],
    [await sign({ exp: null }), /exp of the access token is no number/],
    [await sign({ nbf: String(seconds) }), /nbf of the access token is no number/],
    [await sign({ sub: 'nobody' }), /nobody has the identity/],
    [await sign({ sub: 7 }), /nobody has the identity/],
    [await sign({}, 'HS256', secret), /not valid/],
    ['x.y.z', /not valid/],
  ] as const) {
    lines.length = 0
    await assert.rejects(access(token), { code: 'invalid_token' }, String(reason))
    assert.equal(lines.length, 1, String(reason))
    const [line = ''] = lines as readonly string[]
    const { reason: told, level, provider: id } = JSON.parse(line)
    assert.match(told, reason)
    assert.deepEqual([level, id, line.includes(token)], [40, 'town', false])
  }
  lines.length = 0
  for (let time = 0; time < 40; time += 1) await assert.rejects(access('x.y.z'))
  assert.equal(lines.length, 18)
  site.clock.now += 60_000
  await assert.rejects(access('x.y.z'))
  assert.equal(lines.length, 19)
})

test('keys are read on first use, again for an unknown one once a minute, and after ten minutes', async (t) => {
  const { site, ask, get, provider } = await open(t)
  const reads = (): number => provider.asked.filter((path) => path.endsWith('/jwks')).length
  const before = reads()
  const { access } = await get('read')
  for (let time = 0; time < 3; time += 1) assert.equal((await ask(access)).status, 200)
  assert.equal(reads(), before + 1)
  await provider.rotate()
  const { access: newer } = await get('read')
  assert.equal((await ask(newer)).status, 200)
  assert.equal(reads(), before + 2)
  for (let time = 0; time < 3; time += 1) assert.equal((await ask(access)).status, 401)
  assert.equal(reads(), before + 2)
  site.clock.now += 600_000
  assert.equal((await ask(newer)).status, 200)
  assert.equal(reads(), before + 3)
  provider.stand = (_request, response) => {
    response.writeHead(503).end()
    return true
  }
  site.clock.now += 600_000
  const { status, body } = await ask(newer)
  assert.deepEqual([status, body.error.data.code], [503, 'rest_unavailable'])
})

test('an issuer that nobody signs in with, or a site without a public address, is refused at the start', async (t) => {
  const refused = (flags: object) => openTestApp(t, { mcpOauthIssuer: 'https://login.example', ...flags })
  const town = { oidcId: 'town', oidcLabel: 'Town', oidcClientId: 'kalends', oidcClientSecret: 'secret' }
  const [own, other] = ['login', 'other'].map((name) => ({ ...town, oidcIssuer: `https://${name}.example` }))
  const baseUrl = 'https://calendar.example'
  for (const flags of [{ baseUrl }, { baseUrl, ...other }, own ?? {}])
    await assert.rejects(refused(flags), { code: 'bad_configuration' })
  await refused({ baseUrl, ...own })
})
