import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTestApp, type TestApp } from './support/app.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

// The same calendar in both engines: what is found, and in which order, must not depend on where it is stored.

const NAMES = [
  'Straße',
  'Strasse',
  'STRAẞE',
  'Ärzte',
  'Arzt',
  'Zürich',
  'zurich',
  'Łódź',
  'Lodz',
  'Œuvre',
  'Ελλάδα',
  'Ἑλλάς',
  'Москва',
  'Ёлка',
  'Елка',
  '東京',
  '東京 ジャズ',
  'ジャズ',
  'ｼﾞｬｽﾞ',
  '한국',
  'بغداد',
  'ไทย',
  '😀 party',
  '👩‍👩‍👧 family',
  'e\u0301tude',
  'étude',
  'ﬁnale',
  'İstanbul',
  'istanbul',
  'ılık',
  '50% off',
  'under_score',
  "rock'n'roll",
  'back\\slash',
  '"quoted"',
  'a',
  'Z',
  'z',
  'Æther',
  '~tilde',
  '_first',
  '10',
  '9',
]

const SEARCHES = [
  ...[
    'strasse',
    'straße',
    'arz',
    'ä',
    'zur',
    'lodz',
    'ł',
    'oeuvre',
    'ελλαδα',
    'москва',
    'ел',
    'ёл',
    '東京',
    '東',
    'ジャズ',
  ],
  ...[
    '한국',
    'بغ',
    '😀',
    '👩',
    'etude',
    'finale',
    'ist',
    'ı',
    '%',
    '_',
    "'n'",
    '\\',
    '"quoted"',
    'z',
    '-z',
    'a -arz',
    '~',
    '1',
  ],
]

async function fill({ call }: TestApp): Promise<void> {
  const post = async (path: string, json: object): Promise<number> => {
    const { status, body } = await call('administrator', 'POST', path, { json })
    // What folds to the same name is the same term.
    if (body.code === 'term_exists') return body.data.term_id
    assert.equal(status, 201, JSON.stringify(body))
    return body.id
  }
  const categories: number[] = []
  for (const name of NAMES) categories.push(await post('/categories', { name, description: `About ${name}` }))
  for (const [index, name] of NAMES.entries()) {
    const venue = await post('/venues', { venue: name, geo_lat: index, geo_lng: -index })
    const day = String(1 + (index % 20)).padStart(2, '0')
    await post('/events', {
      title: name,
      description: `<p>${NAMES[(index * 7) % NAMES.length]} &amp; friends</p>`,
      start_date: `2027-01-${day} 10:00:00`,
      end_date: `2027-02-${day} 10:00:00`,
      date: `2026-11-0${1 + (index % 3)} 09:00:00`,
      categories: [categories[index], categories[(index * 3) % categories.length]],
      tags: [`${name} tag`, 'all'],
      venue,
      featured: index % 4 === 0,
      password: index % 9 === 4 ? 'sesame' : '',
      tickets: index % 5 === 0 ? [{ name, price: '5' }, { name: 'Gift' }] : [],
      organizer: [{ organizer: name, email: `o${index}@example.org` }],
    })
  }
}

const REQUESTS = [
  ...['/events', '/venues', '/organizers'].flatMap((path) => SEARCHES.map((search) => `${path}?${query({ search })}`)),
  ...SEARCHES.flatMap((search) =>
    ['/categories', '/tags'].map((path) => `${path}?${query({ search, hide_empty: 'false' })}`),
  ),
  ...['id', 'name', 'slug', 'count', 'description', 'parent'].flatMap((orderby) =>
    ['asc', 'desc'].map((order) => `/categories?${query({ orderby, order })}`),
  ),
  '/events',
  '/events?page=2&per_page=7',
  '/events?categories=strasse,3,5',
  '/events?tags=all&venue=1,3,5,7',
  '/events?organizer=3,6,9&featured=true',
  '/events?ends_after=2027-02-05&starts_before=2027-01-15&strict_dates=true',
  '/events?geoloc=true&geoloc_lat=10&geoloc_lng=-10&geoloc_radius=500',
  '/events?include=130,12,48,3,9',
  '/events?ticketed=false&status=publish',
  '/venues?geoloc_lat=20&geoloc_lng=-20&geoloc_radius=700',
  '/venues?has_events=true&page=2&per_page=10',
  '/organizers?only_with_upcoming=true',
  '/categories?hide_empty=true&per_page=50&exclude=1,2,3',
  '/tags?slug=all',
]

/** The same addresses of other namespaces. */
const OTHER_REQUESTS = [
  ...SEARCHES.flatMap((search) =>
    ['events', 'venues', 'tickets'].map((path) => `/tec/v1/${path}?${query({ search })}`),
  ),
  ...['id', 'title', 'slug', 'date'].flatMap((orderby) =>
    ['asc', 'desc'].map((order) => `/tec/v1/tickets?${query({ orderby, order })}`),
  ),
  ...['date', 'event_date', 'title', 'modified'].map((orderby) => `/tec/v1/events?${query({ orderby })}`),
  ...NAMES.map((city) => `/tec/v1/venues?${query({ city })}`),
  ...NAMES.map((email) => `/tec/v1/organizers?${query({ email })}`),
  ...['events', 'venues', 'organizers', 'tickets', 'docs', 'docs?version=3.1', ''].map((path) => `/tec/v1/${path}`),
  ...['events', 'venues', 'tickets'].flatMap((kind) => [3, 40, 41, 99, 130].map((id) => `/tec/v1/${kind}/${id}`)),
  '/tec/v1/events?password=sesame&per_page=50',
  '/tec/v1/tickets?password=sesame&per_page=50',
  '/tec/v1/events?ticketed=true&featured=false&status=publish',
  '/tec/v1/venues?geo_lat=20&geo_lng=-20&radius=700',
  ...['categories', 'tags', 'tribe_events_cat', 'media', 'users'].map((path) => `/wp/v2/${path}`),
]

/** Writes in their order, each of which answers the same. */
const WRITES = [
  ['POST', '/venues', { title: 'Ärztehaus', city: 'Łódź' }],
  ['POST', '/venues', { title: 'ärztehaus', city: 'Łódź' }],
  ['POST', '/organizers', { title: 'Ёлка', slug: 'zurich' }],
  [
    'POST',
    '/events',
    { title: 'İstanbul', start_date: '2027-05-01 10:00:00', duration: 60, tickets: [{ name: 'ﬁnale' }] },
  ],
  [
    'POST',
    '/events',
    { title: 'Série', start_date: '2027-05-01', duration: 9, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] },
  ],
  ['PUT', '/events/3', { title: 'Zoë', venues: [2] }],
  ['PATCH', '/venues/2', { phone: 'x' }],
  ['PUT', '/events/987654', { title: 'Zoë' }],
  ['DELETE', '/events/3', {}],
  ['DELETE', '/events/3', {}],
] as const

function query(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams({ per_page: '50', ...parameters }).toString()
}

/** An answer without the address of the server that gave it. */
async function parsedResponse({ call, origin }: TestApp, path: string): Promise<string> {
  const { status, body } = await call('anonymous', 'GET', path)
  return `${status} ${JSON.stringify(body).replaceAll(origin, '')}`
}

async function openFilled(t: TestContext, flags = {}): Promise<TestApp> {
  const app = await openTestApp(t, flags)
  await fill(app)
  return app
}

test('the same requests have the same answers in both engines, in the same order', {
  skip: TEST_ENGINE === 'sqlite',
}, async (t) => {
  const { testDatabase } = await import('./support/test-storage.ts')
  const [sqlite, postgres] = await Promise.all([
    openFilled(t, { database: await testDatabase('sqlite', t) }),
    openFilled(t),
  ])
  assert.deepEqual([sqlite.app.storage.engine, postgres.app.storage.engine], ['sqlite', 'postgres'])
  for (const path of REQUESTS) {
    const [one, other] = [await parsedResponse(sqlite, path), await parsedResponse(postgres, path)]
    assert.equal(other, one, path)
  }
  for (const path of OTHER_REQUESTS) {
    const [one, other] = await Promise.all(
      [sqlite, postgres].map((app) => parsedResponse(app, `${app.origin}/wp-json${path}`)),
    )
    assert.equal(other, one, path)
  }
  for (const [method, path, json] of WRITES) {
    const answers = await Promise.all(
      [sqlite, postgres].map(async ({ call, origin }) => {
        const { status, body } = await call('administrator', method, `${origin}/wp-json/tec/v1${path}`, { json })
        return `${status} ${JSON.stringify(body).replaceAll(origin, '')}`
      }),
    )
    assert.equal(answers[1], answers[0], `${method} ${path}`)
  }
})
