import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../../test/support/test-storage.ts'
import { isBusy, openConnection, STATEMENT_LIMIT } from './connection.ts'

test('a lock is held also by who recovers the log; a damaged file is not locked, nor is what failed elsewhere', () => {
  const failures = [5, 261, 517, 11, 267].map((errcode) => Object.assign(new Error('failed'), { errcode }))
  assert.deepEqual([...failures, new Error('failed')].map(isBusy), [true, true, true, false, false, false])
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

test('a list is bound as JSON', async (t) => {
  const connection = openConnection((await testDatabase('sqlite', t)).slice('sqlite:'.length), { busyTimeout: 0 })
  t.after(() => connection.close())
  const statement = { sql: 'select group_concat(value) as found from json_each(?)', parameters: [[1, 2, 3]] }
  assert.deepEqual(connection.first(statement), { found: '1,2,3' })
})
