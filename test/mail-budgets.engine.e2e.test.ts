import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { NewMail } from '../src/accounts/mail/index.ts'
import { findLogin } from '../src/accounts/users/index.ts'
import { utcFromMillis } from '../src/base/time/zones.ts'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { decodedHeader, mailFlags, openSmtp } from './support/smtp.ts'

const VALUES = { login: 'author', title: 'Regatta', kind: 'token', what: 'Feed', email: 'new@example.org' }

/** How many of some mails of a kind to the author are queued. */
async function queue({ app }: TestApp, kind: NewMail['kind'], count: number): Promise<number> {
  const { mailer } = app
  assert.ok(mailer)
  const user = await findLogin(app.storage, 'author')
  return app.storage.write(async (tx) => {
    const to = await mailer.recipientOf(tx, user?.id ?? 0)
    assert.ok(to)
    let queued = 0
    for (let one = 0; one < count; one += 1) if (await mailer.queueMail(tx, { kind, to, values: VALUES })) queued += 1
    return queued
  })
}

test('a site that sends no mails any more deletes the old ones', async (t) => {
  const { app, clock } = await openTestApp(t)
  const sent = clock.now - 31 * 86_400_000
  const row = {
    ...{ id: 1, kind: 'test', user_id: null, address: 'a@example.org', address_folded: 'a@example.org', cause: null },
    ...({ message_id: '<1@harbour.example>', content: 'sealed', state: 'waiting', attempts: 0, problem: '' } as const),
    ...{ next_at: utcFromMillis(sent), created_at: utcFromMillis(sent), settled_at: null },
  }
  await app.storage.write((tx) => tx.run(tx.db.insertInto('mail').values(row)))
  const mails = () => app.storage.all(app.storage.db.selectFrom('mail').select('id'))
  clock.now += 3_600_000
  for (let wait = 0; wait < 200 && (await mails()).length > 0; wait += 1) {
    app.mail?.sender.work.wake()
    await new Promise((done) => setTimeout(done, 10))
  }
  assert.deepEqual(await mails(), [])
})

test('a user has five new addresses a day written to, without words of their own', async (t) => {
  const smtp = await openSmtp(t)
  const site = await openTestApp(t, mailFlags(smtp))
  const browser = await visitor(site, 'author')
  const change = (one: number) =>
    browser.submit('/admin/profile', {
      ...{ action: 'names', displayName: 'You have won at evil.example', email: `stranger${one}@example.org` },
    })
  for (const one of [1, 2, 3, 4, 5]) {
    assert.equal((await change(one)).to, '/admin/profile?done=confirm')
    // The next link would end one that has not been sent.
    await smtp.arrived(2 * one)
  }
  for (const mail of (await smtp.arrived(10)).filter(({ to }) => to[0]?.startsWith('stranger') === true))
    assert.ok(!JSON.stringify([mail.parts, decodedHeader(mail.header('to'))]).includes('evil.example'))
  const refused = await change(6)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Too many mails were sent lately/)
  assert.equal(smtp.mails.length, 10)
})

async function openSite(t: TestContext): Promise<TestApp> {
  return openTestApp(t, mailFlags(await openSmtp(t)))
}

test('no number of other mails silences what keeps an account safe', async (t) => {
  const site = await openSite(t)
  assert.equal(await queue(site, 'reset', 7), 5)
  assert.equal(await queue(site, 'question', 7), 5)
  assert.equal(await queue(site, 'published', 1), 0, 'other mails share one budget')
  for (const kind of ['signInMethod', 'formerAddress'] as const) assert.equal(await queue(site, kind, 7), 7, kind)
})

test('whoever submits several events hears what became of them', async (t) => {
  const site = await openSite(t)
  assert.equal(await queue(site, 'received', 7), 5)
  for (const kind of ['question', 'declined', 'published'] as const) assert.equal(await queue(site, kind, 1), 1, kind)
})

test('other mails to an address leave the link to choose a password its own budget', async (t) => {
  const site = await openSite(t)
  for (const kind of ['received', 'published', 'signInMethod'] as const) await queue(site, kind, 7)
  assert.equal(await queue(site, 'reset', 7), 5)
  site.clock.now += 3_600_000
  assert.equal(await queue(site, 'reset', 7), 5)
})

test('an address has forgotten a password ten times an hour, whatever it may submit', async (t) => {
  const smtp = await openSmtp(t)
  const flags = { ...mailFlags(smtp), submissions: 'yes', limitSubmissions: '1/3600', trustedProxies: '127.0.0.1' }
  const site = await openTestApp(t, flags)
  const send = async (path: string, address: string): Promise<number> => {
    const headers = { origin: site.origin, 'x-forwarded-for': address }
    const body = new URLSearchParams({ login: 'editor' })
    return (await fetch(site.origin + path, { method: 'POST', headers, body })).status
  }
  const ask = (address = '192.0.2.1') => send('/admin/forgot', address)
  for (let turn = 0; turn < 10; turn += 1) assert.equal(await ask(), 200)
  assert.equal(await ask(), 429)
  assert.equal(await ask('192.0.2.2'), 200)
  for (let turn = 0; turn < 6; turn += 1) assert.equal(await send('/submit/', '192.0.2.1'), 400)
  assert.equal(await send('/submit/', '192.0.2.1'), 429)
  site.clock.now += 3_600_000
  assert.equal(await ask(), 200)
})
