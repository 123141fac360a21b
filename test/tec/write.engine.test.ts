import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Role } from '../../src/http/auth/rights.ts'
import { openTestApp } from '../support/app.ts'
import { rowsOf } from '../support/storage.ts'
import { tecClient } from '../support/tec.ts'

const app = await openTestApp({ after }, { siteZone: 'Europe/Berlin' })
const tec = tecClient(app)

const WALK = { title: 'Lantern walk', start_date: '2031-11-11 17:00:00', duration: 3600 }

async function rowOf(table: string, id: number) {
  const [row] = await rowsOf(app.app.storage, `select * from ${table} where id = ${id}`)
  return row
}

test('an event is created with a start and a duration and answers as GET does, with its address', async () => {
  const { body: category } = await app.call('editor', 'POST', '/categories', { json: { name: 'Walks' } })
  const venue = await tec.create('/venues', {
    title: { rendered: 'Park &amp; lake' },
    city: 'Bern',
    lat: 46.9,
    lng: 7.4,
  })
  const sent = { ...WALK, status: 'draft', venues: [venue], tribe_events_cat: [category.id], virtual: true }
  const { status, headers, body } = await tec.call('editor', 'POST', '/events', { json: sent })
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(headers.get('location'), tec.url(`/events/${body.id}`))
  assert.deepEqual([body.status, body.end_date, body.is_virtual], ['draft', '2031-11-11 18:00:00', true])
  assert.deepEqual([body.venues[0].id, body.tribe_events_cat], [venue.id, [category.id]])
  assert.deepEqual([venue.title.rendered, venue.geo_lat, venue.geo_lng], ['Park &amp; lake', 46.9, 7.4])
  const read = await tec.call('editor', 'GET', `/events/${body.id}`)
  assert.deepEqual(body, read.body)
  assert.equal(headers.get('etag'), read.headers.get('etag'))
})

test('slugs and excerpts of venues and organizers are written, and slugs stay unique', async () => {
  const { id } = await tec.create('/organizers', {
    title: 'Club',
    slug: 'the-club',
    excerpt: 'Short',
    email: 'a@b.example',
  })
  const other = await tec.create('/organizers', { title: 'Another', slug: 'the-club' })
  assert.equal(other.slug, 'the-club-2')
  const { status, body } = await tec.call('editor', 'PUT', `/organizers/${id}`, {
    json: { phone: '1', slug: 'Other Club' },
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.title.rendered, body.phone, body.email, body.slug], ['Club', '1', 'a@b.example', 'other-club'])
  assert.match(body.excerpt.rendered, /Short/)
  assert.equal((await tec.create('/organizers', { title: 'Club', slug: 'third' })).slug, 'third')
  assert.equal((await tec.create('/organizers', { title: 'Club' })).id, id, 'an equal one is returned')
})

test('must hold 7: an update without status leaves drafts drafts, and force=false never deletes for good', async () => {
  for (const method of ['PUT', 'PATCH']) {
    const { id } = await tec.create('/events', { ...WALK, status: 'draft' })
    const { body } = await tec.call('editor', method, `/events/${id}`, { json: { title: 'Renamed' } })
    assert.deepEqual([body.status, body.title.rendered], ['draft', 'Renamed'])
    for (const sending of [{ query: { force: 'false' } }, { json: { force: false } }]) {
      const first = await tec.call('editor', 'DELETE', `/events/${id}`, sending)
      assert.deepEqual([first.status, first.body], [200, []])
      assert.equal((await rowOf('event', id))?.['status'], 'trash')
      const again = await tec.call('editor', 'DELETE', `/events/${id}`, sending)
      assert.deepEqual([again.status, again.body.code], [410, 'event-is-in-trash'])
      const { body: restored } = await tec.call('editor', method, `/events/${id}`, { json: { status: 'draft' } })
      assert.equal(restored.status, 'draft')
    }
  }
})

test('what is in the trash is 410 with the message beside the code, and force deletes it for good', async () => {
  for (const [path, json] of [
    ['events', WALK],
    ['venues', { title: 'Hall' }],
    ['organizers', { title: 'Chorus' }],
  ] as const) {
    const { id } = await tec.create(`/${path}`, json)
    const address = `/${path}/${id}`
    assert.deepEqual((await tec.call('editor', 'DELETE', address)).body, [])
    const { status, body } = await tec.call('editor', 'DELETE', address)
    const { message } = body
    assert.equal(status, 410)
    assert.deepEqual(body, { error: message, code: `${path.slice(0, -1)}-is-in-trash`, message, data: { status: 410 } })
    const forced = await tec.call('editor', 'DELETE', address, { json: { force: true } })
    assert.deepEqual([forced.status, forced.body], [200, []])
    assert.equal(await rowOf(path.slice(0, -1), id), undefined)
  }
})

test('local dates win over those of UTC, an end over a duration, and what equals the answer of GET counts as not sent', async () => {
  const { id } = await tec.create('/events', { ...WALK, start_date: null, start_date_utc: '2031-11-11 16:00:00' })
  const update = async (json: object) => {
    const { status, body } = await tec.call('editor', 'PUT', `/events/${id}`, { json })
    assert.equal(status, 200, JSON.stringify(body))
    return [body.start_date, body.end_date]
  }
  assert.deepEqual(await update({}), ['2031-11-11 17:00:00', '2031-11-11 18:00:00'])
  const { body: shown } = await tec.call('editor', 'GET', `/events/${id}`)
  assert.deepEqual(await update({ ...shown, duration: 7200 }), ['2031-11-11 17:00:00', '2031-11-11 19:00:00'])
  assert.deepEqual(await update({ duration: '600', end_date: '2031-11-11 20:00:00' }), [
    '2031-11-11 17:00:00',
    '2031-11-11 20:00:00',
  ])
  const both = {
    start_date: '2031-11-11 12:00:00',
    start_date_utc: '2031-11-11 08:00:00',
    end_date_utc: '2031-11-11T13:00:00',
  }
  assert.deepEqual(await update(both), ['2031-11-11 12:00:00', '2031-11-11 14:00:00'])
  assert.deepEqual(await update({ timezone: 'UTC', duration: 60 }), ['2031-11-11 12:00:00', '2031-11-11 12:01:00'])
  const days = ['2031-11-11 00:00:00', '2031-11-12 23:59:59']
  assert.deepEqual(await update({ all_day: true, duration: 2 * 86_400 }), days)
})

test('terms and linked items are named by IDs or entities alone: none is created', async () => {
  const venue = await tec.create('/venues', { title: 'Barn' })
  const { id } = await tec.create('/events', { ...WALK, venues: [{ id: venue.id, title: { rendered: 'Other' } }] })
  for (const [member, value] of [
    ['tags', ['new tag']],
    ['tags', 'new tag'],
    ['tags', [{ name: 'new tag' }]],
    ['tribe_events_cat', [987_654]],
    ['venues', [{ title: 'New venue', venue: 'New venue' }]],
    ['venues', 987_654],
    ['organizers', ['Somebody']],
  ] as const) {
    const { status, body } = await tec.call('editor', 'PUT', `/events/${id}`, { json: { [member]: value } })
    assert.deepEqual([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', [member]])
  }
  assert.equal((await tec.call('editor', 'GET', `/venues/${venue.id}`)).body.title.rendered, 'Barn')
  const { body } = await tec.call('editor', 'PUT', `/events/${id}`, { json: { venues: [] } })
  assert.deepEqual(body.venues, [])
})

test('what is wrong is named as it was sent, with the inner codes of the namespace', async () => {
  const missing = await tec.call('editor', 'POST', '/events', { json: { content: 'x' } })
  assert.deepEqual([missing.status, missing.body.code], [400, 'rest_missing_callback_param'])
  assert.deepEqual(missing.body.data.params, ['title', 'start_date', 'end_date'])
  const named = await tec.call('editor', 'POST', '/venues', { json: {} })
  assert.deepEqual(named.body.data.params, ['title'])
  const wrong = {
    title: ['x'],
    content: { a: 1 },
    duration: 0,
    start_date_utc: 'nonsense',
    website: 'no address',
    author: 'x',
  }
  const { body } = await tec.call('editor', 'POST', '/events', { json: wrong })
  const codes = Object.fromEntries(
    Object.entries<{ code: string }>(body.data.details).map(([name, { code }]) => [name, code]),
  )
  assert.deepEqual(codes, {
    author: 'tec_rest_invalid_positive_integer_argument',
    title: 'tec_rest_invalid_string_argument',
    content: 'tec_rest_invalid_string_argument',
    start_date_utc: 'tec_rest_invalid_date_time_argument',
    website: 'tec_rest_invalid_uri_argument',
    duration: 'tec_rest_invalid_positive_integer_argument',
  })
  for (const [name, text] of Object.entries<string>(body.data.params)) assert.ok(text.startsWith(`${name} `), text)
  const trash = await tec.call('editor', 'POST', '/events', { json: { ...WALK, status: 'trash' } })
  assert.deepEqual([trash.status, Object.keys(trash.body.data.params)], [400, ['status']])
  const email = await tec.call('editor', 'POST', '/organizers', { json: { title: 'X', email: 'nobody' } })
  assert.equal(email.body.data.details.email.code, 'tec_rest_invalid_email_argument')
  assert.equal((await tec.call('editor', 'POST', `/events/1`, { json: WALK })).body.code, 'rest_no_route')
})

test('an ID that names nothing for its caller is refused alike, whatever the reason and the method', async () => {
  const { id: draft } = await tec.create('/events', { ...WALK, status: 'draft' })
  const { id: venue } = await tec.create('/venues', { title: 'Shed' })
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    for (const [as, expected] of [
      ['anonymous', 401],
      ['contributor', 403],
    ] as const) {
      const answers = await Promise.all(
        [draft, venue, 987_654, 0].map((id) => tec.call(as, method, `/events/${id}`, { json: { author: 'x' } })),
      )
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [expected])
      assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
      assert.match(answers[0]?.body.message, /does not exist or is not open to you/)
    }
})

test('writes follow the role', async () => {
  const created: [Role, string, string][] = [
    ['administrator', 'publish', 'publish'],
    ['author', 'private', 'private'],
    ['contributor', 'publish', 'pending'],
    ['contributor', '', 'pending'],
    ['author', '', 'publish'],
  ]
  for (const [as, sent, status] of created)
    assert.equal((await tec.create('/events', { ...WALK, ...(sent && { status: sent }) }, as)).status, status)
  const { id } = await tec.create('/events', WALK, 'author')
  const refused: [Role | 'anonymous', string, object, number][] = [
    ['anonymous', 'PUT', { title: 'Taken' }, 401],
    ['subscriber', 'PUT', { title: 'Taken' }, 403],
    ['contributor', 'PATCH', { title: 'Taken' }, 403],
    ['contributor', 'DELETE', {}, 403],
    ['author', 'DELETE', { force: true }, 403],
    ['author', 'PUT', { author: 1 }, 403],
  ]
  for (const [as, method, json, expected] of refused) {
    const { status, body } = await tec.call(as, method, `/events/${id}`, { json })
    assert.deepEqual([status, body.code], [expected, 'rest_forbidden'], `${as} ${method}`)
  }
  const invalid = await tec.call('contributor', 'PUT', `/events/${id}`, { json: { duration: 0 } })
  assert.equal(invalid.status, 400, 'what is invalid comes before what is not allowed')
  assert.equal((await tec.call('anonymous', 'POST', '/venues', { json: { title: 'X' } })).status, 401)
  assert.equal((await tec.call('author', 'DELETE', `/events/${id}`)).status, 200)
})

test('a write is never locked, and sets and removes the password', async () => {
  const { id, ...made } = await tec.create('/events', { ...WALK, password: 'open', content: 'Secret' }, 'author')
  assert.match(made['content'].rendered, /Secret/)
  assert.ok(made['class_list'].includes('post-password-protected'))
  assert.equal((await tec.call('anonymous', 'GET', `/events/${id}`)).body.content.rendered, 'Password protected')
  const { body } = await tec.call('author', 'PATCH', `/events/${id}`, { json: { password: '' } })
  assert.equal(body.content.protected, false)
})

test('a repetition with the same key gets the same answer, and writes nothing', async () => {
  const headers = { 'idempotency-key': '"walk-1"' }
  const answers = []
  for (let turn = 0; turn < 2; turn += 1)
    answers.push(await tec.call('editor', 'POST', '/events', { json: WALK, headers }))
  const [first, second] = answers
  assert.deepEqual([first?.status, first?.headers.get('idempotency-replayed')], [201, null])
  assert.deepEqual([second?.status, second?.headers.get('idempotency-replayed')], [201, 'true'])
  assert.deepEqual(second?.body, first?.body)
  assert.equal(first?.body.type, 'tribe_events')
  const other = await tec.call('editor', 'POST', '/events', { json: { ...WALK, title: 'Other' }, headers })
  assert.equal(other.body.code, 'idempotency_mismatch')
  const path = `/events/${first?.body.id}`
  const gone = { headers: { 'idempotency-key': '"walk-2"' } }
  assert.deepEqual((await tec.call('editor', 'DELETE', path, gone)).body, [])
  assert.deepEqual((await tec.call('editor', 'DELETE', path, gone)).body, [])
})

test('If-Match compares the version of the item, whatever time has passed', async () => {
  const { id } = await tec.create('/events', { ...WALK, start_date: '2026-11-20 19:00:30', timezone: 'Europe/Berlin' })
  const read = await tec.call('editor', 'GET', `/events/${id}`)
  app.clock.now += 120_000
  const later = await tec.call('editor', 'GET', `/events/${id}`)
  assert.deepEqual([read.body.is_past, later.body.is_past], [false, true])
  const headers = { 'if-match': read.headers.get('etag') ?? '' }
  const first = await tec.call('editor', 'PUT', `/events/${id}`, { json: { cost: '5' }, headers })
  assert.equal(first.status, 200, JSON.stringify(first.body))
  const second = await tec.call('editor', 'PUT', `/events/${id}`, { json: { cost: '6' }, headers })
  assert.deepEqual([second.status, second.body.code], [412, 'precondition_failed'])
})

test('a date of a series is changed for itself, or all of them with a scope', async () => {
  const { id } = await tec.create('/events', { ...WALK, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] })
  const { body: dates } = await tec.call('editor', 'GET', `/events?series=${id}`)
  const second = dates[1]?.id
  const one = await tec.call('editor', 'PUT', `/events/${second}`, { json: { title: 'Second', scope: 'this' } })
  assert.deepEqual([one.status, one.body.title.rendered, one.body.series.exception], [200, 'Second', true])
  const all = await tec.call('editor', 'PUT', `/events/${second}`, { json: { cost: '7', scope: 'all' } })
  assert.equal(all.status, 200, JSON.stringify(all.body))
  assert.match((await tec.call('editor', 'GET', `/events/${id}`)).body.cost, /7/)
  assert.deepEqual((await tec.call('editor', 'DELETE', `/events/${second}`, { json: { scope: 'this' } })).body, [])
})

test('an image is set by its ID and cleared by 0', async () => {
  const { id } = await tec.create('/events', WALK)
  const unknown = await tec.call('editor', 'PUT', `/events/${id}`, { json: { featured_media: 987_654 } })
  assert.deepEqual([unknown.status, Object.keys(unknown.body.data.params)], [400, ['featured_media']])
  const { body } = await tec.call('editor', 'PUT', `/events/${id}`, { json: { featured_media: 0, format: 'standard' } })
  assert.equal(body.featured_media, 0)
})

test('updates and deletions need If-Match where the site demands it', async (t) => {
  const strict = await openTestApp(t, { requireIfMatch: 'true' })
  const client = tecClient(strict)
  const { id } = await client.create('/organizers', { title: 'Club' })
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const { status, body } = await client.call('editor', method, `/organizers/${id}`, { json: { phone: '1' } })
    assert.deepEqual([status, body.code], [428, 'precondition_required'])
  }
})

test('a first date that was taken out of its series comes back when its status is sent for it', async () => {
  const { id } = await tec.create('/events', { ...WALK, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] })
  assert.equal((await tec.call('editor', 'DELETE', `/events/${id}`, { json: { scope: 'this' } })).status, 200)
  assert.equal((await tec.call('editor', 'GET', `/events/${id}`)).body.series.position, undefined)
  const { body } = await tec.call('editor', 'PUT', `/events/${id}`, { json: { status: 'publish', scope: 'this' } })
  assert.equal(body.series.position, 1)
})

test('a first date that was taken out of its series comes back when nothing but its status is sent', async () => {
  for (const method of ['PUT', 'PATCH']) {
    const { id } = await tec.create('/events', { ...WALK, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] })
    assert.equal((await tec.call('editor', 'DELETE', `/events/${id}`, { query: { scope: 'this' } })).status, 200)
    const whole = await tec.call('editor', 'GET', `/events/${id}`)
    const sentBack = await tec.call('editor', method, `/events/${id}`, { json: whole.body })
    assert.deepEqual([sentBack.status, sentBack.body.series.position], [200, undefined])
    const query = { _fields: 'series' }
    const { body } = await tec.call('editor', method, `/events/${id}`, { json: { status: 'publish' }, query })
    assert.equal(body.series.position, 1)
    const { body: dates } = await tec.call('anonymous', 'GET', `/events?series=${id}`)
    assert.equal(dates.length, 3)
  }
})

test('what may name linked items and terms is said, and IDs that name nothing are told from everything else', async () => {
  const { id } = await tec.create('/events', WALK)
  const IDS = 'must be a list of IDs.'
  const UNKNOWN = 'refers to something that does not exist.'
  for (const member of ['venues', 'organizers'])
    for (const [value, reason] of [
      [[{ title: 'New hall' }], IDS],
      [{ title: 'New hall' }, IDS],
      [[{ id: null, venue: 'New hall' }], IDS],
      ['Hall', IDS],
      [['Hall'], IDS],
      [[true], IDS],
      [[99_999], UNKNOWN],
      [99_999, UNKNOWN],
      ['99999', UNKNOWN],
      [[{ id: '99999' }], UNKNOWN],
    ] as const) {
      const { status, body } = await tec.call('editor', 'PUT', `/events/${id}`, { json: { [member]: value } })
      assert.deepEqual([status, body.data.params], [400, { [member]: `${member} ${reason}` }], JSON.stringify(value))
    }
  const headers = { 'accept-language': 'de' }
  const { body } = await tec.call('editor', 'PUT', `/events/${id}`, { json: { venues: [99_999] }, headers })
  assert.match(body.data.params.venues, /^venues benennt nichts/)
})

test('a duration that leads out of the years is outside of what is allowed', async () => {
  for (const all_day of [false, true]) {
    const json = { ...WALK, duration: Number.MAX_SAFE_INTEGER, all_day }
    const { status, body } = await tec.call('editor', 'POST', '/events', { json })
    assert.deepEqual([status, body.data.params], [400, { duration: 'duration is outside the allowed range.' }])
  }
})

test('whole days last as long as they do, also where the clock is put back or forward', async () => {
  for (const [day, last, lengths] of [
    ['2027-10-31', '2027-10-31', [86_399, 86_400, 89_999, 90_000]],
    ['2027-03-28', '2027-03-28', [82_799, 82_800, 86_399, 86_400]],
    ['2027-10-30', '2027-10-31', [2 * 86_400, 2 * 86_400 + 3599, 2 * 86_400 + 3600]],
    ['2027-05-01', '2027-05-02', [86_401, 2 * 86_400]],
  ] as const)
    for (const duration of lengths) {
      const { id, ...made } = await tec.create('/events', { title: 'Fair', start_date: day, all_day: true, duration })
      assert.deepEqual([made['start_date'], made['end_date']], [`${day} 00:00:00`, `${last} 23:59:59`], `${duration}`)
      const json = { duration: Number(made['duration']), cost: '5' }
      const { body } = await tec.call('editor', 'PUT', `/events/${id}`, { json })
      assert.equal(body.end_date, made['end_date'])
    }
})

test('the local date of publication wins over that of UTC, which counts alone', async () => {
  for (const path of ['/events', '/venues', '/organizers']) {
    const both = { date: '2026-03-01T12:00:00', date_gmt: '2026-03-02T08:00:00' }
    const { id, ...made } = await tec.create(path, { ...WALK, ...both })
    assert.deepEqual([made['date'], made['date_gmt']], ['2026-03-01T12:00:00', '2026-03-01T11:00:00'])
    for (const [json, date] of [
      [{ date_gmt: '2026-03-02 08:00:00' }, '2026-03-02T09:00:00'],
      [{ date_gmt: '2026-03-02T08:00:00+02:00' }, '2026-03-02T07:00:00'],
      [{ date: '2026-03-01T12:00:00', date_gmt: null }, '2026-03-01T12:00:00'],
      [{ date: null, date_gmt: '2026-03-02T08:00:00' }, '2026-03-02T09:00:00'],
    ] as const) {
      const { body } = await tec.call('editor', 'PUT', `${path}/${id}`, { json })
      assert.equal(body.date, date, JSON.stringify(body))
    }
  }
})
