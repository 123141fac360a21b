import assert from 'node:assert/strict'
import test from 'node:test'
import { beginSession, confirmSession } from '../src/accounts/sessions/index.ts'
import { callerOfSession } from '../src/accounts/sessions/sessions.ts'
import { disableUser, findLogin, setRole } from '../src/accounts/users/index.ts'
import { keepAWayIn, waysInOf } from '../src/accounts/ways-in/index.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { knowPassword, PASSWORD } from './support/known-password.ts'

const MINUTE = 60_000

test('a session is confirmed for ten minutes after the sign-in, and after each confirmation', async (t) => {
  const { app, clock } = await openTestApp(t)
  const user = await findLogin(app.storage, 'editor')
  const session = await beginSession(app, user?.id ?? 0, { agent: '', address: '' })
  const isRecent = async (id = session) => (await callerOfSession(app.storage, id, app.now())).caller.isConfirmed
  assert.equal(await isRecent(), true)
  clock.now += 10 * MINUTE
  assert.equal(await isRecent(), false)
  await confirmSession(app, session)
  clock.now += 9 * MINUTE
  assert.equal(await isRecent(), true)
  assert.equal(await isRecent(`${session}x`), undefined)
})

test('who confirms with the password returns to a page of the administration, and nowhere else', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  for (const [next, to] of [
    ['/admin/profile?done=saved', '/admin/profile?done=saved'],
    ['//example.org/admin', '/admin'],
    ['https://example.org/admin', '/admin'],
    ['/admin/../events', '/admin'],
    ['/administration', '/admin'],
  ] as const) {
    const path = `/admin/confirm?next=${encodeURIComponent(next)}`
    const { text } = await ada.show(path)
    const wrong = await ada.send('/admin/confirm', text, { password: 'eight quiet otters' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /This isn’t your current password\./)
    assert.equal((await ada.send('/admin/confirm', wrong.text, { password: PASSWORD })).to, to)
  }
  assert.equal((await fetch(`${site.origin}/admin/confirm`, { redirect: 'manual' })).status, 303)
})

test('the last administrator with a password is neither disabled nor given another role', async (t) => {
  const site = await openTestApp(t)
  const { app } = site
  // Without any password there is nobody to keep: programs have application passwords.
  await setRole(app, { name: 'administrator', role: 'editor' })
  await setRole(app, { name: 'administrator', role: 'administrator' })
  const editor = await visitor(site, 'editor')
  const keeps = { code: 'last_administrator' }
  await knowPassword(app, 'administrator')
  await assert.rejects(() => setRole(app, { name: 'administrator', role: 'editor' }), keeps)
  await assert.rejects(() => disableUser(app, { name: 'administrator' }), keeps)
  await setRole(app, { name: 'editor', role: 'administrator' })
  await disableUser(app, { name: 'administrator' })
  await assert.rejects(() => disableUser(app, { name: 'editor' }), keeps)
  assert.equal((await editor.show('/admin/users')).status, 200)
})

test('the page of a user says why the last administrator stays one', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  // An application password can do everything but sign in to the administration.
  const { text } = await ada.show('/admin/users/editor')
  await setRole(site.app, { name: 'editor', role: 'administrator' })
  await ada.send('/admin/users/editor', text, { action: 'role', role: 'author' })
  assert.equal((await findLogin(site.app.storage, 'editor'))?.role, 'author')
  await setRole(site.app, { name: 'author', role: 'administrator' })
  const headers = { authorization: `Basic ${site.authorization('author').slice('Basic '.length)}`, origin: site.origin }
  for (const form of [{ action: 'disable' }, { action: 'role', role: 'editor' }]) {
    const body = new URLSearchParams(form)
    const answer = await fetch(`${site.origin}/admin/users/administrator`, { method: 'POST', headers, body })
    assert.match(await answer.text(), /This is the last administrator who can sign in/)
  }
})

test('nobody loses the last way in', async (t) => {
  const { app } = await openTestApp(t)
  const user = await findLogin(app.storage, 'editor')
  const own = { id: user?.id ?? 0, name: 'editor' }
  assert.deepEqual(await waysInOf(app.storage, own, undefined), { password: 0, passkey: 0, identity: 0 })
  await knowPassword(app, 'editor')
  assert.deepEqual(await waysInOf(app.storage, own, undefined), { password: 1, passkey: 0, identity: 0 })
  await assert.rejects(() => app.storage.write((tx) => keepAWayIn(tx, own, { taken: 'password', open: undefined })), {
    code: 'last_way_in',
  })
})
