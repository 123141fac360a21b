import assert from 'node:assert/strict'
import test from 'node:test'
import { LANGUAGES } from '../src/base/i18n/languages.ts'
import { openTestApp } from './support/app.ts'

/*
 * The tables of the interface document, as the index must show them in every language. A line is
 * `name type`, `-` where no type is declared, `!` where the parameter is required, `=value` for its default.
 */

const PAGING = 'page integer =1, per_page integer ="10"'

const EVENT_LIST = `${PAGING},
  start_date - ="2026-11-20 00:00:00", end_date - ="2028-11-20 23:59:59",
  starts_before -, starts_after -, ends_before -, ends_after -, strict_dates - =false, search string,
  categories array, tags array, venue array, organizer array, featured boolean, status string,
  geoloc boolean, geoloc_lat double, geoloc_lng double, include array, post_parent integer, ticketed boolean`

const EVENT = `author integer, date string, date_utc string, title string !, description string, slug string,
  excerpt string, status string, timezone string, all_day boolean =false, start_date string !, end_date string !,
  image string, cost -, website - =null, show_map boolean, show_map_link boolean, hide_from_listings boolean,
  sticky boolean, featured boolean, categories array =null, tags array =null, venue array =null, organizer array =null`

const LINKED_LIST = `${PAGING}, search string, event integer, has_events -, only_with_upcoming - =false, status string`

const VENUE = `author integer, date string, date_utc string, venue string !, description string =null, status string,
  show_map string =null, show_map_link string =null, address string =null, city string =null, country string =null,
  province string =null, state string =null, zip string =null, phone string =null, stateprovince string =null,
  website string =null, image string =null`

const ORGANIZER = `author integer =null, date string =null, date_utc string =null, organizer string ! =null,
  description string =null, status string =null, phone string =null, website string =null, email string =null,
  image string =null`

const TERM_LIST = `${PAGING}, search string, exclude array, include array, order string, orderby string,
  hide_empty boolean ="1"`

const TAG_LIST = `${TERM_LIST}, post integer, event integer, slug string`
const CATEGORY_LIST = `${TERM_LIST}, parent integer, post integer, event integer, slug string`
const TAG = 'name string !, description string, slug string'
const CATEGORY = `${TAG}, parent integer`

const ID = 'id integer !'
const SLUG = 'slug string !'
const UPDATE = 'POST PUT PATCH'

/** What the interface document says of an endpoint, and the names of the parameters that are ours. */
type Expected = readonly [methods: string, table: string, ours?: string]

const EVENT_OURS = 'post_parent tickets'

/** Every path of the interface document in its order. */
const PATHS: readonly (readonly [pattern: string, endpoints: readonly Expected[]])[] = [
  ['', [['GET', 'namespace - ="cal/events/v1", context - ="view"']]],
  ['/doc', [['GET', '']]],
  [
    '/events',
    [
      ['GET', EVENT_LIST, 'geoloc_radius password'],
      ['POST', EVENT, `password ${EVENT_OURS}`],
    ],
  ],
  [
    '/events/(?P<id>\\d+)',
    [
      ['GET', `${ID}, password string`],
      ['DELETE', `${ID}, password string`, 'force'],
      [UPDATE, `${ID}, password string, ${optional(EVENT)}`, EVENT_OURS],
    ],
  ],
  [
    '/events/by-slug/(?P<slug>[^/]+)',
    [
      ['GET', SLUG, 'password'],
      ['DELETE', SLUG, 'password force'],
      // The slug in the body is optional; it takes the place of that in the path.
      [UPDATE, `slug string, ${optional(EVENT).replace(' slug string,', '')}`, `password ${EVENT_OURS}`],
    ],
  ],
  ...linked('/venues', VENUE, { list: 'geoloc_lat geoloc_lng geoloc_radius', item: 'geo_lat geo_lng' }),
  ...linked('/organizers', ORGANIZER, { list: '', item: '' }),
  ...terms('/categories', CATEGORY_LIST, CATEGORY),
  ...terms('/tags', TAG_LIST, TAG),
]

function linked(
  path: string,
  fields: string,
  ours: { readonly list: string; readonly item: string },
): (typeof PATHS)[number][] {
  const item = (key: string): Expected[] => [
    ['GET', key],
    ['DELETE', key, 'force'],
    [UPDATE, `${key}, ${optional(fields)}`, ours.item],
  ]
  return [
    [
      path,
      [
        ['GET', LINKED_LIST, ours.list],
        ['POST', fields, ours.item],
      ],
    ],
    [`${path}/(?P<id>\\d+)`, item(ID)],
    [`${path}/by-slug/(?P<slug>[^/]+)`, item(SLUG)],
  ]
}

function terms(path: string, list: string, fields: string): (typeof PATHS)[number][] {
  return [
    [
      path,
      [
        ['GET', list],
        ['POST', fields],
      ],
    ],
    [
      `${path}/(?P<id>\\d+)`,
      [
        ['GET', ID],
        [UPDATE, `${ID}, ${optional(fields)}`],
        ['DELETE', ID],
      ],
    ],
  ]
}

function optional(fields: string): string {
  return fields.replaceAll(' !', '')
}

interface Argument {
  readonly description: string
  readonly type?: string
  readonly default?: unknown
  readonly required: boolean
}

interface Described {
  readonly methods: readonly string[]
  readonly endpoints: readonly {
    readonly methods: readonly string[]
    readonly args: Readonly<Record<string, Argument>>
  }[]
}

/** The arguments as a table again, without those of ours. */
function tableOf(args: Readonly<Record<string, Argument>>, ours: readonly string[]): string {
  const shown = Object.entries(args).filter(([name]) => !ours.includes(name))
  const lines = shown.map(([name, one]) => {
    const fallback = 'default' in one ? ` =${JSON.stringify(one.default)}` : ''
    return `${name} ${one.type ?? '-'}${one.required ? ' !' : ''}${fallback}`
  })
  return lines.join(', ')
}

for (const language of LANGUAGES) {
  test(`the index shows the tables of the interface document (${language})`, async (t) => {
    const { call } = await openTestApp(t, { siteZone: 'UTC' })
    const { body } = await call('anonymous', 'GET', '', { query: { lang: language } })
    const routes = body.routes as Readonly<Record<string, Described>>
    assert.deepEqual(
      Object.keys(routes).slice(0, PATHS.length),
      PATHS.map(([pattern]) => `/cal/events/v1${pattern}`),
    )
    for (const [pattern, endpoints] of PATHS) {
      const shown = routes[`/cal/events/v1${pattern}`]
      assert.deepEqual(
        shown?.methods,
        endpoints.flatMap(([methods]) => methods.split(' ')),
        pattern,
      )
      for (const [index, [methods, table, ours = '']] of endpoints.entries()) {
        const endpoint: Described['endpoints'][number] | undefined = shown?.endpoints[index]
        assert.equal(endpoint?.methods.join(' '), methods, pattern)
        assert.equal(
          tableOf(endpoint?.args ?? {}, ours.split(' ')),
          table.replace(/\s+/g, ' '),
          `${methods} ${pattern}`,
        )
        for (const name of ours.split(' ').filter((one) => one !== '')) {
          assert.ok(Object.hasOwn(endpoint?.args ?? {}, name), `${methods} ${pattern}: ${name}`)
        }
      }
    }
  })
}

test('lists of identifiers name the type of their items, texts with a format their format', async (t) => {
  const { call } = await openTestApp(t)
  const { routes } = (await call('anonymous', 'GET', '')).body
  const [list, create] = routes['/cal/events/v1/events'].endpoints
  for (const args of [list.args, create.args]) {
    for (const name of ['categories', 'tags', 'venue', 'organizer'])
      assert.deepEqual(args[name].items, { type: 'integer' })
  }
  assert.equal(routes['/cal/events/v1/venues'].endpoints[1].args.website.format, 'uri')
  assert.equal(routes['/cal/events/v1/organizers'].endpoints[1].args.email.format, 'email')
})

test('an endpoint without parameters shows an empty list', async (t) => {
  const { call } = await openTestApp(t)
  const { routes } = (await call('anonymous', 'GET', '')).body
  assert.deepEqual(routes['/cal/events/v1/doc'].endpoints, [{ methods: ['GET'], args: [] }])
})

test('the index is that of the namespace, prefix and language that were called', async (t) => {
  const { call, origin } = await openTestApp(t)
  const { body } = await call('anonymous', 'GET', `${origin}/de/wp-json/tribe/events/v1/`)
  assert.equal(body.namespace, 'tribe/events/v1')
  assert.deepEqual(body._links, { up: [{ href: `${origin}/de/wp-json/` }] })
  const root = body.routes['/tribe/events/v1']
  assert.equal(root.endpoints[0].args.namespace.default, 'tribe/events/v1')
  const self = [{ href: `${origin}/de/wp-json/tribe/events/v1/events` }]
  assert.deepEqual(body.routes['/tribe/events/v1/events']._links, { self })
  assert.equal(body.routes['/tribe/events/v1/events/(?P<id>\\d+)']._links, undefined)
})

test('the index of another namespace can be asked for; an unknown one is not found', async (t) => {
  const { call } = await openTestApp(t)
  const other = await call('anonymous', 'GET', '', { query: { namespace: 'tribe/events/v1', context: 'whatever' } })
  assert.equal(other.body.namespace, 'tribe/events/v1')
  assert.ok(other.body.routes['/tribe/events/v1/events'])
  for (const namespace of ['foo', '', 'cal/events/v10']) {
    const unknown = await call('anonymous', 'GET', '', { query: { namespace } })
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'rest_invalid_namespace'], namespace)
  }
})

test('OPTIONS describes one path as the index does', async (t) => {
  const { call } = await openTestApp(t)
  const { routes } = (await call('anonymous', 'GET', '')).body
  for (const [path, pattern] of [
    ['', ''],
    ['/events', '/events'],
    ['/events/0', '/events/(?P<id>\\d+)'],
    ['/venues/by-slug/x', '/venues/by-slug/(?P<slug>[^/]+)'],
    ['/tags', '/tags'],
  ] as const) {
    const options = await call('anonymous', 'OPTIONS', path)
    assert.equal(options.status, 200)
    assert.deepEqual(options.body, routes[`/cal/events/v1${pattern}`], path)
    assert.equal(options.headers.get('allow'), 'GET')
  }
})
