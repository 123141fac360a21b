import assert from 'node:assert/strict'
import test, * as nodeTest from 'node:test'
import fc from 'fast-check'
import type { Role } from '../src/http/auth/rights.ts'
import { anyHtml } from './support/any-text.ts'
import { openTestApp } from './support/app.ts'
import { draws } from './support/draws.ts'
import { paint } from './support/images.ts'
import { anyName } from './support/names.ts'
import { assertRoundTrips } from './support/round-trip.ts'
import { upload } from './support/upload.ts'

const app = await openTestApp(nodeTest)
const picture = (await upload(app, 'author', { bytes: await paint(400, 320).png().toBuffer() })).body

const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(one, { nil: undefined, freq: 2 })
const anyImage = fc.constantFrom<unknown>(picture.id, String(picture.id), picture.image.url, picture.image, false)

const linkedItem = (key: 'venue' | 'organizer'): fc.Arbitrary<Record<string, unknown>> =>
  fc.record({ [key]: anyName, description: anyHtml, website: fc.constantFrom('', 'https://l.example/?a=1&b=2') })

const ticket = fc.record(
  {
    name: anyName,
    price: fc.constantFrom('0', '12.50', '7.5', 9),
    currency: fc.constantFrom('eur', 'USD'),
    url: fc.constant('https://t.example/?a=1&b=2'),
    capacity: fc.nat(500),
    available_from: fc.constantFrom('2027-01-01', '2027-01-01 10:00:00'),
    sold_out: fc.boolean(),
  },
  { requiredKeys: ['name'] },
)

/** Start and end in their order: gaps and overlaps of clocks, ends of the calendar, whole days. */
const anyTimes = fc.constantFrom(
  ['2027-03-28 02:30:00', '2027-03-28 03:30:00'],
  ['2027-10-31 02:30:00', '2027-10-31 02:45:00'],
  ['2027-10-31T02:30:00+01:00', '2027-11-01T00:00:00Z'],
  ['1000-01-02 00:00:00', '9999-12-30 23:59:59'],
  ['1883-11-18 12:00:01', '1916-05-01'],
  ['2027-05-01', '2027-05-03'],
  ['2027-05-01 23:59:59', '2027-05-01 23:59:59'],
  [1803891600, 1803895200],
)

const anyEvent = fc
  .record({
    title: anyName,
    times: anyTimes,
    timezone: maybe(
      fc.constantFrom(
        'Europe/Berlin',
        'UTC',
        'UTC+5:30',
        'UTC-3',
        'America/New_York',
        'Asia/Kathmandu',
        'Pacific/Apia',
      ),
    ),
    all_day: maybe(fc.boolean()),
    description: maybe(anyHtml),
    excerpt: maybe(anyHtml),
    slug: maybe(fc.constantFrom('fête', 'a b', '日本', 'x'.repeat(300), 'Ä Ö')),
    status: maybe(fc.constantFrom('publish', 'draft', 'pending', 'future', 'private')),
    date: maybe(fc.constantFrom('2020-02-29 12:00:00', '2031-01-01 00:00:00', '2026-10-25 02:30:00', '1000-01-02')),
    image: maybe(anyImage),
    cost: maybe(
      fc.constantFrom(
        '',
        0,
        '5',
        '£5-£9',
        '1,000.50',
        'free',
        '12 €',
        '5.555',
        ['5', '9'],
        '€ 0',
        '-5',
        '1.000,50',
        'USD 5',
        'from 5 to 9 <b>&',
      ),
    ),
    website: maybe(
      fc.constantFrom('', null, 'https://a.example/?x=1&y=2', 'http://ö.example/ü?q=%26#x', 'HTTPS://A.example'),
    ),
    show_map: maybe(fc.boolean()),
    show_map_link: maybe(fc.boolean()),
    hide_from_listings: maybe(fc.boolean()),
    sticky: maybe(fc.boolean()),
    featured: maybe(fc.boolean()),
    categories: maybe(fc.array(anyName, { maxLength: 3 })),
    tags: maybe(fc.array(anyName, { maxLength: 3 })),
    venue: maybe(fc.array(linkedItem('venue'), { maxLength: 2 })),
    organizer: maybe(fc.array(linkedItem('organizer'), { maxLength: 3 })),
    tickets: maybe(fc.array(ticket, { maxLength: 2 })),
    password: maybe(fc.constantFrom('open', 'pass & word')),
  })
  .map(({ times: [start_date, end_date], ...event }) => ({ ...event, start_date, end_date }))

/** What happens to the event, and to what it is linked to, between its creation and the round trip. */
const anyFate = fc.subarray(['trash venue', 'hide organizer', 'trash parent', 'trash event', 'delete term'] as const)

type Fate = 'trash venue' | 'hide organizer' | 'trash parent' | 'trash event' | 'delete term'

async function suffer(event: Record<string, unknown>, fates: readonly Fate[]): Promise<void> {
  const first = (member: string): number | undefined => {
    const items = [event[member]].flat() as { id: number }[]
    return items[0]?.id
  }
  const venue = first('venue')
  const organizer = first('organizer')
  const term = first('tags')
  if (fates.includes('trash venue') && venue) await app.call('administrator', 'DELETE', `/venues/${venue}`)
  if (fates.includes('hide organizer') && organizer) {
    const json = { status: 'private', author: 1 }
    await app.call('administrator', 'PATCH', `/organizers/${organizer}`, { json })
  }
  if (fates.includes('delete term') && term) await app.call('administrator', 'DELETE', `/tags/${term}`)
  if (fates.includes('trash event')) await app.call('administrator', 'DELETE', `/events/${event['id']}`)
}

test('what GET answers for an event changes nothing when it is sent back, by its owner and by an editor', async (t) => {
  let made = 0
  const owners = fc.constantFrom<Role>('administrator', 'editor', 'author', 'contributor')
  await fc.assert(
    fc.asyncProperty(owners, anyEvent, anyFate, async (owner, event, fates) => {
      // A contributor may not name new terms, nor set what is private.
      const { categories, tags, status, ...rest } = event
      const json = owner === 'contributor' ? rest : event
      const parent = fates.includes('trash parent')
        ? await app.call('author', 'POST', '/events', {
            json: { title: 'Whole', start_date: '2027-01-01', end_date: '2027-01-01' },
          })
        : undefined
      const sent = { ...json, ...(parent !== undefined && { post_parent: parent.body.id }) }
      const created = await app.call(owner, 'POST', '/events', { json: sent })
      assert.equal(created.status, 201, `${JSON.stringify(created.body)} ${JSON.stringify(sent)}`)
      made += 1
      await suffer(created.body, fates)
      if (parent !== undefined) await app.call('administrator', 'DELETE', `/events/${parent.body.id}`)
      const { id } = created.body
      const path = `/events/${id}`
      const { slug } = (await app.call('administrator', 'GET', path)).body
      const list = `/events?include=${id}&status=${fates.includes('trash event') ? 'trash' : 'any'}`
      const isOpen = owner !== 'contributor' || !fates.includes('trash event')
      const roles: Role[] = isOpen ? [owner, 'editor'] : ['editor']
      for (const as of new Set(roles)) {
        await assertRoundTrips(app, {
          as,
          paths: [path, `/events/by-slug/${encodeURIComponent(slug)}`],
          list: as === 'editor' ? list : '',
        })
      }
    }),
    { numRuns: draws(25, 3) },
  )
  t.diagnostic(`${made} events`)
})

test('the terms that an event has are no change in another order', async () => {
  const event = { title: 'Terms', start_date: '2027-01-01', end_date: '2027-01-02' }
  const made = await app.call('editor', 'POST', '/events', { json: { ...event, categories: ['Zoo', 'Ant'] } })
  app.clock.now += 60_000
  const same = await app.call('editor', 'PATCH', `/events/${made.body.id}`, { json: { categories: ['Ant', 'Zoo'] } })
  assert.deepEqual(same.body, made.body)
  const fewer = await app.call('editor', 'PATCH', `/events/${made.body.id}`, { json: { categories: ['Zoo'] } })
  assert.notEqual(fewer.body.modified, made.body.modified)
})
