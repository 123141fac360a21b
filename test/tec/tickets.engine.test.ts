import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ROLES } from '../../src/http/auth/rights.ts'
import { type Answer, openTestApp } from '../support/app.ts'
import { make } from '../support/events.ts'
import { runStatement } from '../support/storage.ts'

const app = await openTestApp({ after })
const TEC = `${app.origin}/wp-json/tec/v1`
type As = Parameters<typeof app.call>[0]

const get = (path: string, as: As = 'anonymous'): Promise<Answer> => app.call(as, 'GET', TEC + path)

interface Shown {
  readonly id: number
  readonly event_id: number
  readonly title: { readonly rendered: string }
}

async function namesOf(query = '', as: As = 'anonymous'): Promise<string[]> {
  const { status, body, headers } = await get(`/tickets?per_page=100${query}`, as)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(headers.get('x-wp-total'), String(body.length))
  return body.map((one: Shown) => one.title.rendered)
}

const ADULT = {
  ...{ name: 'Adults & friends', price: '12.50', currency: 'EUR', url: 'https://tickets.example/1', capacity: 80 },
  ...{ available_from: '2027-01-01 09:00:00', available_until: '2027-02-28 18:00:00' },
}
const concert = await make(app, { title: 'Concert', date: '2026-01-02 10:00:00', tickets: [ADULT, { name: 'Gift' }] })
const fair = await make(app, {
  ...{ title: 'Fair', date: '2026-01-01 10:00:00' },
  tickets: [{ name: 'Éclair', price: '0', sold_out: true }],
})
const ids = new Map<string, number>()
for (const { id, title } of (await get('/tickets?per_page=100')).body as Shown[]) ids.set(title.rendered, id)
const idOf = (name: string): number => ids.get(name) ?? assert.fail(name)

test('a ticket has its members in their order, and the dates, the status and the page of its event', async () => {
  const id = idOf('Adults &amp; friends')
  const { status, body } = await get(`/tickets/${id}`)
  const event = (await get(`/events/${concert.id}`)).body
  assert.equal(status, 200)
  assert.deepEqual(Object.entries(body), [
    ['id', id],
    ...['date', 'date_gmt', 'guid', 'modified', 'modified_gmt'].map((name) => [name, event[name]]),
    ['slug', `concert-ticket-${id}`],
    ['status', 'publish'],
    ['type', 'tec_tc_ticket'],
    ['link', event.link],
    ['title', { rendered: 'Adults &amp; friends' }],
    ['content', { rendered: '', protected: false }],
    ['template', ''],
    ['description', ''],
    ['on_sale', false],
    ['sale_price', null],
    ['price', 12.5],
    ['regular_price', 12.5],
    ['show_description', false],
    ['start_date', '2027-01-01 09:00:00'],
    ['end_date', '2027-02-28 18:00:00'],
    ['sale_price_start_date', null],
    ['sale_price_end_date', null],
    ['event_id', concert.id],
    ['manage_stock', true],
    ['stock', 80],
    ['sold', 0],
    ['sku', ''],
    ['currency', 'EUR'],
    ['url', 'https://tickets.example/1'],
  ])
  const gift = (await get(`/tickets/${idOf('Gift')}`)).body
  assert.deepEqual(
    [gift.price, gift.manage_stock, gift.stock, gift.start_date, gift.sku],
    [null, false, null, null, ''],
  )
  assert.ok(!('currency' in gift || 'url' in gift))
  const free = (await get(`/tickets/${idOf('Éclair')}`)).body
  assert.deepEqual([free.price, free.stock], [0, 0])
})

test('tickets are listed by the newest event first, or in the order that was asked for', async () => {
  const [adults, gift, free] = ['Adults &amp; friends', 'Gift', 'Éclair']
  assert.deepEqual(await namesOf(), [gift, adults, free])
  for (const order of ['relevance', 'include_slugs', 'date']) {
    assert.deepEqual(await namesOf(`&orderby=${order}&order=ASC`), [free, adults, gift])
  }
  assert.deepEqual(await namesOf('&orderby=id&order=asc'), [adults, gift, free])
  assert.deepEqual(await namesOf('&orderby=title&order=asc'), [adults, free, gift])
  assert.deepEqual(await namesOf('&orderby=slug&order=desc'), [free, gift, adults])
  const include = `&include=${idOf('Éclair')},${idOf('Gift')}`
  assert.deepEqual(await namesOf(`&orderby=include${include}`), [free, gift])
  assert.equal((await get('/tickets?orderby=price')).body.code, 'rest_invalid_param')
})

test('tickets are found by event, words and IDs', async () => {
  assert.deepEqual(await namesOf(`&event=${fair.id}`), ['Éclair'])
  assert.deepEqual(await namesOf('&event=999999'), [])
  assert.deepEqual(await namesOf('&search=ECLAIR'), ['Éclair'])
  assert.deepEqual(await namesOf('&search=-gift%20-friends'), ['Éclair'])
  assert.deepEqual(await namesOf(`&include[]=${idOf('Gift')}`), ['Gift'])
  assert.deepEqual(await namesOf(`&exclude=${idOf('Gift')}&event=${concert.id}`), ['Adults &amp; friends'])
  assert.deepEqual(await namesOf('&show_hidden=true'), await namesOf())
})

test('a list is walked by its links, and ends with 404', async () => {
  const seen: number[] = []
  let next: string | undefined = `${TEC}/tickets?per_page=1&orderby=id&order=ASC&search=-nothing&password=x`
  while (next !== undefined) {
    const { status, body, headers }: Answer = await app.call('anonymous', 'GET', next)
    assert.equal(status, 200)
    assert.deepEqual([headers.get('x-wp-total'), headers.get('x-tec-totalpages')], ['3', '3'])
    seen.push(...body.map(({ id }: Shown) => id))
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    assert.ok(next === undefined || (next.includes('search=-nothing') && !next.includes('password')), String(next))
  }
  assert.deepEqual(
    seen,
    [...ids.values()].toSorted((one, other) => one - other),
  )
  const past = await get('/tickets?page=9')
  assert.deepEqual([past.status, past.body.code], [404, 'tec_rest_organizers_page_not_found'])
})

test('filters of other calendars are ignored and named, tickets are not written here', async () => {
  const { headers } = await get('/tickets?provider=rsvp&min_price=1')
  assert.equal(headers.get('x-kalends-ignored'), 'min_price, provider')
  assert.equal((await get('/tickets?type=paid&strict=1')).status, 400)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const path of ['/tickets', `/tickets/${idOf('Gift')}`])
      assert.equal((await app.call('administrator', method, TEC + path, { json: {} })).body.code, 'rest_no_route')
})

test('tickets of events that a caller may not read are as unknown as any ID', async () => {
  const draft = await make(app, { title: 'Draft', status: 'draft', tickets: [{ name: 'Early' }] })
  const hidden = await make(app, { title: 'Hidden', hide_from_listings: true, tickets: [{ name: 'Quiet' }] })
  const trashed = await make(app, { title: 'Gone', tickets: [{ name: 'Late' }] })
  await app.call('editor', 'DELETE', `/events/${trashed.id}`)
  const { storage } = app.app
  const rows = await storage.all(storage.db.selectFrom('ticket').select(['id', 'event_id']))
  const ticketOf = (event: { id: number }) => rows.find(({ event_id }) => event_id === event.id)?.id
  for (const as of ['anonymous', ...ROLES] as const) {
    const isEditor = as === 'administrator' || as === 'editor'
    assert.deepEqual((await namesOf('', as)).length, 3, as)
    assert.deepEqual(await namesOf(`&event=${draft.id}`, as), isEditor ? ['Early'] : [], as)
    assert.deepEqual(await namesOf(`&event=${hidden.id}`, as), ['Quiet'], as)
    assert.deepEqual(await namesOf(`&event=${trashed.id}`, as), [], as)
    const read = await get(`/tickets/${ticketOf(draft)}`, as)
    const unknown = await get('/tickets/999999', as)
    assert.equal(unknown.status, as === 'anonymous' ? 401 : 403)
    assert.equal(read.status, isEditor ? 200 : unknown.status, as)
    for (const { body } of isEditor ? [] : [read]) assert.deepEqual(body, unknown.body)
    assert.deepEqual((await get(`/tickets/${ticketOf(trashed)}`, as)).body, unknown.body)
  }
})

test('tickets of a locked event are neither listed nor read, but with its password', async () => {
  const { id } = await make(app, { title: 'Club night', password: 'swordfish', tickets: [{ name: 'Member' }] })
  const [ticket] = (await get(`/tickets?event=${id}`, 'editor')).body as Shown[]
  assert.deepEqual(ticket?.title, { rendered: 'Member' })
  const query = `&event=${id}`
  for (const password of ['', '&password=wrong']) {
    assert.deepEqual(await namesOf(query + password), [])
    assert.ok(!(await namesOf(password)).includes('Member'))
    assert.equal((await get(`/tickets/${ticket?.id}?x=1${password}`)).body.code, 'rest_forbidden')
  }
  assert.deepEqual(await namesOf(`${query}&password=swordfish`), ['Member'])
  assert.ok((await namesOf('&password=swordfish')).includes('Member'))
  const read = await get(`/tickets/${ticket?.id}?password=swordfish`)
  assert.deepEqual([read.status, read.body.content], [200, { rendered: '', protected: true }])
  assert.match(read.headers.get('cache-control') ?? '', /no-store/)
  await app.call('editor', 'DELETE', `/events/${id}`, { query: { force: 'true' } })
})

test('the tickets of a recurring event are listed once, under its ID', async () => {
  const json = { title: 'Weekly', tickets: [{ name: 'Seat' }], recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] }
  const { id } = await make(app, json)
  assert.equal((await namesOf()).filter((name) => name === 'Seat').length, 1)
  const dates = (await get(`/events?series=${id}`)).body as Shown[]
  assert.equal(dates.length, 3)
  for (const date of dates) {
    const { body } = await get(`/tickets?event=${date.id}`)
    assert.deepEqual(
      body.map((one: Shown) => one.event_id),
      [id],
    )
  }
  const other = dates[1]?.id
  const changed = await app.call('editor', 'PATCH', `/events/${other}`, { json: { tickets: [{ name: 'Stall' }] } })
  assert.equal(changed.status, 200)
  assert.deepEqual(await namesOf(`&event=${other}`), [])
  await app.call('editor', 'DELETE', `/events/${id}`, { query: { scope: 'this' } })
  assert.deepEqual(await namesOf(`&event=${id}`), ['Seat'])
})

test('a list that would read more than 10,000 tickets is refused as too costly', async (t) => {
  const big = await openTestApp(t)
  const url = (query: string) => `${big.origin}/tec/v1/tickets${query}`
  const { id } = await make(big, { tickets: [{ name: 'One' }] })
  const rows = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 10000)'
  await runStatement(
    big.app.storage,
    `insert into ticket (id, event_id, position) ${rows} select i + 1000, ${id}, 0 from n`,
  )
  const { status, body } = await big.call('anonymous', 'GET', url(''))
  assert.deepEqual([status, body.code], [503, 'rest_query_too_costly'])
  assert.equal((await big.call('anonymous', 'GET', url('?event=999'))).status, 200)
})
