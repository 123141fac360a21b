import assert from 'node:assert/strict'
import test from 'node:test'
import { LIST_FIELDS } from './filters.ts'

test('lists declare their parameters in the order of the interface document', () => {
  const before = ['page', 'per_page', 'search', 'exclude', 'include', 'order', 'orderby', 'hide_empty']
  const after = ['post', 'event', 'slug', 'updated_since']
  assert.deepEqual(
    LIST_FIELDS.category.map((one) => one.name),
    [...before, 'parent', ...after],
  )
  assert.deepEqual(
    LIST_FIELDS.tag.map((one) => one.name),
    [...before, ...after],
  )
})

test('lists declare types and defaults as the interface document has them', () => {
  const declared = Object.fromEntries(LIST_FIELDS.category.map((one) => [one.name, one.declared]))
  assert.deepEqual(declared, {
    page: { type: 'integer' },
    per_page: { type: 'integer' },
    search: { type: 'string' },
    exclude: { type: 'array', items: { type: 'integer' } },
    include: { type: 'array', items: { type: 'integer' } },
    order: { type: 'string' },
    orderby: { type: 'string' },
    hide_empty: { type: 'boolean' },
    parent: { type: 'integer' },
    post: { type: 'integer' },
    event: { type: 'integer' },
    slug: { type: 'string' },
    updated_since: { type: 'string' },
  })
  const hideEmpty = LIST_FIELDS.tag.find((one) => one.name === 'hide_empty')
  assert.deepEqual([hideEmpty?.default, hideEmpty?.shownDefault], [true, '1'])
})
