import assert from 'node:assert/strict'
import test from 'node:test'
import { SignJWT } from 'jose'
import { makeLink } from '../src/accounts/sessions/index.ts'
import { addUser, findLogin, listUsers } from '../src/accounts/users/index.ts'
import { forgeFor } from './support/forged-tokens.ts'
import { CLIENT } from './support/oidc-provider.ts'
import { Surfer, siteWith } from './support/single-sign-on.ts'

const OPEN = { create: 'yes', default_role: 'author' }
const EXPIRED = /This sign-in has expired or was already used/
const MINUTE = 60_000

test('an account with somebody’s address and that person’s single sign-on are never joined, in either order', async (t) => {
  const claims = { email: 'victim@club.example', email_verified: true, preferred_username: 'victim' }
  const open = { behaviour: { claims }, member: { ...OPEN, trust_email: true } }
  const { site, providers } = await siteWith(t, { open, unverified: { member: OPEN } })
  // First the account, whose password somebody else knows; then the person.
  await addUser(site.app, { name: 'attacker', email: 'victim@club.example', role: 'author' })
  const refused = await new Surfer(site).signIn('open')
  assert.match(
    refused.text,
    /A user here already has the address victim@club\.example\. Sign in as that user and connect/,
  )
  // An address that nobody has verified is not taken over, and says nothing about who is here.
  providers['unverified']!.claims = { email: 'victim@club.example', preferred_username: 'eve' }
  const eve = new Surfer(site)
  await eve.signIn('unverified')
  assert.equal(await eve.user(), 'eve')
  assert.equal((await findLogin(site.app.storage, 'eve'))?.email, 'eve@unverified.invalid')
  // First the person, then an account with the address.
  providers['open']!.claims = { ...claims, email: 'second@club.example', preferred_username: 'second' }
  providers['open']!.subject = 'second'
  await new Surfer(site).signIn('open')
  const again = addUser(site.app, { name: 'attacker2', email: 'second@club.example', role: 'author' })
  await assert.rejects(again, { code: 'email_taken' })
})

test('an invitation opens for the very address that it was sent to, not for one with other accents', async (t) => {
  const { site, providers } = await siteWith(t, { club: { member: { trust_email: true } } })
  await addUser(site.app, { name: 'rene', email: 'ren\u00e9@club.example', role: 'author' })
  await makeLink(site.app, { name: 'rene' })
  for (const [email, name] of [
    ['rene@club.example', ''],
    ['ren\u00e8@club.example', ''],
    ['RENE\u0301@club.example', 'rene'],
  ] as const) {
    providers['club']!.claims = { email, email_verified: true }
    const surfer = new Surfer(site)
    await surfer.signIn('club')
    assert.equal(await surfer.user(), name)
  }
})

test('the answer of one provider is refused at the callback of another one, before any code is sent on', async (t) => {
  const { site, providers } = await siteWith(t, { honest: { member: OPEN }, evil: { member: OPEN } })
  const surfer = new Surfer(site)
  const answer = await surfer.until('/admin/oidc/honest', /\/admin\/oidc\/honest\/callback/)
  const evil = await forgeFor(providers['evil']!)
  const crossed = await surfer.go(answer.replace('/honest/', '/evil/'))
  assert.match(crossed.text, EXPIRED)
  assert.match((await surfer.go(answer)).text, EXPIRED)
  // The same with a right state: the answer says by whom it is.
  const second = new URL((await surfer.ask('/admin/oidc/evil')).to ?? '')
  const query = { code: 'a code', state: second.searchParams.get('state') ?? '', iss: providers['honest']!.issuer }
  const mixed = await surfer.go(`/admin/oidc/evil/callback?${new URLSearchParams(query)}`)
  assert.ok(
    mixed.text.includes(
      `issuer is \`${providers['evil']!.issuer}\`, the provider says \`${providers['honest']!.issuer}\``,
    ),
  )
  assert.deepEqual([evil.codes, await surfer.user()], [[], ''])
})

test('a state counts once, in the browser that started, for ten minutes', async (t) => {
  const { site } = await siteWith(t, { club: { member: OPEN } })
  const surfer = new Surfer(site)
  const callback = /\/oidc\/club\/callback/
  const first = await surfer.until('/admin/oidc/club', callback)
  assert.match((await new Surfer(site).go(first)).text, EXPIRED)
  const tampered = first.replace(/state=[^&]*/, 'state=another')
  assert.match((await surfer.go(tampered)).text, EXPIRED)
  // Two tabs of one browser do not disturb each other.
  const second = await surfer.until('/admin/oidc/club', callback)
  assert.equal((await surfer.go(first)).url, `${site.origin}/admin`)
  assert.match((await surfer.go(first)).text, EXPIRED)
  site.clock.now += 11 * MINUTE
  assert.match((await surfer.go(second)).text, EXPIRED)
})

test('of many tabs that come back with one answer, one is signed in', async (t) => {
  const { site } = await siteWith(t, { club: { member: OPEN } })
  const surfer = new Surfer(site)
  const answer = await surfer.until('/admin/oidc/club', /\/oidc\/club\/callback/)
  const answers = await Promise.all(Array.from({ length: 10 }, () => surfer.ask(answer)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, ...Array.from({ length: 9 }, () => 400)])
})

test('who signs out while the provider is down is signed out here', async (t) => {
  const { site, providers } = await siteWith(t, { club: { member: OPEN } })
  const surfer = new Surfer(site)
  await surfer.signIn('club')
  site.clock.now += 61 * MINUTE
  providers['club']!.stand = (_request, response) => Boolean(response.destroy())
  const token = await surfer.token()
  assert.equal((await surfer.ask('/admin/logout', { _csrf: token })).to, `${site.origin}/admin/login?done=out`)
  assert.equal(await surfer.user(), '')
})

test('a code that was used before signs nobody in', async (t) => {
  const { site } = await siteWith(t, { club: { member: OPEN } })
  const [one, other] = [new Surfer(site), new Surfer(site)]
  const callback = /\/oidc\/club\/callback/
  const used = await one.until('/admin/oidc/club', callback)
  await one.go(used)
  const own = new URL(await other.until('/admin/oidc/club', callback))
  own.searchParams.set('code', new URL(used).searchParams.get('code') ?? '')
  assert.match((await other.go(own.href)).text, EXPIRED)
  assert.equal(await other.user(), '')
})

test('tokens count only with the right nonce, audience, issuer, time and signature', async (t) => {
  const { site, providers } = await siteWith(t, { club: { member: OPEN } })
  const club = providers['club']!
  const forger = await forgeFor(club)
  const seconds = Math.floor(Date.now() / 1000)
  const secret = new TextEncoder().encode(CLIENT.secret)
  const shared = new SignJWT({ iss: club.issuer, aud: CLIENT.id, sub: 'ada', iat: seconds, exp: seconds + 60 })
  const timeOf = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 16)}:\\d\\dZ`
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  for (const [forge, message] of [
    [() => forger.token({ nonce: 'another' }), /nonce/],
    [
      (nonce) => forger.token({ nonce, aud: 'another' }),
      /aud is `kalends`, the provider says `(\["another"\]|another)`/,
    ],
    [(nonce) => forger.token({ nonce, iss: 'https://a/' }), /iss is `http:[^`]*`, the provider says `https:\/\/a\/`/],
    [
      (nonce) => forger.token({ nonce, iat: seconds - 3600, exp: seconds - 300 }),
      new RegExp(`the ID token is valid until ${timeOf(seconds - 300)}, the clock here says ${timeOf(seconds)}`),
    ],
    [
      (nonce) => forger.token({ nonce, iat: seconds + 300, exp: seconds + 900 }),
      new RegExp(`the ID token is valid from ${timeOf(seconds + 300)}, the clock here says ${timeOf(seconds)}`),
    ],
    [(nonce) => forger.token({ nonce }, { kid: 'another' }), /no applicable key found/],
    [
      (nonce) =>
        shared
          .setProtectedHeader({ alg: 'HS256' })
          .sign(secret)
          .then((one) => one.replace('nonce', nonce)),
      /HS256|alg/,
    ],
    [async (nonce) => (await forger.token({ nonce })).replace(/^[^.]*/, none).replace(/[^.]*$/, ''), /alg|JWT|JWS/],
    [async (nonce) => `${(await forger.token({ nonce })).slice(0, -8)}AAAAAAAA`, /signature/],
  ] as readonly (readonly [(nonce: string) => Promise<string>, RegExp])[]) {
    const surfer = new Surfer(site)
    const { text } = await forger.comeBack(surfer, 'club', forge)
    assert.match(text.replaceAll('&quot;', '"'), message)
    assert.match(text, /Club isn’t set up correctly for this site/)
    assert.equal(await surfer.user(), '')
  }
  // Half a minute is no lie.
  const surfer = new Surfer(site)
  await forger.comeBack(surfer, 'club', (nonce) => forger.token({ nonce, iat: seconds + 25, exp: seconds + 60 }))
  assert.notEqual(await surfer.user(), '')
})

test('a logout token counts once, ends all sessions of a person without sid, and nothing else does', async (t) => {
  const { site, providers } = await siteWith(t, { club: { member: OPEN } })
  const forger = await forgeFor(providers['club']!)
  const surfer = new Surfer(site)
  const comeIn = () => forger.comeBack(surfer, 'club', (nonce) => forger.token({ nonce, sid: 'one' }))
  const send = async (token: string): Promise<number> => {
    const body = new URLSearchParams({ logout_token: token })
    return (await fetch(`${site.origin}/admin/oidc/club/logout`, { method: 'POST', body })).status
  }
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  await comeIn()
  const old = Math.floor(Date.now() / 1000) - 600
  for (const claims of [
    { jti: 'a' },
    { events, jti: 'b', nonce: 'one' },
    { events, jti: 'c', aud: 'another' },
    { events, jti: 'd', iat: old, exp: old + 7200 },
    { events, jti: '' },
    { events, jti: 'e', sub: '' },
  ])
    assert.equal(await send(await forger.token(claims)), 400, JSON.stringify(claims))
  assert.equal(await send(await forger.token({ events, jti: 'f', sid: 'another' })), 200)
  assert.notEqual(await surfer.user(), '')
  const other = await forger.token({ events, jti: 'i', sub: 'eve' })
  assert.deepEqual([await send(other), await surfer.user()], [200, 'user'])
  const all = await forger.token({ events, jti: 'g' })
  assert.deepEqual([await send(all), await surfer.user()], [200, ''])
  await comeIn()
  assert.deepEqual([await send(all), await surfer.user()], [400, 'user'])
  assert.equal(await send(await forger.token({ events, jti: 'h', sid: 'one', sub: '' })), 200)
  assert.equal(await surfer.user(), '')
})

test('an old sign-in at the provider is none of the last ten minutes, and confirms nothing', async (t) => {
  const { site, providers } = await siteWith(t, { club: { member: OPEN } })
  const forger = await forgeFor(providers['club']!)
  const surfer = new Surfer(site)
  const old = Math.floor(Date.now() / 1000) - 900
  await forger.comeBack(surfer, 'club', (nonce) => forger.token({ nonce, auth_time: old }))
  const path = '/admin/profile/sign-in'
  assert.match((await surfer.go(path)).url, /admin\/confirm/)
  const confirm = async (claims: Readonly<Record<string, number | string>>) => {
    const { to = '' } = await surfer.ask('/admin/confirm', {
      provider: 'club',
      next: path,
      _csrf: await surfer.token(),
    })
    return forger.answer(surfer, to, (nonce) => forger.token({ nonce, ...claims }))
  }
  assert.match((await confirm({ auth_time: old })).text, EXPIRED)
  // An account of somebody else proves nothing, and is not connected.
  const eve = await confirm({ auth_time: old + 900, sub: 'eve' })
  assert.match(eve.text, /Your account at Club is not connected to a user here/)
  assert.match((await confirm({})).text, /the ID token has no auth_time/)
  assert.match((await surfer.go(path)).url, /admin\/confirm/)
  assert.equal((await confirm({ auth_time: old + 900 })).url, `${site.origin}${path}`)
})

test('whatever a sign-in is asked to go on to, it goes on to the administration', async (t) => {
  const { site } = await siteWith(t, { club: { member: OPEN } })
  for (const next of [
    'https://evil.example/',
    '//evil.example/admin',
    '/admin/../events',
    '/admin/%2e%2e/events',
    '/admin/.%2E/events',
    '/events',
    'javascript:alert(1)',
    '/admin\\evil',
  ]) {
    const surfer = new Surfer(site)
    assert.equal((await surfer.signIn('club', `?${new URLSearchParams({ next })}`)).url, `${site.origin}/admin`)
    const forged = await surfer.ask('/admin/oidc/club', undefined)
    const back = new URL(forged.to ?? '').searchParams.get('redirect_uri')
    assert.equal(back, `${site.origin}/admin/oidc/club/callback`)
    const out = await surfer.ask('/admin/logout', { _csrf: await surfer.token(), next, post_logout_redirect_uri: next })
    assert.equal(
      new URL(out.to ?? '').searchParams.get('post_logout_redirect_uri'),
      `${site.origin}/admin/login?done=out`,
    )
  }
})

test('the redirect address is that of the site whatever host a request names', async (t) => {
  const { site } = await siteWith(t, { club: { member: OPEN } })
  const { to } = await new Surfer(site).ask(`http://localhost:${new URL(site.origin).port}/admin/oidc/club`)
  assert.equal(new URL(to ?? '').searchParams.get('redirect_uri'), `${site.origin}/admin/oidc/club/callback`)
})

test('keys are rotated while people sign in: nobody is refused for longer than a minute', async (t) => {
  const { site, providers } = await siteWith(t, { club: { member: OPEN } })
  const club = providers['club']!
  const isIn = async (): Promise<boolean> => (await new Surfer(site).signIn('club')).url === `${site.origin}/admin`
  const reads = () => club.asked.filter((path) => path.endsWith('/jwks')).length
  assert.deepEqual([await isIn(), await isIn(), reads()], [true, true, 1])
  await club.rotate()
  assert.deepEqual([await isIn(), reads()], [true, 2])
  await club.rotate()
  assert.deepEqual([await isIn(), await isIn(), reads()], [false, false, 2])
  site.clock.now += MINUTE
  assert.deepEqual([await isIn(), reads()], [true, 3])
  const documents = club.asked.filter((path) => path.endsWith('openid-configuration')).length
  assert.equal(documents, 1)
})

test('a provider that is down, slow or lies leaves the other ways in, and the message names it', async (t) => {
  const { site, providers } = await siteWith(t, { club: { member: OPEN }, other: { member: OPEN } })
  const club = providers['club']!
  const message = async () => (await new Surfer(site).signIn('club')).text
  for (const [stand, said] of [
    [503, /Club isn’t answering[\s\S]*answers 503/],
    [404, /Club isn’t set up correctly[\s\S]*answers 404/],
    ['nonsense', /Club isn’t set up correctly[\s\S]*is not JSON/],
    [
      { issuer: 'https://another.example' },
      /issuer is `http:\/\/127[^`]*`, the provider says `https:\/\/another\.example`/,
    ],
    [{ issuer: club.issuer }, /has no authorization_endpoint/],
  ] as const) {
    club.stand = (_request, response) => {
      response.statusCode = typeof stand === 'number' ? stand : 200
      response.end(typeof stand === 'object' ? JSON.stringify(stand) : 'nonsense')
      return true
    }
    assert.match(await message(), said)
  }
  club.stand = (_request, response) => Boolean(response.destroy())
  assert.match(await message(), /Club isn’t answering/)
  const other = new Surfer(site)
  await other.signIn('other')
  assert.notEqual(await other.user(), '')
  club.stand = undefined
  assert.doesNotMatch(await message(), /Club isn’t/)
  // In the middle of a sign-in, too.
  club.stand = (request, response) => {
    if (request.url?.endsWith('/token') !== true) return false
    response.statusCode = 500
    response.end()
    return true
  }
  assert.match(await message(), /Club isn’t answering/)
})

test('a provider that answers nothing is given up after ten seconds', async (t) => {
  const { site, providers } = await siteWith(t, { club: { member: OPEN } })
  providers['club']!.stand = () => true
  const waiting = new Surfer(site).signIn('club')
  assert.equal((await new Surfer(site).ask('/admin/login')).status, 200)
  assert.match((await waiting).text, /Club isn’t answering[\s\S]*did not answer within 10 seconds/)
})

test('a provider at a private address needs to be allowed, and the message says how', async (t) => {
  const { site } = await siteWith(t, { club: { member: OPEN } }, { fetchAllow: '' })
  assert.match(
    (await new Surfer(site).signIn('club')).text,
    /127\.0\.0\.1:\d+ is not public, allow it with --fetch-allow/,
  )
})

test('who declines there is not signed in here, and the client secret is in no page', async (t) => {
  const { site, providers } = await siteWith(t, { club: { member: OPEN } })
  const surfer = new Surfer(site)
  const { to = '' } = await surfer.ask('/admin/oidc/club')
  const query = {
    error: 'access_denied',
    state: new URL(to).searchParams.get('state') ?? '',
    iss: providers['club']!.issuer,
  }
  const declined = await surfer.go(`/admin/oidc/club/callback?${new URLSearchParams(query)}`)
  assert.deepEqual([declined.status, /Club did not sign you in/.test(declined.text)], [403, true])
  await surfer.signIn('club')
  const pages = ['/admin/profile', '/admin/profile/identities', '/admin/login', '/admin/system', '/admin/users']
  for (const page of pages) assert.ok(!(await surfer.ask(page)).text.includes(CLIENT.secret), page)
  assert.ok(!to.includes(encodeURIComponent(CLIENT.secret)))
  assert.equal((await listUsers(site.app)).filter(({ role }) => role === 'author').length, 2)
})
