import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { addToken } from '../src/accounts/tokens/index.ts'
import { listPasswords, listUsers } from '../src/accounts/users/index.ts'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { knowPassword, PASSWORD } from './support/known-password.ts'
import { decodedHeader, mailFlags, openSmtp, type TestSmtp } from './support/smtp.ts'
import { callWith, tokenOf } from './support/tokens.ts'

const AUTHOR = '/admin/users/author'
const NEW_PASSWORD = 'nine loud herons'
const HOUR = 3_600_000

async function openSite(t: TestContext): Promise<TestApp & { readonly smtp: TestSmtp }> {
  const smtp = await openSmtp(t)
  return { ...(await openTestApp(t, { ...mailFlags(smtp), siteName: 'Harbour' })), smtp }
}

async function linksIn({ app: { storage, now } }: TestApp) {
  const rows = await storage.all(storage.db.selectFrom('sign_in_link').select(['purpose', 'expires_at']))
  const hoursTo = (at: string): number => (Date.parse(`${at.replace(' ', 'T')}Z`) - now()) / HOUR
  return rows.map(({ purpose, expires_at }) => [purpose, hoursTo(expires_at)])
}

test('no token lets in somebody for longer than itself, nor does an application password', async (t) => {
  const site = await openSite(t)
  const { token } = await tokenOf(site, 'administrator', 'admin')
  const invitation = { name: 'eve', email: 'eve@example.org', role: 'administrator' }
  const passwords = await listPasswords(site.app, { name: 'author' })
  const people = (await listUsers(site.app)).length
  for (const [path, json] of [
    ...['password', 'link', 'mail'].map((action) => [AUTHOR, { action, label: 'Backdoor' }] as const),
    ['/admin/users', invitation] as const,
  ]) {
    const answer = await callWith(site, token, { method: 'POST', path: site.origin + path, json })
    const to = answer.headers.get('location')
    assert.deepEqual([answer.status, to], [303, `/admin/confirm?next=${encodeURIComponent(path)}`])
    if (path === '/admin/users') continue
    assert.equal((await site.call('administrator', 'POST', site.origin + path, { form: json })).status, 303)
  }
  assert.deepEqual(await listPasswords(site.app, { name: 'author' }), passwords)
  assert.equal((await listUsers(site.app)).length, people)
  assert.deepEqual(await linksIn(site), [])
})

test('people are told of tokens, application passwords and passwords, and what to do about strange ones', async (t) => {
  const site = await openSite(t)
  await addToken(site.app, { user: 'author', name: 'Newsletter' })
  const boss = await visitor(site, 'administrator')
  await boss.submit(AUTHOR, { action: 'password', label: 'Hall' })
  const ada = await visitor(site, 'author')
  const form = { action: 'password', current: PASSWORD, password: NEW_PASSWORD }
  assert.equal((await ada.submit('/admin/profile', form)).to, '/admin/profile?done=password')
  const mails = await site.smtp.arrived(3)
  const told = mails.map(
    (mail) =>
      [decodedHeader(mail.header('subject')), (mail.parts['text/plain'] ?? '').replaceAll(/\s+/g, ' ')] as const,
  )
  const textWith = (part: string) => told.find(([, text]) => text.includes(part)) ?? ['', '']
  for (const mail of mails) assert.deepEqual(mail.to, ['author@example.org'])
  assert.match(textWith('token “Newsletter”')[1], /revoke it under Profile now/)
  assert.match(textWith('application password “Hall”')[1], /ask an administrator to revoke it/)
  const [subject, text] = textWith('password of your account author was changed')
  assert.equal(subject, 'Password changed at Harbour')
  assert.match(text, /link to choose another one/)
  for (const [, each] of told) assert.doesNotMatch(each, /change your password/)
})

test('a mailed link for a new password works for an hour and leads to what others may have left', async (t) => {
  const site = await openSite(t)
  await addToken(site.app, { user: 'author', name: 'Of a thief' })
  await site.smtp.arrived(1)
  await knowPassword(site.app, 'author')
  const boss = await visitor(site, 'administrator')
  const sent = await boss.submit(AUTHOR, { action: 'mail' })
  assert.match(sent.text, /A link was sent to author@example\.org/)
  assert.deepEqual(await linksIn(site), [['password', 1]])
  const link = (await site.smtp.arrived(2)).at(-1)?.link ?? ''
  const used = await fetch(site.origin + link, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: site.origin },
    body: new URLSearchParams({ password: NEW_PASSWORD }),
  })
  const to = used.headers.get('location') ?? ''
  assert.equal(to, '/admin/profile?done=reset')
  const cookie = used.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = await (await fetch(site.origin + to, { headers: { cookie } })).text()
  assert.match(page, /Check that the passkeys, connected accounts and tokens on this page are yours/)
  assert.match(page, /Of a thief/)
  assert.equal(
    decodedHeader((await site.smtp.arrived(3)).at(-1)?.header('subject') ?? ''),
    'Password changed at Harbour',
  )
})

test('links that are shown, and invitations, work for a week', async (t) => {
  const site = await openSite(t)
  const boss = await visitor(site, 'administrator')
  await boss.submit('/admin/users/editor', { action: 'mail' })
  assert.deepEqual(await linksIn(site), [['invitation', 168]])
  await knowPassword(site.app, 'editor')
  await boss.submit('/admin/users/editor', { action: 'link' })
  assert.deepEqual(await linksIn(site), [['password', 168]])
})
