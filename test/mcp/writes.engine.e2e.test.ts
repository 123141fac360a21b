import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { toolCaller } from '../support/mcp-tools.ts'
import { sampleImage } from '../support/sample-image.ts'
import { createPostgresDatabase, TEST_ENGINE } from '../support/test-engine.ts'
import { upload } from '../support/upload.ts'

const app = await openTestApp({ after }, { limitMcp: 'none', limitMcpWrites: 'none' })
const editor = await toolCaller({ after }, app, 'editor')
const contributor = await toolCaller({ after }, app, 'contributor')

let day = 0

/** An event of its own day, so that it is no duplicate of another one. */
function meeting(more: object = {}) {
  day += 1
  const date = new Date(Date.UTC(2027, 0, day)).toISOString().slice(0, 10)
  return { title: `Meeting ${day}`, start: `${date}T10:00`, end: `${date}T12:00`, ...more }
}

/** IDs of events with a title, as the interface lists them. */
async function withTitle(title: string): Promise<number[]> {
  const query = {
    include_hidden: 'true',
    search: title,
    start_date: '2000-01-01',
    end_date: '2100-01-01',
    per_page: 50,
  }
  const { body } = await app.call('administrator', 'GET', '/events', { query })
  return body.events.filter((one: { title: string }) => one.title === title).map((one: { id: number }) => one.id)
}

test('50 equal calls at once create one event, and all others name it', async () => {
  for (const as of [editor, contributor]) {
    const args = { ...meeting(), venue: { name: `Hall ${day}` }, timezone: 'Europe/Berlin' }
    const calls = await Promise.all(Array.from({ length: 50 }, () => as.call('create_event', args)))
    const made = calls.filter(({ isError }) => !isError)
    assert.equal(made.length, 1)
    const others = calls.filter(({ isError }) => isError).map(({ body }) => body)
    const id = made[0]?.body.id
    for (const other of others) {
      assert.deepEqual([other.code, other.status, other.params], ['possible_duplicate', 409, { ids: [id] }])
    }
    assert.deepEqual(await withTitle(args.title), [id])
  }
})

test('50 equal calls at once with one key create one event, and the same call again has its result', async () => {
  const args = meeting({ idempotency_key: 'a-key', allow_duplicate: true })
  const calls = await Promise.all(Array.from({ length: 50 }, () => editor.call('create_event', args)))
  const made = calls.filter(({ isError }) => !isError).map(({ body }) => body)
  assert.ok(made.length > 0)
  assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  for (const { body, isError } of calls) if (isError) assert.equal(body.code, 'idempotency_in_progress')
  assert.deepEqual(await editor.result('create_event', args), made[0])
  assert.deepEqual(await withTitle(args.title), [made[0]?.id])
  assert.equal(await editor.code('create_event', { ...args, title: 'Other' }), 'idempotency_mismatch')
})

test('a key whose call was refused as a duplicate does not create one when that is allowed', async () => {
  const args = meeting()
  await editor.result('create_event', args)
  const keyed = { ...args, idempotency_key: 'refused' }
  assert.equal(await editor.code('create_event', keyed), 'possible_duplicate')
  assert.equal(await editor.code('create_event', { ...keyed, allow_duplicate: true }), 'idempotency_mismatch')
  assert.equal((await withTitle(args.title)).length, 1)
  await editor.result('create_event', { ...args, allow_duplicate: true })
  assert.equal((await withTitle(args.title)).length, 2)
})

test('the same title or venue with the same start is a duplicate, in whatever case and zone', async () => {
  const { title, start, end } = meeting()
  const zone = 'America/New_York'
  const first = await editor.result('create_event', {
    title,
    start,
    end,
    timezone: zone,
    venue: { name: 'Same Place' },
  })
  const utc = { start: `${start.slice(0, 11)}15:00Z`, end: `${start.slice(0, 11)}16:00Z`, timezone: 'UTC' }
  const venue = first.venue.id
  for (const args of [
    { title: ` ${title.toUpperCase()} `, start, end },
    { title: `Méeting ${day}`, ...utc },
    { title: 'Quite another', start, end, venue },
    { title: 'Quite another', ...utc, venue: { name: 'Same Place' } },
    { title: 'Quite another', start, end, venue, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] },
  ])
    assert.deepEqual((await editor.call('create_event', args)).body.params, { ids: [first.id] }, JSON.stringify(args))
  const later = { start: `${start.slice(0, 11)}10:01`, end }
  for (const args of [
    { title, ...later, venue },
    { title: 'Quite another', start, end },
  ])
    await editor.result('create_event', args)
  // A date of a recurring event is one, too; what is in the trash is none.
  const series = await editor.result('create_event', meeting({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }))
  day += 2
  const [, second] = (await editor.result('get_event', { id: series.id, dates: 3 })).dates
  const again = { title: series.title, start: second.start, end: second.end }
  assert.deepEqual((await editor.call('create_event', again)).body.params, { ids: [second.id] })
  await editor.result('trash_event', { id: series.id, if_match: series.version, scope: 'all' })
  await editor.result('create_event', again)
})

test('a duplicate that the caller may not read does not show', async () => {
  const args = meeting()
  await editor.result('create_event', args)
  await contributor.result('create_event', args)
  const placed = meeting()
  const { body } = await app.call('editor', 'POST', '/events', {
    json: {
      title: 'Locked',
      start_date: placed.start,
      end_date: placed.end,
      venue: { venue: 'Locked hall' },
      password: 'sesame',
    },
  })
  await contributor.result('create_event', { ...placed, venue: body.venue.id })
  assert.equal(await contributor.code('create_event', { ...placed, title: 'locked' }), 'possible_duplicate')
})

test('no call publishes that does not say so', async () => {
  for (const as of [editor, contributor]) {
    const made = await as.result('create_event', meeting())
    assert.equal(made.status, 'draft')
    const changed = await as.result('update_event', {
      ...{ id: made.id, if_match: made.version },
      changes: { description: 'Text', all_day: true, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] },
    })
    day += 2
    assert.equal(changed.status, 'draft')
    const whole = { id: made.id, scope: 'all' }
    const canceled = await as.result('cancel_event', { ...whole, if_match: changed.version })
    assert.deepEqual([canceled.status, canceled.event_status], ['draft', 'canceled'])
    const trashed = await as.result('trash_event', { ...whole, if_match: canceled.version })
    assert.deepEqual(trashed, { id: made.id, title: made.title, status: 'trash' })
    assert.equal((await as.result('restore_event', { id: made.id })).status, 'draft')
  }
  assert.equal((await editor.result('create_event', meeting({ publish: true }))).status, 'publish')
  assert.equal((await contributor.result('create_event', meeting({ publish: true }))).status, 'pending')
})

test('an event leaves the trash as a draft, or published where that is said, and one outside of it stays as it is', async () => {
  const made = await editor.result('create_event', meeting({ publish: true }))
  assert.deepEqual(await editor.result('restore_event', { id: made.id }), made)
  await editor.result('trash_event', { id: made.id, if_match: made.version })
  assert.equal((await editor.result('restore_event', { id: made.id })).status, 'draft')
  assert.equal((await editor.result('restore_event', { id: made.id, publish: true })).status, 'draft')
  const { version } = await editor.result('get_event', { id: made.id })
  await editor.result('trash_event', { id: made.id, if_match: version })
  assert.equal(await editor.code('trash_event', { id: made.id, if_match: version }), 'event-is-in-trash')
  assert.equal((await editor.result('restore_event', { id: made.id, publish: true })).status, 'publish')
})

test('a date of a published series comes back only where publishing it is said, the first one too', async () => {
  const series = await editor.result(
    'create_event',
    meeting({ publish: true, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }),
  )
  day += 2
  const { dates } = await editor.result('get_event', { id: series.id, dates: 3 })
  for (const { id } of [dates[1], dates[0]]) {
    const { version } = await editor.result('get_event', { id })
    assert.equal((await editor.result('trash_event', { id, if_match: version, scope: 'this' })).status, 'trash')
    const { body } = await editor.call('restore_event', { id })
    assert.deepEqual([body.code, Object.keys(body.params)], ['rest_invalid_param', ['publish']])
    const left = await editor.result('search_events', { from: '2027-01-01' })
    assert.ok(!left.events.some((one: { id: number }) => one.id === id))
    assert.equal((await editor.result('restore_event', { id, publish: true })).status, 'publish')
  }
  const all = await editor.result('get_event', { id: series.id, dates: 20 })
  assert.deepEqual(all.dates, dates)
})

test('a change needs the version of the last read, and of two with the same one exactly one succeeds', async () => {
  const made = await editor.result('create_event', meeting())
  const named = { id: made.id, if_match: made.version }
  for (const tool of ['update_event', 'cancel_event', 'trash_event']) {
    const { if_match: _, ...without } = { ...named, ...(tool === 'update_event' && { changes: {} }) }
    assert.equal(await editor.code(tool, without), 'rest_invalid_param')
    for (const if_match of ['*', '', `${made.version}, "other"`, `W/${made.version}`])
      assert.equal(await editor.code(tool, { ...without, if_match }), 'rest_invalid_param', if_match)
  }
  const changes = Array.from({ length: 8 }, (_none, place) => ({ ...named, changes: { cost: `€${place}` } }))
  const calls = await Promise.all(changes.map((args) => editor.call('update_event', args)))
  assert.equal(calls.filter(({ isError }) => !isError).length, 1)
  for (const { isError, body } of calls) if (isError) assert.equal(body.code, 'precondition_failed')
  assert.equal(await editor.code('cancel_event', named), 'precondition_failed')
  assert.equal(await editor.code('trash_event', named), 'precondition_failed')
  // Without its quotes it is the same.
  const { version } = await editor.result('get_event', { id: made.id })
  await editor.result('cancel_event', { id: made.id, if_match: version.replaceAll('"', ''), reason: 'Rain' })
  const { body } = await app.call('editor', 'GET', `/events/${made.id}`)
  assert.deepEqual([body.event_status, body.event_status_reason, body.status], ['canceled', 'Rain', 'draft'])
})

test('nothing is gone for good, whatever is called', async () => {
  const made = await editor.result('create_event', meeting())
  await editor.result('trash_event', { id: made.id, if_match: made.version, scope: 'all' })
  assert.equal(
    await editor.code('trash_event', { id: made.id, if_match: made.version, force: true }),
    'rest_invalid_param',
  )
  const { status } = await app.call('editor', 'GET', `/events/${made.id}`)
  assert.equal(status, 200)
})

test('fields are written as they are sent, null clears them, and a wrong one is named as the argument', async () => {
  const made = await editor.result('create_event', {
    ...meeting(),
    ...{ timezone: 'Europe/Berlin', description: '<p>One</p><p>Two</p>', excerpt: 'Short', cost: '5 €' },
    venue: { name: 'Barn', address: 'Lane 1', city: 'Rome', zip: '00100', country: 'Italy' },
    ...{ organizers: [{ name: 'Club' }], categories: ['Music'], tags: ['new', 'old'], website: 'https://a.example/' },
    ...{ online: { url: 'https://b.example/', type: 'hybrid' }, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] },
  })
  day += 8
  const { id: _venue, ...place } = made.venue
  assert.deepEqual(place, { name: 'Barn', city: 'Rome', address: 'Lane 1', zip: '00100', country: 'Italy' })
  assert.deepEqual([made.description, made.excerpt, made.cost], ['One\n\nTwo', 'Short', '5€'])
  assert.deepEqual([made.categories, made.tags, made.organizers[0].name], [['Music'], ['new', 'old'], 'Club'])
  assert.deepEqual(made.online, { url: 'https://b.example/', type: 'hybrid' })
  assert.match(made.start, /T10:00:00\+01:00$/)
  const cleared = await editor.result('update_event', {
    ...{ id: made.id, if_match: made.version, scope: 'all' },
    changes: Object.fromEntries(
      [
        'description',
        'excerpt',
        'venue',
        'organizers',
        'categories',
        'tags',
        'cost',
        'website',
        'image',
        'online',
        'recurrence',
      ].map((name) => [name, null]),
    ),
  })
  const { id, title, start, end, all_day, timezone, status, url, modified, version, ...empty } = cleared
  assert.deepEqual(empty, { categories: [], description: '', truncated: false, organizers: [], tags: [] })
  assert.deepEqual([id, title, start, timezone], [made.id, made.title, made.start, 'Europe/Berlin'])
  assert.ok(end && url && modified && version && status === 'draft' && all_day === false)
  const { body } = await editor.call('update_event', {
    ...{ id: made.id, if_match: version },
    changes: { start: '2027-02-30', organizers: [999_999], online: { url: 'no' }, website: 'x' },
  })
  assert.deepEqual(Object.keys(body.params).sort(), ['online', 'organizers', 'start', 'website'])
})

test('a call either changes something and has a result, or fails and has changed nothing, whatever its budget is', async (t) => {
  const file = { bytes: await sampleImage(1), name: 'sky.png', texts: { title: 'Sky', alt_text: 'The sky' } }
  // The last request of some call is then one too many, whatever requests a client begins with.
  for (const reads of [12, 13]) {
    const small = await openTestApp(t, { limitReads: `${reads}/60` })
    const { body: image } = await upload(small, 'editor', file)
    const caller = await toolCaller(t, small, 'editor')
    const made: number[] = []
    const alts = new Set<string>()
    for (let count = 0; count < 9; count += 1) {
      const called = await caller.call('create_event', meeting({ image: image.id })).catch(() => undefined)
      if (called?.isError !== false) continue
      made.push(called.body.id)
      alts.add(called.body.image.alt)
    }
    const { storage } = small.app
    const stored = await storage.all(storage.db.selectFrom('event').select('id').orderBy('id'))
    assert.deepEqual(
      made,
      stored.map(({ id }) => id),
    )
    assert.ok(made.length < 9 && alts.has('The sky'))
  }
})

const ONLY_POSTGRES = TEST_ENGINE === 'sqlite' && 'one server has the file'

test('any server answers: of equal calls to two, one creates the event', { skip: ONLY_POSTGRES }, async (t) => {
  const database = await createPostgresDatabase('all tables')
  const flags = { database, secret: 'ab'.repeat(32), limitMcpWrites: 'none' }
  const servers = [await openTestApp(t, flags), await openTestApp(t, flags)] as const
  const headers = { authorization: servers[0].authorization('editor') }
  const [one, other] = [await toolCaller(t, servers[0], headers), await toolCaller(t, servers[1], headers)]
  for (const key of [undefined, 'a-key']) {
    const args = meeting({ idempotency_key: key, allow_duplicate: key !== undefined })
    const calls = await Promise.all(
      Array.from({ length: 50 }, (_none, place) => (place % 2 === 0 ? one : other).call('create_event', args)),
    )
    const ids = calls.flatMap((called) => (!called.isError ? [called.body.id] : []))
    assert.equal(new Set(ids).size, 1)
    if (key === undefined) assert.equal(ids.length, 1)
    for (const called of calls)
      if (called.isError)
        assert.equal(called.body.code, key === undefined ? 'possible_duplicate' : 'idempotency_in_progress')
  }
  const list = { from: '2027-01-01', status: 'draft', limit: 1 }
  const { cursor, events, total } = await one.result('search_events', list)
  assert.equal(total, 2)
  const next = await other.result('search_events', { ...list, cursor })
  assert.notEqual(next.events[0].id, events[0].id)
})
