import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import test from 'node:test'
import sharp from 'sharp'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { atEnd } from './support/at-end.ts'
import { sampleImage } from './support/sample-image.ts'
import { mailFlags, openSmtp } from './support/smtp.ts'
import { everything, FORM, openWithForm, rows, submit } from './support/submissions.ts'
import { eventually } from './support/webhook-receiver.ts'

/** Where the form leads without a mail server: the page that thanks has a link. */
const THANKS = /^\/submit\/\?done=1&link=[\w-]{43}$/

test('there is no form unless the calendar is to have one', async (t) => {
  const site = await openTestApp(t)
  assert.equal((await fetch(`${site.origin}/submit/`)).status, 404)
  assert.doesNotMatch(await (await fetch(`${site.origin}/events/`)).text(), /\/submit\//)
  assert.equal((await submit(site, FORM)).status, 404)
})

test('what a visitor sends waits in the queue with who sent it, and nobody else sees either', async (t) => {
  const site = await openWithForm(t)
  const { call, origin } = site
  const sent = { ...FORM, venue: 'Old Pier', venue_city: 'Astoria', organizer: 'Night Club', cost: '5' }
  const answer = await submit(site, sent, { file: await sampleImage(1) })
  assert.equal(answer.status, 303)
  assert.match(answer.to, THANKS)
  assert.match(await (await fetch(origin + answer.to)).text(), /role="status">Thank you/)
  const [event] = await everything(site)
  assert.deepEqual([event?.['title'], event?.['status'], event?.['author']], ['Lantern walk', 'pending', '0'])
  assert.ok(Array.isArray(event?.['image']) || typeof event?.['image'] === 'object')
  for (const path of ['/events', '/venues', '/organizers', `/events/${String(event?.['id'])}`]) {
    const { body } = await call('anonymous', 'GET', path)
    assert.doesNotMatch(JSON.stringify(body), /Lantern|Old Pier|Night Club|grace/i, path)
  }
  const media = await call('anonymous', 'GET', `${origin}/kalends/v1/media`)
  assert.doesNotMatch(JSON.stringify(media.body), /lanterns/)
  assert.doesNotMatch(JSON.stringify(await everything(site)), /grace|hopper/i)
  const changes = await call('administrator', 'GET', `${origin}/kalends/v1/changes`)
  assert.doesNotMatch(JSON.stringify(changes.body), /grace|hopper/i)
  const editor = await visitor(site, 'editor')
  const queue = (await editor.show('/admin/queue')).text
  assert.match(queue, /Lantern walk/)
  assert.match(queue, /Submitted by <bdi>Grace Hopper<\/bdi> · <a href="mailto:grace@example.net">/)
  assert.doesNotMatch((await editor.show('/admin/events')).text, /grace/i)
})

test('the form of a submitted event names who sent it, with the ways to ask and decline, until it is published', async (t) => {
  const site = await openWithForm(t)
  assert.equal((await submit(site, FORM)).status, 303)
  const id = String((await everything(site))[0]?.['id'])
  const editor = await visitor(site, 'editor')
  const form = `/admin/events/${id}`
  const line = /Submitted by <bdi>Grace Hopper<\/bdi> · <a href="mailto:grace@example\.net">/
  const { text } = await editor.show(form)
  assert.match(text, line)
  for (const way of ['ask', 'decline']) {
    assert.ok(text.includes(`href="/admin/queue/${id}/${way}"`))
    assert.equal((await editor.show(`/admin/queue/${id}/${way}`)).status, 200)
  }
  const author = await visitor(site, 'author')
  assert.doesNotMatch((await author.show(form)).text, /grace|hopper/i)
  const own = await site.call('author', 'POST', '/events', {
    json: { title: 'Own', start_date: '2026-12-01 18:00', end_date: '2026-12-01 19:00', status: 'pending' },
  })
  assert.doesNotMatch((await editor.show(`/admin/events/${own.body.id}`)).text, /Submitted by/)
  await editor.submit(form, { action: 'publish' })
  assert.doesNotMatch((await editor.show(form)).text, /Submitted by/)
})

test('an event that is published from the queue appears with its new venue, and who sent it is forgotten', async (t) => {
  const site = await openWithForm(t)
  assert.equal((await submit(site, { ...FORM, venue: 'Old Pier', organizer: 'Night Club' })).status, 303)
  const [event] = await everything(site)
  const id = String(event?.['id'])
  const editor = await visitor(site, 'editor')
  const done = await editor.submit('/admin/queue', { action: 'publish', 'ids[]': `${id}-pending` })
  assert.match(done.text, /href="mailto:grace@example\.net\?subject=/)
  const { body } = await site.call('anonymous', 'GET', `/events/${id}`)
  assert.deepEqual(
    [body.title, body.venue.venue, body.organizer[0].organizer],
    ['Lantern walk', 'Old Pier', 'Night Club'],
  )
  assert.deepEqual(await rows(site), [])
})

test('an event that is published with its form is accepted as well', async (t) => {
  const site = await openWithForm(t)
  assert.equal((await submit(site, { ...FORM, venue: 'Old Pier' })).status, 303)
  const [event] = await everything(site)
  const editor = await visitor(site, 'editor')
  await editor.submit(`/admin/events/${String(event?.['id'])}`, { action: 'publish' })
  const { body } = await site.call('anonymous', 'GET', `/events/${String(event?.['id'])}`)
  assert.equal(body.venue.venue, 'Old Pier')
  assert.deepEqual(await rows(site), [])
})

test('who sent an event is forgotten once it was published elsewhere, is gone, or waited too long', async (t) => {
  const site = await openWithForm(t, mailFlags(await openSmtp(t)))
  for (const title of ['Public', 'Gone', 'Waits']) assert.equal((await submit(site, { ...FORM, title })).status, 303)
  const idOf = async (title: string) => (await everything(site)).find((one) => one['title'] === title)?.['id'] as number
  await site.call('editor', 'POST', `/events/${await idOf('Public')}`, { json: { status: 'publish' } })
  await site.call('editor', 'DELETE', `/events/${await idOf('Gone')}?force=true`)
  const waits = await idOf('Waits')
  const left = async () => (await rows(site)).map(({ event_id }) => event_id).join()
  // Each change of the calendar has what follows from it looked for again.
  const touch = () => site.call('editor', 'POST', '/tags', { json: { name: `wind ${site.clock.now}` } })
  await eventually('forgetting who sent two events', async () => (await left()) === String(waits))
  site.clock.now += 59 * 86_400_000
  await touch()
  assert.equal(await left(), String(waits))
  site.clock.now += 2 * 86_400_000
  await touch()
  await eventually('forgetting who sent the third', async () => (await left()) === '')
  assert.equal((await site.call('editor', 'GET', `/events/${waits}`)).body.status, 'pending')
})

test('what is refused stands beside its field, and nothing that was typed is lost', async (t) => {
  const site = await openWithForm(t)
  const wrong = { ...FORM, title: '', submitter_email: 'nobody', cost: '"<b>' }
  const answer = await submit(site, wrong)
  assert.equal(answer.status, 400)
  assert.match(answer.text, /id="f-title"[^>]*aria-describedby="f-title-wrong" aria-invalid="true"/)
  assert.match(answer.text, /id="f-submitter_email-wrong">Enter a valid email address\./)
  assert.match(answer.text, /Bring a light\.\n\nWe walk along the harbour\./)
  assert.match(answer.text, /value="&quot;&lt;b&gt;"/)
  assert.match(answer.text, /There is a problem<[\s\S]*<a href="#f-submitter_email">/)
  const early = await submit(site, { ...FORM, end_date: '2026-12-04' })
  assert.equal(early.status, 400)
  assert.match(early.text, /<a href="#f-end_date">The end is before the start</)
  const long = await submit(site, { ...FORM, description: 'x'.repeat(10_001) })
  assert.match(long.text, /id="f-description-wrong">Use 10,000 characters or fewer\./)
  assert.ok(long.text.includes('x'.repeat(10_001)))
  assert.deepEqual([await everything(site), await rows(site)], [[], []])
})

test('a picture that goes with a refused event does not stay, and what is no picture is refused', async (t) => {
  const site = await openWithForm(t)
  const refused = await submit(site, { ...FORM, end_date: '2026-12-04' }, { file: await sampleImage(1) })
  assert.match(refused.text, /id="f-file-wrong">Choose the image again/)
  const media = await site.call('administrator', 'GET', `${site.origin}/kalends/v1/media`)
  assert.deepEqual(media.body.media, [])
  const text = await submit(site, FORM, { file: Buffer.from('<svg onload="alert(1)"/>') })
  assert.equal(text.status, 400)
  assert.match(text.text, /id="f-file"[^>]*aria-invalid="true"/)
  assert.deepEqual([await everything(site), await rows(site)], [[], []])
})

test('visitors send no more text than elsewhere', async (t) => {
  const site = await openWithForm(t)
  assert.equal((await submit(site, { ...FORM, description: 'x'.repeat(60_000) })).status, 400)
  const long = await submit(site, { ...FORM, description: 'x'.repeat(70_000) }, { file: await sampleImage(1) })
  assert.equal(long.status, 413)
  assert.match(
    long.text,
    /<h1>That didn’t work<\/h1>\s*<p>What you sent is too large\.<\/p>\s*<p>Go back \(your text is still there\)/,
  )
  assert.ok(long.text.length < 65_536)
})

test('markup of visitors is text, and they make no categories, authors or published events', async (t) => {
  const site = await openWithForm(t)
  const attack = '<script>window.hit=1</script><a href="https://spam.example">x</a>'
  const sent = { ...FORM, description: attack, status: 'publish', author: '1', categories: 'Mine', featured: 'true' }
  assert.equal((await submit(site, sent)).status, 303)
  const [event] = await everything(site)
  assert.match(String(event?.['description']), /&lt;script&gt;window\.hit=1&lt;\/script&gt;/)
  assert.doesNotMatch(String(event?.['description']), /<a |<script/)
  assert.deepEqual([event?.['status'], event?.['author'], event?.['featured']], ['pending', '0', false])
  assert.deepEqual(event?.['categories'], [])
})

test('programs that fill in every field are thanked, and nothing is stored', async (t) => {
  const site = await openWithForm(t)
  const answer = await submit(site, { ...FORM, homepage: 'https://spam.example' })
  assert.equal(answer.status, 303)
  assert.match(answer.to, THANKS)
  assert.deepEqual(await everything(site), [])
})

test('a page of another site cannot send the form, and a session needs its token', async (t) => {
  const site = await openWithForm(t)
  const foreign = await submit(site, FORM, { headers: { origin: 'https://elsewhere.example' } })
  assert.equal(foreign.status, 403)
  const ada = await visitor(site, 'subscriber')
  assert.equal((await ada.submit('/submit/', FORM)).status, 303)
  assert.equal((await ada.submit('/submit/', { ...FORM, _csrf: 'x' })).status, 403)
  const [event, ...others] = await everything(site)
  assert.deepEqual([event?.['author'], others.length], ['0', 0])
})

test('one client sends so many events in an hour, and the form keeps what the next one would have said', async (t) => {
  const site = await openWithForm(t, { limitSubmissions: '2/3600' })
  for (const title of ['One', 'Two']) assert.equal((await submit(site, { ...FORM, title })).status, 303)
  const third = await submit(site, { ...FORM, title: 'Three' })
  assert.equal(third.status, 429)
  assert.match(third.text, /role="alert"[\s\S]{0,200}?Too many events have been submitted from your network/)
  assert.match(third.text, /value="Three"/)
  assert.equal((await everything(site)).length, 2)
  site.clock.now += 3_600_000
  assert.equal((await submit(site, { ...FORM, title: 'Three' })).status, 303)
})

/** Fills the queue with so many events that visitors have sent. */
async function fillQueue({ app: { storage }, call, origin }: TestApp, count: number): Promise<void> {
  const when = { start_date: '2027-12-05 10:00', end_date: '2027-12-05 11:00' }
  const request = { method: 'POST', path: '/events', body: { title: 'Waiting', status: 'pending', ...when } }
  const texts = { language: '', reason: '', link: '', sealed_link: '', question: '', answer: '' }
  const undecided = { ...texts, state: 'waiting', decided_at: null, into_id: null } as const
  const sender = { name: 'x', email: 'x@example.org', created_at: '2026-11-20 18:00:00', ...undecided }
  for (let left = count; left > 0; left -= 100) {
    const requests = Array.from({ length: Math.min(left, 100) }, () => request)
    const { body } = await call('editor', 'POST', `${origin}/kalends/v1/batch`, { json: { requests } })
    const ids = body.responses.map((one: { body: { id: number } }) => one.body.id)
    const values = ids.map((event_id: number) => ({ event_id, ...sender }))
    await storage.write((tx) => tx.run(tx.db.insertInto('submission').values(values)))
  }
}

test('the queue has an end', async (t) => {
  const site = await openWithForm(t)
  await fillQueue(site, 500)
  const answer = await submit(site, FORM)
  assert.equal(answer.status, 503)
  assert.match(answer.text, /Too many events are pending review/)
  assert.match(answer.text, /value="Lantern walk"/)
})

test('of several events at once that want the last place in the queue one gets it', async (t) => {
  const site = await openWithForm(t)
  await fillQueue(site, 499)
  const file = await sampleImage(1)
  const titles = ['One', 'Two', 'Three', 'Four']
  const answers = await Promise.all(titles.map((title) => submit(site, { ...FORM, title }, { file })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 503, 503, 503])
  const stored = (await everything(site)).filter(({ title }) => title !== 'Waiting')
  assert.deepEqual([stored.length, (await rows(site)).length], [1, 500])
  for (const [index, { status, text }] of answers.entries())
    if (status === 503) assert.ok(text.includes(`value="${titles[index]}"`), 'what was typed is kept')
    else assert.equal(stored[0]?.['title'], titles[index])
  const { body } = await site.call('administrator', 'GET', `${site.origin}/kalends/v1/media`)
  assert.equal(body.media.length, 1, 'the pictures of the others are gone')
})

test('the names that the form offers are read once for all who open it, and after each change for those who send it', async (t) => {
  const site = await openWithForm(t)
  const { app, call, clock, origin } = site
  for (const venue of ['Old Pier', 'Shed'])
    assert.equal((await call('editor', 'POST', '/venues', { json: { venue } })).status, 201)
  const show = async () => (await fetch(`${origin}/submit/`)).text()
  assert.match(await show(), /<option value="Old Pier">/)
  const reads = () => app.storage.stats().readsInline + app.storage.stats().readsOffloaded
  const before = reads()
  for (let turn = 0; turn < 20; turn += 1) assert.match(await show(), /<option value="Shed">/)
  // What works in the background reads now and then; the names would be sixty reads or more.
  assert.ok(reads() - before < 30, `${reads() - before} reads`)
  const { id } = (await call('editor', 'POST', '/venues', { json: { venue: 'Lighthouse' } })).body
  assert.equal((await submit(site, { ...FORM, venue: 'Lighthouse' })).status, 303)
  const [event] = await everything(site)
  const { body } = await call('editor', 'GET', `/events/${String(event?.['id'])}`)
  assert.equal(body.venue.id, id, 'the venue that is there, not another one of that name')
  clock.now += 10_000
  assert.match(await show(), /<option value="Lighthouse">/)
})

test('while what there is cannot be read nothing is stored, and the form keeps all that was typed', async (t) => {
  const site = await openWithForm(t)
  const { app, call, clock, origin } = site
  const { id } = (await call('editor', 'POST', '/venues', { json: { venue: 'Old Pier' } })).body
  const { body: music } = await call('editor', 'POST', '/categories', { json: { name: 'Music' } })
  const sent = { ...FORM, venue: 'Old Pier', 'categories_ids[]': String(music.id) }
  const rename = (from: string, to: string) =>
    app.storage.write((tx) => tx.run(tx.db.schema.alterTable(from).renameTo(to)))
  await rename('venue', 'elsewhere')
  clock.now += 10_000
  assert.equal((await fetch(`${origin}/submit/`)).status, 200, 'the form itself is there')
  const refused = await submit(site, sent)
  assert.equal(refused.status, 503)
  assert.match(refused.text, /role="alert"[\s\S]{0,200}?Your event couldn’t be submitted\. Nothing you typed is lost/)
  assert.match(refused.text, /name="title"[^>]* value="Lantern walk"/)
  assert.match(refused.text, /name="venue"[^>]* value="Old Pier"/)
  assert.match(refused.text, new RegExp(`<input type="hidden" name="categories_ids\\[\\]" value="${music.id}">`))
  assert.doesNotMatch(refused.text, /no such table|does not exist/)
  await rename('elsewhere', 'venue')
  assert.deepEqual([await everything(site), await rows(site)], [[], []])
  assert.equal((await submit(site, sent)).status, 303)
  const [event] = await everything(site)
  const { body } = await call('editor', 'GET', `/events/${String(event?.['id'])}`)
  assert.deepEqual([body.venue.id, body.categories.map((one: { id: number }) => one.id)], [id, [music.id]])
  assert.equal((await call('editor', 'GET', '/venues', { query: { status: 'any' } })).body.total, 1)
})

test('what pages of other sites send uses up nothing of what their visitors may send', async (t) => {
  const site = await openWithForm(t, { limitSubmissions: '1/3600', limitWrites: '3/3600' })
  const foreign = [{ origin: 'https://elsewhere.example' }, { origin: site.origin, 'sec-fetch-site': 'cross-site' }]
  for (let turn = 0; turn < 10; turn += 1)
    for (const headers of foreign) assert.equal((await submit(site, FORM, { headers })).status, 403)
  assert.equal((await submit(site, FORM)).status, 303)
})

test('forms are counted before they are read, also those that something is wrong with', async (t) => {
  const site = await openWithForm(t, { limitSubmissions: '1/3600' })
  for (let turn = 0; turn < 6; turn += 1) assert.equal((await submit(site, { ...FORM, title: '' })).status, 400)
  const { host, hostname, port } = new URL(site.origin)
  const socket = connect(Number(port), hostname)
  atEnd(t, async () => socket.destroy())
  // Its body never comes.
  const head = ['POST /submit/ HTTP/1.1', `Host: ${host}`, `Origin: ${site.origin}`, 'Connection: close']
  const type = 'Content-Type: multipart/form-data; boundary=x'
  socket.write([...head, type, 'Content-Length: 9000000', '', ''].join('\r\n'))
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 429 /)
  site.clock.now += 3_600_000
  assert.equal((await submit(site, FORM)).status, 303)
})

test('what was moved to the trash makes room in the queue', async (t) => {
  const site = await openWithForm(t)
  assert.equal((await submit(site, FORM)).status, 303)
  await fillQueue(site, 499)
  assert.equal((await submit(site, { ...FORM, title: 'Too late' })).status, 503)
  const [event] = await everything(site)
  assert.equal((await site.call('editor', 'DELETE', `/events/${String(event?.['id'])}`)).status, 200)
  assert.equal((await submit(site, { ...FORM, title: 'In time' })).status, 303)
})

test('visitors send pictures of cameras, and one that is too large costs them nothing that was typed', async (t) => {
  const site = await openWithForm(t)
  const size = { width: 640, height: 640, channels: 3, background: '#24507a' } as const
  const photo = await sharp({ create: size }).png({ compressionLevel: 0 }).toBuffer()
  assert.ok(photo.length > 1_000_000, String(photo.length))
  assert.equal((await submit(site, FORM, { file: photo })).status, 303)
  const [event] = await everything(site)
  assert.match(JSON.stringify(event?.['image']), /"width":640,/)
  const large = await submit(site, { ...FORM, title: 'Kept' }, { file: Buffer.alloc(8 * 1024 ** 2 + 1) })
  assert.equal(large.status, 400)
  assert.match(large.text, /value="Kept"/)
})
