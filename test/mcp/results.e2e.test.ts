import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyHtml, anyText } from '../support/any-text.ts'
import { openTestApp } from '../support/app.ts'
import { draws, SEED } from '../support/draws.ts'
import { type ToolCaller, toolCaller } from '../support/mcp-tools.ts'

/*
 * Each call through `toolCaller` is compared with the schema of its tool and with the limit of 25,000 bytes.
 */

const LONG = ['😀', '\\', '"', 'é', '\u200d', 'ab ', '<b>', '&amp;', '\n']
const text = (most: number) =>
  fc.oneof(
    anyText.map((one) => one.slice(0, most)),
    anyHtml.map((one) => one.slice(0, most)),
    // The longest that is stored, of characters that take most bytes.
    fc.constantFrom(...LONG).map((one) => `a${one.repeat(most)}`.slice(0, most)),
  )
const name = text(1000).map((one) => `x ${one}`.slice(0, 1000).toWellFormed())
const some = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined })

const WEBSITE = `https://a.example/${'x'.repeat(1900)}`
const ticket = fc.record({ name, price: some(fc.constant('12.50')), currency: some(fc.constant('EUR')) })
const anEvent = fc.record({
  title: name,
  day: fc.nat(27),
  all_day: fc.boolean(),
  timezone: fc.constantFrom('Europe/Berlin', 'UTC+3', 'America/New_York', 'Pacific/Apia'),
  description: text(20_000),
  excerpt: text(2000),
  cost: text(1000),
  venue: some(fc.record({ venue: name, address: text(1000), city: text(1000), zip: text(1000), country: text(1000) })),
  organizer: fc.array(
    name.map((one) => ({ organizer: one })),
    { maxLength: 12 },
  ),
  categories: fc.array(
    name.map((one) => one.slice(0, 190)),
    { maxLength: 30 },
  ),
  tags: fc.array(
    name.map((one) => one.slice(0, 190)),
    { maxLength: 30 },
  ),
  tickets: fc.array(ticket, { maxLength: 40 }),
  recurrence: fc.constantFrom(undefined, undefined, ['RRULE:FREQ=DAILY;COUNT=30'], 'many' as const),
  event_status: fc.constantFrom('scheduled', 'canceled', 'rescheduled', 'moved_online'),
  is_virtual: fc.boolean(),
  website: fc.constantFrom(undefined, WEBSITE, undefined, WEBSITE, `${WEBSITE}${'x'.repeat(200)}`),
})

/** 400 dates that no rule gives, after all starts that are drawn. */
const MANY = Array.from({ length: 400 }, (_none, place) => {
  const moment = new Date(Date.UTC(2027, 4, 1 + 3 * place + (place % 2), 10))
  return moment
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')
    .replace('Z', '')
})

interface PagedCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Of the rows in a result. */
  readonly member: string
}

/** The IDs of the rows on all pages of a list. */
async function pagesOf(caller: ToolCaller, { tool, args, member }: PagedCall) {
  const ids: number[] = []
  for (let cursor: string | undefined, calls = 0; ; calls += 1) {
    assert.ok(calls < 500)
    const page = await caller.result(tool, { ...args, ...(cursor !== undefined && { cursor }) })
    ids.push(...page[member].map(({ id }: { id: number }) => id))
    if (page.cursor === undefined) return { ids, total: page.total }
    assert.ok(page[member].length > 0)
    cursor = page.cursor
  }
}

test('results of random calendars with the longest texts meet their schemas and fit, and pages have each row once', async (t) => {
  const app = await openTestApp(t, { limitMcp: 'none', perPageMax: '30' })
  const caller = await toolCaller(t, app, 'editor')
  const drawn = fc.sample(anEvent, { numRuns: draws(400, 40), seed: SEED })
  const made: number[] = []
  for (const { day, recurrence, ...event } of drawn) {
    const date = `2027-04-${String(day + 1).padStart(2, '0')}`
    const times = { start_date: `${date} 10:00:00`, end_date: `${date} 11:00:00` }
    const lines = recurrence === 'many' ? [`RDATE:${MANY.join()}`] : recurrence
    const json = { ...event, ...times, recurrence: lines }
    const { status, body } = await app.call('editor', 'POST', '/events', { json })
    // What is too long, or has nothing to be seen, is refused there.
    if (status === 201) made.push(body.id)
    else assert.equal(status, 400, JSON.stringify(body))
  }
  assert.ok(made.length > drawn.length / 2, `${made.length} of ${drawn.length}`)
  for (const id of made) {
    const one = await caller.result('get_event', { id, dates: 20 })
    assert.ok(one.description.length <= 4000)
    assert.deepEqual(JSON.parse(await caller.read(`kalends://event/${id}`)).id, id)
  }
  for (const args of [{ limit: 50 }, { limit: 7 }, { limit: 20, series: 'first' }]) {
    const span = { from: '2027-01-01', to: '2027-12-31', ...args }
    const { ids, total } = await pagesOf(caller, { tool: 'search_events', args: span, member: 'events' })
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(ids.length, total)
    const query = {
      ends_after: '2027-01-01 00:00:00',
      starts_before: '2028-01-01 00:00:00',
      strict_dates: 'true',
      per_page: 30,
    }
    const first = 'series' in args ? { hide_subsequent_recurrences: 'true' } : {}
    const { body } = await app.call('editor', 'GET', '/events', { query: { ...query, ...first, status: 'publish' } })
    assert.equal(total, body.total)
    assert.deepEqual(
      ids.slice(0, body.events.length),
      body.events.map(({ id }: { id: number }) => id),
    )
  }
  for (const kind of ['venue', 'organizer', 'category', 'tag']) {
    const { ids, total } = await pagesOf(caller, {
      tool: 'find_references',
      args: { kind, limit: 50 },
      member: 'items',
    })
    assert.equal(new Set(ids).size, total)
  }
  const venues = await caller.result('find_references', { kind: 'venue' })
  for (const { id } of venues.items.slice(0, 10)) {
    const planned = { start: '2027-04-01T00:00', end: '2027-04-30T23:59', recurrence: [`RDATE:${MANY.join()}`] }
    await caller.result('check_conflicts', { venue: id, ...planned })
  }
  await caller.result('preview_recurrence', {
    start: '2027-04-01T10:00',
    recurrence: [`RDATE:${MANY.join()}`],
    limit: 50,
  })
  const { cursor } = await caller.result('list_changes')
  assert.ok(cursor)
})

test('a cursor is of its tool and arguments only, and reaches 5,000 rows', async (t) => {
  const app = await openTestApp(t)
  const caller = await toolCaller(t, app, 'editor')
  for (let day = 1; day <= 3; day += 1) {
    const json = { title: `Day ${day}`, start_date: `2027-04-0${day} 10:00`, end_date: `2027-04-0${day} 11:00` }
    await app.call('editor', 'POST', '/events', { json })
  }
  const { cursor, events } = await caller.result('search_events', { limit: 2 })
  assert.deepEqual([events.length, typeof cursor], [2, 'string'])
  const rest = await caller.result('search_events', { cursor, limit: 2 })
  assert.deepEqual(
    rest.events.map(({ title }: { title: string }) => title),
    ['Day 3'],
  )
  assert.equal(rest.cursor, undefined)
  // What the digest of the arguments is, anybody can work out.
  const digest = String(cursor).slice(-12)
  const reordered = await caller.result('search_events', { limit: 2, cursor, series: 'dates', status: 'publish' })
  assert.deepEqual(reordered.events, rest.events)
  for (const args of [
    { cursor },
    { cursor, limit: 2, text: 'Day' },
    { cursor: 'x', limit: 2 },
    { cursor: `5001-${app.clock.now}-${digest}`, limit: 2 },
    { cursor: `2-9${app.clock.now}-${digest}`, limit: 2 },
    { cursor: `2-${Number.MAX_SAFE_INTEGER}-${digest}`, limit: 2 },
  ]) {
    const { body } = await caller.call('search_events', args)
    assert.deepEqual([body.code, body.status, Object.keys(body.params)], ['rest_invalid_param', 400, ['cursor']])
  }
  assert.equal(await caller.code('find_references', { kind: 'venue', cursor }), 'rest_invalid_param')
  assert.notEqual(
    (await caller.call('search_events', { cursor: `2-9999999999999-${digest}`, limit: 2 })).body.status,
    500,
  )
  // An event that ends between two pages does not move the rows of the second one.
  app.clock.now = Date.UTC(2027, 3, 1, 20)
  const later = await caller.result('search_events', { cursor, limit: 2 })
  assert.deepEqual(later.events, rest.events)
})

test('a span is on the clock of the site and finds what overlaps it, and what names nothing is refused', async (t) => {
  const app = await openTestApp(t, { siteZone: 'Europe/Berlin' })
  const caller = await toolCaller(t, app, 'editor')
  for (const [title, start_date, end_date, all_day] of [
    ['Late', '2027-04-10 22:00', '2027-04-11 02:00', false],
    ['Whole', '2027-04-11', '2027-04-12', true],
    ['Noon', '2027-04-12 12:00', '2027-04-12 13:00', false],
  ])
    await app.call('editor', 'POST', '/events', { json: { title, start_date, end_date, all_day } })
  const found = async (args: object) =>
    (await caller.result('search_events', { ...args })).events.map(({ title }: { title: string }) => title)
  assert.deepEqual(await found({ from: '2027-04-11', to: '2027-04-11' }), ['Late', 'Whole'])
  assert.deepEqual(await found({ from: '2027-04-11T02:00', to: '2027-04-12T12:00' }), ['Whole'])
  assert.deepEqual(await found({ from: '2027-04-11T01:59', to: '2027-04-12T12:01' }), ['Late', 'Whole', 'Noon'])
  assert.deepEqual(await found({ from: '2027-04-12T10:30Z', to: '2027-04-12T23:00+02:00' }), ['Whole', 'Noon'])
  assert.deepEqual(await found({ from: '2029-04-13' }), [])
  assert.deepEqual(await found({}), ['Late', 'Whole', 'Noon'])
  const [whole] = (await caller.result('search_events', { text: 'whole' })).events
  assert.deepEqual([whole.start, whole.end, whole.all_day], ['2027-04-11', '2027-04-12', true])
  const day = JSON.parse(await caller.read('kalends://day/2027-04-11'))
  assert.deepEqual(
    day.events.map(({ title }: { title: string }) => title),
    ['Late', 'Whole'],
  )
  assert.equal(await caller.code('get_event', { slug: 'half a character \ud800' }), 'rest_invalid_param')
  const { body } = await caller.call('search_events', { from: '2027-02-30', near: { lat: 1, lng: 2, km: 30_000 } })
  assert.deepEqual(Object.keys(body.params).sort(), ['from', 'near'])
})

test('a span that ends before it starts is refused: nothing on it would be an answer', async (t) => {
  const app = await openTestApp(t, { siteZone: 'Europe/Berlin' })
  const caller = await toolCaller(t, app, 'anonymous')
  for (const [span, text] of [
    [{ from: '2027-04-18', to: '2027-04-17' }, 'Must not be before from'],
    [{ from: '2027-04-17T19:30', to: '2027-04-17T19:29' }, 'Must not be before from'],
    [{ to: '2001-01-01' }, 'Must not be before from, which is now if it is not sent'],
  ] as const) {
    const { isError, body } = await caller.call('search_events', span)
    assert.deepEqual([isError, body.code, body.params], [true, 'rest_invalid_param', { to: text }])
  }
  for (const at of ['2027-04-17', '2027-04-17T19:30'])
    assert.equal((await caller.result('search_events', { from: at, to: at })).total, 0)
})

test('what fields mean is said of arguments as tools take them', async (t) => {
  const caller = await toolCaller(t, await openTestApp(t), 'anonymous')
  const help = await caller.read('kalends://help/fields')
  const rows = help.split('\n').filter((line) => line.startsWith('| `'))
  const names = rows.map((row) => row.split('`')[1])
  assert.equal(new Set(names).size, names.length, help)
  for (const name of ['online', 'online.url', 'online.type']) assert.ok(names.includes(name), name)
  assert.match(help, /\| `image` \| image \| ID of an image of this site \|/)
})

test('a page that the list no longer has is empty', async (t) => {
  const app = await openTestApp(t)
  const caller = await toolCaller(t, app, 'editor')
  const ids: number[] = []
  for (let day = 1; day <= 3; day += 1) {
    const json = { title: `Day ${day}`, start_date: `2027-04-0${day} 10:00`, end_date: `2027-04-0${day} 11:00` }
    ids.push((await app.call('editor', 'POST', '/events', { json })).body.id)
  }
  const { cursor } = await caller.result('search_events', { limit: 2 })
  for (const id of ids.slice(1)) await app.call('editor', 'DELETE', `/events/${id}`)
  const { events, total, cursor: next } = await caller.result('search_events', { limit: 2, cursor })
  assert.deepEqual([events, total, next], [[], 1, undefined])
})

test('categories and tags are found by names with commas', async (t) => {
  const app = await openTestApp(t)
  const caller = await toolCaller(t, app, 'editor')
  const times = { start: '2027-04-01T10:00', end: '2027-04-01T11:00', publish: true }
  const named = { categories: ['Food, drinks'], tags: ['Bread, butter'] }
  const { id } = await caller.result('create_event', { title: 'Feast', ...times, ...named })
  await caller.result('create_event', { title: 'Other', ...times, categories: ['Food'] })
  for (const args of [{ category: 'Food, drinks' }, { tag: 'Bread, butter' }, { category: 'food-drinks' }]) {
    const { events } = await caller.result('search_events', args)
    assert.deepEqual(
      events.map((one: { id: number }) => one.id),
      [id],
    )
  }
})

test('conflicts that lists do not show are shown to whoever may read them, and what is left out is counted', async (t) => {
  const app = await openTestApp(t, { perPageMax: '5' })
  const editor = await toolCaller(t, app, 'editor')
  const visitor = await toolCaller(t, app, 'anonymous')
  const { body: hall } = await app.call('editor', 'POST', '/venues', { json: { venue: 'Hall' } })
  const add = async (title: string, more: object = {}) => {
    const times = { start_date: '2027-04-01 10:00', end_date: '2027-04-01 11:00' }
    const json = { title, ...times, venue: hall.id, ...more }
    return (await app.call('editor', 'POST', '/events', { json })).body.id
  }
  const ids = [await add('Hidden', { hide_from_listings: true }), await add('Private', { status: 'private' })]
  const planned = { venue: hall.id, start: '2027-04-01T10:00', end: '2027-04-01T11:00' }
  const seen = await editor.result('check_conflicts', planned)
  assert.deepEqual(
    seen.conflicts.map(({ id }: { id: number }) => id),
    ids,
  )
  assert.deepEqual([seen.hidden, seen.more], [0, undefined])
  assert.deepEqual(await visitor.result('check_conflicts', planned), { conflicts: [], hidden: 2 })
  for (let count = 0; count < 7; count += 1) await add(`Open ${count}`)
  const all = await editor.result('check_conflicts', planned)
  assert.deepEqual([all.conflicts.length, all.hidden, all.more], [5, 0, 4])
})

test('changes are listed up to 200 at once', async (t) => {
  const app = await openTestApp(t)
  const caller = await toolCaller(t, app, 'editor')
  const { cursor } = await caller.result('list_changes')
  for (let count = 0; count < 201; count += 1)
    await app.call('editor', 'POST', '/tags', { json: { name: `Tag ${count}` } })
  const { changes, more, cursor: next } = await caller.result('list_changes', { since: cursor, limit: 200 })
  assert.deepEqual([changes.length, more], [200, true])
  assert.equal((await caller.result('list_changes', { since: next, limit: 200 })).changes.length, 1)
})

test('failures are short, whatever was sent, and name what is wrong in words', async (t) => {
  const app = await openTestApp(t)
  const caller = await toolCaller(t, app, 'editor')
  const times = { title: 'Fair', start: '2027-04-01T10:00', end: '2027-04-01T11:00' }
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_none, place) => [`${'x'.repeat(30)}${place}`, place]))
  for (const args of [
    many,
    { ...times, ...many },
    { ...times, recurrence: [`RRULE:${'X'.repeat(19_000)}`] },
    { ...times, categories: Array.from({ length: 100 }, () => ({})) },
    { ...times, website: 'x'.repeat(2000), timezone: 'y'.repeat(64), cost: 'z'.repeat(2000) },
    { ...times, organizers: Array.from({ length: 100 }, (_none, place) => place + 900_000) },
  ]) {
    const { isError, body } = await caller.call('create_event', args)
    assert.equal(isError, true)
    const bytes = Buffer.byteLength(JSON.stringify(body))
    assert.ok(bytes < 10_000, `${bytes} bytes`)
    assert.ok(Object.keys(body.params).length > 0)
  }
  for (const name of ['constructor', 'toString']) {
    const { body } = await caller.call('get_event', JSON.parse(`{"id": 1, "${name}": 2}`))
    assert.deepEqual(Object.keys(body.params), [name])
  }
  const { body } = await caller.call('create_event', {
    ...{ ...times, start: 'tomorrow', venue: true, organizers: ['Club'], categories: [true], idempotency_key: 'é' },
  })
  assert.deepEqual(Object.keys(body.params), ['start', 'venue', 'organizers.0', 'categories.0', 'idempotency_key'])
  for (const text of Object.values(body.params)) assert.match(String(text), /^Must be [^/\\]+$/)
  const change = { id: 1, if_match: '', changes: {} }
  assert.match((await caller.call('update_event', change)).body.params.if_match, /^Must be the version/)
})
