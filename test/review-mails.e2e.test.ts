import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { disableUser } from '../src/accounts/users/index.ts'
import { openReviewDigests } from '../src/admin/index.ts'
import { nextTurn } from '../src/base/background.ts'
import type { Flags } from '../src/base/config.ts'
import { visitor } from './support/admin.ts'
import type { TestApp } from './support/app.ts'
import { databaseOf } from './support/server.ts'
import { decodedHeader, mailFlags, openSmtp, type TestSmtp } from './support/smtp.ts'
import { everything, FORM, openWithForm, submit } from './support/submissions.ts'

type MailSite = TestApp & { readonly smtp: TestSmtp }

const [MINUTE, HOUR] = [60_000, 3_600_000] as const
const EDITOR = 'editor@example.org'
const BOSS = 'administrator@example.org'

async function openSite(t: TestContext, flags: Flags = {}): Promise<MailSite> {
  const smtp = await openSmtp(t)
  const site = await openWithForm(t, {
    ...mailFlags(smtp),
    siteName: 'Harbour',
    limitSubmissions: '100/3600',
    ...flags,
  })
  return { ...site, smtp }
}

async function choose(site: TestApp, role: 'editor' | 'administrator', choice: string): Promise<void> {
  const person = await visitor(site, role)
  const saved = await person.submit('/admin/profile', { action: 'mails', mail_review: choice })
  assert.equal(saved.to, '/admin/profile?done=saved')
}

async function submitted(site: TestApp, ...titles: readonly string[]): Promise<void> {
  for (const title of titles) assert.equal((await submit(site, { ...FORM, title })).status, 303)
}

/** One look at who is to hear what. */
async function look({ app }: TestApp): Promise<void> {
  const { mailer, storage, now } = app
  assert.ok(mailer)
  const failures: unknown[] = []
  const report = (error: unknown): unknown => failures.push(error)
  const work = openReviewDigests({ mailer, storage, site: { zone: 'America/New_York' }, now, report })
  work.begin()
  await nextTurn()
  await work.stop()
  assert.deepEqual(failures, [])
}

/** Who was mailed about submissions, in order. */
async function told({ app: { storage } }: TestApp): Promise<string[]> {
  const query = storage.db.selectFrom('mail').select('address').where('kind', '=', 'arrived').orderBy('id')
  return (await storage.all(query)).map(({ address }) => address)
}

/** The mails to an address that have arrived so far, of so many. */
async function mailsTo({ smtp }: MailSite, address: string, count: number) {
  for (let all = count; ; all += 1) {
    const mails = (await smtp.arrived(all)).filter(({ to }) => to.includes(address))
    if (mails.length >= count)
      return mails.map((mail) => ({
        mail,
        subject: decodedHeader(mail.header('subject')),
        text: (mail.parts['text/plain'] ?? '').replaceAll('\r\n', '\n'),
      }))
  }
}

test('a reviewer who wants to hear at once does so with the submission, until a click on the link in the mail', async (t) => {
  const site = await openSite(t)
  await choose(site, 'editor', 'once')
  await submitted(site, 'Lantern walk')
  const [first] = await mailsTo(site, EDITOR, 1)
  assert.equal(first?.subject, 'An event is waiting for review')
  assert.match(
    first.text,
    /a visitor has submitted an event to Harbour:\n\n- Lantern walk · Saturday, 5 December 2026, 17:00/,
  )
  assert.match(first.text, /Review queue:\nhttps:\/\/harbour\.example\/admin\/queue\n/)
  assert.doesNotMatch(first.text, /grace/i)
  const { mail } = first
  assert.equal(mail.header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  const [path = ''] = /\/admin\/link\/stop\/[\w.-]+/.exec(mail.header('list-unsubscribe')) ?? []
  await submitted(site, 'Night swim')
  const second = (await mailsTo(site, EDITOR, 2))[1]
  assert.match(second?.text ?? '', /- Night swim/)
  assert.doesNotMatch(second?.text ?? '', /Lantern/)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  assert.equal((await fetch(site.origin + path, { method: 'POST', body })).status, 200)
  const editor = await visitor(site, 'editor')
  assert.match((await editor.show('/admin/profile')).text, /<option value="never" selected>/)
  await submitted(site, 'Choir')
  site.clock.now += 48 * HOUR
  await look(site)
  assert.deepEqual(await told(site), [EDITOR, EDITOR, BOSS])
})

test('others hear each hour, or by default each morning of the site, of what is new and still waits', async (t) => {
  const site = await openSite(t)
  await choose(site, 'editor', 'hourly')
  const person = await visitor(site, 'author')
  assert.doesNotMatch((await person.show('/admin/profile')).text, /mail_review/)
  await look(site)
  site.clock.now += 10 * MINUTE
  await submitted(site, 'Lantern walk')
  site.clock.now += 49 * MINUTE
  await look(site)
  assert.deepEqual(await told(site), [])
  site.clock.now += MINUTE
  await look(site)
  await look(site)
  assert.deepEqual(await told(site), [EDITOR])
  await submitted(site, 'Night swim')
  const [event] = (await everything(site)).filter(({ title }) => title === 'Lantern walk')
  await site.call('editor', 'POST', `/events/${event?.['id']}`, { json: { status: 'draft' } })
  // 06:59 in New York.
  site.clock.now = Date.UTC(2026, 10, 21, 11, 59)
  await look(site)
  assert.deepEqual(await told(site), [EDITOR, EDITOR])
  const [, second] = await mailsTo(site, EDITOR, 2)
  assert.match(second?.text ?? '', /- Night swim/)
  site.clock.now += MINUTE
  await Promise.all([look(site), look(site)])
  assert.deepEqual(await told(site), [EDITOR, EDITOR, BOSS])
  const [morning] = await mailsTo(site, BOSS, 1)
  assert.match(morning?.text ?? '', /- Night swim/)
  assert.doesNotMatch(morning?.text ?? '', /Lantern/)
  await submitted(site, 'Choir')
  await disableUser(site.app, { name: 'editor' })
  site.clock.now += 23 * HOUR
  await look(site)
  assert.equal((await told(site)).length, 3)
})

test('a mail lists the events that wait, each on its line', async (t) => {
  const site = await openSite(t)
  await choose(site, 'editor', 'hourly')
  const titles = Array.from({ length: 22 }, (_, at) => `Walk ${at + 1}`)
  await submitted(site, 'Eve\r\nBcc: victim@example.org <script>', ...titles)
  site.clock.now += HOUR
  await look(site)
  const [only] = await mailsTo(site, EDITOR, 1)
  assert.equal(only?.subject, '23 events are waiting for review')
  const lines = only.text.split('\n').filter((line) => line.startsWith('- '))
  assert.equal(lines.length, 23)
  assert.match(lines[0] ?? '', /^- Eve Bcc: victim@example\.org/)
  assert.match(lines[19] ?? '', /^- Walk 19 ·/)
  assert.equal(only.mail.header('bcc'), '')
  assert.ok(!only.mail.parts['text/html']?.includes('<script'))
})

test('submissions succeed when an address had its share of mails, and what it missed follows', async (t) => {
  const site = await openSite(t)
  await choose(site, 'editor', 'once')
  await submitted(site, ...['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'].map((name) => `Walk ${name}`))
  assert.equal((await told(site)).length, 5)
  site.clock.now += HOUR
  await look(site)
  await look(site)
  const mails = await mailsTo(site, EDITOR, 6)
  assert.deepEqual(
    mails.map(({ text }) => text.match(/(?<=^- Walk )\w+/gm)),
    [['One'], ['Two'], ['Three'], ['Four'], ['Five'], ['Six', 'Seven']],
  )
})

test('the one process that works in the background sends them, in the language of the reviewer', async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'kalends-'))
  t.after(() => rm(data, { recursive: true, force: true }))
  const flags = { data, database: await databaseOf(data), language: 'ar' }
  const before = await openSite(t, flags)
  before.clock.now -= 24 * HOUR
  await submitted(before, 'Lantern walk')
  await before.app.close()
  const site = await openSite(t, flags)
  const [mail] = await mailsTo(site, BOSS, 1)
  assert.equal(mail?.subject, 'فعالية واحدة تنتظر المراجعة')
  assert.match(mail.text, /- Lantern walk · السبت/)
})
