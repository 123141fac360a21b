import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openConnection, STATEMENT_LIMIT } from './engines/sqlite/connection.ts'
import { LruCache } from './lru-cache.ts'
import { testDatabase } from './testing.ts'

/** The keys for which a cache of this size makes a value, asked for these keys. */
function madeFor(limit: number, keys: readonly string[]): string[] {
  const made: string[] = []
  const cache = new LruCache<string>(limit)
  for (const key of keys) {
    cache.getOrMake(key, () => {
      made.push(key)
      return key
    })
    assert.ok(cache.size <= limit)
  }
  return made
}

test('a value is made once while it is there', () => {
  assert.deepEqual(madeFor(2, ['a', 'b', 'a', 'b', 'a']), ['a', 'b'])
})

test('the value that was used least recently gives way', () => {
  assert.deepEqual(madeFor(2, ['a', 'b', 'a', 'c', 'a', 'b']), ['a', 'b', 'c', 'b'])
})

test('a value that cannot be made is not stored', () => {
  const cache = new LruCache<string>(2)
  const broken = () => {
    throw new Error('syntax')
  }
  assert.throws(() => cache.getOrMake('a', broken), /syntax/)
  assert.equal(cache.size, 0)
})

test('a connection keeps no more statements than its limit, and forgotten ones still work', async (t) => {
  const connection = openConnection((await testDatabase('sqlite', t)).slice('sqlite:'.length), { busyTimeout: 0 })
  t.after(() => connection.close())
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < STATEMENT_LIMIT + 100; n += 1) {
      assert.deepEqual(connection.first({ sql: `select ${n} as n`, parameters: [] }), { n })
    }
  }
  assert.equal(connection.statementCount, STATEMENT_LIMIT)
})

test('a kept statement sees columns that were added to its table', async (t) => {
  const connection = openConnection((await testDatabase('sqlite', t)).slice('sqlite:'.length), { busyTimeout: 0 })
  t.after(() => connection.close())
  connection.exec('create table probe (a integer); insert into probe values (1)')
  const every = { sql: 'select * from probe', parameters: [] }
  assert.deepEqual(connection.first(every), { a: 1 })
  connection.exec('alter table probe add column b integer default 2')
  assert.deepEqual(connection.first(every), { a: 1, b: 2 })
})
