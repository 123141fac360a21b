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

/** The furthest place of a cursor. */
const FURTHEST = 5_000

/** Each row is there once: all of them, or those up to the page that the last cursor leads to. */
function wholePages(ids: readonly number[], total: number) {
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.length >= Math.min(total, FURTHEST + 1) && ids.length <= total, `${ids.length} of ${total}`)
  return { ids, total }
}

/** The IDs of the rows on all pages of a list. */
async function pagesOf(caller: ToolCaller, { tool, args, member }: PagedCall) {
  const ids: number[] = []
  for (let cursor: string | undefined, calls = 0; ; calls += 1) {
    assert.ok(calls <= FURTHEST)
    const page = await caller.result(tool, { ...args, ...(cursor !== undefined && { cursor }) })
    ids.push(...page[member].map(({ id }: { id: number }) => id))
    if (page.cursor === undefined) return wholePages(ids, page.total)
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
  for (const kind of ['venue', 'organizer', 'category', 'tag'])
    await pagesOf(caller, { tool: 'find_references', args: { kind, limit: 50 }, member: 'items' })
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
