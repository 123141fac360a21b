import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { callFor } from '../../test/support/http.ts'
import { Failure } from '../base/errors.ts'
import { type Listing, listReply, pagingOf } from './paging.ts'
import type { Reply } from './route.ts'

interface Envelope {
  readonly rest_url: string
  readonly next_rest_url?: string
  readonly previous_rest_url?: string
  readonly total: number
  readonly total_pages: number
}

const BASE = 'https://calendar.example/cal/events/v1/events/'

function listing(page: number, total: number, more: Partial<Listing> = {}): Listing {
  const paging = pagingOf({ page, per_page: 2 }, 50)
  const count = Math.max(0, Math.min(2, total - paging.offset))
  const items = Array.from({ length: count }, (_, index) => paging.offset + index)
  return { address: BASE, member: 'events', items, total, paging, filters: [], ...more }
}

function envelope(reply: Reply): Envelope {
  return reply.body as Envelope
}

test('the first page of ten is the default, and large pages are cut at the cap', () => {
  assert.deepEqual(pagingOf({}, 50), { page: 1, perPage: 10, offset: 0 })
  assert.deepEqual(pagingOf({ page: 3, per_page: 87 }, 50), { page: 3, perPage: 50, offset: 100 })
  assert.equal(pagingOf({}, 5).perPage, 5)
})

test('a page in the middle links to both sides and to itself', () => {
  const reply = listReply(listing(2, 5))
  assert.deepEqual(Object.keys(envelope(reply)), [
    'events',
    'rest_url',
    'next_rest_url',
    'previous_rest_url',
    'total',
    'total_pages',
  ])
  assert.deepEqual(reply.body, {
    events: [2, 3],
    rest_url: `${BASE}?page=2&per_page=2`,
    next_rest_url: `${BASE}?per_page=2&page=3`,
    previous_rest_url: `${BASE}?per_page=2`,
    total: 5,
    total_pages: 3,
  })
  assert.equal(reply.headers?.['Link'], `<${BASE}?per_page=2&page=3>; rel="next", <${BASE}?per_page=2>; rel="prev"`)
})

test('a single page has no links beside it', () => {
  const reply = listReply(listing(1, 2))
  assert.deepEqual(Object.keys(envelope(reply)), ['events', 'rest_url', 'total', 'total_pages'])
  assert.equal(reply.headers?.['Link'], undefined)
})

test('totals are in the headers under both names', () => {
  const { headers } = listReply(listing(1, 5))
  assert.deepEqual(headers, {
    'X-TEC-Total': '5',
    'X-TEC-TotalPages': '3',
    'X-WP-Total': '5',
    'X-WP-TotalPages': '3',
    Link: `<${BASE}?per_page=2&page=2>; rel="next"`,
  })
})

test('term lists have link and totals first', () => {
  const reply = listReply(listing(2, 5, { member: 'tags', address: BASE, totalsFirst: true }))
  const order = ['rest_url', 'total', 'total_pages', 'tags', 'next_rest_url', 'previous_rest_url']
  assert.deepEqual(Object.keys(envelope(reply)), order)
})

test('an empty list is no error; a page past the end is one only where the list says so', () => {
  const pastEnd = 'event-archive-page-not-found'
  assert.deepEqual(envelope(listReply(listing(1, 0, { pastEnd }))).total_pages, 0)
  assert.throws(
    () => listReply(listing(4, 5, { pastEnd })),
    (error) => error instanceof Failure && error.code === pastEnd,
  )
  const beyond = envelope(listReply(listing(9, 5)))
  assert.equal(beyond.next_rest_url, undefined)
  assert.equal(beyond.previous_rest_url, `${BASE}?per_page=2&page=3`)
})

test('links carry every filter and give it back exactly', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.stringMatching(/^[a-z_]{1,8}$/), fc.string({ unit: 'grapheme' }))), (filters) => {
      const { next_rest_url: next } = envelope(listReply(listing(1, 5, { filters })))
      const sent = [...new URL(next ?? '').searchParams].slice(1, -1)
      assert.deepEqual(
        sent,
        filters.map(([name, value]) => [name, value.toWellFormed()]),
      )
    }),
  )
})

test('links stay under the mount that was called', () => {
  const mount = { language: 'de', prefix: '/wp-json', namespace: 'tribe/events/v1' }
  const { rest_url: url } = envelope(listReply(listing(1, 1, { address: callFor({ mount }).urls.api('/events/') })))
  assert.equal(url, 'https://calendar.example/de/wp-json/tribe/events/v1/events/?page=1&per_page=2')
})
