import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { beginSession, isPasswordOf, makeLink } from '../src/accounts/sessions/index.ts'
import { addUser, disableUser, findLogin } from '../src/accounts/users/index.ts'
import { visitor } from './support/admin.ts'
import type { TestApp } from './support/app.ts'
import { createPasskey, type Oddity, type Options, type SoftPasskey } from './support/authenticator.ts'
import { knowPassword, PASSWORD } from './support/known-password.ts'
import { openPasskeyApp } from './support/passkeys.ts'

const PAGE = '/admin/profile/sign-in'
const MINUTE = 60_000

/** A browser without scripts, which keeps its cookies. */
class Browser {
  readonly #site: TestApp
  readonly #cookies = new Map<string, string>()

  constructor(site: TestApp, cookie = '') {
    this.#site = site
    this.#keep(cookie)
  }

  #keep(cookie: string): void {
    const [name = '', value = ''] = cookie.split(';', 1)[0]?.split('=') ?? []
    if (name !== '') this.#cookies.set(name, value)
  }

  async ask(method: string, path: string, form?: Readonly<Record<string, string>>) {
    const { origin } = this.#site
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const body = form && new URLSearchParams(form)
    const init = { method, redirect: 'manual', headers: { origin, cookie }, ...(body && { body }) } as const
    const answer = await fetch(origin + path, init)
    for (const one of answer.headers.getSetCookie()) this.#keep(one)
    return { status: answer.status, to: answer.headers.get('location') ?? '', text: await answer.text() }
  }

  async #csrf(): Promise<Readonly<Record<string, string>>> {
    const { text } = await this.ask('GET', '/admin/profile')
    const token = /name="_csrf" value="([^"]+)"/.exec(text)?.[1]
    return token === undefined ? {} : { _csrf: token }
  }

  async send(path: string, form: Readonly<Record<string, string>>) {
    return this.ask('POST', path, { ...(await this.#csrf()), ...form })
  }

  async options(form: Readonly<Record<string, string>>): Promise<Options> {
    const { status, text } = await this.send('/admin/passkey', form)
    assert.equal(status, 200)
    return JSON.parse(text)
  }

  /** Adds a passkey of whoever is signed in. */
  async addPasskey(name = 'Laptop', oddity: Oddity = {}): Promise<SoftPasskey> {
    const passkey = createPasskey(this.#site.origin, await this.options({ kind: 'create' }), oddity)
    const { to } = await this.send(PAGE, { action: 'add', name, credential: passkey.created })
    assert.equal(to, `${PAGE}?done=saved`)
    return passkey
  }

  async signIn(passkey: SoftPasskey, oddity: Oddity = {}): Promise<number> {
    const credential = passkey.use(await this.options({ kind: 'get' }), oddity)
    return (await this.ask('POST', '/admin/login', { credential })).status
  }
}

/** A calendar, and the browser in which its editor has a passkey. */
async function withPasskey(t: TestContext) {
  const site = await openPasskeyApp(t)
  const browser = new Browser(site, (await visitor(site, 'editor')).cookie)
  return { site, browser, passkey: await browser.addPasskey() }
}

test('a passkey signs in, and a wrong origin, RP ID, challenge, user handle or signature does not', async (t) => {
  const { site, passkey } = await withPasskey(t)
  assert.equal(await new Browser(site).signIn(passkey), 303)
  const other = new Browser(site, (await visitor(site, 'author')).cookie)
  const { challenge } = await other.options({ kind: 'get' })
  const odd: readonly Oddity[] = [
    { origin: 'http://localhost' },
    { origin: 'https://example.org' },
    { rpId: 'example.org' },
    { challenge: 'A'.repeat(43) },
    // That of another browser.
    { challenge },
    { userHandle: 'A'.repeat(43) },
    { userHandle: '' },
    { isForged: true },
    { isUnverified: true },
    { type: 'webauthn.create' },
  ]
  for (const oddity of odd) assert.equal(await new Browser(site).signIn(passkey, oddity), 401, JSON.stringify(oddity))
  assert.equal(await new Browser(site).signIn(passkey), 303)
})

test('a passkey is not registered with a wrong origin, RP ID or challenge, or without a fingerprint', async (t) => {
  const { site, browser } = await withPasskey(t)
  const other = new Browser(site, (await visitor(site, 'author')).cookie)
  const foreign = await other.options({ kind: 'create' })
  const used = await browser.options({ kind: 'get' })
  const odd: readonly Oddity[] = [
    { origin: 'https://example.org' },
    { rpId: 'example.org' },
    { challenge: 'A'.repeat(43) },
    { challenge: foreign.challenge },
    { challenge: used.challenge },
    { isUnverified: true },
    { type: 'webauthn.get' },
  ]
  for (const oddity of odd) {
    const passkey = createPasskey(site.origin, await browser.options({ kind: 'create' }), oddity)
    const { status, text } = await browser.send(PAGE, { action: 'add', name: 'Odd', credential: passkey.created })
    assert.equal(status, 400, JSON.stringify(oddity))
    assert.match(text, /The passkey wasn’t accepted/)
  }
  const hostile = [
    '{}',
    'null',
    '[]',
    'x',
    '{"id":"a","response":{}}',
    '{"id":"a","response":{"clientDataJSON":"e30"}}',
  ]
  for (const credential of hostile) {
    assert.equal((await browser.send(PAGE, { action: 'add', name: 'Odd', credential })).status, 400)
    assert.equal((await new Browser(site).ask('POST', '/admin/login', { credential })).status, 401)
  }
})

test('a challenge is good for one answer, for five minutes', async (t) => {
  const { site, browser, passkey } = await withPasskey(t)
  const created = createPasskey(site.origin, await browser.options({ kind: 'create' })).created
  const add = { action: 'add', name: 'Phone', credential: created }
  assert.equal((await browser.send(PAGE, add)).status, 303)
  assert.equal((await browser.send(PAGE, add)).status, 400)
  const stranger = new Browser(site)
  const credential = passkey.use(await stranger.options({ kind: 'get' }))
  // Whoever has the answer but not the browser, or another one in which the page is open as well.
  assert.equal((await new Browser(site).ask('POST', '/admin/login', { credential })).status, 401)
  const other = new Browser(site)
  await other.options({ kind: 'get' })
  assert.equal((await other.ask('POST', '/admin/login', { credential })).status, 401)
  assert.equal((await stranger.ask('POST', '/admin/login', { credential })).status, 303)
  await stranger.send('/admin/logout', {})
  assert.equal((await stranger.ask('POST', '/admin/login', { credential })).status, 401)
  const late = new Browser(site)
  const slow = passkey.use(await late.options({ kind: 'get' }))
  site.clock.now += 5 * MINUTE
  assert.equal((await late.ask('POST', '/admin/login', { credential: slow })).status, 401)
})

test('a counter that does not rise signs in all the same', async (t) => {
  const { site, passkey } = await withPasskey(t)
  for (const counter of [5, 5, 3, 0, 6]) assert.equal(await new Browser(site).signIn(passkey, { counter }), 303)
  const { db } = site.app.storage
  const row = await site.app.storage.first(db.selectFrom('passkey').select(['counter', 'used_at']))
  assert.deepEqual(row, { counter: 6, used_at: '2026-11-20 18:00:00' })
})

test('nobody signs in with a passkey who is disabled', async (t) => {
  const { site, passkey } = await withPasskey(t)
  await disableUser(site.app, { name: 'editor' })
  assert.equal(await new Browser(site).signIn(passkey), 401)
})

test('wrong passkeys count as failed sign-ins', async (t) => {
  const site = await openPasskeyApp(t, { limitLogIns: '3/60' })
  const browser = new Browser(site, (await visitor(site, 'editor')).cookie)
  const passkey = await browser.addPasskey()
  const stranger = new Browser(site)
  const wrong = { isForged: true }
  const statuses = [1, 2, 3, 4].map(() => stranger.signIn(passkey, wrong))
  assert.ok((await Promise.all(statuses)).includes(429))
})

test('challenges are writes of their client', async (t) => {
  const site = await openPasskeyApp(t, { limitWrites: '3/60' })
  const ask = () => new Browser(site).ask('POST', '/admin/passkey', { kind: 'get' })
  const statuses = (await Promise.all([1, 2, 3, 4].map(ask))).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 200, 200, 429])
})

test('adding, renaming and removing a passkey needs a sign-in or a confirmation of the last ten minutes', async (t) => {
  const { site, browser, passkey } = await withPasskey(t)
  site.clock.now += 10 * MINUTE
  const confirm = `/admin/confirm?next=${encodeURIComponent(PAGE)}`
  assert.equal((await browser.ask('GET', PAGE)).to, confirm)
  for (const action of ['add', 'rename', 'remove', 'no-password', 'password'])
    assert.equal((await browser.send(PAGE, { action })).to, confirm, action)
  assert.equal((await browser.send('/admin/passkey', { kind: 'create' })).status, 403)
  const author = new Browser(site, (await visitor(site, 'author')).cookie)
  const theirs = await author.addPasskey()
  const next = PAGE
  for (const [one, oddity] of [
    [theirs, {}],
    [passkey, { isForged: true }],
  ] as const) {
    const credential = one.use(await browser.options({ kind: 'get' }), oddity)
    assert.equal((await browser.send('/admin/confirm', { credential, next })).status, 400)
    assert.equal((await browser.ask('GET', PAGE)).to, confirm)
  }
  const credential = passkey.use(await browser.options({ kind: 'get' }))
  assert.equal((await browser.send('/admin/confirm', { credential, next })).to, PAGE)
  assert.equal((await browser.ask('GET', PAGE)).status, 200)
})

test('somebody has at most 20 passkeys', async (t) => {
  const { site, browser } = await withPasskey(t)
  for (let count = 1; count < 20; count += 1) await browser.addPasskey(`Key ${count}`)
  const { text } = await browser.ask('GET', PAGE)
  assert.match(text, /You have 20 passkeys/)
  const { created } = createPasskey(site.origin, await browser.options({ kind: 'create' }))
  const { status } = await browser.send(PAGE, { action: 'add', name: 'One more', credential: created })
  assert.equal(status, 400)
})

test('nobody renames or removes passkeys of others', async (t) => {
  const { site, browser } = await withPasskey(t)
  const [, id = ''] = /name="id" value="([^"]+)"/.exec((await browser.ask('GET', PAGE)).text) ?? []
  const author = new Browser(site, (await visitor(site, 'author')).cookie)
  assert.equal((await author.send(PAGE, { action: 'rename', id, name: 'Mine' })).status, 400)
  assert.equal((await author.send(PAGE, { action: 'remove', id, confirmed: 'true' })).status, 400)
  assert.match((await browser.ask('GET', PAGE)).text, /value="Laptop"/)
})

test('administrators see and remove the passkeys of others, the last one too, once they have confirmed who they are', async (t) => {
  const { site, browser, passkey } = await withPasskey(t)
  await browser.send(PAGE, { action: 'no-password', confirmed: 'true' })
  const path = '/admin/users/editor'
  assert.equal((await browser.ask('GET', path)).status, 403)
  const admin = new Browser(site, (await visitor(site, 'administrator')).cookie)
  const { text } = await admin.ask('GET', path)
  assert.match(text, /<h2>Passkeys<\/h2>[\s\S]*<bdi>Laptop<\/bdi>[\s\S]*aria-label="Remove Laptop"/)
  const id = /name="passkey" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const form = { action: 'passkey', passkey: id, confirmed: 'true' }
  site.clock.now += 11 * MINUTE
  assert.match((await admin.send(path, form)).to, /^\/admin\/confirm/)
  await admin.send('/admin/confirm', { password: PASSWORD })
  // A program, and the page of somebody else, cannot.
  const body = new URLSearchParams(form)
  const headers = { authorization: site.authorization('administrator'), origin: site.origin }
  assert.match((await fetch(site.origin + path, { method: 'POST', headers, body })).url, /admin\/confirm/)
  assert.equal((await admin.send('/admin/users/author', form)).status, 400)
  assert.equal(await new Browser(site).signIn(passkey), 303)
  assert.match((await admin.send(path, { action: 'passkey', passkey: id })).text, /Remove the passkey Laptop\?/)
  assert.equal((await admin.send(path, form)).status, 200)
  assert.equal(await new Browser(site).signIn(passkey), 401)
  assert.doesNotMatch((await admin.ask('GET', path)).text, /Laptop/)
  // Nobody takes the last way in from oneself.
  const own = await admin.send('/admin/users/administrator', { action: 'passkey', passkey: 'x', confirmed: 'true' })
  assert.equal(own.status, 400)
})

test('a password is removed for ten recovery codes, each of which signs in once', async (t) => {
  const { site, browser } = await withPasskey(t)
  const { text } = await browser.send(PAGE, { action: 'no-password', confirmed: 'true' })
  const codes = [...text.matchAll(/<code>([a-z2-9-]+)<\/code>/g)].map(([, code = '']) => code)
  assert.equal(new Set(codes).size, 10)
  const [first = '', second = ''] = codes
  const login = (password: string, name = 'editor') =>
    new Browser(site).ask('POST', '/admin/login', { login: name, password })
  assert.equal((await login('seven quiet otters')).status, 401)
  assert.equal((await login(first, 'author')).status, 401)
  assert.equal((await login(first)).to, `${PAGE}?done=code`)
  assert.equal((await login(first)).status, 401)
  assert.equal((await login(second.replaceAll('-', ' ').toUpperCase())).status, 303)
  const page = await browser.ask('GET', PAGE)
  assert.match(page.text, /You have 8 recovery codes left/)
  for (const code of codes) assert.ok(!page.text.includes(code))
  // The passkey is the last way in now.
  const [, id = ''] = /name="id" value="([^"]+)"/.exec(page.text) ?? []
  const refused = await browser.send(PAGE, { action: 'remove', id, confirmed: 'true' })
  assert.match(refused.text, /You couldn’t sign in without this/)
  assert.equal((await browser.send(PAGE, { action: 'password', password: 'nine loud badgers' })).status, 303)
  assert.equal((await login(codes[3] ?? '')).status, 401)
  assert.equal((await login('nine loud badgers')).status, 303)
})

test('where passwords are off a passkey signs in, and there are neither passwords nor recovery codes', async (t) => {
  const flags = { passwordSignIn: 'no', breakGlass: 'editor' }
  const site = await openPasskeyApp(t, flags)
  await addUser(site.app, { name: 'ada', email: 'ada@example.org', role: 'editor' })
  const { path } = await makeLink(site.app, { name: 'ada' })
  const token = path.split('/').at(-1) ?? ''
  const browser = new Browser(site)
  const passkey = createPasskey(site.origin, await browser.options({ kind: 'create', token }))
  assert.equal((await browser.ask('POST', path, { credential: passkey.created, name: 'Phone' })).to, '/admin')
  const { text } = await browser.ask('GET', PAGE)
  assert.match(text, /value="Phone"/)
  assert.doesNotMatch(text, /recovery code|New password/)
  assert.equal(await new Browser(site).signIn(passkey), 303)
})

test('where passwords are off, one of before is neither asked for nor changed nor taken as a proof', async (t) => {
  const site = await openPasskeyApp(t, { passwordSignIn: 'no', breakGlass: 'author' })
  await knowPassword(site.app, 'editor')
  const user = await findLogin(site.app.storage, 'editor')
  const session = await beginSession(site.app, user?.id ?? 0, { agent: '', address: '' })
  const browser = new Browser(site, `kalends_session=${session}`)
  for (const path of ['/admin/profile', '/admin/confirm', PAGE]) {
    const { status, text } = await browser.ask('GET', path)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /type="password"/, path)
  }
  const forms: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['/admin/profile', { action: 'password', current: PASSWORD, password: 'nine loud badgers' }],
    ['/admin/confirm', { password: PASSWORD }],
    [PAGE, { action: 'password', password: 'nine loud badgers' }],
    [PAGE, { action: 'no-password', confirmed: 'true' }],
  ]
  for (const [path, form] of forms) assert.equal((await browser.send(path, form)).status, 400, path)
  assert.equal(await isPasswordOf(site.app, user?.id ?? 0, PASSWORD), true)
})

test('whoever has a new passkey is told by mail', async (t) => {
  const mail = { smtp: 'smtp://127.0.0.1:9?insecure', mailFrom: 'Harbour <calendar@harbour.example>' }
  const site = await openPasskeyApp(t, mail)
  await new Browser(site, (await visitor(site, 'editor')).cookie).addPasskey()
  const { storage } = site.app
  const mails = await storage.all(storage.db.selectFrom('mail').select(['kind', 'address']))
  assert.deepEqual(mails, [{ kind: 'signInMethod', address: 'editor@example.org' }])
})

test('whoever gets a passkey by a link is told by mail, but for a first way in', async (t) => {
  const mail = { smtp: 'smtp://127.0.0.1:9?insecure', mailFrom: 'Harbour <calendar@harbour.example>' }
  const site = await openPasskeyApp(t, mail)
  const { storage } = site.app
  await addUser(site.app, { name: 'ada', email: 'ada@example.org', role: 'editor' })
  for (const expected of [[], [{ kind: 'signInMethod', address: 'ada@example.org' }]]) {
    const { path } = await makeLink(site.app, { name: 'ada' })
    const browser = new Browser(site)
    const options = await browser.options({ kind: 'create', token: path.split('/').at(-1) ?? '' })
    const { created } = createPasskey(site.origin, options)
    assert.equal((await browser.ask('POST', path, { credential: created, name: 'Phone' })).status, 200)
    assert.deepEqual(await storage.all(storage.db.selectFrom('mail').select(['kind', 'address'])), expected)
  }
})

test('nobody removes a password who has no passkey', async (t) => {
  const site = await openPasskeyApp(t)
  const browser = new Browser(site, (await visitor(site, 'editor')).cookie)
  const { status, text } = await browser.send(PAGE, { action: 'no-password', confirmed: 'true' })
  assert.equal(status, 400)
  assert.match(text, /You couldn’t sign in without this/)
})

test('a new person chooses a passkey instead of a password, with a link that works once', async (t) => {
  const site = await openPasskeyApp(t)
  await addUser(site.app, { name: 'ada', email: 'ada@example.org', role: 'editor' })
  const { path } = await makeLink(site.app, { name: 'ada' })
  const token = path.split('/').at(-1) ?? ''
  const browser = new Browser(site)
  assert.match((await browser.ask('GET', path)).text, /Use a passkey instead/)
  const passkey = createPasskey(site.origin, await browser.options({ kind: 'create', token }))
  const { status, text } = await browser.ask('POST', path, { credential: passkey.created, name: 'Phone' })
  assert.equal(status, 200)
  assert.equal([...text.matchAll(/<code>/g)].length, 10)
  assert.equal((await browser.ask('GET', '/admin/profile')).status, 200)
  assert.equal((await new Browser(site).ask('GET', path)).status, 404)
  assert.equal((await new Browser(site).send('/admin/passkey', { kind: 'create', token })).status, 403)
  assert.equal(await new Browser(site).signIn(passkey), 303)
})

test('where there can be no passkeys Profile says why, and no page has a button', async (t) => {
  const reasons = [
    ['', /Passkeys need the public address/],
    ['http://127.0.0.1:8080', /is an IP address/],
    ['http://calendar.example', /uses plain HTTP/],
    ['https://calendar.example', /at the public address of this site only: https:\/\/calendar\.example/],
  ] as const
  for (const [baseUrl, reason] of reasons) {
    const site = await openPasskeyApp(t, { baseUrl })
    const browser = new Browser(site, (await visitor(site, 'editor')).cookie)
    assert.match((await browser.ask('GET', '/admin/profile')).text, reason)
    assert.match((await browser.ask('GET', PAGE)).text, reason)
    assert.doesNotMatch((await browser.ask('GET', PAGE)).text, /data-passkey/)
    assert.doesNotMatch((await new Browser(site).ask('GET', '/admin/login')).text, /data-passkey/)
    assert.equal((await browser.send('/admin/passkey', { kind: 'create' })).status, 403)
  }
})
