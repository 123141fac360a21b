import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { openMail } from '../src/accounts/mail/index.ts'
import { addUser } from '../src/accounts/users/index.ts'
import { openSiteNotices } from '../src/admin/index.ts'
import type { BackgroundWork } from '../src/base/background.ts'
import { readConfig } from '../src/base/config.ts'
import { createLog } from '../src/base/log.ts'
import { utcFromMillis } from '../src/base/time/zones.ts'
import { runOperation } from '../src/cli/running-server/operations.ts'
import { examine } from '../src/ops/doctor/index.ts'
import { openTestApp } from './support/app.ts'
import { mailFlags, openSmtp, type TestSmtp } from './support/smtp.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { addressOf, openTestStorage } from './support/test-storage.ts'

const testing = (address: string) => ({ name: 'testMail', input: { address } })

/** A self-signed server: nobody may trust it. */
const AS_IT_IS = { disabledCommands: [] }

test('a test mail is sent at once, and its failure is told', async (t) => {
  const smtp = await openSmtp(t)
  const site = await openTestApp(t, mailFlags(smtp))
  const run = (address: string) => runOperation(site.app, testing(address), () => undefined)
  assert.deepEqual(await run('ada@example.org'), { address: 'ada@example.org' })
  assert.deepEqual(
    smtp.mails.map(({ to }) => to),
    [['ada@example.org']],
  )
  await assert.rejects(run('ada@example.org, eve@example.org'), { code: 'bad_user_email' })
  smtp.refuse('no room')
  await assert.rejects(run('ada@example.org'), { code: 'mail_failed', message: /no room/ })
  const none = await openTestApp(t)
  await assert.rejects(
    runOperation(none.app, testing('ada@example.org'), () => undefined),
    { code: 'mail_not_configured' },
  )
})

test('without TLS nothing is sent, nor to a server with any certificate, unless that was allowed', async (t) => {
  const [plain, tls] = [await openSmtp(t), await openSmtp(t, AS_IT_IS)]
  for (const [smtp, problem] of [
    [plain, /STARTTLS|TLS/i],
    [tls, /certificate/i],
  ] as const) {
    const strict = await openTestApp(t, { ...mailFlags(smtp), smtp: smtp.address.replace('?insecure', '') })
    const run = runOperation(strict.app, testing('ada@example.org'), () => undefined)
    await assert.rejects(run, { code: 'mail_failed', message: problem })
    assert.equal(smtp.mails.length, 0)
  }
  const lax = await openTestApp(t, mailFlags(tls))
  await runOperation(lax.app, testing('ada@example.org'), () => undefined)
  assert.equal(tls.mails.length, 1)
})

test('an address whose host is none once it is decoded is refused at the start', () => {
  for (const host of ['mail%20server', 'mail%2Fserver', '%', ''])
    assert.throws(() => readConfig({ smtp: `smtps://u:p@${host}` }, {}), /--smtp/, host)
  for (const host of ['mail.example.org:465', '[::1]', '127.0.0.1', 'm%C3%BCnchen.example'])
    assert.equal(readConfig({ smtp: `smtps://u:p@${host}` }, {}).smtp, `smtps://u:p@${host}`)
})

test('the password of the mail server comes from a file, and is shown nowhere', async (t) => {
  const seen: string[] = []
  const smtp = await openSmtp(t, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username = '', password = '' }, _session, done) => {
      seen.push(`${username} ${password}`)
      done(null, { user: username })
    },
  })
  const folder = await mkdtemp(join(tmpdir(), 'kalends-mail-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'smtp')
  await writeFile(file, `${smtp.address.replace('//', '//calendar:s%40cret-word@')}\n`)
  const site = await openTestApp(t, { ...mailFlags(smtp), smtp: undefined, smtpFile: file })
  await runOperation(site.app, testing('ada@example.org'), () => undefined)
  assert.deepEqual(seen, ['calendar s@cret-word'])
  const other = await openTestApp(t, {
    ...mailFlags(smtp),
    smtp: smtp.address.replace('//', '//calendar:s%40cret-word@'),
  })
  for (const path of ['/admin/system', '/admin/settings']) {
    const page = await other.call('administrator', 'GET', other.origin + path)
    assert.doesNotMatch(page.body, /cret-word/)
  }
  await assert.rejects(
    openTestApp(t, { ...mailFlags(smtp), smtp: undefined, smtpFile: join(folder, 'missing') }),
    /smtp-file/,
  )
})

/** The mails of a calendar without a server for HTTP, with the lines of its log. */
async function openService(t: TestContext, smtp: TestSmtp) {
  /** What works in the background, and ends before its storage is closed: hooks run in the order in which they were added. */
  const works: BackgroundWork[] = []
  t.after(() => Promise.all(works.map((work) => work.stop())))
  const storage = await openTestStorage(TEST_ENGINE, t)
  const clock = { now: Date.UTC(2026, 10, 20, 18) }
  const now = (): number => clock.now
  const lines: string[] = []
  const log = createLog({ level: 'trace', now, stream: { write: (line) => void lines.push(line) } })
  const { smtp: address, mailFrom } = mailFlags(smtp)
  const service = openMail({
    config: { smtp: address, smtpFile: '', mailFrom },
    ...{ storage, log, now, secret: 'key' },
    site: { name: 'Harbour', zone: 'UTC' },
    baseUrl: () => 'https://harbour.example/town',
    language: () => 'en',
    report: (error) => assert.fail(String(error)),
  })
  const book = { storage, now, secret: 'key' }
  works.push(service.sender.work)
  return { ...book, ...service, book, lines, clock, works }
}

test('addresses are masked in the log, which has no body and no link; the database has neither', async (t) => {
  const smtp = await openSmtp(t)
  const { storage, mailer, sender, lines, clock } = await openService(t, smtp)
  smtp.refuse('<ada@example.org> is busy')
  const to = { address: 'ada@example.org', name: 'Ada', language: 'en' }
  const mail = { kind: 'invitation', to, values: { by: 'Bea', role: 'x' }, path: '/admin/link/s3cret-token' } as const
  await storage.write((tx) => mailer.queueMail(tx, mail))
  const [row] = await storage.all(storage.db.selectFrom('mail').selectAll())
  assert.doesNotMatch(JSON.stringify(row), /s3cret|Bea|invites/)
  sender.work.begin()
  const logged = async (text: string): Promise<void> => {
    for (let wait = 0; wait < 500 && !lines.join('').includes(text); wait += 1)
      await new Promise((done) => setTimeout(done, 10))
    assert.ok(lines.join('').includes(text), text)
  }
  await logged('mail not sent yet')
  smtp.refuse(undefined)
  clock.now += 60_000
  sender.work.wake()
  await logged('mail sent')
  const [sent] = await smtp.arrived(1)
  assert.match(sent?.parts['text/plain'] ?? '', /https:\/\/harbour\.example\/town\/admin\/link\/s3cret-token/)
  const text = lines.join('')
  assert.ok(text.includes('a***@example.org'))
  assert.doesNotMatch(text, /ada@|s3cret|invites|Bea/)
})

test('administrators hear once of all subscriptions that have failed for a day, and of a missing backup', async (t) => {
  const smtp = await openSmtp(t)
  const { storage, mailer, sender, book, clock, now, works } = await openService(t, smtp)
  for (const [name, role] of [
    ['ada', 'administrator'],
    ['bea', 'administrator'],
    ['cleo', 'editor'],
  ] as const)
    await addUser(book, { name, email: `${name}@example.org`, role })
  const at = '2026-11-20 18:00:00'
  const source = {
    ...{
      id: 1,
      name: 'Museum',
      url: 'https://museum.example/a.ics',
      failing_since: at,
      login: '',
      is_webcal: 0,
      every: 3600,
      status: 'publish',
    },
    ...{ categories: '[]', zone: '', paused: 0, etag: '', last_modified: '', digest: '', refresh: 0, next_at: at },
    ...{ checked_at: at, synced_at: null, failures: 3, problem: 'subscriptions.problem.passwordLost', report: null },
    ...{ created_at: at, visiting_since: null, modified_at: null },
  }
  const other = (id: number, minutes: number) => {
    const failing_since = utcFromMillis(clock.now + minutes * 60_000)
    const changes = { id, name: `Theatre ${id}`, url: `https://theatre.example/${id}.ics`, failing_since }
    return { ...source, ...changes, problem: 'subscriptions.problem.passwordLost' }
  }
  const paused = { ...other(3, 0), paused: 1 }
  const well = { ...other(4, 0), failing_since: null, failures: 0 }
  await storage.write(async (tx) => {
    await tx.run(tx.db.insertInto('source').values([source, other(2, 0), paused, well]))
  })
  const report = (error: unknown): never => assert.fail(String(error))
  const backups = { lastMade: () => Promise.resolve(undefined), list: () => Promise.resolve([]) }
  const work = openSiteNotices({ storage, mailer, backups, report, now })
  works.push(work)
  const mails = async (least: number) => {
    work.wake()
    for (let wait = 0; ; wait += 1) {
      await new Promise((done) => setTimeout(done, 200))
      const rows = await storage.all(storage.db.selectFrom('mail').select(['kind', 'address']).orderBy('id'))
      if (rows.length >= least || wait > 300) return rows.map(({ kind, address }) => `${kind} ${address}`)
    }
  }
  work.begin()
  clock.now += 24 * 3_600_000
  assert.deepEqual(await mails(0), [])
  clock.now += 3_600_000
  const failing = ['subscription ada@example.org', 'subscription bea@example.org']
  assert.deepEqual(await mails(2), failing)
  assert.deepEqual(await mails(2), failing)
  sender.work.begin()
  const [told] = await smtp.arrived(2)
  assert.equal(told?.header('subject'), '2 subscriptions have not synced for a day')
  const text = told?.parts['text/plain'] ?? ''
  assert.match(text, /^- Museum: .*password/m)
  assert.match(text, /^- Theatre 2: /m)
  assert.doesNotMatch(text, /Theatre [34]/)
  // One that has failed for a day half an hour later waits for the hour, and what works again is told of no more.
  await storage.write(async (tx) => {
    await tx.run(tx.db.insertInto('source').values([other(5, 30 - 24 * 60)]))
    await tx.run(tx.db.updateTable('source').set({ failing_since: null, failures: 0 }).where('id', '=', 1))
  })
  clock.now += 40 * 60_000
  assert.deepEqual(await mails(2), failing)
  clock.now += 21 * 60_000
  assert.deepEqual(await mails(4), [...failing, ...failing])
  await storage.write(async (tx) => {
    await tx.run(tx.db.updateTable('source').set({ failing_since: null, failures: 0 }).where('id', '=', 5))
  })
  clock.now += 2 * 3_600_000
  assert.deepEqual(await mails(4), [...failing, ...failing])
  clock.now += 6 * 86_400_000
  assert.deepEqual(await mails(6), [...failing, ...failing, 'backup ada@example.org', 'backup bea@example.org'])
  assert.equal((await mails(6)).length, 6)
})

test('doctor names the mails that were given up for a day, without their addresses', {
  skip: TEST_ENGINE !== 'sqlite',
}, async (t) => {
  const smtp = await openSmtp(t)
  const { storage, mailer, now } = await openService(t, smtp)
  const to = { address: 'ada@example.org', name: '', language: 'en' }
  await storage.write(async (tx) => {
    await mailer.queueMail(tx, { kind: 'test', to })
    const problem = '550 <ada@example.org> is unknown'
    const settled = { state: 'failed', content: null, settled_at: utcFromMillis(now()) } as const
    await tx.run(tx.db.updateTable('mail').set({ ...settled, problem }))
  })
  const place = { database: addressOf(storage), media: tmpdir(), files: [], secret: 'x'.repeat(32), data: tmpdir() }
  const found = async (hours: number) =>
    (await examine({ ...place, now: now() + hours * 3_600_000 })).findings.find(({ check }) => check === 'mails')
  const { problems, detail } = (await found(23)) ?? {}
  assert.deepEqual([problems, detail], [1, 'test to a***@example.org: 550 <a***@example.org> is unknown'])
  assert.equal(await found(24), undefined)
})

test('metrics count the mails and name the age of the oldest that waits', async (t) => {
  const smtp = await openSmtp(t)
  smtp.refuse('later')
  const site = await openTestApp(t, { ...mailFlags(smtp), metricsPort: '1' })
  const form = { name: 'ada', email: 'ada@example.org', role: 'editor' }
  await site.call('administrator', 'POST', `${site.origin}/admin/users`, { form })
  site.clock.now += 30_000
  let text = ''
  for (let wait = 0; wait < 300 && !/kalends_mails\{result="waiting"\} 1/.test(text); wait += 1) {
    site.app.mail?.sender.work.wake()
    await new Promise((done) => setTimeout(done, 20))
    text = (await site.app.metrics?.text()) ?? ''
  }
  assert.match(text, /kalends_mails\{result="waiting"\} 1\n/)
  assert.match(text, /kalends_mail_oldest_waiting_seconds 30\n/)
})
