import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../testing.ts'
import { openConnection, STATEMENT_LIMIT } from './sqlite/connection.ts'
import { StatementCache } from './statement-cache.ts'

test('a statement is prepared once while it is kept', () => {
  const prepared: string[] = []
  const cache = new StatementCache(2, (sql) => prepared.push(sql))
  for (const sql of ['a', 'b', 'a', 'b', 'a']) cache.get(sql)
  assert.deepEqual(prepared, ['a', 'b'])
})

test('the statement that was used least recently gives way', () => {
  const prepared: string[] = []
  const cache = new StatementCache(2, (sql) => prepared.push(sql))
  for (const sql of ['a', 'b', 'a', 'c', 'a', 'b']) cache.get(sql)
  assert.deepEqual(prepared, ['a', 'b', 'c', 'b'])
  assert.equal(cache.size, 2)
})

test('a text that cannot be prepared is not kept', () => {
  const cache = new StatementCache(2, () => {
    throw new Error('syntax')
  })
  assert.throws(() => cache.get('a'), /syntax/)
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
