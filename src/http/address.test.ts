import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { LANGUAGES } from '../base/i18n/languages.ts'
import { type Mount, NAMESPACE, NOWHERE, ROOT_PATH, readTarget } from './address.ts'

const SPACES = [
  { name: NAMESPACE, aliases: ['tribe/events/v1'] },
  { name: 'wp/v2', aliases: [] },
]
const OPTIONS = { namespaces: SPACES, languages: LANGUAGES }
const API_PREFIX = `/${NAMESPACE}`
const ROOT: Mount = { language: '', prefix: '', namespace: NAMESPACE }

/** Addresses that mean the route `/events`, and the mount that each names. */
const FORMS: readonly (readonly [string, Partial<Mount>])[] = [
  ['/cal/events/v1/events', {}],
  ['/cal/events/v1/events/', {}],
  ['/CAL/Events/V1/EVENTS', {}],
  ['/index.php/cal/events/v1/events', {}],
  ['http://calendar.example:3000/cal/events/v1/events', {}],
  ['/wp-json/cal/events/v1/events', { prefix: '/wp-json' }],
  ['/WP-JSON/cal/events/v1/events', { prefix: '/wp-json' }],
  ['/index.php/wp-json/cal/events/v1/events', { prefix: '/wp-json' }],
  ['/tribe/events/v1/events', { namespace: 'tribe/events/v1' }],
  ['/wp-json/tribe/events/v1/events', { prefix: '/wp-json', namespace: 'tribe/events/v1' }],
  ['/de/cal/events/v1/events', { language: 'de' }],
  ['/DE/cal/events/v1/events', { language: 'de' }],
  ['/de/wp-json/tribe/events/v1/events', { language: 'de', prefix: '/wp-json', namespace: 'tribe/events/v1' }],
  ['/de/index.php/wp-json/cal/events/v1/events', { language: 'de', prefix: '/wp-json' }],
  ['/?rest_route=/cal/events/v1/events', {}],
  ['/?rest_route=/cal/events/v1/events/', {}],
  ['/?rest_route=cal/events/v1/events', {}],
  ['/?rest_route=%2Fcal%2Fevents%2Fv1%2Fevents', {}],
  ['/?rest_route=/tribe/events/v1/events', { namespace: 'tribe/events/v1' }],
  ['/index.php?rest_route=/cal/events/v1/events', {}],
  ['/index.php/?rest_route=/cal/events/v1/events', {}],
  ['/de/?rest_route=/cal/events/v1/events', { language: 'de' }],
  ['/de?rest_route=/cal/events/v1/events', { language: 'de' }],
  ['/de/index.php?rest_route=/cal/events/v1/events', { language: 'de' }],
]

for (const [url, mount] of FORMS) {
  test(`${url} is the list of events`, () => {
    assert.deepEqual(readTarget(url, OPTIONS), { url: `${API_PREFIX}/events`, mount: { ...ROOT, ...mount } })
  })
}

for (const language of LANGUAGES) {
  test(`a calendar can be addressed in ${language}`, () => {
    const target = { url: `${API_PREFIX}/events`, mount: { ...ROOT, language } }
    assert.deepEqual(readTarget(`/${language}/cal/events/v1/events`, OPTIONS), target)
    assert.deepEqual(readTarget(`/${language}/?rest_route=/cal/events/v1/events`, OPTIONS), target)
    const prefixed = { ...target, mount: { ...target.mount, prefix: '/wp-json' } }
    assert.deepEqual(readTarget(`/${language.toUpperCase()}/wp-json/cal/events/v1/events`, OPTIONS), prefixed)
  })
}

test('the code of a language elsewhere in an address is a slug like any other', () => {
  const slug = { url: `${API_PREFIX}/events/by-slug/it`, mount: ROOT }
  assert.deepEqual(readTarget('/cal/events/v1/events/by-slug/it', OPTIONS), slug)
  assert.deepEqual(readTarget('/it/cal/events/v1/events/by-slug/it', OPTIONS).mount, { ...ROOT, language: 'it' })
  for (const url of ['/event/it', '/tag/it', '/it', '/it/jazz', '/it/event/jazz', '/it-fair/cal/events/v1/events']) {
    assert.deepEqual(readTarget(url, OPTIONS), { url }, url)
  }
})

test('every namespace answers under every mount, with the words of its routes in any case', () => {
  for (const [url, mount] of [
    ['/wp/v2/users/me', {}],
    ['/WP/V2/Users/ME/', {}],
    ['/wp-json/wp/v2/users/me', { prefix: '/wp-json' }],
    ['/de/wp-json/wp/v2/users/me', { language: 'de', prefix: '/wp-json' }],
    ['/?rest_route=/wp/v2/users/me', {}],
  ] as const) {
    const expected = { url: '/wp/v2/users/me', mount: { ...ROOT, namespace: 'wp/v2', ...mount } }
    assert.deepEqual(readTarget(url, OPTIONS), expected, url)
  }
})

test('the bare namespace is the index, with and without a slash', () => {
  for (const url of ['/cal/events/v1', '/cal/events/v1/', '/?rest_route=/cal/events/v1']) {
    assert.deepEqual(readTarget(url, OPTIONS), { url: API_PREFIX, mount: ROOT })
  }
})

test('only one slash at the end is tolerated', () => {
  assert.equal(readTarget('/cal/events/v1/events//', OPTIONS).url, `${API_PREFIX}/events/`)
})

test('the query stays, without stray ampersands and without rest_route', () => {
  const cases = [
    ['/cal/events/v1/events?', '/events'],
    ['/cal/events/v1/events?&&a=1&&b=2&', '/events?a=1&b=2'],
    ['/?a=1&rest_route=/cal/events/v1/events&b=%20', '/events?a=1&b=%20'],
    ['/cal/events/v1/events?rest_route=/cal/events/v1/venues', '/events?rest_route=/cal/events/v1/venues'],
  ] as const
  for (const [url, target] of cases) assert.equal(readTarget(url, OPTIONS).url, API_PREFIX + target, url)
})

test('words of the route lose their letter case, slugs keep it', () => {
  assert.equal(readTarget('/cal/events/v1/Events/By-Slug/Jazz', OPTIONS).url, `${API_PREFIX}/events/by-slug/Jazz`)
  const slug = readTarget('/cal/events/v1/events/by-slug/index.php', OPTIONS).url
  assert.equal(slug, `${API_PREFIX}/events/by-slug/index.php`)
})

test('a slug in rest_route reaches the router encoded once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (slug) => {
      fc.pre(!/[/]|^\s*$/.test(slug) && slug.isWellFormed())
      const url = `/?rest_route=${encodeURIComponent(`/cal/events/v1/events/by-slug/${slug}`)}`
      const prefix = `${API_PREFIX}/events/by-slug/`
      const target = readTarget(url, OPTIONS).url
      assert.ok(target.startsWith(prefix))
      assert.equal(decodeURIComponent(target.slice(prefix.length)), slug)
    }),
  )
})

test('addresses of the site are left as they are', () => {
  for (const url of [
    '/',
    '/de/',
    '/event/cal/events/v1',
    '/cal/events/v10/events',
    '/cal/events',
    '/xx/cal/events/v1/events',
    '/?rest_route=',
    '/event/x?rest_route=/cal/events/v1/events',
    '*',
  ]) {
    assert.deepEqual(readTarget(url, OPTIONS), { url }, url)
  }
})

test('what stands behind a prefix of the API is of the API, also where it names nothing', () => {
  for (const url of ['/wp-json//', '/wp-json/oembed/1.0', '/?rest_route=/oembed/1.0']) {
    const target = readTarget(url, OPTIONS)
    assert.equal(target.mount?.namespace, NAMESPACE, url)
    assert.equal(target.url, NOWHERE, url)
  }
})

test('the prefix of the API alone, and rest_route with a slash, are the root index, under every language', () => {
  for (const [url, prefix] of [
    ['/wp-json', '/wp-json'],
    ['/wp-json/', '/wp-json'],
    ['/WP-JSON/', '/wp-json'],
    ['/index.php/wp-json', '/wp-json'],
    ['/de/wp-json/', '/wp-json'],
    ['/?rest_route=/', ''],
    ['/de/?rest_route=%2F', ''],
  ] as const) {
    const mount = { ...ROOT, prefix, language: url.startsWith('/de') ? 'de' : '' }
    assert.deepEqual(readTarget(url, OPTIONS), { url: ROOT_PATH, mount }, url)
  }
})

test('a namespace that is called like a language or like the prefix is read as one behind them', () => {
  const namespaces = [{ name: 'cal/events/v1', aliases: ['it/events/v1', 'wp-json/x'] }]
  const options = { namespaces, languages: LANGUAGES }
  for (const url of [
    '/it/events/v1/events',
    '/wp-json/x/events',
    '/it/cal/events/v1/events',
    '/wp-json/it/events/v1/events/5',
  ])
    assert.deepEqual(readTarget(url, options), readTarget(`${url}?&`, options), url)
  assert.equal(readTarget('/it/events/v1/events', options).mount, undefined)
})

test('an address as links have it is read like the same in another form', () => {
  const rests = [
    'events',
    'events/5',
    'venues?page=2',
    'events/5?a=b&c=',
    'events?a',
    'doc',
    'events?a=b?c&&d',
    'events/05/',
  ]
  for (const { name, aliases } of OPTIONS.namespaces) {
    for (const start of [name, ...aliases].flatMap((one) => [`/${one}/`, `/wp-json/${one}/`])) {
      for (const rest of rests) {
        assert.deepEqual(
          readTarget(start + rest, OPTIONS),
          readTarget(start.toUpperCase() + rest, OPTIONS),
          start + rest,
        )
      }
    }
  }
})
