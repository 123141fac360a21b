import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reader } from './engine.ts'
import { inList } from './expressions.ts'
import { idsStatement } from './ids-statement.ts'
import { statementBuilder } from './statement-builder.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`${engine}: a statement that is kept is the one that would be built for its ids`, () => {
    let built = 0
    const build = (reader: Pick<Reader, 'db' | 'engine'>, ids: readonly number[]) => {
      built += 1
      const part = (column: 'id' | 'author_id') =>
        reader.db
          .selectFrom('event')
          .select('id')
          .where('revision', '=', -1)
          .where(inList(reader.engine, column, ids))
      return part('id').unionAll(part('author_id'))
    }
    const statement = idsStatement(build)
    const reader = { engine, db: statementBuilder(engine) } as unknown as Reader
    const made = [[], [7], [1, 2, 3], [-1]].map((ids) => [
      statement(reader, ids).compile(),
      build(reader, ids).compile(),
    ])
    for (const [kept, fresh] of made) {
      assert.equal(kept?.sql, fresh?.sql)
      assert.deepEqual(kept?.parameters, fresh?.parameters)
    }
    assert.equal(built, 5)
  })
}
