import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlsOf } from '../http/address.ts'
import { ANONYMOUS } from '../http/auth/rights.ts'
import { arrayReply, pageOf } from './lists.ts'

const urls = urlsOf('https://cal.example', { language: 'de', prefix: '/wp-json', namespace: 'tec/v1' })

test('a page has a hundred items at most, or more where the site allows more', () => {
  for (const [asked, perPageMax, perPage] of [
    [undefined, 50, 10],
    [1000, 50, 100],
    [1000, 500, 500],
    [60, 50, 60],
  ] as const)
    assert.equal(pageOf({ values: asked === undefined ? {} : { per_page: asked } }, { perPageMax }).perPage, perPage)
})

test('links are on the mount that was called and carry the size that took effect', () => {
  const list = { items: [1], total: 250, path: '/events' }
  const paging = pageOf({ values: { page: 2, per_page: 1000 } }, { perPageMax: 50 })
  const sent = { search: 'a&b', page: '2', per_page: '1000', password: 'sesame', _fields: 'id', other: '1' }
  const call = { urls, sent, values: { search: {}, page: 2, per_page: 1000, password: 'sesame' }, caller: ANONYMOUS }
  const { headers } = arrayReply(call, { ...list, paging })
  const address = 'https://cal.example/de/wp-json/tec/v1/events?search=a%26b&per_page=100&_fields=id&page='
  assert.equal(headers?.['Link'], `<${address}3>; rel="next", <${address}1>; rel="prev"`)
  assert.equal(headers['X-TEC-TotalPages'], '3')
})
