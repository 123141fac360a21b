import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, openTestApp } from './support/app.ts'

/* What lists of venues and organizers find, count and link to (wire: rest 2.1 to 2.5, as decisions change them). */

const { call } = await openTestApp({ after })

const ROOMS = [
  {
    path: '/venues',
    key: 'venue',
    searched: ['address', 'city', 'province', 'state', 'zip', 'phone', 'stateprovince'],
  },
  { path: '/organizers', key: 'organizer', searched: ['phone', 'website', 'email'] },
] as const

type Room = (typeof ROOMS)[number]
type Body = Readonly<Record<string, unknown>>

async function make(path: string, json: Body): Promise<Answer['body']> {
  const { status, body } = await call('editor', 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

async function search({ path }: Room, text: string): Promise<number[]> {
  const { body } = await call('anonymous', 'GET', path, { query: { search: text } })
  const ids: number[] = body[path.slice(1)].map((one: { id: number }) => one.id)
  assert.equal(body.total, ids.length)
  return ids
}

for (const room of ROOMS) {
  const { path, key, searched } = room

  test(`${path}: a search looks at the fields of the wire and at no others, words may be spread over them`, async () => {
    const needleIn = (name: string): string =>
      name === 'website' ? 'https://needle.example/' : name === 'email' ? 'needle@a.example' : 'A Needle.'
    const found: number[] = []
    for (const name of [...searched, 'description'])
      found.push((await make(path, { [key]: `Searched in ${name}`, [name]: needleIn(name) })).id)
    const missed = key === 'venue' ? { country: 'A Needle', website: 'https://needle.example/' } : {}
    for (const [name, value] of Object.entries(missed)) await make(path, { [key]: `Not in ${name}`, [name]: value })
    assert.deepEqual(await search(room, 'NEEDLE'), found.toReversed())
    assert.deepEqual(await search(room, 'needle description'), [found.at(-1)])
    assert.deepEqual(await search(room, '"searched in" -needle'), [])
  })

  test(`${path}: links of a page repeat every filter, and their pages follow each other without gap or overlap`, async () => {
    const items: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const { id } = await make(path, { [key]: `Linked & 100% ${n}`, date: `2026-01-0${n + 1}` })
      items.unshift(id)
    }
    const span = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }
    const event = await make('/events', { title: 'All of them', ...span, [key]: items })
    const query = {
      per_page: 2,
      search: '"& 100%" LINKED',
      event: event.id,
      has_events: 'YES',
      only_with_upcoming: '1',
      status: 'publish, draft',
    }
    const first = await call('editor', 'GET', path, { query })
    const parameters = [...new URL(first.body.rest_url).searchParams]
    assert.deepEqual(parameters, [
      ['page', '1'],
      ['per_page', '2'],
      ['event', String(event.id)],
      ['has_events', 'true'],
      ['only_with_upcoming', 'true'],
      ['search', '"& 100%" LINKED'],
      ['status', 'publish,draft'],
    ])
    const member = path.slice(1)
    const seen: number[] = []
    let page = first
    for (;;) {
      seen.push(...page.body[member].map((one: { id: number }) => one.id))
      assert.deepEqual([page.body.total, page.body.total_pages, page.headers.get('x-wp-total')], [5, 3, '5'])
      const { next_rest_url: next } = page.body
      const link = page.headers.get('link') ?? ''
      assert.equal(link.includes('rel="next"'), next !== undefined)
      if (next === undefined) break
      assert.ok(link.includes(`<${next}>; rel="next"`))
      const following = await call('editor', 'GET', next)
      const back = await call('editor', 'GET', following.body.previous_rest_url)
      assert.deepEqual(back.body[member], page.body[member])
      page = following
    }
    assert.deepEqual(seen, items)
    assert.deepEqual(Object.keys(page.body), [member, 'rest_url', 'previous_rest_url', 'total', 'total_pages'])
    assert.deepEqual(Object.keys(first.body), [member, 'rest_url', 'next_rest_url', 'total', 'total_pages'])
  })

  test(`${path}: who may write is not told a status that was not asked for, everybody else that of all rows`, async () => {
    for (const [as, status] of [
      ['anonymous', 'publish'],
      ['subscriber', 'publish'],
      ['contributor', null],
      ['editor', null],
    ] as const)
      assert.equal(new URL((await call(as, 'GET', path)).body.rest_url).searchParams.get('status'), status, as)
  })

  test(`${path}: what has ended is not upcoming, what still goes on is, to the second`, async () => {
    const [past, now, ends] = [
      await make(path, { [key]: 'Past' }),
      await make(path, { [key]: 'Now' }),
      await make(path, { [key]: 'Ends this second' }),
    ]
    // It is 2026-11-20 18:00:00 UTC.
    for (const [item, start_date, end_date] of [
      [past, '2026-11-20 10:00:00', '2026-11-20 17:59:59'],
      [now, '2020-01-01 10:00:00', '2026-11-20 18:00:01'],
      [ends, '2026-11-20 10:00:00', '2026-11-20 18:00:00'],
    ])
      await make('/events', { title: 'Event', start_date, end_date, timezone: 'UTC', [key]: item.id })
    const query = { only_with_upcoming: 'true', search: '-linked', per_page: 50 }
    const { body } = await call('anonymous', 'GET', path, { query })
    assert.deepEqual(
      body[path.slice(1)].map((one: { id: number }) => one.id),
      [now.id],
    )
    assert.equal(body.total, 1)
  })
}
