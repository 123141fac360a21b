import assert from 'node:assert/strict'
import test from 'node:test'
import { readSelection, select } from './select.ts'

const LIST = {
  events: [
    { id: 1, title: 'A', venue: { id: 7, venue: 'Hall' }, organizer: [{ id: 3 }] },
    { id: 2, title: 'B', venue: [], organizer: [] },
  ],
  total: 2,
}

function fields(sent: unknown): unknown {
  return select(LIST, readSelection(sent) ?? [])
}

test('_fields is a list by comma or as an array; blanks are dropped', () => {
  assert.deepEqual(readSelection('a, b,,c.d'), ['a', 'b', 'c.d'])
  assert.deepEqual(readSelection(['a', 'b,c']), ['a', 'b', 'c'])
})

test('_fields that names nothing asks for everything', () => {
  for (const sent of [undefined, '', ' , ', [], 5, { a: 'b' }]) assert.equal(readSelection(sent), undefined)
})

test('items of _fields that are no text name nothing, whatever they are made of', () => {
  const bare = Object.assign(Object.create(null), { a: 'b' })
  let deep: unknown[] = []
  for (let depth = 0; depth < 100_000; depth++) deep = [deep]
  for (const item of [{ toString: 'x' }, bare, deep, null, {}]) {
    assert.equal(readSelection([item]), undefined)
    assert.deepEqual(readSelection([item, 'id']), ['id'])
  }
})

test('a path keeps members in the order of the answer', () => {
  assert.equal(
    JSON.stringify(fields('total,events.title,events.id')),
    '{"events":[{"id":1,"title":"A"},{"id":2,"title":"B"}],"total":2}',
  )
})

test('dotted paths reach into objects and lists; an empty list stays one', () => {
  assert.deepEqual(fields('events.venue.venue,events.organizer.id'), {
    events: [
      { venue: { venue: 'Hall' }, organizer: [{ id: 3 }] },
      { venue: [], organizer: [] },
    ],
  })
})

test('a path to a whole is wider than a path into it, in either order', () => {
  assert.deepEqual(fields('events,events.id'), { events: LIST.events })
  assert.deepEqual(fields('events.id,events'), { events: LIST.events })
})

test('when nothing is left the answer is an empty list', () => {
  assert.deepEqual(fields('nothing'), [])
  assert.deepEqual(fields('__proto__,constructor,toString.length'), [])
})

test('items of a list answer are selected one by one', () => {
  assert.deepEqual(select([{ a: 1, b: 2 }, { b: 3 }], ['b']), [{ b: 2 }, { b: 3 }])
})

test('a member that is undefined is not there, so that nothing may be left', () => {
  const hall = { id: 7, phone: undefined }
  assert.deepEqual(select(hall, ['id', 'phone']), { id: 7 })
  assert.deepEqual(select(hall, ['phone']), [])
})
