import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { Flags } from '../src/base/config.ts'
import { visitor } from './support/admin.ts'
import type { TestApp } from './support/app.ts'
import { type ArrivedMail, decodedHeader, mailFlags, openSmtp, type TestSmtp } from './support/smtp.ts'
import {
  DAY,
  decided,
  everything,
  FORM,
  linkIn,
  markIn,
  openWithForm,
  rows,
  submit,
  submitterAt,
} from './support/submissions.ts'
import { eventually } from './support/webhook-receiver.ts'

type MailSite = TestApp & { readonly smtp: TestSmtp }

async function openSite(t: TestContext, flags: Flags = {}): Promise<MailSite> {
  const smtp = await openSmtp(t)
  return { ...(await openWithForm(t, { ...mailFlags(smtp), siteName: 'Harbour', ...flags })), smtp }
}

const subjectOf = (mail: ArrivedMail | undefined): string => decodedHeader(mail?.header('subject') ?? '')
const textOf = (mail: ArrivedMail | undefined): string => mail?.parts['text/plain'] ?? ''

/** Submits an event; its ID, and the mail that says so where there is a server. */
async function submitted(site: TestApp & { readonly smtp?: TestSmtp }, form: Readonly<Record<string, string>> = FORM) {
  const before = site.smtp?.mails.length ?? 0
  const headers = { origin: site.origin, 'accept-language': 'de' }
  assert.equal((await submit(site, form, { headers })).status, 303)
  const mails = await site.smtp?.arrived(before + 1)
  const event = (await everything(site)).find(({ status }) => status === 'pending')
  return { id: Number(event?.['id']), mail: mails?.at(-1) }
}

test('whoever submits an event hears that it arrived and that it was published, in the language of the form', async (t) => {
  const site = await openSite(t)
  const { id, mail } = await submitted(site)
  assert.equal(subjectOf(mail), 'Wir haben Lantern walk erhalten')
  assert.deepEqual(mail?.to, ['grace@example.net'])
  const editor = await visitor(site, 'editor')
  await editor.submit('/admin/queue', { action: 'publish', 'ids[]': `${id}-pending` })
  const [, published] = await site.smtp.arrived(2)
  assert.equal(subjectOf(published), 'Lantern walk ist veröffentlicht')
  assert.match(textOf(published), /https:\/\/harbour\.example\/event\/lantern-walk\//)
  assert.deepEqual(
    (await decided(site)).map(({ name, email, state }) => [name, email, state]),
    [['', '', 'published']],
  )
  // Nothing is left 30 days later.
  site.clock.now += 31 * DAY
  await site.call('editor', 'POST', '/tags', { json: { name: 'wind' } })
  await eventually('deleting what is left of the submission', async () => (await decided(site)).length === 0)
})

test('an event that is published with the API is announced as well, once', async (t) => {
  const site = await openSite(t)
  const { id } = await submitted(site)
  await site.call('editor', 'POST', `/events/${id}`, { json: { status: 'publish' } })
  await site.smtp.arrived(2)
  await site.call('editor', 'POST', `/events/${id}`, { json: { status: 'draft' } })
  await site.call('editor', 'POST', `/events/${id}`, { json: { status: 'publish' } })
  const editor = await visitor(site, 'editor')
  await editor.submit('/admin/queue', { action: 'publish', 'ids[]': `${id}-publish` })
  assert.equal((await decided(site)).length, 1)
  assert.equal(site.smtp.mails.length, 2)
})

test('an event is declined with a reason, moves to the trash, and its submitter is told why', async (t) => {
  const site = await openSite(t)
  const { id } = await submitted(site)
  const editor = await visitor(site, 'editor')
  const path = `/admin/queue/${id}/decline`
  assert.ok((await editor.show('/admin/queue')).text.includes(`<a href="${path}">Decline</a>`))
  assert.equal((await editor.submit(path, { action: 'decline', reason: ' ' })).status, 400)
  const form = (await editor.show(path)).text
  const done = await editor.send(path, form, { action: 'decline', reason: 'We list concerts only.\nTry the town.' })
  assert.equal(done.to, '/admin/queue?done=trash', 'nothing takes back the mail')
  const [, mail] = await site.smtp.arrived(2)
  assert.equal(subjectOf(mail), 'Lantern walk wurde nicht angenommen')
  assert.match(textOf(mail), /> We list concerts only\.\r?\n> Try the town\./)
  assert.equal((await site.call('editor', 'GET', `/events/${id}`)).body.status, 'trash')
  assert.deepEqual(
    (await decided(site)).map(({ name, email, state }) => [name, email, state]),
    [['', '', 'declined']],
  )
  // Somebody who had the form open finds that it is decided.
  assert.equal((await editor.send(path, form, { action: 'decline', reason: 'No.' })).to, '/admin/queue?done=gone')
  assert.equal(site.smtp.mails.length, 2)
  const author = await visitor(site, 'author')
  assert.equal((await author.show(path)).status, 403)
})

test('reasons are saved, used for other events, and deleted', async (t) => {
  const site = await openWithForm(t)
  const { id } = await submitted(site)
  const editor = await visitor(site, 'editor')
  const path = `/admin/queue/${id}/decline`
  const saved = await editor.submit(path, { action: 'save', reason: 'Too <far> away.' })
  assert.equal(saved.to, `${path}?reason=1`)
  assert.match((await editor.show(saved.to)).text, /<textarea[^>]*>\nToo &lt;far&gt; away\.<\/textarea>/)
  assert.equal((await editor.submit(path, { action: 'save', reason: 'Too <far> away.' })).to, `${path}?reason=1`)
  assert.equal((await everything(site))[0]?.['status'], 'pending')
  await editor.submit(path, { action: 'delete', saved: '1' })
  assert.doesNotMatch((await editor.show(path)).text, /far/)
})

test('without a mail server a declined event shows what to send, and nothing else changes', async (t) => {
  const site = await openWithForm(t)
  const { id } = await submitted(site)
  const editor = await visitor(site, 'editor')
  const reason = 'Concerts only & more'
  const shown = await editor.submit(`/admin/queue/${id}/decline`, { action: 'decline', reason })
  assert.equal(shown.status, 200)
  assert.match(shown.text, /Mail is not configured/)
  assert.match(shown.text, /data-copy/)
  assert.match(
    shown.text,
    /href="mailto:grace@example\.net\?subject=Lantern%20walk%20wurde%20nicht%20angenommen&amp;body=/,
  )
  assert.match(shown.text, /Concerts only &amp; more/)
  assert.deepEqual(await site.app.storage.all(site.app.storage.db.selectFrom('mail').selectAll()), [])
  assert.deepEqual([(await rows(site)).length, (await decided(site)).length], [0, 1])
})

test('names, titles and reasons of submissions add nothing to the header of a mail', async (t) => {
  const site = await openSite(t)
  const evil = 'Eve\r\nBcc: victim@example.org\r\n\r\nHello <script>"quoted" (comment), other@example.org'
  const { id } = await submitted(site, { ...FORM, title: evil, submitter_name: evil.slice(0, 90) })
  const editor = await visitor(site, 'editor')
  await editor.submit(`/admin/queue/${id}/decline`, { action: 'decline', reason: evil })
  for (const mail of await site.smtp.arrived(2)) {
    assert.deepEqual(mail.to, ['grace@example.net'])
    const names = mail.headers.map(([name]) => name.toLowerCase())
    assert.equal(new Set(names).size, names.length, 'each field once')
    assert.ok(!names.includes('bcc') && !names.includes('cc'))
    assert.ok(!mail.parts['text/html']?.includes('<script'))
  }
})

test('a submission tells nothing about who has an account', async (t) => {
  const site = await openSite(t, { limitSubmissions: '100/3600' })
  const answers = new Set<string>()
  for (const email of ['editor@example.org', 'nobody@example.org', 'EDITOR@example.org', 'administrator@example.org']) {
    const { status, to, text } = await submit(site, { ...FORM, submitter_email: email })
    answers.add(`${status} ${to} ${text}`)
  }
  assert.equal(answers.size, 1)
  const mails = await site.smtp.arrived(4)
  const forms = mails.map((mail) => textOf(mail).replaceAll(/\S+@\S+|\/submit\/link\/\S+/g, ''))
  assert.equal(new Set(forms).size, 1)
})

/** The path of the link of a submitter, in a mail or a page. */
test('the link of a submitter shows the state, takes changes while the event is pending, and opening it changes nothing', async (t) => {
  const site = await openSite(t)
  const { id, mail } = await submitted(site, { ...FORM, venue: 'Old Pier', organizer: 'Night Club', cost: '5' })
  const path = linkIn(textOf(mail))
  assert.match(path, /\/submit\/link\//)
  const all = async () => [await rows(site), await everything(site)]
  const before = await all()
  const submitter = await submitterAt(site, path)
  for (const method of ['GET', 'HEAD', 'GET']) assert.equal((await submitter.show(method)).status, 200)
  assert.deepEqual(await all(), before)
  assert.match((await submitter.show()).headers.get('cache-control') ?? '', /no-store/)
  assert.match(submitter.text, /This event is pending review/)
  assert.match(submitter.text, /Bring a light\.\n\nWe walk along the harbour\.</)
  assert.doesNotMatch(submitter.text, /grace@|Grace/)
  assert.match(submitter.text, /name="website"[^>]* value=""/)
  const form = { ...FORM, venue: 'Old Pier', organizer: 'Night Club', cost: '5', action: 'save', mark: submitter.mark }
  const changed = await submitter.send({ ...form, title: 'Lantern run', description: 'Run & <b>shine</b>.' })
  assert.deepEqual([changed.status, changed.to], [303, `${path}?done=saved`])
  const { body } = await site.call('editor', 'GET', `/events/${id}`)
  assert.deepEqual([body.title, body.status, body.venue.venue], ['Lantern run', 'pending', 'Old Pier'])
  assert.match(body.description, /Run &amp; &lt;b&gt;shine/)
  const venues = await site.call('editor', 'GET', '/venues', { query: { status: 'any' } })
  assert.equal(venues.body.total, 1)
  assert.match((await submitter.show()).text, /value="Lantern run"[\s\S]*Run &amp; &lt;b&gt;shine&lt;\/b&gt;\.</)
  // What an editor has corrected meanwhile is not overwritten.
  const late = await submitter.send({ ...form, title: 'Second thought' })
  assert.equal(late.status, 400)
  assert.match(late.text, /value="Second thought"/)
  assert.match(late.text, /role="alert"[\s\S]{0,200}?The event was changed in the meantime/)
  assert.equal((await site.call('editor', 'GET', `/events/${id}`)).body.title, 'Lantern run')
  // Who has read that saves it.
  const again = await submitter.send({ ...form, title: 'Second thought', mark: markIn(late.text) })
  assert.equal(again.to, `${path}?done=saved`)
  assert.equal((await site.call('editor', 'GET', `/events/${id}`)).body.title, 'Second thought')
  const wrong = await submitter.send({ ...form, title: '' })
  assert.equal(wrong.status, 400)
  const editor = await visitor(site, 'editor')
  await editor.submit('/admin/queue', { action: 'publish', 'ids[]': `${id}-pending` })
  const page = (await submitter.show()).text
  assert.match(page, /has been published[\s\S]*href="[^"]*\/event\/lantern-walk\/"/)
  assert.doesNotMatch(page, /<textarea/)
  assert.equal((await submitter.send({ ...form, title: 'Mine' })).status, 303)
  await submitter.send({ action: 'withdraw' })
  const after = await site.call('editor', 'GET', `/events/${id}`)
  assert.deepEqual([after.body.title, after.body.status], ['Second thought', 'publish'])
})

test('a submitter withdraws an event, and one who was declined reads why', async (t) => {
  const site = await openSite(t)
  const first = await submitted(site)
  const one = await submitterAt(site, linkIn(textOf(first.mail)))
  assert.equal((await one.send({ action: 'withdraw' })).status, 303)
  assert.match((await one.show()).text, /You have withdrawn this event/)
  assert.equal((await site.call('editor', 'GET', `/events/${first.id}`)).body.status, 'trash')
  const second = await submitted(site, { ...FORM, title: 'Second' })
  const other = await submitterAt(site, linkIn(textOf(second.mail)))
  const editor = await visitor(site, 'editor')
  await editor.submit(`/admin/queue/${second.id}/decline`, { action: 'decline', reason: 'Too <far>.' })
  assert.match((await other.show()).text, /was not accepted[\s\S]*Too &lt;far&gt;\./)
  assert.deepEqual(await rows(site), [])
  const unknown = await fetch(`${site.origin}/submit/link/${'x'.repeat(43)}/`)
  assert.equal(unknown.status, 404)
  // The database has no token.
  const stored = JSON.stringify(await decided(site))
  assert.ok(!stored.includes(linkIn(textOf(first.mail)).slice(13, 56)))
})

test('without a mail server the page that thanks shows the link, to programs that fill in everything as well', async (t) => {
  const site = await openWithForm(t)
  const { to } = await submit(site, FORM)
  const thanks = await (await fetch(site.origin + to)).text()
  assert.match(thanks, /Keep this link/)
  assert.match((await submitterAt(site, linkIn(thanks))).text, /This event is pending review/)
  const trapped = await submit(site, { ...FORM, homepage: 'https://spam.example' })
  assert.match(trapped.to, /^\/submit\/\?done=1&link=[\w-]{43}$/)
  const configured = await openSite(t)
  assert.equal((await submit(configured, FORM)).to, '/submit/?done=1')
})

test('a question goes by mail with the link, and its answer stands in the queue', async (t) => {
  const site = await openSite(t)
  const { id, mail } = await submitted(site)
  const editor = await visitor(site, 'editor')
  const path = `/admin/queue/${id}/ask`
  assert.equal((await editor.submit(path, { question: ' ' })).status, 400)
  const form = (await editor.show(path)).text
  const question = 'Is it <free>?\r\nBcc: victim@example.org'
  assert.equal((await editor.send(path, form, { question })).to, '/admin/queue?done=asked')
  const [, asked] = await site.smtp.arrived(2)
  assert.equal(subjectOf(asked), 'Eine Frage zu Lantern walk')
  assert.equal(asked?.header('bcc'), '')
  assert.match(textOf(asked), /> Is it <free>\?/)
  const link = linkIn(textOf(asked))
  assert.equal(link, linkIn(textOf(mail)), 'the link that the submitter has already')
  const submitter = await submitterAt(site, link)
  assert.match(submitter.text, /asks:[\s\S]*Is it &lt;free&gt;\?/)
  assert.equal((await submitter.send({ action: 'answer', answer: 'Yes, <b>entirely</b>.' })).status, 303)
  const queue = (await editor.show('/admin/queue?done=asked')).text
  assert.match(
    queue,
    /Question:<\/b> <bdi>Is it &lt;free&gt;[\s\S]*Answer:<\/b> <bdi>Yes, &lt;b&gt;entirely&lt;\/b&gt;\./,
  )
  assert.match(queue, /Your question is on its way/)
  await editor.submit('/admin/queue', { action: 'publish', 'ids[]': `${id}-pending` })
  assert.deepEqual(
    (await decided(site)).map((row) => [row.question, row.answer, row.sealed_link]),
    [['', '', '']],
  )
  assert.equal((await submitter.send({ action: 'answer', answer: 'Late' })).status, 303)
  assert.equal((await decided(site))[0]?.answer, '')
  assert.equal((await editor.send(path, form, { question })).to, '/admin/queue?done=gone')
})

test('without a mail server a question shows what to send, with the link', async (t) => {
  const site = await openWithForm(t)
  const { id } = await submitted(site)
  const editor = await visitor(site, 'editor')
  const shown = await editor.submit(`/admin/queue/${id}/ask`, { question: 'Is it free?' })
  assert.match(shown.text, /Mail is not configured[\s\S]*Is it free\?/)
  assert.match((await submitterAt(site, linkIn(shown.text))).text, /Is it free\?/)
})

test('a submission that is in the calendar already is merged into that event, which keeps its data', async (t) => {
  const site = await openSite(t)
  const when = { start_date: '2026-12-05 17:00', end_date: '2026-12-05 18:00', status: 'publish' }
  const create = async (title: string, more = {}) =>
    (await site.call('editor', 'POST', '/events', { json: { title, ...when, ...more } })).body
  const known = await create('Lantern Walk!', { description: 'Ours.' })
  const draft = await create('Lantern walks', { status: 'draft' })
  await create('Choir practice')
  const { id, mail } = await submitted(site)
  const editor = await visitor(site, 'editor')
  const path = `/admin/queue/${id}/decline`
  const page = (await editor.show(path)).text
  assert.deepEqual(
    [...page.matchAll(/name="into" value="(\d+)"/g)].map(([, into]) => Number(into)),
    [known.id],
  )
  const refused = await editor.send(path, page, { action: 'merge', into: String(draft.id) })
  assert.equal(refused.to, '/admin/queue?done=gone')
  assert.equal((await site.call('editor', 'GET', `/events/${id}`)).body.status, 'pending')
  const done = await editor.send(path, page, { action: 'merge', into: String(known.id) })
  assert.match(done.to, /done=trash/)
  const [, told] = await site.smtp.arrived(2)
  assert.equal(subjectOf(told), 'Lantern Walk! ist veröffentlicht')
  assert.ok(textOf(told).includes(`/event/${known.slug}/`))
  const after = (await site.call('editor', 'GET', `/events/${known.id}`)).body
  assert.deepEqual([after.title, after.description, after.modified], [known.title, known.description, known.modified])
  assert.equal((await site.call('editor', 'GET', `/events/${id}`)).body.status, 'trash')
  const submitter = await submitterAt(site, linkIn(textOf(mail)))
  assert.match(submitter.text, new RegExp(`has been published[\\s\\S]*/event/${known.slug}/`))
})

test('a submission that is a further date of a series is merged into that date', async (t) => {
  const site = await openSite(t)
  const { body: first } = await site.call('editor', 'POST', '/events', {
    json: {
      title: 'Lantern walk',
      start_date: '2026-11-28 17:00',
      end_date: '2026-11-28 18:30',
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
      status: 'publish',
    },
  })
  const { id, mail } = await submitted(site)
  const editor = await visitor(site, 'editor')
  const path = `/admin/queue/${id}/decline`
  const page = (await editor.show(path)).text
  const into = /name="into" value="(\d+)"/.exec(page)?.[1] ?? ''
  assert.ok(Number(into) > 0 && into !== String(first.id))
  assert.match((await editor.send(path, page, { action: 'merge', into })).to, /done=trash/)
  assert.equal((await site.call('editor', 'GET', `/events/${id}`)).body.status, 'trash')
  const [, told] = await site.smtp.arrived(2)
  const dated = new URL((await site.call('editor', 'GET', `/events/${into}`)).body.url).pathname
  assert.match(dated, /2026-12-05/)
  assert.equal(subjectOf(told), 'Lantern walk ist veröffentlicht')
  assert.ok(textOf(told).includes(`https://harbour.example${dated}`))
  const submitter = await submitterAt(site, linkIn(textOf(mail)))
  assert.ok(submitter.text.includes(`${dated}">`))
  assert.match(submitter.text, /has been published/)
})

test('the link of a submitter tells no title of an event that is not public', async (t) => {
  const site = await openSite(t)
  const { id, mail } = await submitted(site)
  const path = linkIn(textOf(mail))
  assert.match((await submitterAt(site, path)).text, /<h1[^>]*>Lantern walk</)
  for (const status of ['private', 'draft', 'trash']) {
    await site.call('editor', 'POST', `/events/${id}`, { json: { title: 'Secret plan', status } })
    const { text } = await submitterAt(site, path)
    assert.match(text, /<h1[^>]*>Your event</, status)
    assert.doesNotMatch(text, /Secret plan/)
  }
})

test('the link of a submitter names no venue or organizer that is hidden, and shows what was restored as pending', async (t) => {
  const site = await openSite(t)
  const { id, mail } = await submitted(site)
  const places = {
    venue: { venue: 'Secret cellar', status: 'draft' },
    organizer: { organizer: 'Secret club', status: 'private' },
  }
  await site.call('editor', 'POST', `/events/${id}`, { json: places })
  const path = linkIn(textOf(mail))
  const submitter = await submitterAt(site, path)
  assert.match(submitter.text, /name="venue"/)
  assert.doesNotMatch(submitter.text, /Secret/)
  await submitter.send({ ...FORM, action: 'save', mark: submitter.mark, title: 'Lantern run' })
  const { body } = await site.call('editor', 'GET', `/events/${id}`)
  assert.deepEqual(
    [body.title, body.venue.venue, body.organizer[0].organizer],
    ['Lantern run', 'Secret cellar', 'Secret club'],
  )
  const editor = await visitor(site, 'editor')
  await editor.submit(`/admin/queue/${id}/decline`, { action: 'decline', reason: 'Too far.' })
  assert.match((await submitterAt(site, path)).text, /was not accepted[\s\S]*Too far/)
  await site.call('editor', 'POST', `/events/${id}`, { json: { status: 'pending' } })
  const again = (await submitterAt(site, path)).text
  assert.match(again, /This event is pending review/)
  assert.doesNotMatch(again, /Too far/)
})

test('those who publish are told why they write themselves to an address that has had too many mails', async (t) => {
  const site = await openSite(t)
  for (let one = 0; one < 6; one += 1) await submit(site, FORM)
  const [event, ...others] = await everything(site)
  const editor = await visitor(site, 'editor')
  for (const { id } of others) await editor.submit(`/admin/events/${id}`, { action: 'publish' })
  const { text } = await editor.submit(`/admin/events/${event?.['id']}`, { action: 'publish' })
  assert.match(text, /No mail was sent: the address can’t get any, or has had too many lately/)
  assert.match(text, /href="mailto:grace@example\.net/)
  assert.doesNotMatch(text, /Mail is not configured/)
})
