import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTestApp } from '../../../../test/support/app.ts'
import { make } from '../../../../test/support/events.ts'
import { parseSearch } from '../../../base/text/search.ts'
import { ANONYMOUS } from '../../../http/auth/rights.ts'
import type { Call } from '../../../http/route.ts'
import type { Reader } from '../../../storage/engine.ts'
import { EVERYTHING, type EventListValues, type EventQuery } from './filters.ts'
import { idsInPages } from './whole-list.ts'

/*
 * A whole list is read page by page, whatever happens to it meanwhile.
 */

const SIZE = 4

interface Asked {
  readonly values?: Partial<EventListValues>
  readonly query?: EventQuery
  /** Events of a page. */
  readonly size?: number
}

/** Its pages, and how many statements have been read for them. */
function pagesOf(reader: Reader, { values = {}, query = EVERYTHING, size = SIZE }: Asked = {}) {
  const read = { statements: 0 }
  const counting: Reader = {
    engine: reader.engine,
    db: reader.db,
    pause: () => reader.pause(),
    first: (statement, lane) => reader.first(statement, lane),
    all: (statement, lane) => {
      read.statements += 1
      return reader.all(statement, lane)
    },
  }
  // What else a call has does not matter to a list.
  const call = { caller: ANONYMOUS, values } as unknown as Call<EventListValues>
  const pages = idsInPages(counting, call, { resolved: { query, dates: {} }, size })
  return { pages, read }
}

/** Eleven events, of which seven start at the same time; their IDs in the order of their starts. */
async function filled(t: TestContext) {
  const app = await openTestApp(t)
  const ids: number[] = []
  for (const day of [1, 2, 2, 2, 2, 2, 2, 2, 3, 4, 5]) {
    const times = { start_date: `2027-03-0${day} 10:00:00`, end_date: `2027-03-0${day} 12:00:00` }
    ids.push((await make(app, { title: `Event ${ids.length}`, ...times })).id)
  }
  return { app, ids, reader: app.app.storage }
}

const ORDERS: readonly (readonly [string, Asked, (ids: readonly number[]) => readonly number[]])[] = [
  ['by start', {}, (ids) => ids],
  ['by start, the last first', { values: { order: 'desc' } }, (ids) => ids.toReversed()],
  [
    'by title',
    { values: { orderby: 'title', order: 'desc' } },
    (ids) => [9, 8, 7, 6, 5, 4, 3, 2, 10, 1, 0].map((at) => ids[at] ?? 0),
  ],
  ['after a moment', { query: { bounds: { ends_after: '2027-03-02 00:00:00' } } }, (ids) => ids.slice(1)],
  [
    'by their ids',
    { query: { bounds: {}, include: { ids: [1, 2, 3, 4, 5, 6], series: [] } } },
    (ids) => ids.slice(0, 6),
  ],
]

test('where a page takes as long as the whole list, many are read at once, and those after them from their start on', async (t) => {
  const { ids, reader } = await filled(t)
  const candidates = { ...EVERYTHING, search: parseSearch('event') }
  for (const [name, asked] of [
    ['by a word', { query: candidates }],
    ['by title', { values: { orderby: 'title', order: 'asc' } }],
  ] as const) {
    const { pages, read } = pagesOf(reader, asked)
    const sizes: number[] = []
    for await (const page of pages) sizes.push(page.length)
    assert.deepEqual([read.statements, sizes], [1, [SIZE, SIZE, ids.length - 2 * SIZE]], name)
  }
})

test('of events that are found before they are sorted none is missed when others leave meanwhile', async (t) => {
  const app = await openTestApp(t)
  const ids: number[] = []
  for (let n = 0; n < 50; n += 1) {
    const day = `2027-04-${String(1 + Math.floor(n / 2)).padStart(2, '0')}`
    ids.push((await make(app, { title: 'Event', start_date: `${day} 10:00:00`, end_date: `${day} 12:00:00` })).id)
  }
  for (const order of ['asc', 'desc'] as const) {
    const there = ids.slice(order === 'asc' ? 0 : 5)
    const wanted = order === 'asc' ? there : there.toReversed()
    const asked = { query: { ...EVERYTHING, search: parseSearch('event') }, values: { order }, size: 1 }
    const { pages, read } = pagesOf(app.app.storage, asked)
    const found = [...((await pages.next()).value ?? [])]
    for (const id of wanted.slice(0, 5)) await app.call('administrator', 'DELETE', `/events/${id}`)
    for await (const page of pages) found.push(...page)
    assert.deepEqual(found, wanted, order)
    assert.ok(read.statements <= 4, `${read.statements} statements`)
  }
})

test('each event is in it once and in its place, in any order', async (t) => {
  const { ids, reader } = await filled(t)
  for (const [name, asked, wanted] of ORDERS) {
    const found: number[] = []
    for await (const page of pagesOf(reader, asked).pages) found.push(...page)
    assert.deepEqual(found, wanted(ids), name)
  }
})

test('a page is read when it is asked for', async (t) => {
  const { ids, reader } = await filled(t)
  const { pages, read } = pagesOf(reader)
  assert.equal(read.statements, 0)
  for (const count of [1, 2, 3]) {
    const { value } = await pages.next()
    assert.deepEqual([read.statements, value], [count, ids.slice(SIZE * (count - 1), SIZE * count)])
  }
  assert.deepEqual([(await pages.next()).done, read.statements], [true, 3])
})

test('what is added, deleted and moved meanwhile neither hides other events nor repeats them', async (t) => {
  const { app, ids, reader } = await filled(t)
  const { pages } = pagesOf(reader)
  const found = [...((await pages.next()).value ?? [])]
  for (const hour of ['07', '08', '09'])
    await make(app, { start_date: `2027-03-01 ${hour}:00:00`, end_date: '2027-03-01 12:00:00', title: hour })
  await app.call('administrator', 'DELETE', `/events/${ids[0]}`)
  const moved = { start_date: '2027-03-09 10:00:00', end_date: '2027-03-09 12:00:00' }
  await app.call('administrator', 'PATCH', `/events/${ids[1]}`, { json: moved })
  for await (const page of pages) found.push(...page)
  assert.deepEqual(found, ids)
})
