import assert from 'node:assert/strict'
import test from 'node:test'
import { urlsOf } from '../../http/address.ts'
import { presentEmbedded, presentSingle, presentTerm } from './present.ts'
import type { Term } from './tables.ts'

const BASE = 'https://calendar.example/wp-json/tribe/events/v1'
const urls = urlsOf('https://calendar.example', { language: '', prefix: '/wp-json', namespace: 'tribe/events/v1' })

const JAZZ: Term = {
  id: 6,
  name: 'Jazz & Blues',
  name_folded: 'jazz & blues',
  name_key: 'jazz ! blues',
  slug: 'jazz-slug',
  description: 'desc <b>x</b>',
  parent: 5,
  color: '',
  shade: 1,
  count: 2,
  search_text: '',
  extra: null,
  revision: 1,
}
const ancestors = new Map([
  [5, { slug: 'concerts', parent: 4 }],
  [4, { slug: 'caf%c3%a9', parent: 0 }],
])

test('a category is answered with its members in the order of the wire', () => {
  const view = presentSingle({ key: 'category', term: JAZZ, ancestors, urls })
  assert.equal(
    JSON.stringify(view),
    JSON.stringify({
      id: 6,
      count: 2,
      description: 'desc <b>x</b>',
      name: 'Jazz &amp; Blues',
      slug: 'jazz-slug',
      taxonomy: 'tribe_events_cat',
      parent: 5,
      meta: [],
      url: 'https://calendar.example/events/category/caf%c3%a9/concerts/jazz-slug/',
      urls: { self: `${BASE}/categories/6`, collection: `${BASE}/categories`, up: `${BASE}/categories/5` },
      _links: {
        self: [{ href: `${BASE}/categories/6` }],
        collection: [{ href: `${BASE}/categories` }],
        about: [{ href: BASE }],
        up: [{ embeddable: true, href: `${BASE}/categories/5` }],
      },
    }),
  )
})

test('a tag has no parent and no links in lists', () => {
  const view = presentTerm({ key: 'tag', term: { ...JAZZ, parent: 0 }, ancestors: new Map(), urls })
  assert.deepEqual(Object.keys(view), [
    ...['id', 'count', 'description', 'name', 'slug', 'taxonomy', 'meta', 'url', 'urls'],
  ])
  assert.equal(view.taxonomy, 'post_tag')
  assert.equal(view.url, 'https://calendar.example/tag/jazz-slug/')
  assert.deepEqual(view.urls, { self: `${BASE}/tags/6`, collection: `${BASE}/tags` })
})

test('a circle of parents, which should not be, ends the page address instead of the program', () => {
  const circle = new Map([[5, { slug: 'a', parent: 6 }]])
  const view = presentTerm({ key: 'category', term: JAZZ, ancestors: circle, urls })
  assert.equal(view.url, 'https://calendar.example/events/category/a/jazz-slug/')
})

test('events embed terms in a shape of their own', () => {
  assert.equal(
    JSON.stringify(presentEmbedded('category', JAZZ, urls)),
    JSON.stringify({
      name: 'Jazz &amp; Blues',
      slug: 'jazz-slug',
      term_group: 0,
      term_taxonomy_id: 6,
      taxonomy: 'tribe_events_cat',
      description: 'desc <b>x</b>',
      parent: 5,
      count: 2,
      filter: 'raw',
      id: 6,
      urls: { self: `${BASE}/categories/6`, collection: `${BASE}/categories`, up: `${BASE}/categories/5` },
    }),
  )
})

test('unknown members of an import follow ours and never shadow them', () => {
  const term = { ...JAZZ, extra: '{"term_order":"3","id":99}' }
  assert.deepEqual(Object.entries(presentTerm({ key: 'category', term, ancestors, urls })).at(-1), ['term_order', '3'])
  const embedded: object = presentEmbedded('category', term, urls)
  assert.deepEqual(Object.entries(embedded).at(-1), ['term_order', '3'])
  assert.deepEqual({ ...embedded, id: 6 }, embedded)
})
