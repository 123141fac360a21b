import assert from 'node:assert/strict'
import test from 'node:test'
import { addToken } from '../src/accounts/tokens/index.ts'
import { disableUser, listUsers } from '../src/accounts/users/index.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { PASSWORD } from './support/known-password.ts'
import { eventually } from './support/webhook-receiver.ts'

test('an administrator sees where somebody is signed in, and ends one session or all of them', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const none = await ada.show('/admin/users/editor')
  assert.match(none.text, /Not signed in anywhere\./)
  // Where a link by mail would go.
  assert.match(none.text, /<bdi>editor<\/bdi> · <bdi>editor@example\.org<\/bdi>/)
  const first = await visitor(site, 'editor')
  // A new password ends sessions: the second browser signs in with the same one.
  const login = await fetch(`${site.origin}/admin/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: site.origin, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    body: new URLSearchParams({ login: 'editor', password: 'seven quiet otters' }),
  })
  const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const isIn = async (own: string): Promise<boolean> =>
    (await fetch(`${site.origin}/admin/profile`, { headers: { cookie: own }, redirect: 'manual' })).status === 200
  assert.deepEqual([await isIn(first.cookie), await isIn(cookie)], [true, true])
  const { text } = await ada.show('/admin/users/editor')
  assert.match(text, /Firefox, Linux/)
  assert.match(text, /127\.0\.0\.1/)
  for (const secret of [first.cookie, cookie].map((one) => one.split('=')[1] ?? ''))
    assert.ok(secret !== '' && !text.includes(secret), 'no page has what opens a session')
  const firefox = /Firefox, Linux[\s\S]*?name="session" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const end = { action: 'end', session: firefox }
  // The session of somebody else is not ended by the page of this one.
  await ada.send('/admin/users/author', text, end)
  assert.equal(await isIn(cookie), true)
  await ada.send('/admin/users/editor', text, end)
  assert.deepEqual([await isIn(first.cookie), await isIn(cookie), await isIn(ada.cookie)], [true, false, true])
  await ada.submit('/admin/users/editor', { action: 'end-all' })
  assert.deepEqual([await isIn(first.cookie), await isIn(ada.cookie)], [false, true])
})

test('nobody but administrators ends sessions of others', async (t) => {
  const site = await openTestApp(t)
  const editor = await visitor(site, 'editor')
  const author = await visitor(site, 'author')
  const { text } = await editor.show('/admin/profile')
  assert.equal((await editor.send('/admin/users/author', text, { action: 'end-all' })).status, 403)
  assert.equal((await author.show('/admin/profile')).status, 200)
})

test('an application password is revoked once that was confirmed', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  await ada.submit('/admin/users/author', { action: 'password', label: 'Screen in the hall' })
  const path = '/admin/users/author'
  const { text } = await ada.show(path)
  const [, id = ''] = /name="id" value="(\d+)"><button[^>]*Screen in the hall/.exec(text) ?? []
  const asked = await ada.send(path, text, { action: 'revoke', id })
  assert.match(asked.text, /<h1>Revoke Screen in the hall\?<\/h1>[\s\S]*You can’t undo this\./)
  assert.match((await ada.show(path)).text, /Screen in the hall/)
  await ada.send(path, asked.text, { action: 'revoke' })
  assert.doesNotMatch((await ada.show(path)).text, /Screen in the hall/)
})

test('the page of a user says when an application password was used last', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const lastUse = async (): Promise<string | undefined> => {
    const { text } = await ada.show('/admin/users/editor')
    return /Last used: <\/span>([^<]*)</.exec(text.slice(text.indexOf('Application passwords')))?.[1]
  }
  assert.equal(await lastUse(), '–')
  assert.equal((await site.call('editor', 'GET', '/events')).status, 200)
  await eventually('the use is noted', async () => (await lastUse()) !== '–')
  assert.match((await lastUse()) ?? '', /^20 Nov 2026, \d\d:\d\d$/)
})

test('an administrator makes no way in for anybody in a browser that was left alone for ten minutes', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const { text } = await ada.show('/admin/users/administrator')
  site.clock.now += 10 * 60_000
  for (const name of ['administrator', 'author'])
    for (const action of ['link', 'mail', 'password']) {
      const { status, to } = await ada.send(`/admin/users/${name}`, text, { action, label: 'x' })
      assert.deepEqual([status, to], [303, `/admin/confirm?next=%2Fadmin%2Fusers%2F${name}`], `${action} of ${name}`)
    }
  const { storage } = site.app
  assert.deepEqual(await storage.all(storage.db.selectFrom('sign_in_link').select('id')), [])
  await ada.submit('/admin/confirm', { password: PASSWORD })
  const made = await ada.send('/admin/users/author', text, { action: 'link' })
  assert.match(made.text, /\/admin\/link\//)
})

test('an administrator gives nobody rights in a browser that was left alone for ten minutes', async (t) => {
  const site = await openTestApp(t)
  const { app } = site
  await disableUser(app, { name: 'contributor' })
  const before = await listUsers(app)
  const ada = await visitor(site, 'administrator')
  const { text } = await ada.show('/admin/users/author')
  const given = [
    ['/admin/users', { name: 'eve', email: 'eve@example.org', role: 'administrator' }],
    ['/admin/users/author', { action: 'role', role: 'administrator' }],
    ['/admin/users/contributor', { action: 'enable' }],
  ] as const
  site.clock.now += 10 * 60_000
  for (const [path, form] of given) {
    const { status, to } = await ada.send(path, text, form)
    assert.deepEqual([status, to], [303, `/admin/confirm?next=${encodeURIComponent(path)}`])
  }
  const { text: list } = await ada.show('/admin/users')
  assert.match(list, /href="\/admin\/confirm\?next=%2Fadmin%2Fusers">Invite someone</)
  assert.doesNotMatch(list, /name="email"/)
  assert.deepEqual(await listUsers(app), before)
  // Whoever takes rights away need not.
  await ada.send('/admin/users/editor', text, { action: 'disable' })
  assert.ok((await listUsers(app)).find(({ name }) => name === 'editor')?.disabledAt)
  await ada.submit('/admin/confirm', { password: PASSWORD })
  for (const [path, form] of given) assert.equal((await ada.send(path, text, form)).status, 200)
  const users = await listUsers(app)
  assert.deepEqual(
    ['eve', 'author', 'contributor'].map((one) => {
      const user = users.find(({ name }) => name === one)
      return [user?.role, user?.disabledAt]
    }),
    [
      ['administrator', null],
      ['administrator', null],
      ['contributor', null],
    ],
  )
})

test('a token gives nobody rights, an application password does', async (t) => {
  const site = await openTestApp(t)
  const { app } = site
  await disableUser(app, { name: 'contributor' })
  const { token } = await addToken(app, { user: 'administrator', name: 'Program', scopes: ['admin'] })
  for (const [path, form] of [
    ['/admin/users/author', { action: 'role', role: 'editor' }],
    ['/admin/users/contributor', { action: 'enable' }],
  ] as const) {
    const before = await listUsers(app)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = { method: 'POST', redirect: 'manual', headers, body: JSON.stringify(form) } as const
    const { status } = await fetch(site.origin + path, init)
    assert.equal(status, 303)
    assert.deepEqual(await listUsers(app), before)
    assert.equal((await site.call('administrator', 'POST', site.origin + path, { form })).status, 200)
    assert.notDeepEqual(await listUsers(app), before)
  }
})
