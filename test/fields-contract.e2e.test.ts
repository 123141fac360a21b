import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { translateKnown } from '../src/base/i18n/translate.ts'
import { CATEGORY_FIELDS } from '../src/model/category.ts'
import { EVENT_FIELDS } from '../src/model/event.ts'
import { ORGANIZER_FIELDS } from '../src/model/organizer.ts'
import { TAG_FIELDS } from '../src/model/tag.ts'
import { VENUE_FIELDS } from '../src/model/venue.ts'
import { openTestApp } from './support/app.ts'

type Shown = Readonly<Record<string, unknown>>

/** A value to send for a field, and what GET must answer under its name (a function looks into the whole answer). */
interface Sample {
  readonly sent: unknown
  readonly shown: unknown
}

/** A sample for every field: the compiler asks for one when a model grows. */
type Samples<Fields extends readonly { readonly name: string }[]> = {
  readonly [F in Fields[number] as F['name']]: Sample
}

function same(value: unknown): Sample {
  return { sent: value, shown: value }
}

const app = await openTestApp({ after })

async function make(path: string, json: object): Promise<Shown & { id: number }> {
  const answer = await app.call('administrator', 'POST', path, { json })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

const users = await app.app.storage.all(app.app.storage.db.selectFrom('user').select(['id', 'name']))
const author = users.find((one) => one.name === 'author')?.id ?? 0
const SPAN = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }
const hall = await make('/venues', { venue: 'Hall of samples' })
const club = await make('/organizers', { organizer: 'Club of samples' })
const parent = await make('/events', { title: 'Parent', ...SPAN })
const above = await make('/categories', { name: 'Above' })
const label = await make('/tags', { name: 'Label' })

const ENTRY = {
  author: { sent: author, shown: String(author) },
  date: same('2026-01-02 03:04:05'),
  date_utc: same('2026-02-03 04:05:06'),
  description: { sent: 'A <b>word</b>', shown: '<p>A <b>word</b></p>' },
  status: same('private'),
  // Nothing stores pictures yet: only none can be sent.
  image: { sent: false, shown: (answer: Shown) => (answer['image'] ?? false) === false },
  website: same('https://example.org/x?y=1'),
  language: { sent: 'de-at', shown: 'de-AT' },
}

const LINE = same('One line')

const EVENT: Samples<typeof EVENT_FIELDS> = {
  ...ENTRY,
  title: { sent: 'Fish & chips', shown: 'Fish &amp; chips' },
  slug: same('a-slug-of-its-own'),
  excerpt: { sent: 'Short', shown: '<p>Short</p>' },
  timezone: same('Asia/Kathmandu'),
  all_day: same(true),
  start_date: same('2027-02-01 09:30:00'),
  end_date: same('2027-04-01 09:30:00'),
  cost: { sent: '$7.50', shown: (answer: Shown) => String(answer['cost']).includes('7.50') },
  show_map: same(true),
  show_map_link: same(true),
  hide_from_listings: same(true),
  sticky: same(true),
  featured: same(true),
  categories: { sent: [above.id], shown: (answer: Shown) => ids(answer['categories']).includes(above.id) },
  tags: { sent: [label.id], shown: (answer: Shown) => ids(answer['tags']).includes(label.id) },
  venue: { sent: hall.id, shown: (answer: Shown) => ids([answer['venue']]).includes(hall.id) },
  organizer: { sent: [club.id], shown: (answer: Shown) => ids(answer['organizer']).includes(club.id) },
  password: { sent: 'sesame', shown: (answer: Shown) => isLocked(Number(answer['id'])) },
  post_parent: same(parent.id),
  recurrence: same(['RRULE:FREQ=WEEKLY;COUNT=3']),
  tickets: same([{ name: 'Adult', price: '12.50', currency: 'CHF', capacity: 40, sold_out: false }]),
  event_status: same('postponed'),
  event_status_reason: { sent: 'Snow & ice', shown: 'Snow &amp; ice' },
  is_virtual: same(true),
  virtual_url: same('https://stream.example/x?y=1'),
  virtual_type: same('hybrid'),
  custom_fields: same({ dress_code: 'Oilskins', level: '3' }),
}

const VENUE: Samples<typeof VENUE_FIELDS> = {
  ...ENTRY,
  venue: same('A hall of its own'),
  show_map: same(false),
  show_map_link: same(false),
  address: LINE,
  city: LINE,
  country: LINE,
  province: LINE,
  state: LINE,
  zip: LINE,
  phone: LINE,
  stateprovince: LINE,
  geo_lat: same(46.948),
  geo_lng: same(7.4474),
  exclusive: same(true),
}

const ORGANIZER: Samples<typeof ORGANIZER_FIELDS> = {
  ...ENTRY,
  organizer: same('A club of its own'),
  phone: LINE,
  email: same('club@example.org'),
}

const TAG: Samples<typeof TAG_FIELDS> = {
  name: same('A name of its own'),
  description: same('Some <em>words</em>'),
  slug: same('a-slug-of-its-own'),
}

const CATEGORY: Samples<typeof CATEGORY_FIELDS> = { ...TAG, parent: same(above.id), color: same('teal') }

function ids(items: unknown): unknown[] {
  return (items as { readonly id: number }[]).map((one) => one.id)
}

async function isLocked(id: number): Promise<boolean> {
  const path = `/events/${id}`
  const closed = await app.call('anonymous', 'GET', path)
  const opened = await app.call('anonymous', 'GET', path, { query: { password: 'sesame' } })
  return closed.body.code === 'event-password-protected' && opened.status === 200
}

/** What must be sent with a field for it to mean anything. */
const COMPANIONS: Readonly<Record<string, object>> = {
  geo_lat: { geo_lng: 7.4474 },
  geo_lng: { geo_lat: 46.948 },
  all_day: { start_date: '2027-02-01', end_date: '2027-04-01' },
}

const RESOURCES = [
  { path: '/events', fields: EVENT_FIELDS, samples: EVENT, least: { title: 'Base', ...SPAN } },
  { path: '/venues', fields: VENUE_FIELDS, samples: VENUE, least: { venue: 'Base' } },
  { path: '/organizers', fields: ORGANIZER_FIELDS, samples: ORGANIZER, least: { organizer: 'Base' } },
  { path: '/categories', fields: CATEGORY_FIELDS, samples: CATEGORY, least: { name: 'Base' } },
  { path: '/tags', fields: TAG_FIELDS, samples: TAG, least: { name: 'Base' } },
]

async function assertShown(path: string, name: string, { shown }: Sample): Promise<void> {
  const { status, body } = await app.call('administrator', 'GET', path)
  assert.equal(status, 200)
  if (typeof shown === 'function') assert.ok(await shown(body), `${path} ${name}: ${JSON.stringify(body)}`)
  // Empty members of venues and organizers are left out, so `false` is sent as such for their maps only.
  else assert.deepEqual(body[name], shown, `${path} ${name}`)
}

for (const { path, fields, samples, least } of RESOURCES) {
  test(`every field of ${path} is kept by a create and by an update and answered back`, async () => {
    assert.deepEqual(Object.keys(samples).sort(), fields.map((one) => one.name).sort())
    for (const [name, sample] of Object.entries(samples as Readonly<Record<string, Sample>>)) {
      const sending = { ...COMPANIONS[name], [name]: sample.sent }
      const made = await make(path, { ...least, ...sending })
      await assertShown(`${path}/${made.id}`, name, sample)
      await app.call('administrator', 'DELETE', `${path}/${made.id}`, { query: { force: 'true' } })
      const { id } = await make(path, least)
      const changed = await app.call('administrator', 'PATCH', `${path}/${id}`, { json: sending })
      assert.equal(changed.status, 200, JSON.stringify(changed.body))
      await assertShown(`${path}/${id}`, name, sample)
      await app.call('administrator', 'DELETE', `${path}/${id}`, { query: { force: 'true' } })
    }
  })
}

for (const { path, fields, least } of RESOURCES) {
  test(`the index and the document show the fields of ${path} in their order, with their words`, async () => {
    const { routes } = (await app.call('anonymous', 'GET', '')).body
    const document = (await app.call('anonymous', 'GET', '/doc')).body
    const create = routes[`/cal/events/v1${path}`].endpoints.find((one: { methods: string[] }) =>
      one.methods.includes('POST'),
    )
    const reference = document.paths[path].post.requestBody.content['application/json'].schema.$ref
    const schema = document.components.schemas[reference.split('/').at(-1)]
    const described = fields.map((one) => [one.name, translateKnown('en', one.description)])
    const listed = fields
      .filter((one) => one.unlisted !== true)
      .map((one) => [one.name, translateKnown('en', one.description)])
    assert.deepEqual(listed, describedBy(create.args))
    assert.deepEqual(described, describedBy(schema.properties))
    const required = fields.filter((one) => one.required).map((one) => one.name)
    assert.deepEqual(schema.required, required)
    assert.deepEqual(Object.keys(least).sort(), required.toSorted())
  })
}

function describedBy(members: Readonly<Record<string, { description: string }>>): [string, string][] {
  return Object.entries(members).map(([name, { description }]) => [name, description])
}
