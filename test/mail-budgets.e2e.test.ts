import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { NewMail } from '../src/accounts/mail/index.ts'
import { findLogin } from '../src/accounts/users/index.ts'
import { utcFromMillis } from '../src/base/time/zones.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { mailFlags, openSmtp } from './support/smtp.ts'

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
  for (let wait = 0; wait < 200 && (await mails()).length > 0; wait += 1) {
    app.mail?.work.wake()
    await new Promise((done) => setTimeout(done, 10))
  }
  assert.deepEqual(await mails(), [])
})

async function openSite(t: TestContext): Promise<TestApp> {
  return openTestApp(t, mailFlags(await openSmtp(t)))
}

test('no number of other mails silences what keeps an account safe', async (t) => {
  const site = await openSite(t)
  assert.equal(await queue(site, 'reset', 7), 5)
  assert.equal(await queue(site, 'received', 7), 5, 'mails that strangers cause share one budget')
  assert.equal(await queue(site, 'published', 1), 0)
  for (const kind of ['signInMethod', 'formerAddress'] as const) assert.equal(await queue(site, kind, 7), 7, kind)
})

test('other mails to an address leave the link to choose a password its own budget', async (t) => {
  const site = await openSite(t)
  await queue(site, 'received', 7)
  await queue(site, 'signInMethod', 7)
  assert.equal(await queue(site, 'reset', 7), 5)
  site.clock.now += 3_600_000
  assert.equal(await queue(site, 'reset', 7), 5)
})
