import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { Mailer } from '../src/accounts/mail/index.ts'
import { beginSession, listSessions, makeLink } from '../src/accounts/sessions/index.ts'
import { addToken } from '../src/accounts/tokens/index.ts'
import { findLogin, listUsers } from '../src/accounts/users/index.ts'
import type { Flags } from '../src/base/config.ts'
import type { App } from '../src/cli/types.ts'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { knowPassword, PASSWORD } from './support/known-password.ts'
import { decodedHeader, mailFlags, openSmtp, type TestSmtp } from './support/smtp.ts'

const NEW_PASSWORD = 'nine loud herons'

async function openSite(t: TestContext, flags: Flags = {}): Promise<TestApp & { readonly smtp: TestSmtp }> {
  const smtp = await openSmtp(t)
  return { ...(await openTestApp(t, { ...mailFlags(smtp), siteName: 'Harbour', ...flags })), smtp }
}

/** Has mails sent that a request must not start to send. */
function wakeSender({ app }: TestApp): void {
  app.mail?.sender.work.wake()
}

/** Sends a form as a browser that has no session, behind a proxy where it has an address. */
async function post(
  site: TestApp & { readonly address?: string },
  path: string,
  form: Readonly<Record<string, string>> = {},
) {
  const { origin, address } = site
  const headers = { origin, ...(address !== undefined && { 'x-forwarded-for': address }) }
  const response = await fetch(site.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(form),
  })
  return { status: response.status, to: response.headers.get('location') ?? '', text: await response.text() }
}

function mailerOf({ mailer }: App): Mailer {
  assert.ok(mailer)
  return mailer
}

async function mailsIn(site: TestApp) {
  return site.app.storage.all(site.app.storage.db.selectFrom('mail').selectAll().orderBy('id'))
}

test('an invitation goes to its address, in two forms and with headers that programs know', async (t) => {
  const site = await openSite(t)
  const form = { name: 'ada', email: 'ada@example.org', role: 'editor' }
  const answer = await site.call('administrator', 'POST', `${site.origin}/admin/users`, { form })
  assert.equal(answer.status, 200)
  assert.match(answer.body, /A link was sent to ada@example\.org/)
  assert.doesNotMatch(answer.body, /\/admin\/link\//)
  const [mail] = await site.smtp.arrived(1)
  assert.ok(mail)
  assert.deepEqual([mail.from, mail.to], ['calendar@harbour.example', ['ada@example.org']])
  assert.equal(decodedHeader(mail.header('subject')), 'administrator invites you to Harbour')
  assert.equal(mail.header('from'), 'Harbour <calendar@harbour.example>')
  assert.equal(mail.header('auto-submitted'), 'auto-generated')
  assert.match(mail.header('message-id'), /^<1\.[0-9a-f]{24}@harbour\.example>$/)
  assert.equal(mail.header('list-unsubscribe'), '')
  const text = mail.parts['text/plain'] ?? ''
  const html = mail.parts['text/html'] ?? ''
  for (const part of [text, html]) assert.match(part, /https:\/\/harbour\.example\/admin\/link\/[\w-]{43}/)
  assert.doesNotMatch(html, /<img|url\(|src=/)
  assert.match(text, /Your role: Editor/)
  assert.match(text, /until Friday,? 27 November 2026/)
  const page = await site.call('anonymous', 'GET', site.origin + mail.link)
  assert.match(page.body, /Choose a password for ada/)
})

test('a forgotten password is chosen anew with a link that came by mail, and all sessions end', async (t) => {
  const site = await openSite(t)
  const { app, smtp } = site
  await knowPassword(app, 'editor')
  const id = (await findLogin(app.storage, 'editor'))?.id ?? 0
  await beginSession(app, id, { agent: 'lost telephone', address: '192.0.2.1', language: 'ar' })
  const asked = await post(site, '/admin/forgot', { login: 'editor@example.org' })
  assert.equal(asked.status, 200)
  wakeSender(site)
  const [mail] = await smtp.arrived(1)
  assert.ok(mail)
  assert.deepEqual(mail.to, ['editor@example.org'])
  assert.match(mail.parts['text/html'] ?? '', /<html lang="ar" dir="rtl">/)
  assert.match(decodedHeader(mail.header('subject')), /اختر كلمة مرور جديدة لـ Harbour/)
  assert.equal((await listSessions(app, id)).length, 1)
  assert.equal((await post(site, mail.link, { password: NEW_PASSWORD })).status, 303)
  assert.deepEqual(
    (await listSessions(app, id)).map(({ agent }) => agent),
    ['node'],
  )
  assert.equal((await post(site, '/admin/login', { login: 'editor', password: PASSWORD })).status, 401)
  assert.equal((await post(site, '/admin/login', { login: 'editor', password: NEW_PASSWORD })).status, 303)
})

test('a link to choose a password works for an hour, and a new one ends the old', async (t) => {
  const site = await openSite(t)
  for (const count of [1, 2]) {
    await post(site, '/admin/forgot', { login: 'editor' })
    wakeSender(site)
    await site.smtp.arrived(count)
  }
  const [old = '', link = ''] = site.smtp.mails.map((mail) => mail.link)
  assert.equal((await post(site, old, { password: NEW_PASSWORD })).status, 404)
  site.clock.now += 3_600_000 - 1000
  assert.equal((await site.call('anonymous', 'GET', site.origin + link)).status, 200)
  site.clock.now += 1000
  assert.equal((await post(site, link, { password: NEW_PASSWORD })).status, 404)
})

test('where passwords are off, only those who may type one get a link to choose another', async (t) => {
  const site = await openSite(t, { passwordSignIn: 'no', breakGlass: 'author' })
  for (const login of ['editor', 'author']) await post(site, '/admin/forgot', { login })
  wakeSender(site)
  await site.smtp.arrived(1)
  assert.deepEqual(
    (await mailsIn(site)).map(({ kind, address }) => [kind, address]),
    [['reset', 'author@example.org']],
  )
})

test('programs that open links use up nothing, and of 20 people who send a form at once one is first', async (t) => {
  const site = await openSite(t)
  const { app } = site
  const links = [
    await makeLink(app, { name: 'author' }),
    await makeLink(app, { name: 'author', purpose: 'reset' }),
    await makeLink(app, { name: 'contributor', purpose: 'address', detail: 'other@example.org' }),
  ]
  for (const { path } of links) {
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
      const headers = { purpose: 'prefetch', 'sec-purpose': 'prefetch', 'user-agent': 'Scanner' }
      const response = await fetch(site.origin + path, { method, headers })
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('cache-control'), 'private, no-store')
      assert.match(response.headers.get('referrer-policy') ?? '', /same-origin|no-referrer/)
      await response.text()
    }
  }
  for (const { path, purpose } of links.slice(1)) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(site, path, { password: NEW_PASSWORD })))
    const done = answers.filter(({ status, text }) => status === 303 || text.includes('Your address is now'))
    assert.equal(done.length, 1, purpose)
    assert.ok(answers.every(({ status }) => [200, 303, 404, 503].includes(status)))
  }
  // Who has chosen a password needs no other link.
  assert.equal((await site.call('anonymous', 'GET', site.origin + (links[0]?.path ?? ''))).status, 404)
})

test('a forgotten password tells nothing about who has an account', async (t) => {
  const site = await openSite(t, { trustedProxies: '127.0.0.1' })
  await site.call('administrator', 'POST', `${site.origin}/admin/users/author`, { form: { action: 'disable' } })
  const times = { known: [] as number[], unknown: [] as number[] }
  const answers = new Set<string>()
  // All are asked for before the first is looked up.
  site.app.mail?.sender.work.pause()
  const ask = async (kind: keyof typeof times, login: string): Promise<void> => {
    const address = `192.0.2.${times.known.length + 1}`
    const start = performance.now()
    const { status, text } = await post({ ...site, address }, '/admin/forgot', { login })
    times[kind].push(performance.now() - start)
    answers.add(`${status} ${text}`)
  }
  for (let round = 0; round < 120; round += 1) {
    const asked = [
      () => ask('known', ['editor', 'EDITOR@example.org', 'author', 'subscriber'][round % 4] ?? ''),
      () => ask('unknown', `nobody${round}@example.org`),
    ]
    for (const one of round % 2 === 0 ? asked : asked.reverse()) await one()
  }
  assert.equal(answers.size, 1)
  // Other tests may hold up any request, so the quickest ones are compared.
  const [known, unknown] = [Math.min(...times.known), Math.min(...times.unknown)]
  assert.ok(Math.max(known, unknown) / Math.min(known, unknown) < 1.5, `${known} ms and ${unknown} ms`)
  site.app.mail?.sender.work.begin()
  await site.smtp.arrived(2)
  for (let wait = 0; wait < 500 && (await mailsIn(site)).some(({ state }) => state === 'waiting'); wait += 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
  // Five in an hour to one address, however often somebody asks.
  const mails = await mailsIn(site)
  assert.deepEqual(mails.map(({ address }) => address).sort(), [
    ...Array<string>(5).fill('editor@example.org'),
    ...Array<string>(5).fill('subscriber@example.org'),
  ])
  // The last link ends those before it, whose mails are not sent any more.
  assert.equal(site.smtp.mails.length, 2)
  for (const address of ['editor@example.org', 'subscriber@example.org']) {
    assert.equal(mails.filter((mail) => mail.address === address && mail.state === 'sent').length, 1)
    const link = site.smtp.mails.find(({ to }) => to[0] === address)?.link ?? ''
    assert.equal((await site.call('anonymous', 'GET', site.origin + link)).status, 200)
  }
})

test('a new address is confirmed from there, and the old one is told', async (t) => {
  const site = await openSite(t)
  const browser = await visitor(site, 'author')
  const email = 'new.author@example.org'
  const form = { action: 'names', displayName: 'Ada', email }
  assert.equal((await browser.submit('/admin/profile', form)).to, '/admin/profile?done=confirm')
  const mails = await site.smtp.arrived(2)
  const toNew = mails.find(({ to }) => to[0] === email)
  const toOld = mails.find(({ to }) => to[0] === 'author@example.org')
  assert.ok(toNew && toOld)
  assert.match(toOld.parts['text/plain'] ?? '', /is to become new\.author@example\.org/)
  assert.equal(toOld.link, '')
  assert.equal((await findLogin(site.app.storage, 'author'))?.email, 'author@example.org')
  assert.match((await post(site, toNew.link)).text, /Your address is now new\.author@example\.org/)
  assert.equal((await findLogin(site.app.storage, 'author'))?.email, email)
  assert.equal((await post(site, toNew.link)).status, 404)
  const taken = await browser.submit('/admin/profile', { ...form, email: 'editor@example.org' })
  assert.equal(taken.status, 400)
})

test('nothing that people type adds a header field or an address to a mail', async (t) => {
  const site = await openSite(t)
  const { app, smtp } = site
  const evil = 'Eve\r\nBcc: victim@example.org\r\n\r\nHello \u0000 <script>"quoted" (comment), other@example.org'
  const mailer = mailerOf(app)
  const to = { address: 'ada@example.org', name: evil, language: 'en' }
  await app.storage.write(async (tx) => {
    for (const address of [
      'a@b.example\r\nBcc: c@d.example',
      'a@b.example, c@d.example',
      'a(comment)@b.example',
      'Ada <a@b.example>',
      '<a@b.example> SIZE=1',
      '"a b"@example.org',
      'a@b.example\u0000',
      'a\\@b.example',
    ])
      assert.equal(await mailer.queueMail(tx, { kind: 'test', to: { ...to, address } }), false, address)
    const values = { by: evil, login: evil, role: evil, what: evil, email: evil, kind: evil, count: 1 }
    const more = { path: '/admin', quote: evil, list: [evil] }
    const kinds = ['invitation', 'subscription', 'signInMethod', 'formerAddress'] as const
    for (const kind of kinds) assert.ok(await mailer.queueMail(tx, { kind, to, values, ...more }))
  })
  for (const mail of await smtp.arrived(4)) {
    assert.deepEqual(mail.to, ['ada@example.org'])
    const names = mail.headers.map(([name]) => name.toLowerCase())
    assert.equal(new Set(names).size, names.length, 'each field once')
    assert.ok(!names.includes('bcc') && !names.includes('cc'))
    assert.ok(mail.headers.every(([, value]) => /^[\t -~]*$/.test(value)))
    assert.ok(!mail.parts['text/html']?.includes('<script'))
  }
})

test('a mail is tried again after 1, 5 and 15 minutes and then hourly, with the same Message-ID, until two days are over', async (t) => {
  const site = await openSite(t)
  const { smtp, clock } = site
  smtp.refuse('try again for ada@example.org')
  const form = { name: 'ada', email: 'ada@example.org', role: 'editor' }
  await site.call('administrator', 'POST', `${site.origin}/admin/users`, { form })
  const start = clock.now
  const waits: number[] = []
  const seen = async (attempts: number) => {
    for (let wait = 0; wait < 1500; wait += 1) {
      const [row] = await mailsIn(site)
      if (row !== undefined && (row.attempts >= attempts || row.state !== 'waiting')) return row
      wakeSender(site)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(`no ${attempts} attempts`)
  }
  let row = await seen(1)
  while (row.state === 'waiting') {
    const next = Date.parse(`${row.next_at.replace(' ', 'T')}Z`)
    waits.push((next - clock.now) / 60_000)
    clock.now = next
    row = await seen(row.attempts + 1)
  }
  assert.deepEqual(waits.slice(0, 5), [1, 5, 15, 60, 60])
  assert.equal(row.state, 'failed')
  assert.ok(clock.now - start <= 48 * 3_600_000 && clock.now - start > 46 * 3_600_000)
  assert.equal(row.content, null)
  assert.match(row.problem, /try again/)
  const page = await site.call('administrator', 'GET', `${site.origin}/admin/system`)
  assert.match(page.body, /Emails that could not be sent/)
  clock.now += 31 * 86_400_000
  for (let wait = 0; wait < 500 && (await mailsIn(site)).length > 0; wait += 1) {
    wakeSender(site)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.deepEqual(await mailsIn(site), [])
})

test('a recipient whom the server refuses for good gets no other attempt, one whom it refuses for now does', async (t) => {
  let code = 450
  let asked = 0
  const smtp = await openSmtp(t, {
    onRcptTo: (_to, _session, done) => {
      asked += 1
      done(Object.assign(new Error('no such user'), { responseCode: code }))
    },
  })
  const site = await openTestApp(t, mailFlags(smtp))
  const form = { name: 'ada', email: 'ada@example.org', role: 'editor' }
  await site.call('administrator', 'POST', `${site.origin}/admin/users`, { form })
  const seen = async (attempts: number) => {
    for (let wait = 0; wait < 500; wait += 1) {
      const [row] = await mailsIn(site)
      if (row !== undefined && row.attempts === attempts) return row.state
      wakeSender(site)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(`no ${attempts} attempts`)
  }
  assert.equal(await seen(1), 'waiting')
  code = 550
  site.clock.now += 60_000
  assert.equal(await seen(2), 'failed')
  const [row] = await mailsIn(site)
  assert.deepEqual([asked, row?.content], [2, null])
  assert.match(row?.problem ?? '', /no such user/)
})

test('without a mail server pages and answers are as before, and links are shown', async (t) => {
  const lines: string[] = []
  const site = await openTestApp(t, { baseUrl: 'https://harbour.example' }, lines)
  assert.deepEqual(lines, [], 'nothing new is said at the start')
  const login = await site.call('anonymous', 'GET', `${site.origin}/admin/login`)
  assert.match(login.body, /Ask an administrator for a link/)
  assert.doesNotMatch(login.body, /admin\/(forgot|oidc)/)
  assert.equal((await site.call('anonymous', 'GET', `${site.origin}/admin/forgot`)).status, 404)
  assert.equal((await post(site, '/admin/forgot', { login: 'editor' })).status, 404)
  const form = { name: 'ada', email: 'ada@example.org', role: 'editor' }
  const invited = await site.call('administrator', 'POST', `${site.origin}/admin/users`, { form })
  assert.match(invited.body, /https:\/\/harbour\.example\/admin\/link\/[\w-]{43}/)
  assert.match(invited.body, /href="mailto:ada@example\.org/)
  assert.match(invited.body, /Mail is not configured/)
  assert.match(invited.body, /data-copy/)
  const browser = await visitor(site, 'author')
  const profile = await browser.show('/admin/profile')
  assert.doesNotMatch(profile.text, /<h2>Emails/)
  const saved = await browser.send('/admin/profile', profile.text, {
    action: 'names',
    displayName: 'A',
    email: 'a@example.org',
  })
  assert.equal(saved.to, '/admin/profile?done=saved')
  assert.equal((await findLogin(site.app.storage, 'author'))?.email, 'a@example.org')
  assert.deepEqual(await mailsIn(site), [])
})

test('whoever gets notices stops them with one click, and turns them on again in the profile', async (t) => {
  const site = await openSite(t)
  const { app, smtp } = site
  const mailer = mailerOf(app)
  const admin = (await listUsers(app)).find(({ name }) => name === 'administrator')
  const notice = () =>
    app.storage.write(async (tx) => {
      const to = await mailer.recipientOf(tx, admin?.id ?? 0)
      return to !== undefined && mailer.queueMail(tx, { kind: 'backup', to, path: '/admin/system' })
    })
  assert.equal(await notice(), true)
  const [mail] = await smtp.arrived(1)
  assert.equal(mail?.header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  const [, path = ''] =
    /^<https:\/\/harbour\.example(\/admin\/link\/stop\/[\w.-]+)>$/.exec(mail?.header('list-unsubscribe') ?? '') ?? []
  assert.equal((await site.call('anonymous', 'GET', site.origin + path)).status, 200)
  assert.equal(await notice(), true)
  // As programs for mail send it: without a session, and from nowhere.
  const sent = await fetch(site.origin + path, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  assert.equal(sent.status, 200)
  assert.equal(await notice(), false)
  const forged = path.replace(/\.\d+\./, '.2.')
  assert.equal((await post(site, forged)).status, 404)
  const browser = await visitor(site, 'administrator')
  await browser.submit('/admin/profile', { action: 'mails', mail_site: 'always' })
  assert.equal(await notice(), true)
})

test('whoever gets a token hears of it, and nobody is told its text', async (t) => {
  const site = await openSite(t)
  const made = await addToken(site.app, { user: 'author', name: 'Feed «A»', scopes: ['read'] })
  const [mail] = await site.smtp.arrived(1)
  assert.deepEqual(mail?.to, ['author@example.org'])
  assert.match(mail.parts['text/plain'] ?? '', /the token “Feed «A»” was created for your account author/)
  assert.ok(!mail.raw.includes(made.token))
  assert.equal(mail.header('list-unsubscribe'), '')
})
