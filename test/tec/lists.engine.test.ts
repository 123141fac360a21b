import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { type Answer, openTestApp, type Sending } from '../support/app.ts'
import { draws, SEED } from '../support/draws.ts'

/*
 * must hold 4: a list that is walked by its links has each item that its caller may read once, as many as it says, and
 * those that the interface has for the same question.
 */

type Caller = 'anonymous' | 'author' | 'editor'
type Query = Readonly<Record<string, string>>

const app = await openTestApp({ after })

async function make(as: Exclude<Caller, 'anonymous'>, path: string, json: object): Promise<{ readonly id: number }> {
  const { status, body } = await app.call(as, 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify([json, body]))
  return body
}

let state = SEED
function pick<Item>(items: readonly Item[]): Item {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
  return items[(state >> 8) % items.length] as Item
}

const STATUSES = ['publish', 'publish', 'publish', 'draft', 'private', 'pending'] as const
const CITIES = ['Zürich', 'ZURICH', 'Łódź', 'Genf', ''] as const
const category = (await app.call('editor', 'POST', '/categories', { json: { name: 'Jazz' } })).body
const tag = (await app.call('editor', 'POST', '/tags', { json: { name: '2031' } })).body
const venues: { readonly id: number }[] = []
const organizers: { readonly id: number }[] = []
for (let n = 0; n < 12; n += 1) {
  const status = n < 2 ? 'publish' : pick(STATUSES)
  const place = {
    geo_lat: pick(n === 0 ? [47] : [47, 51]),
    geo_lng: 8,
    city: pick(CITIES),
    province: pick(['ZH', 'zh', 'GE']),
  }
  venues.push(await make(pick(['author', 'editor']), '/venues', { venue: `Hall ${n}`, status, ...place }))
  const contact = { email: pick(['Jo@one.example', 'jo@ONE.example', '']), phone: pick(['1', '2']) }
  organizers.push(await make(pick(['author', 'editor']), '/organizers', { organizer: `Club ${n}`, status, ...contact }))
}
for (let n = 0; n < 40; n += 1) {
  const day = `2027-0${pick([1, 2, 3])}-${pick(['01', '02', '28'])}`
  const drawn = `${n % 5 === 0 ? day.replace('2027', '2019') : day} ${pick(['00:00:00', '09:30:00', '23:59:59'])}`
  // The two may be on one day.
  const [start, end] = [drawn, `2027-${pick(['03-28', '11-02'])} ${pick(['23:59:59', '12:00:00'])}`].sort()
  await make(n === 0 ? 'editor' : pick(['author', 'editor']), '/events', {
    title: `${pick(['Fair', 'Walk', 'Zoo'])} ${n}`,
    start_date: start,
    end_date: end,
    status: n === 0 ? 'publish' : pick(STATUSES),
    featured: pick([true, false]),
    tickets: pick([[], [{ name: `Adult ${n}` }], [{ name: `Child ${n}` }, { name: `Senior ${n}` }]]),
    // Terms that only drafts of others have may not be named.
    categories: n === 0 ? [category.id] : pick([[], [category.id]]),
    tags: n === 0 ? [tag.id] : pick([[], [tag.id]]),
    venue: pick([[], [venues[0]?.id], [venues[1]?.id]]),
    password: pick(['', '', 'sesame']),
    ...(n % 11 === 0 && { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] }),
  })
}

/** Parameters that change what any list looks like. */
const SHAPE = { _fields: 'id', lang: 'de' }

/** Links carry every parameter that took effect. */
function assertRepeats(link: string, { status, ...query }: Query, as: Caller): void {
  const carried = new URL(link).searchParams
  for (const [name, value] of Object.entries(query)) assert.equal(carried.get(name), value, link)
  assert.equal(carried.get('status'), as === 'anonymous' ? null : (status ?? null))
}

/** All items of a list, page by page. */
async function walk(as: Caller, path: string, query: Query): Promise<number[]> {
  const found: number[] = []
  const sending: Sending = { query: { ...query, ...SHAPE, per_page: 7 } }
  let page: Answer = await app.call(as, 'GET', `${app.origin}/wp-json/tec/v1${path}${queryOf(sending.query)}`)
  for (let at = 1; ; at += 1) {
    assert.equal(page.status, 200, JSON.stringify(page.body))
    found.push(...page.body.map(({ id }: { id: number }) => id))
    for (const item of page.body) assert.deepEqual(Object.keys(item), ['id'])
    const link = page.headers.get('link') ?? ''
    assert.equal(/rel="prev"/.test(link), at > 1)
    const next = /<([^>]+)>; rel="next"/.exec(link)?.[1]
    for (const [, to = ''] of link.matchAll(/<([^>]+)>; rel="(?:next|prev)"/g))
      assertRepeats(to, { ...query, ...SHAPE }, as)
    if (next !== undefined) page = await app.call(as, 'GET', next)
    else {
      for (const name of ['x-wp-total', 'x-tec-total']) assert.equal(Number(page.headers.get(name)), found.length)
      for (const name of ['x-wp-totalpages', 'x-tec-totalpages'])
        assert.equal(Number(page.headers.get(name)), Math.ceil(found.length / 7))
      return found
    }
  }
}

function queryOf(query: Sending['query']): string {
  return `?${new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]))}`
}

/** The items that the interface has for a question. */
async function asked(as: Caller, path: string, query: Query) {
  const items: Record<string, unknown>[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await app.call(as, 'GET', path, { query: { ...query, page, per_page: 50 } })
    items.push(...(body[path.slice(1)] ?? assert.fail(JSON.stringify(body))))
    if (page >= body.total_pages) return items
  }
}

/** What the interface calls the parameters that have other names or values here. */
const WORDS: Readonly<Record<string, string>> = {
  date: 'published',
  event_date: 'start',
  menu_order: 'start',
  geo_lat: 'geoloc_lat',
  geo_lng: 'geoloc_lng',
  radius: 'geoloc_radius',
}
const inInterface = (query: Query): Query =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      OWN.includes(name) ? [] : [[WORDS[name] ?? name, WORDS[value] ?? value.toLowerCase()]],
    ),
  )
const OWN = ['exclude', 'city', 'state', 'country', 'zip', 'email', 'phone', 'website']

const plain = (text: unknown): string =>
  String(text ?? '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')

/** Whether an item of the interface has what the parameters ask that it does not know. */
function isMeant(item: Record<string, unknown>, query: Query): boolean {
  return OWN.every((name) => {
    const value = query[name]
    if (value === undefined) return true
    if (name === 'exclude') return !value.split(',').includes(String(item['id']))
    const texts = name === 'state' ? [item['state'], item['province']] : [item[name]]
    return texts.some((text) => plain(text) === plain(value))
  })
}

/** The events without dates of a series that come after others of these; one that is excluded hides none. */
function firstOfSeries(events: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] {
  const startsOf = Map.groupBy(events, (event) => (event['series'] as { readonly id: number } | undefined)?.id)
  return events.filter(({ series, start_date }) => {
    const { id } = (series ?? {}) as { readonly id?: number }
    const starts = (startsOf.get(id) ?? []).map((event) => String(event['start_date']))
    return id === undefined || start_date === starts.sort()[0]
  })
}

const flag = fc.constantFrom('true', 'false')
const ids = fc.subarray([...Array(70).keys()], { minLength: 1 }).map((some) => some.map((id) => id + 1).join())
const day = fc.constantFrom('2019-02-28', '2027-01-01', '2027-02-28', '2027-11-02')
const moment = fc.tuple(day, fc.constantFrom('00:00:00', '09:30:00', '23:59:59')).map((parts) => parts.join(' '))
const COMMON = { include: ids, exclude: ids, order: fc.constantFrom('asc', 'DESC') }
const SHARED = { status: fc.constantFrom('publish', 'draft', 'publish,private', 'pending,draft') }
const dates = (kind: fc.Arbitrary<string>) =>
  Object.fromEntries(
    ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'].map((name) => [
      name,
      kind,
    ]),
  )
const EVENTS = {
  ...COMMON,
  search: fc.constantFrom('fair', 'zoo -fair'),
  categories: fc.constant(String(category.id)),
  tags: fc.constant(String(tag.id)),
  venue: fc.constant(String(venues.find((_one, index) => index === 0)?.id)),
  featured: flag,
  ticketed: flag,
  hide_subsequent_recurrences: flag,
  orderby: fc.constantFrom('date', 'event_date', 'title', 'modified', 'menu_order'),
}
const LINKED = {
  ...COMMON,
  search: fc.constantFrom('hall', 'club', '1'),
  has_events: flag,
  only_with_upcoming: flag,
  orderby: fc.constantFrom('date', 'title', 'modified'),
}
const VENUES = { ...LINKED, city: fc.constantFrom(...CITIES.slice(0, 3), 'zurich', 'lodz'), state: fc.constant('Zh') }
const ORGANIZERS = { ...LINKED, email: fc.constant('JO@one.example'), phone: fc.constantFrom('1', '3') }

/** A question, with few of the parameters. */
function question(parameters: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Query> {
  const names = fc.subarray(Object.keys(parameters), { maxLength: 4 })
  return names.chain((chosen) =>
    fc.record(Object.fromEntries(chosen.map((name) => [name, parameters[name] ?? fc.constant('')]))),
  )
}

const callers = fc.constantFrom<Caller>('anonymous', 'author', 'editor')

/** The window of everything: here a list without dates has the past as well. */
const ALWAYS = { start_date: '1000-01-01 00:00:00', end_date: '9999-12-31 23:59:59' }

test('must hold 4: lists of events', async () => {
  const timed = fc.tuple(fc.boolean(), question({ ...EVENTS, ...SHARED, ...dates(day) }))
  const exact = fc.tuple(fc.constant(true), question({ ...EVENTS, ...SHARED, ...dates(moment) }))
  let found = 0
  const law = fc.asyncProperty(
    callers,
    fc.oneof(
      timed.map(([, query]) => [false, query] as const),
      exact,
    ),
    async (as, [isExact, query]) => {
      // Without a right to edit nothing but what is published is listed, whatever is asked for.
      const status = as === 'anonymous' ? 'publish' : (query['status'] ?? 'publish')
      const order: Query = { orderby: 'event_date', ...query, order: query['order'] ?? 'asc' }
      const { hide_subsequent_recurrences: isOnce, ...others } = order
      const same = inInterface({ ...ALWAYS, ...others, status, ...(isExact && { strict_dates: '1' }) })
      const meant = (await asked(as, '/events', same)).filter((event) => isMeant(event, query))
      const expected = isOnce === 'true' ? firstOfSeries(meant) : meant
      const walked = await walk(as, '/events', query)
      assert.deepEqual(
        walked,
        expected.map(({ id }) => id),
        JSON.stringify([as, query]),
      )
      found += walked.length
    },
  )
  await fc.assert(law, { numRuns: draws(300), seed: SEED })
  assert.ok(found > 0)
})

for (const [path, parameters] of [
  ['/venues', VENUES],
  ['/organizers', ORGANIZERS],
] as const)
  test(`must hold 4: lists of ${path.slice(1)}`, async () => {
    let found = 0
    const law = fc.asyncProperty(callers, question({ ...parameters, ...SHARED }), async (as, query) => {
      const status = as === 'anonymous' ? 'publish' : (query['status'] ?? 'publish')
      const order = query['orderby'] !== undefined && query['order'] === undefined ? { order: 'asc' } : {}
      const { include, ...others } = query
      const all = await asked(as, path, inInterface({ ...others, ...order, status }))
      const named = include?.split(',')
      const expected = all.filter((item) => isMeant(item, query) && named?.includes(String(item['id'])) !== false)
      const walked = await walk(as, path, query)
      assert.deepEqual(
        walked,
        expected.map(({ id }) => id),
        JSON.stringify([as, query]),
      )
      found += walked.length
    })
    await fc.assert(law, { numRuns: draws(200), seed: SEED })
    assert.ok(found > 0)
  })

test('places are found by their distance, and half a place is refused', async () => {
  const query = { geo_lat: '47', geo_lng: '8', radius: '50', status: 'publish' }
  const near = await asked('anonymous', '/venues', inInterface(query))
  assert.deepEqual(
    await walk('anonymous', '/venues', query),
    near.map(({ id }) => id),
  )
  assert.ok(near.length > 0)
  const half = await app.call('anonymous', 'GET', `${app.origin}/tec/v1/venues?geo_lat=47`)
  assert.deepEqual([half.status, Object.keys(half.body.data.details)], [400, ['geo_lat']])
})

test('must hold 4: lists of tickets', async () => {
  const TICKETS = { ...COMMON, search: fc.constantFrom('adult', 'child 2', 'e -senior'), orderby: ticketOrders }
  const offers = new Map<Caller, Map<number, string>>()
  for (const as of ['anonymous', 'author', 'editor'] as const) offers.set(as, await offersOf(as))
  let found = 0
  const law = fc.asyncProperty(callers, question(TICKETS), async (as, query) => {
    const { search = '', include, exclude } = query
    const [words, without] = search.split(' -')
    const isFound = (name: string): boolean =>
      (words ?? '').split(' ').every((word) => name.includes(word)) &&
      (without === undefined || !name.includes(without))
    const expected = [...(offers.get(as) ?? [])].filter(
      ([id, name]) =>
        isFound(name.toLowerCase()) &&
        include?.split(',').includes(String(id)) !== false &&
        exclude?.split(',').includes(String(id)) !== true,
    )
    const walked = await walk(as, '/tickets', query)
    assert.deepEqual(
      walked.toSorted((a, b) => a - b),
      expected.map(([id]) => id).sort((a, b) => a - b),
      JSON.stringify([as, query]),
    )
    found += walked.length
  })
  await fc.assert(law, { numRuns: draws(200), seed: SEED })
  assert.ok(found > 0)
})

const ticketOrders = fc.constantFrom('date', 'id', 'title', 'slug', 'include', 'relevance', 'include_slugs')

/** The names of all tickets that the interface shows with the events that it lists, by their IDs. */
async function offersOf(as: Caller): Promise<Map<number, string>> {
  const query = { ...ALWAYS, status: 'publish', hide_subsequent_recurrences: 'true' }
  const named = (await asked(as, '/events', query)).flatMap(
    ({ tickets = [] }) => tickets as { readonly name: string }[],
  )
  const ids = await walk(as, '/tickets', {})
  const shown = await Promise.all(
    ids.map(async (id) => (await app.call(as, 'GET', `${app.origin}/tec/v1/tickets/${id}`)).body.title.rendered),
  )
  assert.deepEqual(shown.toSorted(), named.map(({ name }) => name).sort())
  return new Map(ids.map((id, index) => [id, shown[index]]))
}

test('links keep dates as they were sent, and words that name a moment as that moment', async () => {
  for (const [sent, linked] of [
    ['2026-10-25T02:30:00+01:00', '2026-10-25T02:30:00+01:00'],
    ['2026-10-25 02:30:00', '2026-10-25 02:30:00'],
    ['2026-10-25', '2026-10-25'],
    ['this year', 'this year'],
    ['1789000000', '1789000000'],
    ['now', '2026-11-20 13:00:00'],
  ] as const) {
    const query = queryOf({ start_date: sent, per_page: '1' })
    const { headers, body } = await app.call('editor', 'GET', `${app.origin}/tec/v1/events${query}`)
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? assert.fail(JSON.stringify(body))
    assert.equal(new URL(next).searchParams.get('start_date'), linked)
  }
})
