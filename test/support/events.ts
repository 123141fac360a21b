import assert from 'node:assert/strict'
import fc from 'fast-check'
import { addToLocal } from '../../src/base/time/zones.ts'
import { STATUSES, type Status } from '../../src/model/status.ts'
import type { TestApp } from './app.ts'

/** The least that makes an event. */
export const MEETING = { title: 'Board meeting', start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

/** Creates an event as administrator; the response. */
export async function make(app: TestApp, event: object = {}): Promise<{ id: number; [member: string]: unknown }> {
  const response = await app.call('administrator', 'POST', '/events', { json: { ...MEETING, ...event } })
  assert.equal(response.status, 201, JSON.stringify(response.body))
  return response.body
}

/** Titles of a list, in its order. */
export async function titles(
  app: TestApp,
  query: Record<string, string | number>,
  as: 'anonymous' | 'editor' = 'anonymous',
): Promise<string[]> {
  const response = await app.call(as, 'GET', '/events', { query: { per_page: 50, ...query } })
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body.events.map((event: { title: string }) => event.title)
}

/** What an event may link to. */
export const KINDS = ['venue', 'organizer', 'category', 'tag'] as const

/** One of them. */
export type LinkKind = (typeof KINDS)[number]

/** Moments that starts, ends and bounds share, so that they often meet. */
const moment = fc
  .tuple(fc.constantFrom(-31, -7, -1, 0, 0, 1, 2, 27, 45, 400), fc.constantFrom(0, 0, 1, 43_200, 86_399))
  .map(([days, seconds]) => addToLocal('2027-01-31 00:00:00', { days, seconds }))

/** Lengths in seconds; where a clock is set back, an event can end before it starts. */
const length = fc.constantFrom(-3_600, 0, 3_600, 86_399, 86_400, 3 * 86_400, 31 * 86_400, 200 * 86_400, 900 * 86_400)

const some = fc.subarray([0, 1, 2])
const links = fc.record({ venue: some, organizer: some, category: some, tag: some })

/** The content of an event, its links by their positions in lists of targets. */
export const content = fc.record({
  start: moment,
  length,
  status: fc.constantFrom<Status>('publish', 'publish', 'publish', 'draft', 'private', 'trash'),
  hidden: fc.constantFrom(0, 0, 0, 1),
  featured: fc.constantFrom(0, 1),
  tickets: fc.constantFrom(null, '[]'),
  links,
})

/** A write. */
export const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('create' as const), content }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('change' as const), which: fc.nat(), content }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('status' as const), which: fc.nat(), to: fc.constantFrom(...STATUSES) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete' as const), which: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('forget' as const), kind: fc.constantFrom(...KINDS), at: fc.nat(2) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('move' as const), at: fc.nat(2), below: fc.nat(3) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('place' as const),
      at: fc.nat(2),
      status: fc.constantFrom<Status>('publish', 'publish', 'draft'),
      lat: fc.constantFrom(null, 52),
    }),
  },
)

const bounds = fc.record(
  {
    start_date: moment,
    end_date: moment,
    starts_before: moment,
    starts_after: moment,
    ends_before: moment,
    ends_after: moment,
  },
  { requiredKeys: [] },
)

/** The query of a list. */
export const question = fc.record({
  bounds,
  target: fc.option(fc.record({ kind: fc.constantFrom(...KINDS), at: fc.subarray([0, 1, 2], { minLength: 1 }) }), {
    nil: undefined,
    freq: 2,
  }),
  trait: fc.option(
    fc.record({
      name: fc.constantFrom('featured' as const, 'ticketed' as const, 'geoloc' as const),
      wanted: fc.boolean(),
    }),
    { nil: undefined, freq: 2 },
  ),
  statuses: fc.constantFrom<readonly Status[]>(
    ['publish'],
    ['publish'],
    ['publish', 'draft', 'private'],
    ['trash'],
    [],
  ),
  offset: fc.nat(20),
})
