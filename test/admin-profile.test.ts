import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLogin } from '../src/accounts/users/index.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { callWith, tokenOf } from './support/tokens.ts'

const PROFILE = '/admin/profile'
const CONFIRM = `/admin/confirm?next=${encodeURIComponent(PROFILE)}`

test('another email address needs a sign-in within ten minutes, another name does not', async (t) => {
  const site = await openTestApp(t)
  const address = async () => (await findLogin(site.app.storage, 'author'))?.email
  const ada = await visitor(site, 'author')
  const form = { action: 'names', displayName: 'Ada', email: 'evil@example.org' }
  site.clock.now += 601_000
  assert.equal((await ada.submit(PROFILE, form)).to, CONFIRM)
  assert.equal(await address(), 'author@example.org')
  assert.equal((await ada.submit(PROFILE, { ...form, email: 'author@example.org' })).to, `${PROFILE}?done=saved`)
  const again = await visitor(site, 'author')
  assert.equal((await again.submit(PROFILE, form)).to, `${PROFILE}?done=saved`)
  assert.equal(await address(), 'evil@example.org')
})

test('neither an application password nor a token changes an email address', async (t) => {
  const site = await openTestApp(t)
  const form = { action: 'names', displayName: 'Ada', email: 'evil@example.org' }
  const sent = await site.call('administrator', 'POST', site.origin + PROFILE, { form })
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, CONFIRM])
  const { token } = await tokenOf(site, 'administrator', 'admin')
  const answer = await callWith(site, token, { method: 'POST', path: site.origin + PROFILE, json: form })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, CONFIRM])
  assert.equal(await findLogin(site.app.storage, form.email), undefined)
})

test('a token that is sent or typed as a username is not shown to administrators', async (t) => {
  const site = await openTestApp(t)
  const { id, token } = await tokenOf(site, 'author', 'read')
  const basic = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  const { status } = await fetch(`${site.origin}/cal/events/v1/events`, { headers: { authorization: basic } })
  assert.equal(status, 401)
  const typed = await fetch(`${site.origin}/admin/login`, {
    method: 'POST',
    headers: { origin: site.origin },
    body: new URLSearchParams({ login: token, password: 'x' }),
  })
  assert.equal(typed.status, 401)
  const { text } = await (await visitor(site, 'administrator')).show('/admin/system')
  assert.equal(text.split(`kal_${id}`).length, 3)
  assert.ok(!text.includes(token.slice(13, 23)))
})
