import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHttpUrl } from '../../base/text/http-url.ts'
import { boolean } from './boolean.ts'
import { image } from './image.ts'
import { positiveOrNone } from './integer.ts'
import { linkedList } from './linked.ts'
import { idList, termRefs } from './list.ts'
import { termList } from './term-list.ts'

const CONTEXT = { now: 0, siteZone: 'UTC' }

/** The numbers 1 to `count`. */
function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

test('words that every object knows are no yes-or-no values', () => {
  for (const word of ['constructor', '__proto__', 'Constructor', 'toString']) {
    assert.equal(boolean.parse(word, CONTEXT).ok, false, word)
  }
  assert.deepEqual(boolean.parse('YES', CONTEXT), { ok: true, value: true })
})

test('repeated linked items are named once, in their order', () => {
  const reading = linkedList('VenueCreate').parse([3, '1,3', { id: 1 }, 2, { venue: 'A' }, { venue: 'A' }], CONTEXT)
  assert.deepEqual(reading.ok && reading.value, [
    { by: 'id', id: 3 },
    { by: 'id', id: 1 },
    { by: 'id', id: 2 },
    { by: 'data', data: { venue: 'A' } },
    { by: 'data', data: { venue: 'A' } },
  ])
})

test('lists that no calendar needs are refused before anything is made of them', () => {
  const many = numbers(100_000)
  const begun = process.cpuUsage()
  assert.equal(linkedList('VenueCreate').parse(many, CONTEXT).ok, false)
  assert.equal(linkedList('VenueCreate').parse(many.join(), CONTEXT).ok, false)
  assert.equal(termList.parse(many, CONTEXT).ok, false)
  assert.equal(termList.parse(many.join(), CONTEXT).ok, false)
  assert.ok(process.cpuUsage(begun).user < 2_000_000, 'reading a list takes time in proportion to its length')
  assert.equal(linkedList('VenueCreate').parse(numbers(1000), CONTEXT).ok, true)
  assert.equal(termList.parse(numbers(1000), CONTEXT).ok, true)
})

test('a list whose texts are longer than all names together is refused before it is split', () => {
  const blanks = ' ,'.repeat(200_000)
  for (const kind of [idList, termRefs, termList, linkedList('VenueCreate')]) {
    assert.equal(kind.parse(`${blanks}5`, CONTEXT).ok, false)
    assert.equal(kind.parse([blanks, 'x'.repeat(1_900_000)], CONTEXT).ok, false)
    assert.equal(kind.parse(`${' ,'.repeat(100_000)}5`, CONTEXT).ok, true)
  }
})

test('a term name in an array may hold a comma, a text alone is a list', () => {
  const text = (name: string) => ({ by: 'text', text: name })
  assert.deepEqual(termList.parse(['Food, Drink', ' ', 'Art'], CONTEXT), {
    ok: true,
    value: [text('Food, Drink'), text('Art')],
  })
  assert.deepEqual(termList.parse('Food, Drink', CONTEXT), { ok: true, value: [text('Food'), text('Drink')] })
})

test('an empty list clears a picture and a parent, as it clears relations', () => {
  assert.deepEqual(image.parse([], CONTEXT), { ok: true, value: { by: 'none' } })
  assert.deepEqual(positiveOrNone.parse([], CONTEXT), { ok: true, value: 0 })
  assert.equal(image.parse([5], CONTEXT).ok, false)
  assert.equal(positiveOrNone.parse([5], CONTEXT).ok, false)
})

test('an address holds no control characters and no halves of characters', () => {
  assert.equal(isHttpUrl('https://x.example/a?b=1&c=日本'), true)
  for (const odd of ['\u0000', '\u007f', '\u0085', '\ud800']) assert.equal(isHttpUrl(`https://x.example/${odd}`), false)
})
