import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { beginSession } from '../src/accounts/sessions/index.ts'
import { addUser, findLogin } from '../src/accounts/users/index.ts'
import type { Flags } from '../src/base/config.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { knowPassword } from './support/known-password.ts'

const OFFER = /Change address and send again/

/** A calendar whose administrator has invited Ada at a mistyped address. */
async function invited(t: TestContext, flags: Flags = {}) {
  const site = await openTestApp(t, flags)
  const root = await visitor(site, 'administrator')
  const form = { name: 'ada', email: 'ada@exmaple.org', role: 'editor' }
  const { text } = await root.submit('/admin/users', form)
  const correct = (email: string) => root.submit('/admin/users/ada', { action: 'address', email })
  const addressOf = async (name: string) => (await findLogin(site.app.storage, name))?.email
  const opens = async (link: string) => (await fetch(site.origin + link, { redirect: 'manual' })).status
  return { site, root, link: linkIn(text), correct, addressOf, opens }
}

function linkIn(text: string): string {
  return /\/admin\/link\/[\w-]{43}/.exec(text)?.[0] ?? ''
}

test('the mistyped address of an invitation is corrected, and only the new link works', async (t) => {
  const { root, link, correct, addressOf, opens } = await invited(t)
  assert.match((await root.show('/admin/users/ada')).text, OFFER)
  const { text } = await correct(' ada@example.org ')
  assert.equal(await addressOf('ada'), 'ada@example.org')
  assert.match(text, /href="mailto:ada@example\.org\?/)
  assert.match(text, /data-copy="secret"/)
  assert.notEqual(linkIn(text), link)
  assert.deepEqual([await opens(link), await opens(linkIn(text))], [404, 200])
})

test('the list of users says who was invited and has not signed in yet', async (t) => {
  const { site, root } = await invited(t)
  // Nobody has invited those whom operators add, or who come with an import.
  await addUser(site.app, { name: 'bob', email: 'bob@example.org', role: 'author' })
  const invitations = async () => (await root.show('/admin/users')).text.match(/<tr>.*?>Invited<.*?<\/tr>/g) ?? []
  const [own, ...others] = await invitations()
  assert.match(own ?? '', />ada<.*Editor <span class="badge pending">Invited</)
  assert.deepEqual(others, [])
  await knowPassword(site.app, 'ada')
  assert.deepEqual(await invitations(), [])
})

test('whoever has signed in is not invited any more, though no way in is left', async (t) => {
  const { site, root } = await invited(t)
  const user = await findLogin(site.app.storage, 'ada')
  await beginSession(site.app, user?.id ?? 0, { agent: '', address: '192.0.2.1' })
  assert.doesNotMatch((await root.show('/admin/users')).text, />Invited</)
})

test('where mail is configured, the corrected invitation goes to the new address and is not shown', async (t) => {
  const mail = { smtp: 'smtp://127.0.0.1:9?insecure', mailFrom: 'calendar@harbour.example' }
  const { site, correct } = await invited(t, { ...mail, baseUrl: 'https://harbour.example' })
  const { text } = await correct('ada@example.org')
  assert.match(text, /A link was sent to ada@example\.org/)
  assert.equal(linkIn(text), '')
  const { storage } = site.app
  const mails = await storage.all(storage.db.selectFrom('mail').select(['kind', 'address']).orderBy('id'))
  assert.deepEqual(
    mails.map(({ kind, address }) => [kind, address]),
    [
      ['invitation', 'ada@exmaple.org'],
      ['invitation', 'ada@example.org'],
    ],
  )
})

test('an address that is taken or is none is refused, and the former link still works', async (t) => {
  const { link, correct, addressOf, opens } = await invited(t)
  for (const email of ['editor@example.org', 'ada']) {
    const { text } = await correct(email)
    assert.match(text, /This email address is already in use or can’t be used\./)
    assert.match(text, new RegExp(`value="${email}"`))
    assert.equal(await addressOf('ada'), 'ada@exmaple.org')
    assert.equal(await opens(link), 200)
  }
})

test('nobody changes the address of whoever has signed in, in any way', async (t) => {
  const { site, root, correct, addressOf } = await invited(t)
  const { app } = site
  const stale = (await root.show('/admin/users/ada')).text
  await knowPassword(app, 'ada')
  assert.doesNotMatch((await root.show('/admin/users/ada')).text, OFFER)
  for (const { text } of [
    await correct('mallory@example.org'),
    await root.send('/admin/users/ada', stale, { action: 'address', email: 'mallory@example.org' }),
  ])
    assert.match(text, /This user has already signed in/)
  assert.equal(await addressOf('ada'), 'ada@exmaple.org')
  // Whose last way in was taken, but who is still signed in; and a program with its own password.
  const bob = await addUser(app, { name: 'bob', email: 'bob@example.org', role: 'author' })
  await beginSession(app, bob.id, { agent: '', address: '' })
  for (const name of ['bob', 'editor']) {
    assert.doesNotMatch((await root.show(`/admin/users/${name}`)).text, OFFER)
    await root.submit(`/admin/users/${name}`, { action: 'address', email: 'mallory@example.org' })
    assert.equal(await addressOf(name), `${name}@example.org`)
  }
})

test('correcting the address of an invitation needs a fresh proof of who does it', async (t) => {
  const { site, root, link, correct, addressOf, opens } = await invited(t)
  site.clock.now += 11 * 60_000
  const { text } = await root.show('/admin/users/ada')
  assert.match(text, /href="\/admin\/confirm\?next=%2Fadmin%2Fusers%2Fada">Change address and send again/)
  assert.equal((await correct('ada@example.org')).to, '/admin/confirm?next=%2Fadmin%2Fusers%2Fada')
  assert.deepEqual([await addressOf('ada'), await opens(link)], ['ada@exmaple.org', 200])
})
