import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SqlBool, sql } from 'kysely'
import type { Reader } from './engine.ts'
import { statementBuilder } from './statement-builder.ts'
import {
  derived,
  type GivenAll,
  type HasId,
  idsTemplate,
  inList,
  operand,
  statementTemplate,
} from './statement-template.ts'

const readerOf = (engine: 'sqlite' | 'postgres') => ({ engine, db: statementBuilder(engine) }) as unknown as Reader

interface Window {
  readonly from?: string
  readonly limit: number
}

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`${engine}: a statement that is kept is the one that would be built for its ids, a single one compared as it is`, () => {
    let built = 0
    const build = (reader: Reader, hasId: HasId) => {
      built += 1
      const part = (column: 'id' | 'author_id') =>
        reader.db.selectFrom('event').select('id').where('revision', '=', -1).where(hasId(column))
      return part('id').unionAll(part('author_id'))
    }
    const statement = idsTemplate(build)
    const reader = readerOf(engine)
    for (const ids of [[], [7], [1, 2, 3], [-1]]) {
      const [only, ...others] = ids
      const isOne = only !== undefined && others.length === 0
      const fresh = build(reader, (column) =>
        isOne ? sql<SqlBool>`${sql.ref(String(column))} = ${only}` : inList(engine, column, ids),
      ).compile()
      const kept = statement(reader, ids).compile()
      assert.deepEqual([kept.sql, kept.parameters], [fresh.sql, fresh.parameters])
    }
    assert.equal(built, 4 + 2)
  })

  test(`${engine}: a statement is built once for each shape and set of values, also with what is made of a value`, () => {
    let built = 0
    const build = (reader: Reader, column: 'slug' | 'title', { from, limit }: GivenAll<Window>) => {
      built += 1
      const rows = reader.db.selectFrom('event').select(column).where('status', '=', 'publish').limit(operand(limit))
      if (from === undefined) return rows
      return rows.where('start_local', '>=', operand(derived(from, (day) => `${day} 00:00:00`)))
    }
    const statement = statementTemplate(build)
    const reader = readerOf(engine)
    for (const shape of ['slug', 'title', 'slug'] as const) {
      for (const values of [{ limit: 3 }, { from: '2027-01-01', limit: 3 }, { from: '2028-02-02', limit: 50 }]) {
        const { sql, parameters } = statement(reader, { shape, values }).compile()
        const fresh = build(reader, shape, values).compile()
        assert.deepEqual([sql, parameters], [fresh.sql, fresh.parameters])
      }
    }
    assert.equal(built, 9 + 4)
  })
}

test('statements of endless shapes do not fill the memory', () => {
  let built = 0
  const statement = statementTemplate((reader: Reader, column: string, { id }: GivenAll<{ readonly id: number }>) => {
    built += 1
    return reader.db
      .selectFrom('event')
      .select((row) => row.val(column).as('name'))
      .where('id', '=', operand(id))
  })
  const reader = readerOf('sqlite')
  const ask = (shape: string): void => void statement(reader, { shape, values: { id: 1 } })
  ask('first')
  for (let number = 0; number < 1000; number += 1) ask(String(number))
  ask('first')
  assert.equal(built, 1002)
  for (let turn = 0; turn < 2; turn += 1) ask('x'.repeat(2_000))
  assert.equal(built, 1004)
})
