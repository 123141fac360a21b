import assert from 'node:assert/strict'
import test from 'node:test'
import { beginSession, changePassword, listSessions, makeLink } from '../src/accounts/sessions/index.ts'
import { findLogin } from '../src/accounts/users/index.ts'
import { utcFromMillis } from '../src/base/time/zones.ts'
import type { Role } from '../src/http/auth/rights.ts'
import { openTestApp, type TestApp } from './support/app.ts'

const PASSWORD = 'seven quiet otters'

/** A browser without scripts: it keeps the cookie of one site and sends forms as browsers do. */
class Browser {
  readonly origin: string
  cookie = ''

  constructor(origin: string) {
    this.origin = origin
  }

  async ask(method: string, path: string, sending: RequestInit & { headers?: Record<string, string> } = {}) {
    const headers = { ...(this.cookie !== '' && { cookie: this.cookie }), ...sending.headers }
    const response = await fetch(`${this.origin}${path}`, { redirect: 'manual', ...sending, method, headers })
    const set = response.headers.get('set-cookie')
    if (set !== null) this.cookie = /Max-Age=0/.test(set) ? '' : (set.split(';')[0] ?? '')
    return { status: response.status, headers: response.headers, set: set ?? '', text: await response.text() }
  }

  send(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
    const own = { origin: this.origin, 'sec-fetch-site': 'same-origin', ...headers }
    return this.ask('POST', path, { body: new URLSearchParams(form), headers: own })
  }

  async token(): Promise<string> {
    const { text } = await this.ask('GET', '/admin/profile')
    return /name="_csrf" value="([\w-]+)"/.exec(text)?.[1] ?? ''
  }
}

async function givePassword({ app }: TestApp, role: Role): Promise<void> {
  const user = await findLogin(app.storage, role)
  await changePassword(app, user?.id ?? 0, PASSWORD)
}

async function signedIn(site: TestApp, role: Role): Promise<Browser> {
  await givePassword(site, role)
  const browser = new Browser(site.origin)
  const answer = await browser.send('/admin/login', { login: role, password: PASSWORD })
  assert.equal(answer.status, 303)
  return browser
}

const EVENT = { title: 'Regatta', start_date: '2026-12-01 10:00:00', end_date: '2026-12-01 12:00:00', status: 'draft' }

test('who signs in with name or e-mail has a session that scripts cannot read, until signing out', async (t) => {
  const site = await openTestApp(t)
  const browser = await signedIn(site, 'editor')
  const again = await new Browser(site.origin).send('/admin/login', { login: 'editor@example.org', password: PASSWORD })
  assert.match(again.set, /^kalends_session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/)
  assert.equal((await browser.ask('GET', '/admin/profile')).status, 200)
  const { cookie } = browser
  await browser.send('/admin/logout', { _csrf: await browser.token() })
  browser.cookie = cookie
  const after = await browser.ask('GET', '/admin/profile')
  assert.equal(after.headers.get('location'), '/admin/login?next=%2Fadmin%2Fprofile')
})

test('over HTTPS the cookie has the prefix that binds it to its host, and one without it means nothing', async (t) => {
  const site = await openTestApp(t, { baseUrl: 'https://calendar.example', trustedProxies: '127.0.0.1' })
  await givePassword(site, 'editor')
  const browser = new Browser(site.origin)
  const proxied = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'calendar.example',
    origin: 'https://calendar.example',
  }
  const { set } = await browser.send('/admin/login', { login: 'editor', password: PASSWORD }, proxied)
  assert.match(set, /^__Host-kalends_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/)
  assert.equal((await browser.ask('GET', '/admin/profile', { headers: proxied })).status, 200)
  browser.cookie = browser.cookie.replace('__Host-', '')
  assert.equal((await browser.ask('GET', '/admin/profile', { headers: proxied })).status, 303)
})

test('over plain HTTP nobody signs in from elsewhere unless the site allows it', async (t) => {
  for (const [flags, status] of [
    [{}, 403],
    [{ plainSessions: 'yes' }, 303],
  ] as const) {
    const site = await openTestApp(t, { ...flags, trustedProxies: '127.0.0.1' })
    await givePassword(site, 'editor')
    const headers = { 'x-forwarded-host': '192.168.1.20', origin: 'http://192.168.1.20' }
    const form = { login: 'editor', password: PASSWORD }
    assert.equal((await new Browser(site.origin).send('/admin/login', form, headers)).status, status)
  }
})

test('signing in takes a new id: one that somebody else has set is worth nothing', async (t) => {
  const site = await openTestApp(t)
  const browser = await signedIn(site, 'author')
  const fixed = browser.cookie
  await browser.send('/admin/login', { login: 'author', password: PASSWORD, _csrf: await browser.token() })
  assert.notEqual(browser.cookie, fixed)
  const stranger = new Browser(site.origin)
  stranger.cookie = fixed
  assert.equal((await stranger.ask('GET', '/admin/profile')).status, 303)
  stranger.cookie = `kalends_session=${'A'.repeat(43)}`
  const { cookie } = stranger
  await stranger.send('/admin/login', { login: 'author', password: PASSWORD })
  assert.notEqual(stranger.cookie, cookie)
})

test('a change in a session needs its token and an origin of the site, in the API as well as in pages', async (t) => {
  const site = await openTestApp(t)
  const browser = await signedIn(site, 'author')
  const token = await browser.token()
  const write = (headers: Record<string, string>) => {
    const own = { 'content-type': 'application/json', ...headers }
    return browser.ask('POST', '/cal/events/v1/events', { headers: own, body: JSON.stringify(EVENT) })
  }
  const { origin } = site
  assert.equal((await write({ origin, 'x-kalends-csrf': token })).status, 201)
  const other = await signedIn(site, 'editor')
  for (const headers of [
    { origin },
    { 'x-kalends-csrf': token },
    { origin, 'x-kalends-csrf': await other.token() },
    { origin: 'https://evil.example', 'x-kalends-csrf': token },
    { origin: 'null', 'x-kalends-csrf': token },
  ] as Record<string, string>[]) {
    assert.equal((await write(headers)).status, 403, JSON.stringify(headers))
  }
  const page = await browser.send('/admin/profile', { action: 'names', displayName: 'Eve', email: 'eve@example.org' })
  assert.equal(page.status, 403)
  const form = { action: 'names', displayName: 'Ada', email: 'ada@example.org', _csrf: token }
  assert.equal((await browser.send('/admin/profile', form)).status, 303)
  assert.equal((await browser.send('/admin/profile', form, { 'sec-fetch-site': 'cross-site' })).status, 403)
})

test('origins that may send credentials from scripts neither act nor read in the sessions of others', async (t) => {
  const site = await openTestApp(t, { corsOrigins: 'https://partner.example' })
  const browser = await signedIn(site, 'author')
  const headers = { origin: 'https://partner.example', 'x-kalends-csrf': await browser.token() }
  const answer = await browser.ask('DELETE', '/cal/events/v1/events/1', { headers })
  assert.equal(answer.status, 403)
  const { body } = await site.call('author', 'POST', '/events', { json: EVENT })
  const draft = `/cal/events/v1/events/${body.id}`
  assert.equal((await browser.ask('GET', draft, { headers: { origin: site.origin } })).status, 200)
  assert.equal((await browser.ask('GET', draft, { headers })).status, 403)
  const profile = await browser.ask('GET', '/admin/profile', { headers })
  assert.equal(profile.headers.get('location'), '/admin/login?next=%2Fadmin%2Fprofile')
})

test('a session reads what its user may read, is cached for nobody, and means nothing beside credentials', async (t) => {
  const site = await openTestApp(t)
  const { body } = await site.call('author', 'POST', '/events', { json: EVENT })
  const path = `/cal/events/v1/events/${body.id}`
  const browser = await signedIn(site, 'author')
  const own = await browser.ask('GET', path)
  assert.equal(own.status, 200)
  assert.match(own.headers.get('cache-control') ?? '', /no-store/)
  const nobody = { authorization: 'Digest of-nothing' }
  assert.equal((await browser.ask('GET', path, { headers: nobody })).status, 403)
  assert.equal((await browser.ask('GET', '/admin/profile', { headers: nobody })).status, 303)
  assert.equal((await new Browser(site.origin).ask('GET', path)).status, 403)
})

test('unknown names and wrong passwords look the same, and the password is stretched for both', async (t) => {
  const site = await openTestApp(t)
  await givePassword(site, 'editor')
  const browser = new Browser(site.origin)
  const answers = []
  for (const login of ['editor', 'author', 'nobody']) {
    const { status, text } = await browser.send('/admin/login', { login, password: 'not that one' })
    answers.push([status, text.replaceAll(login, '')])
  }
  assert.equal(answers[0]?.[0], 401)
  assert.deepEqual(answers[1], answers[0])
  assert.deepEqual(answers[2], answers[0])
})

test('too many wrong passwords of one address are refused, and counted with those of programs', async (t) => {
  const site = await openTestApp(t, { limitLogIns: '2/60' })
  const browser = new Browser(site.origin)
  const wrong = () => browser.send('/admin/login', { login: 'editor', password: 'not that one' })
  await wrong()
  await site.call('anonymous', 'GET', '/events', { headers: { authorization: `Basic ${btoa('editor:wrong')}` } })
  assert.equal((await wrong()).status, 429)
})

test('after signing in only pages of the administration are led to', async (t) => {
  const site = await openTestApp(t)
  await givePassword(site, 'editor')
  const led = async (next: string) => {
    const answer = await new Browser(site.origin).send('/admin/login', { login: 'editor', password: PASSWORD, next })
    return answer.headers.get('location')
  }
  assert.equal(await led('/admin/profile?done=saved'), '/admin/profile?done=saved')
  for (const next of [
    '//evil.example',
    'https://evil.example/admin',
    '/\\evil.example',
    '/admin/../x',
    '/admin.evil',
    '/adminevil',
    '/admin/\r\nx: y',
  ])
    assert.equal(await led(next), '/admin', next)
})

test('pages of the administration are framed by nobody, run no foreign code and are stored nowhere', async (t) => {
  const site = await openTestApp(t)
  const browser = await signedIn(site, 'editor')
  for (const path of ['/admin/login', '/admin/profile']) {
    const { headers } = await (path === '/admin/login' ? new Browser(site.origin) : browser).ask('GET', path)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.match(headers.get('cache-control') ?? '', /no-store/)
  }
})

test('a new password ends all other sessions, and sign-out everywhere ends all', async (t) => {
  const site = await openTestApp(t)
  const first = await signedIn(site, 'author')
  const second = new Browser(site.origin)
  await second.send('/admin/login', { login: 'author', password: PASSWORD })
  const wrong = { action: 'password', current: 'not that one', password: 'nine loud herons' }
  assert.equal((await second.send('/admin/profile', { ...wrong, _csrf: await second.token() })).status, 400)
  const right = { ...wrong, current: PASSWORD, _csrf: await second.token() }
  assert.equal((await second.send('/admin/profile', right)).status, 303)
  assert.equal((await first.ask('GET', '/admin/profile')).status, 303)
  const { text } = await second.ask('GET', '/admin/profile')
  assert.equal(text.match(/name="session"/g)?.length, 1)
  await second.send('/admin/profile', { action: 'end-all', _csrf: await second.token() })
  assert.equal((await second.ask('GET', '/admin/profile')).status, 303)
})

test('a session ends after 14 days, and with its user', async (t) => {
  const site = await openTestApp(t)
  const browser = await signedIn(site, 'author')
  site.clock.now += 14 * 86_400_000 - 1000
  assert.equal((await browser.ask('GET', '/admin/profile')).status, 200)
  site.clock.now += 1000
  assert.equal((await browser.ask('GET', '/admin/profile')).status, 303)
})

test('a link works once, for one purpose and for a week', async (t) => {
  const site = await openTestApp(t)
  const browser = new Browser(site.origin)
  const { path } = await makeLink(site.app, { name: 'author' })
  assert.equal((await browser.ask('GET', path.replace('/link', '/setup'))).status, 404)
  assert.equal((await browser.send(path, { password: 'short' })).status, 400)
  assert.equal((await browser.send(path, { password: 'nine loud herons' })).headers.get('location'), '/admin')
  assert.equal((await browser.ask('GET', '/admin/profile')).status, 200)
  assert.equal((await new Browser(site.origin).send(path, { password: 'ten loud herons' })).status, 404)
  const late = await makeLink(site.app, { name: 'author' })
  site.clock.now += 7 * 86_400_000
  assert.equal((await browser.ask('GET', late.path)).status, 404)
})

test('the link of the first start makes an administrator and sets the site, at once and for everybody', async (t) => {
  const site = await openTestApp(t, { siteZone: undefined })
  const { path } = await makeLink(site.app, { name: 'administrator', purpose: 'setup' })
  const cached = () => site.call('anonymous', 'GET', `${site.origin}/wp-json/`)
  assert.equal((await cached()).body.name, 'Kalends')
  const browser = new Browser(site.origin)
  const form = { siteName: 'Harbour', siteZone: 'Europe/Oslo', baseUrl: site.origin, name: 'Ada', password: PASSWORD }
  assert.equal((await browser.send(path, { ...form, siteZone: 'Nowhere' })).status, 400)
  assert.equal((await browser.send(path, form)).status, 303)
  const { body } = await cached()
  assert.deepEqual([body.name, body.timezone_string], ['Harbour', 'Europe/Oslo'])
  assert.equal((await findLogin(site.app.storage, 'Ada'))?.role, 'administrator')
  assert.equal((await new Browser(site.origin).send('/admin/login', { login: 'Ada', password: PASSWORD })).status, 303)
})

test('a set-up that is refused leaves nobody behind, and the next one has the address that was typed', async (t) => {
  const site = await openTestApp(t)
  const { path } = await makeLink(site.app, { name: 'administrator', purpose: 'setup' })
  const browser = new Browser(site.origin)
  const form = { name: 'Ada', email: 'ada@lighthouse.example' }
  for (const password of ['short', 'ADA@lighthouse.example'])
    assert.equal((await browser.send(path, { ...form, password })).status, 400)
  assert.equal(await findLogin(site.app.storage, 'Ada'), undefined)
  assert.equal((await browser.send(path, { ...form, name: 'Grace', password: PASSWORD })).status, 303)
  const login = { login: 'ada@lighthouse.example', password: PASSWORD }
  assert.equal((await new Browser(site.origin).send('/admin/login', login)).status, 303)
})

test('who sets up with the name that is there signs in with the address that was typed, unless it is taken', async (t) => {
  const site = await openTestApp(t)
  const { path } = await makeLink(site.app, { name: 'administrator', purpose: 'setup' })
  const browser = new Browser(site.origin)
  const form = { name: 'administrator', email: 'ada@lighthouse.example', password: PASSWORD }
  assert.equal((await browser.send(path, { ...form, email: 'editor@example.org' })).status, 400)
  assert.equal((await browser.send(path, form)).status, 303)
  const login = { login: 'ada@lighthouse.example', password: PASSWORD }
  assert.equal((await new Browser(site.origin).send('/admin/login', login)).status, 303)
})

test('a user has at most a hundred sessions: the oldest ends', async (t) => {
  const site = await openTestApp(t)
  const { app } = site
  const { id = 0 } = (await findLogin(app.storage, 'editor')) ?? {}
  const other = (await findLogin(app.storage, 'author'))?.id ?? 0
  await beginSession(app, other, { agent: 'other', address: '192.0.2.1' })
  for (let count = 1; count <= 103; count += 1) {
    site.clock.now += 1000
    await beginSession(app, id, { agent: `browser ${count}`, address: '192.0.2.1' })
  }
  const kept = (await listSessions(app, id)).map(({ agent }) => agent)
  assert.deepEqual([kept.length, kept[0], kept.at(-1)], [100, 'browser 103', 'browser 4'])
  assert.equal((await listSessions(app, other)).length, 1)
})

test('the last use of a session is shown to the minute, and written no more often', async (t) => {
  const site = await openTestApp(t)
  const browser = await signedIn(site, 'author')
  const { app, clock } = site
  const { id = 0 } = (await findLogin(app.storage, 'author')) ?? {}
  const usedAt = async () => (await listSessions(app, id)).map((session) => session.used_at ?? session.created_at)
  const began = clock.now
  assert.deepEqual(await usedAt(), [utcFromMillis(began)])
  /** Nobody waits for the use to be noted: what is written later comes after it. */
  const use = async (path: string) => {
    await browser.ask('GET', path)
    await app.storage.write(async () => undefined)
  }
  clock.now = began + 59_000
  await use('/admin/profile')
  assert.deepEqual(await usedAt(), [utcFromMillis(began)])
  clock.now = began + 90_000
  await use('/wp-json/tribe/events/v1/events')
  assert.deepEqual(await usedAt(), [utcFromMillis(began + 90_000)])
  clock.now = began + 120_000
  await use('/admin/profile')
  assert.deepEqual(await usedAt(), [utcFromMillis(began + 90_000)])
  clock.now = began + 86_400_000
  await use('/admin/profile')
  assert.deepEqual(await usedAt(), [utcFromMillis(clock.now)])
  const { text } = await browser.ask('GET', '/admin/profile')
  assert.match(text, /Last used/)
  const shown = new Date(clock.now).toISOString().replace(/\.\d+Z$/, 'Z')
  assert.ok(text.includes(`datetime="${shown}"`), shown)
})
