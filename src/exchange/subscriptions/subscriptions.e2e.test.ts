import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { openRemoteSite, paint } from '../../../test/support/images.ts'
import { partsOf } from '../../../test/support/subscription-deps.ts'
import { lastRemoval } from '../../storage/removed-items.ts'
import { changeRow } from '../../storage/row-writes.ts'
import type { Subscription } from './index.ts'
import { BEING_REMOVED } from './manage.ts'
import { finishRemovals, removeSubscription } from './remove.ts'
import { restoreSubscription } from './restore.ts'
import { syncSubscription } from './sync.ts'

/** What the other server has, and how it answers. */
const other = {
  lines: [] as string[],
  status: 200,
  etag: '"1"',
  end: ['END:VCALENDAR', ''],
  asked: [] as string[],
  meanwhile: async (): Promise<unknown> => undefined,
}

async function answer(response: ServerResponse, request: IncomingMessage): Promise<void> {
  await other.meanwhile()
  const sent = String(request.headers['if-none-match'] ?? '')
  other.asked.push(sent)
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'REFRESH-INTERVAL;VALUE=DURATION:PT2H']
  if (other.status === 200 && sent === other.etag) response.writeHead(304).end()
  else response.writeHead(other.status, { etag: other.etag }).end([...head, ...other.lines, ...other.end].join('\r\n'))
}

/** An image that the other server has. */
const picture = { status: 200, bytes: await paint(40, 30).png().toBuffer(), meanwhile: (): void => undefined }

const site = await openRemoteSite(
  { after },
  {
    '/diary.ics': (response, request) => void answer(response, request),
    '/p.png': (response) => {
      picture.meanwhile()
      response.writeHead(picture.status).end(picture.bytes)
    },
  },
)

function event(uid: string, start: string, ...more: readonly string[]): string[] {
  return ['BEGIN:VEVENT', `UID:${uid}`, `DTSTART:${start}`, `SUMMARY:${uid}`, ...more, 'END:VEVENT']
}

/** Changes what the other server has. */
function serve(...lines: readonly string[]): void {
  other.lines = [...lines]
  other.etag = `"${other.asked.length} ${lines.join()}"`
}

async function followed(app: TestApp, more: Record<string, unknown> = {}): Promise<Subscription> {
  Object.assign(other, { status: 200, end: ['END:VCALENDAR', ''], asked: [] })
  const json = { url: `${site.origin}/diary.ics`, ...more }
  return (await app.call('administrator', 'POST', `${app.origin}/kalends/v1/subscriptions`, { json })).body
}

async function visit(app: TestApp, { id }: Subscription): Promise<Subscription> {
  const { status, body } = await app.call('administrator', 'POST', `${app.origin}/kalends/v1/subscriptions/${id}/sync`)
  assert.equal(status, 200)
  return body
}

async function titles(app: TestApp, query: Record<string, string> = {}): Promise<string[]> {
  const sent = { query: { start_date: '2020-01-01', end_date: '2029-01-01', per_page: 50, ...query } }
  const { body } = await app.call('administrator', 'GET', '/events', sent)
  return body.events.map(({ title }: { title: string }) => title)
}

const flags = { fetchAllow: '127.0.0.1' }

test('a subscription brings its events, and is not read again while it has not changed', async (t) => {
  const app = await openTestApp(t, flags)
  serve(...event('Talk', '20270105T100000Z'))
  const subscription = await followed(app, { name: 'Library', categories: ['Talks'], status: 'pending' })
  const first = await visit(app, subscription)
  assert.deepEqual([first.report?.created, first.failures, first.next_visit], [1, 0, '2026-11-20 20:00:00'])
  assert.deepEqual(await titles(app, { status: 'pending', categories: 'Talks' }), ['Talk'])
  const second = await visit(app, subscription)
  assert.deepEqual(second.report, first.report)
  assert.deepEqual(other.asked, ['', other.etag])
})

test('another time zone or other categories of a subscription apply although its file has not changed', async (t) => {
  const app = await openTestApp(t, flags)
  serve(...event('Talk', '20270105T100000'))
  const subscription = await followed(app, { categories: ['Talks'], timezone: 'Europe/Paris' })
  await visit(app, subscription)
  const change = (json: object) =>
    app.call('administrator', 'POST', `${app.origin}/kalends/v1/subscriptions/${subscription.id}`, { json })
  await change({ categories: ['Lectures'], timezone: 'Asia/Tokyo' })
  await visit(app, subscription)
  const shown = async (): Promise<readonly string[]> => {
    const { body } = await app.call('administrator', 'GET', '/events', { query: { start_date: '2027-01-01' } })
    const [{ utc_start_date, categories }] = body.events
    return [utc_start_date, ...categories.map(({ name }: { name: string }) => name)]
  }
  assert.deepEqual(await shown(), ['2027-01-05 01:00:00', 'Lectures'])
  await change({ name: 'Library' })
  await visit(app, subscription)
  assert.deepEqual(other.asked, ['', '', other.etag])
  // A change while the file is being fetched comes too late for that sync.
  serve(...event('Talk', '20270105T110000'))
  t.after(() => Object.assign(other, { meanwhile: async () => undefined }))
  other.meanwhile = () => change({ timezone: 'UTC' })
  await visit(app, subscription)
  assert.deepEqual(await shown(), ['2027-01-05 02:00:00', 'Lectures'])
  await visit(app, subscription)
  assert.deepEqual(await shown(), ['2027-01-05 11:00:00', 'Lectures'])
})

test('what a subscription has no longer goes to the trash while it is to come, and comes back with it', async (t) => {
  const app = await openTestApp(t, flags)
  const past = event('Past', '20260105T100000Z')
  const weekly = event('Weekly', '20270105T100000Z', 'RRULE:FREQ=WEEKLY;COUNT=3')
  serve(...past, ...weekly, ...event('Next', '20270106T100000Z'))
  const subscription = await followed(app)
  await visit(app, subscription)
  serve(...event('Other', '20270107T100000Z'))
  assert.equal((await visit(app, subscription)).report?.trashed, 2)
  assert.deepEqual(await titles(app), ['Past', 'Other'])
  serve(...weekly, ...event('Next', '20270106T100000Z', 'STATUS:CANCELLED'))
  assert.equal((await visit(app, subscription)).report?.trashed, 1)
  assert.deepEqual(await titles(app), ['Past', 'Weekly', 'Next', 'Weekly', 'Weekly'])
  assert.deepEqual(await titles(app, { event_status: 'canceled' }), ['Next'])
  const { body } = await app.call('anonymous', 'GET', '/events/by-slug/next')
  assert.equal(body.title, 'Next')
})

test('a file that was cut off, or an event that cannot be read, takes nothing away', async (t) => {
  const app = await openTestApp(t, flags)
  serve(...event('One', '20270105T100000Z'), ...event('Two', '20270106T100000Z'))
  const subscription = await followed(app)
  await visit(app, subscription)
  serve(...event('One', '20270105T100000Z'))
  other.end = ['BEGIN:VEVENT']
  assert.equal((await visit(app, subscription)).report?.trashed, 0)
  other.end = ['END:VCALENDAR']
  serve(...event('One', '20270105T100000Z'), ...event('Two', 'no date'))
  const { report } = await visit(app, subscription)
  assert.deepEqual([report?.trashed, report?.skipped.length], [0, 1])
  assert.deepEqual(await titles(app), ['One', 'Two'])
})

test('what was changed here stays, part by part, also of single dates, and the report says so', async (t) => {
  const app = await openTestApp(t, flags)
  const series = (title: string, place: string): string[] =>
    event('choir', '20270105T100000Z', `SUMMARY:${title}`, `LOCATION:${place}`, 'RRULE:FREQ=WEEKLY;COUNT=3').filter(
      (line) => line !== 'SUMMARY:choir',
    )
  serve(...series('Choir', 'Hall'))
  const subscription = await followed(app)
  await visit(app, subscription)
  const { body } = await app.call('administrator', 'GET', '/events', { query: { start_date: '2027-01-01' } })
  const [first, second] = body.events
  await app.call('administrator', 'POST', `/events/${first.id}`, { json: { title: 'Our choir' } })
  await app.call('administrator', 'POST', `/events/${second.id}`, { json: { title: 'With guests' } })
  serve(...series('The choir', 'Church'))
  const { report } = await visit(app, subscription)
  assert.deepEqual(report?.notes, [{ what: 'Our choir', why: '“Title” was changed here and stays' }])
  const { body: now } = await app.call('administrator', 'GET', '/events', { query: { start_date: '2027-01-01' } })
  assert.deepEqual(
    now.events.map((one: { title: string; venue: { venue: string } }) => [one.title, one.venue.venue]),
    [
      ['Our choir', 'Church'],
      ['With guests', 'Church'],
      ['Our choir', 'Church'],
    ],
  )
})

test('failures are counted and shown, with growing pauses; private addresses are never asked', async (t) => {
  const app = await openTestApp(t, flags)
  const subscription = await followed(app)
  other.status = 500
  const pauses = []
  for (let count = 0; count < 3; count += 1) pauses.push((await visit(app, subscription)).next_visit.slice(11))
  assert.deepEqual(pauses, ['18:05:00', '18:10:00', '18:20:00'])
  const failed = await visit(app, subscription)
  assert.deepEqual([failed.failures, failed.problem], [4, 'the server responded with 500'])
  other.status = 200
  assert.equal((await visit(app, subscription)).failures, 0)
  const closed = await openTestApp(t)
  const refused = await visit(closed, await followed(closed))
  assert.deepEqual(
    [refused.problem, other.asked],
    ['its URL is private; to allow it, use the --fetch-allow server option', []],
  )
})

test('the visits are told, those in a row that came to the same as one', async (t) => {
  const app = await openTestApp(t, flags)
  serve(...event('Talk', '20270105T100000Z'), ...event('Broken', 'no date'))
  const subscription = await followed(app)
  for (const status of [200, 200, 200, 500, 500, 200]) {
    other.status = status
    app.clock.now += 60_000
    await visit(app, subscription)
  }
  const address = `${app.origin}/kalends/v1/subscriptions/${subscription.id}/visits`
  const { body } = await app.call('administrator', 'GET', address)
  const none = { created: 0, updated: 0, unchanged: 0, trashed: 0, skipped: 0, notes: 0, problem: '' }
  const at = (minute: number): string => `2026-11-20 18:0${minute}:00`
  assert.deepEqual(body.visits, [
    { first_at: at(6), last_at: at(6), times: 1, outcome: 'unchanged', ...none },
    { first_at: at(4), last_at: at(5), times: 2, outcome: 'failed', ...none, problem: 'the server responded with 500' },
    { first_at: at(2), last_at: at(3), times: 2, outcome: 'unchanged', ...none },
    { first_at: at(1), last_at: at(1), times: 1, outcome: 'changed', ...none, created: 1, skipped: 1 },
  ])
  assert.equal((await app.call('editor', 'GET', address)).status, 403)
})

test('a subscription that is being visited is not visited by another process; a visit that ended with its process counts no longer', async (t) => {
  const app = await openTestApp(t, flags)
  serve(...event('Talk', '20270105T100000Z'))
  const subscription = await followed(app)
  const since = (visiting_since: string) =>
    app.app.storage.write((tx) => changeRow(tx, 'source', { id: subscription.id, visiting_since }))
  await since('2026-11-20 17:59:00')
  assert.deepEqual([(await visit(app, subscription)).visiting, other.asked.length], [true, 0])
  await since('2026-11-20 17:40:00')
  assert.deepEqual([(await visit(app, subscription)).visiting, other.asked.length], [false, 1])
})

test('a subscription that is removed leaves its events, or takes those that are still to come to the trash', async (t) => {
  const app = await openTestApp(t, flags)
  serve(...event('Past', '20260105T100000Z'), ...event('Next', '20270105T100000Z'))
  const address = `${app.origin}/kalends/v1/subscriptions`
  const kept = await visit(app, await followed(app))
  assert.equal(kept.events, 2)
  await app.call('administrator', 'DELETE', `${address}/${kept.id}`)
  assert.deepEqual(await titles(app), ['Past', 'Next'])
  const other = await visit(app, await followed(app))
  assert.deepEqual([other.events, (await visit(app, other)).report?.created], [2, 0])
  assert.equal((await app.call('administrator', 'DELETE', `${address}/${other.id}?events=all`)).status, 400)
  await app.call('administrator', 'DELETE', `${address}/${other.id}?events=trash`)
  assert.deepEqual(await titles(app), ['Past'])
  assert.deepEqual(await titles(app, { status: 'trash' }), ['Next'])
})

test('only administrators see and change subscriptions; a removed one leaves its events', async (t) => {
  const app = await openTestApp(t, flags)
  serve(...event('Talk', '20270105T100000Z'))
  const subscription = await followed(app)
  const address = `${app.origin}/kalends/v1/subscriptions`
  for (const role of ['anonymous', 'editor'] as const)
    assert.equal((await app.call(role, 'GET', address)).status, role === 'editor' ? 403 : 401)
  for (const json of [{ url: 'ftp://x.example/' }, { url: subscription.url }, { url: 'http://a.example/b', every: 5 }])
    assert.equal((await app.call('administrator', 'POST', address, { json })).status, 400)
  const changed = await app.call('administrator', 'PATCH', `${address}/${subscription.id}`, {
    json: { paused: true, every: 600 },
  })
  assert.deepEqual([changed.body.paused, changed.body.every], [true, 600])
  await visit(app, subscription)
  await app.call('administrator', 'DELETE', `${address}/${subscription.id}`)
  for (const id of [subscription.id, 2 ** 31, '9'.repeat(30)])
    assert.equal((await app.call('administrator', 'GET', `${address}/${id}`)).status, 404, String(id))
  assert.deepEqual((await app.call('administrator', 'GET', address)).body, { sources: [] })
  assert.deepEqual(await titles(app), ['Talk'])
})

test('the server visits what is due by itself', async (t) => {
  const app = await openTestApp(t, flags)
  const subscription = await followed(app)
  assert.ok(app.app.subscriptions)
  await app.app.subscriptions.syncDue()
  assert.notEqual((await app.app.subscriptions.list()).find(({ id }) => id === subscription.id)?.last_success, null)
  const asked = other.asked.length
  await app.app.subscriptions.syncDue()
  assert.equal(other.asked.length, asked)
  app.clock.now += 7_200_000
  await app.app.subscriptions.syncDue()
  assert.equal(other.asked.length, asked + 1)
})

test('an image that could not be had is noted, and asked for again although the file has not changed, a few times', async (t) => {
  const app = await openTestApp(t, flags)
  serve(...event('Talk', '20270105T100000Z', `IMAGE;VALUE=URI:${site.origin}/p.png`))
  const subscription = await followed(app)
  picture.status = 503
  const first = await visit(app, subscription)
  assert.deepEqual(first.report?.skipped, [])
  assert.match(JSON.stringify(first.report?.notes), /the server responded with 503/)
  picture.status = 200
  const second = await visit(app, subscription)
  assert.deepEqual(second.report?.notes, [])
  assert.deepEqual(other.asked, ['', ''])
  const { body } = await app.call('administrator', 'GET', '/events', { query: { start_date: '2027-01-01' } })
  assert.equal(body.events[0].image.extension, 'png')
  await visit(app, subscription)
  assert.deepEqual(other.asked, ['', '', other.etag])
  // One that never comes does not keep the file from being left alone.
  serve(...event('Talk', '20270105T100000Z', `IMAGE;VALUE=URI:${site.origin}/p.png?other`))
  picture.status = 503
  for (let count = 0; count < 10; count += 1) await visit(app, subscription)
  assert.equal(other.asked.at(-1), other.etag)
})

test('servers are visited at the same time, and each of them for one calendar after the other', async (t) => {
  const app = await openTestApp(t, flags)
  const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...event('Talk', '20270105T100000Z'), 'END:VCALENDAR', '']
  const elsewhere = Promise.withResolvers<void>()
  let now = 0
  let most = 0
  const slow = async (response: ServerResponse): Promise<void> => {
    now += 1
    most = Math.max(most, now)
    await elsewhere.promise
    now -= 1
    response.end(calendar.join('\r\n'))
  }
  const one = await openRemoteSite(t, {
    '/1.ics': (response) => void slow(response),
    '/2.ics': (response) => void slow(response),
  })
  const two = await openRemoteSite(t, {
    '/3.ics': (response) => {
      elsewhere.resolve()
      response.end(calendar.join('\r\n').replace('UID:Talk', 'UID:Other'))
    },
  })
  for (const url of [`${one.origin}/1.ics`, `${one.origin}/2.ics`, `${two.origin}/3.ics`])
    await app.call('administrator', 'POST', `${app.origin}/kalends/v1/subscriptions`, { json: { url } })
  await app.app.subscriptions?.syncDue()
  const { body } = await app.call('administrator', 'GET', `${app.origin}/kalends/v1/subscriptions`)
  assert.deepEqual(
    body.sources.map(({ failures }: Subscription) => failures),
    [0, 0, 0],
  )
  assert.equal(most, 1)
})

test('a visit that takes too long ends, keeps what it brought, and the next one goes on', async (t) => {
  const app = await openTestApp(t, flags)
  const late = new AbortController()
  picture.status = 200
  picture.meanwhile = () => late.abort()
  t.after(() => {
    picture.meanwhile = () => undefined
  })
  const first = event('0', '20270105T100000Z', `IMAGE;VALUE=URI:${site.origin}/p.png?late`)
  const others = Array.from({ length: 99 }, (_none, index) => event(String(index + 1), '20270105T100000Z'))
  serve(...first, ...others.flat())
  const subscription = await followed(app)
  const ended = await syncSubscription(partsOf(app), subscription.id, { late: late.signal })
  assert.deepEqual([ended.failures, ended.problem], [1, 'it took too long; the next visit goes on'])
  assert.ok((await titles(app)).length > 0)
  assert.equal((await visit(app, subscription)).events, 100)
})

test('a subscription with many events is removed in steps, and is not followed again meanwhile', async (t) => {
  const app = await openTestApp(t, flags)
  const days = Array.from({ length: 450 }, (_none, index) => event(`Day ${index}`, '20270105T100000Z'))
  Object.assign(other, { lines: days.flat(), etag: '"many"' })
  const subscription = await followed(app)
  assert.equal((await visit(app, subscription)).events, 450)
  const { storage, now } = app.app
  const parts = { storage, now, recurrenceYears: 5 }
  const { subscription: shown, isDone } = await removeSubscription(parts, subscription.id, { events: 'trash' })
  assert.deepEqual([shown.paused, isDone], [false, false])
  const address = `${app.origin}/kalends/v1/subscriptions/${subscription.id}`
  const { body: left } = await app.call('administrator', 'GET', address)
  assert.deepEqual([left.paused, left.problem, left.events], [true, 'it is being removed', 150])
  const refused = await app.call('administrator', 'PATCH', address, { json: { paused: false } })
  assert.deepEqual([refused.status, refused.body.code], [400, 'bad_subscription'])
  const removal = (await lastRemoval(storage, { kind: 'subscription', itemId: subscription.id })) ?? 0
  await assert.rejects(restoreSubscription(parts, removal), { code: 'bad_subscription' })
  await finishRemovals(parts, undefined)
  assert.equal((await app.call('administrator', 'GET', address)).status, 404)
  const sent = { query: { status: 'trash', start_date: '2020-01-01', end_date: '2029-01-01', per_page: 1 } }
  const trashed = async () => (await app.call('administrator', 'GET', '/events', sent)).body.total
  assert.equal(await trashed(), 450)
  assert.equal(await restoreSubscription(parts, removal), subscription.id)
  const back = await visit(app, subscription)
  assert.deepEqual([back.paused, back.events, await trashed()], [false, 450, 0])
})

test('a subscription that is being removed is not visited, and a visit under way does not keep it', async (t) => {
  const app = await openTestApp(t, flags)
  serve(...event('Talk', '20270105T100000Z'))
  const subscription = await followed(app)
  const { storage, now } = app.app
  other.meanwhile = () =>
    storage.write((tx) => changeRow(tx, 'source', { id: subscription.id, paused: 1, problem: BEING_REMOVED }))
  t.after(() => {
    other.meanwhile = async () => undefined
  })
  for (let count = 0; count < 2; count += 1)
    assert.equal((await visit(app, subscription)).problem, 'it is being removed')
  assert.deepEqual(other.asked, [''])
  await finishRemovals({ storage, now, recurrenceYears: 5 }, undefined)
  assert.deepEqual(await titles(app), [])
})
