import assert from 'node:assert/strict'
import { constants, DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { statementBuilder } from './statement-builder.ts'

test('SQLite prepares a page once, whatever limit is bound', (t) => {
  const database = new DatabaseSync(':memory:')
  t.after(() => database.close())
  database.exec("create table meta (key text primary key, value text); insert into meta values ('a', ''), ('b', '')")
  const page = (limit: number) =>
    statementBuilder('sqlite')
      .selectFrom('meta')
      .select('key')
      .where('key', '>', '')
      .orderBy('key')
      .limit(limit)
      .offset(0)
  const statement = database.prepare(page(1).compile().sql)
  // SQLite asks whenever it prepares a statement, and at no other time.
  let asked = 0
  database.setAuthorizer(() => {
    asked += 1
    return constants.SQLITE_OK
  })
  const rows = [1n, 2n, 3n].map((limit) => {
    asked = 0
    return statement.all('', limit, 0n).length
  })
  // Only before the first one, because there is someone to ask from then on.
  assert.deepEqual({ rows, asked }, { rows: [1, 2, 2], asked: 0 })
  database.prepare(page(1).compile().sql)
  assert.notEqual(asked, 0)
})
