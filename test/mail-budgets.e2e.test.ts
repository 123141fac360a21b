import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { NewMail } from '../src/accounts/mail/index.ts'
import { findLogin } from '../src/accounts/users/index.ts'
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
