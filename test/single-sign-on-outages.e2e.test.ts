import assert from 'node:assert/strict'
import test from 'node:test'
import { arrive, openClient, readProviders } from '../src/accounts/single-sign-on/index.ts'
import { findLogin } from '../src/accounts/users/index.ts'
import { openProviders } from '../src/app/single-sign-on.ts'
import { readConfig } from '../src/base/config.ts'
import { addressGate } from '../src/base/outgoing/addresses.ts'
import { openTestApp } from './support/app.ts'
import { CLIENT, startProvider } from './support/oidc-provider.ts'
import { Surfer, siteWith } from './support/single-sign-on.ts'

const OPEN = { create: 'yes', default_role: 'author' }
const MINUTE = 60_000

test('a published address that is none stops neither sign-out nor the message', async (t) => {
  const { site, providers } = await siteWith(t, { club: { member: OPEN } })
  const club = providers['club']!
  const surfer = new Surfer(site)
  await surfer.signIn('club')
  const token = await surfer.token()
  site.clock.now += 61 * MINUTE
  const { issuer } = club
  const jwks_uri = `${issuer}/jwks`
  const token_endpoint = `${issuer}/token`
  club.stand = (_request, response) => {
    const addresses = { authorization_endpoint: 'nowhere', end_session_endpoint: 'nowhere', token_endpoint, jwks_uri }
    response.end(JSON.stringify({ issuer, ...addresses }))
    return true
  }
  const started = await new Surfer(site).signIn('club')
  assert.equal(started.status, 502)
  assert.match(started.text, /Club isn’t set up correctly/)
  assert.equal((await surfer.ask('/admin/logout', { _csrf: token })).to, `${site.origin}/admin/login?done=out`)
  assert.equal(await surfer.user(), '')
})

test('nobody comes in there while userinfo is down, since the role would be wrong, and the page names the provider', async (t) => {
  const member = { create: 'yes', default_role: 'author', role_claim: 'groups', roles: { editors: 'editor' } }
  const behaviour = { claims: { groups: ['editors'] }, isUserinfoOnly: true }
  const { site, providers } = await siteWith(t, { club: { behaviour, member } })
  const club = providers['club']!
  const down: typeof club.stand = (request, response) => {
    if (request.url?.endsWith('/me') !== true) return false
    response.statusCode = 500
    response.end()
    return true
  }
  club.stand = down
  const isRefused = async (): Promise<void> =>
    assert.match((await new Surfer(site).signIn('club')).text, /Club isn’t answering/)
  await isRefused()
  club.stand = undefined
  const surfer = new Surfer(site)
  await surfer.signIn('club')
  assert.equal((await findLogin(site.app.storage, await surfer.user()))?.role, 'editor')
  club.stand = down
  await isRefused()
})

test('usernames that a provider cannot give are made usable', async (t) => {
  const { site, providers } = await siteWith(t, { club: { member: OPEN } })
  for (const [said, name] of [
    ['@ada@social.example', 'ada'],
    ['...', 'user'],
    ['!!', 'user-2'],
    [`${'a'.repeat(49)}\u{1d49c}b`, `${'a'.repeat(49)}\u{1d49c}`],
  ] as const) {
    providers['club']!.subject = said
    providers['club']!.claims = { preferred_username: said }
    const surfer = new Surfer(site)
    await surfer.signIn('club')
    assert.equal(await surfer.user(), name)
  }
})

test('what a provider says of its refusal is in the log', async (t) => {
  const logged: unknown[] = []
  const provider = await startProvider(t, { origin: 'http://127.0.0.1:1', id: 'club' })
  const members = { ...{ id: 'club', label: 'Club', issuer: provider.issuer, scopes: 'openid' }, ...OPEN }
  const client = openClient(
    {
      ...{ ...members, clientId: CLIENT.id, clientSecret: CLIENT.secret, roleClaim: '', roles: {}, trustEmail: false },
      ...{ roleSync: 'first', create: 'no', defaultRole: undefined },
    },
    {
      gate: addressGate(['127.0.0.1']),
      now: Date.now,
      log: { warn: (about: unknown) => void logged.push(about) } as never,
    },
  )
  const query = { error: 'access_denied', error_description: 'AADSTS50105', state: 'a', iss: provider.issuer }
  const answer = new URL(`http://127.0.0.1:1/callback?${new URLSearchParams(query)}`)
  const secrets = { state: 'a', nonce: 'b', verifier: 'c' }
  await assert.rejects(() => client.signedIn(answer, secrets), { code: 'sign_in_declined' })
  assert.deepEqual(logged, [{ provider: 'club', answered: 'access_denied', why: 'AADSTS50105' }])
})

test('the audit has whom a provider brought in, and the log has whom a site lets in', async (t) => {
  const site = await openTestApp(t)
  const given = { ID: 'club', LABEL: 'Club', ISSUER: 'https://id.example.org', CLIENT_ID: 'a', CLIENT_SECRET: 'b' }
  const members = Object.entries({ ...given, CREATE: 'yes', DEFAULT_ROLE: 'author' })
  const env = Object.fromEntries(members.map(([name, value]) => [`KALENDS_OIDC_${name}`, value]))
  const config = readConfig({ baseUrl: 'https://club.example' }, env)
  const warned: unknown[] = []
  const log = { warn: (about: unknown) => void warned.push(about) } as never
  const [club] = readProviders(config)
  assert.ok(club !== undefined)
  const arrival = { provider: club, role: undefined, userId: undefined, linkId: undefined }
  const changes = async (sub: string) => (await arrive(site.app, { ...arrival, claims: { sub } })).changes
  assert.deepEqual(await changes('new'), ['user added', 'identity connected'])
  assert.deepEqual(await changes('new'), [])
  const google = { ...club, issuer: 'https://accounts.google.com' }
  const ground = { config, now: Date.now, log }
  openProviders([club, { ...google, defaultRole: undefined }, { ...google, create: 'invited' }], ground)
  assert.deepEqual(warned, [])
  openProviders([google], ground)
  assert.deepEqual(warned, [{ provider: 'club' }])
})
