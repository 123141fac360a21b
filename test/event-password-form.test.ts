import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'

const app = await openTestApp({ after })
const { origin, call } = app

const GUARDED = {
  ...{ title: 'Closed party', description: 'behind the bakery', excerpt: 'with cake', cost: '$5', status: 'publish' },
  ...{ start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 22:00:00', venue: { venue: 'Cellar' } },
}

const HIDDEN = /bakery|cake|\$5|Cellar/

async function make(json: object, site: TestApp = app): Promise<{ readonly id: number; readonly slug: string }> {
  const { status, body } = await site.call('editor', 'POST', '/events', { json: { ...GUARDED, ...json } })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

async function read(path: string, init: RequestInit = {}) {
  const response = await fetch(path.startsWith('http') ? path : origin + path, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function send(path: string, form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) {
  return read(path, { method: 'POST', headers: { origin, ...headers }, body: new URLSearchParams(form) })
}

test('the password of an event opens its page in the response to the form alone', async () => {
  const { slug } = await make({ title: 'Closed party', password: 'open sesame' })
  const path = `/event/${slug}/`
  const before = await read(path)
  assert.equal(before.status, 200)
  assert.match(before.text, new RegExp(`<form class="submit" method="post" action="${path}">`))
  assert.match(
    before.text,
    /<label for="password">Password<\/label><input id="password" type="password" [^>]*required>/,
  )
  assert.doesNotMatch(before.text, HIDDEN)
  const opened = await send(path, { password: 'open sesame' })
  assert.equal(opened.status, 200)
  for (const shown of [/behind the bakery/, /\$5/, /Cellar/, /<h1>Closed party<\/h1>/]) assert.match(opened.text, shown)
  assert.doesNotMatch(opened.text, /type="password"|open sesame|application\/ld\+json|\/ical\/|\.ics/)
  assert.equal(opened.headers.get('cache-control'), 'private, no-store')
  assert.deepEqual([opened.headers.get('set-cookie'), opened.headers.get('etag')], [null, null])
  for (const init of [{}, { method: 'HEAD' }]) {
    const again = await read(path, init)
    assert.deepEqual([again.status, again.headers.get('cache-control')], [200, 'private, no-store'])
    assert.doesNotMatch(again.text, HIDDEN)
  }
  const file = await read(`${path}ical/`)
  assert.doesNotMatch(file.text, HIDDEN)
  assert.doesNotMatch((await read(`${path}?password=open+sesame`)).text, HIDDEN)
})

test('what does not open an event is told beside the field, and shows nothing of it', async () => {
  const { slug } = await make({ title: 'Wrong words', password: 'open sesame' })
  const path = `/event/${slug}/`
  const wrong = [
    [{ password: 'sesame' }, 403, /id="password-wrong">This password is incorrect\.</],
    [{ password: 'x'.repeat(5000) }, 403, /id="password-wrong">This password is incorrect\.</],
    [{ password: '' }, 400, /id="password-wrong">Fill in this field\.</],
    [{ 'password[]': 'open sesame' }, 403, /id="password-wrong">This password is incorrect\.</],
    [{}, 400, /id="password-wrong">Fill in this field\.</],
  ] as const
  for (const [form, status, told] of wrong) {
    const answer = await send(path, form)
    assert.equal(answer.status, status, JSON.stringify(form).slice(0, 80))
    assert.match(answer.text, told)
    assert.match(answer.text, /aria-invalid="true" aria-describedby="password-wrong"/)
    assert.doesNotMatch(answer.text, HIDDEN)
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
  }
  const german = await send(`/de${path}`, { password: 'sesame' })
  assert.match(german.text, /Dieses Passwort ist falsch\./)
  assert.match(german.text, new RegExp(`action="/de${path}"`))
})

test('a new password closes the page for the old one, and without one there is nothing to open', async () => {
  const { id, slug } = await make({ title: 'Changing locks', password: 'first' })
  const path = `/event/${slug}/`
  const opens = async (password: string) => (await send(path, { password })).status
  assert.deepEqual([await opens('first'), await opens('second')], [200, 403])
  assert.equal((await call('editor', 'PATCH', `/events/${id}`, { json: { password: 'second' } })).status, 200)
  assert.deepEqual([await opens('first'), await opens('second')], [403, 200])
  assert.equal((await call('editor', 'PATCH', `/events/${id}`, { json: { password: '' } })).status, 200)
  const open = await send(path, { password: 'second' })
  assert.deepEqual([open.status, open.headers.get('location')], [303, path])
  assert.match((await read(path)).text, /behind the bakery/)
})

test('nobody learns by the form of an event that they may not read, nor of one that is not there', async () => {
  const { slug } = await make({ title: 'Still a draft', status: 'draft', password: 'open sesame' })
  const answers = [await send(`/event/${slug}/`, { password: 'open sesame' }), await send('/event/none/', {})]
  for (const { status, text } of answers) {
    assert.equal(status, 404)
    assert.doesNotMatch(text, /Still a draft|bakery/)
  }
})

test('each date of a series has the form, and the password of the series opens it', async () => {
  const { slug } = await make({ title: 'Secret yoga', password: 'lotus', recurrence: 'RRULE:FREQ=WEEKLY;COUNT=3' })
  const path = `/event/${slug}/2026-12-12/`
  assert.match((await read(path)).text, new RegExp(`action="${path}"`))
  assert.equal((await send(path, { password: 'tulip' })).status, 403)
  const opened = await send(path, { password: 'lotus' })
  assert.equal(opened.status, 200)
  assert.match(opened.text, /behind the bakery/)
  assert.equal((await send(`/event/${slug}/2027-12-12/`, { password: 'lotus' })).status, 404)
})

test('a page of another site cannot send the password, and a session needs its token', async () => {
  const { slug } = await make({ title: 'Own form only', password: 'open sesame' })
  const path = `/event/${slug}/`
  const form = { password: 'open sesame' }
  for (const headers of [{ origin: 'https://elsewhere.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const foreign = await send(path, form, headers)
    assert.equal(foreign.status, 403)
    assert.doesNotMatch(foreign.text, HIDDEN)
  }
  const reader = await visitor(app, 'subscriber')
  assert.match((await reader.submit(path, form)).text, /behind the bakery/)
  const forged = await reader.submit(path, { ...form, _csrf: 'x' })
  assert.equal(forged.status, 403)
  assert.doesNotMatch(forged.text, HIDDEN)
  const editor = await visitor(app, 'editor')
  assert.match((await editor.show(path)).text, /behind the bakery/, 'who may edit it needs no password')
})

test('wrong passwords of a form are counted with those of the API', async (t) => {
  const site = await openTestApp(t, { limitGuesses: '3/600' })
  const { id, slug } = await make({ password: 'open sesame' }, site)
  const path = `${site.origin}/event/${slug}/`
  const attempt = (password: string) => send(path, { password }, { origin: site.origin })
  const asked = (password: string) => site.call('anonymous', 'GET', `/events/${id}`, { query: { password } })
  assert.equal((await attempt('first')).status, 403)
  assert.equal((await asked('second')).status, 403)
  assert.equal((await attempt('first')).status, 403, 'what was wrong before costs nothing')
  assert.equal((await attempt('third')).status, 403)
  const refused = await attempt('open sesame')
  assert.equal(refused.status, 429)
  const seconds = refused.headers.get('retry-after') ?? ''
  assert.ok(Number(seconds) > 0 && Number(seconds) <= 600, seconds)
  assert.match(refused.headers.get('content-type') ?? '', /^text\/html/)
  assert.ok(refused.text.includes(`<p>Too many requests. Try again in ${seconds} seconds.</p>`))
  assert.doesNotMatch(refused.text, HIDDEN)
  assert.equal((await asked('open sesame')).status, 429)
  site.clock.now += 600_000
  assert.equal((await attempt('open sesame')).status, 200)
})
