import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { draws } from '../../test/support/draws.ts'
import { ENGINES, openTestStorage } from '../../test/support/test-storage.ts'
import type { Storage } from './engine.ts'
import { rowOfPart } from './entry-texts.ts'
import { containsText } from './expressions.ts'
import { statementBuilder } from './statement-builder.ts'
import { inList } from './statement-template.ts'

async function idsOf(storage: Storage, word: string): Promise<number[]> {
  const { db, engine } = storage
  const rows = await storage.all(
    db
      .selectFrom('entry_text')
      .select('id')
      .where(containsText(engine, 'entry_text.id', word))
      .orderBy('id'),
  )
  return rows.map(({ id }) => id)
}

async function withTexts(storage: Storage, bodies: readonly string[]): Promise<void> {
  await storage.write(async (tx) => {
    await tx.run(tx.db.deleteFrom('entry_text'))
    for (const [index, body] of bodies.entries())
      await tx.run(tx.db.insertInto('entry_text').values(rowOfPart({ id: index + 1, body })))
  })
}

for (const engine of ENGINES) {
  test(`${engine}: a list of ids matches its rows, an empty list none, a long list all`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await withTexts(storage, ['a', 'b', 'c'])
    const ids = async (values: readonly number[]) => {
      const found = await storage.all(
        storage.db
          .selectFrom('entry_text')
          .select('id')
          .where(inList(engine, 'entry_text.id', values))
          .orderBy('id'),
      )
      return found.map(({ id }) => id)
    }
    assert.deepEqual(await ids([3, 1, 99]), [1, 3])
    assert.deepEqual(await ids([]), [])
    assert.deepEqual(await ids(Array.from({ length: 50_000 }, (_, index) => index)), [1, 2, 3])
  })

  test(`${engine}: a list of texts is compared exactly`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const keys = ["it's", '"quoted"', 'ä', '5', '[1]']
    await storage.write((tx) => tx.run(tx.db.insertInto('meta').values(keys.map((key) => ({ key, value: 'x' })))))
    for (const key of keys) {
      const query = storage.db
        .selectFrom('meta')
        .select('key')
        .where((eb) => inList(engine, eb.ref('meta.key'), [key, 'other']))
      assert.deepEqual(await storage.all(query), [{ key }])
    }
  })

  test(`${engine}: lists of any length are the same statement with one value`, async () => {
    const { db } = { db: statementBuilder(engine) }
    const [short, long] = [[1], [1, 2, 3]].map((ids) =>
      db
        .selectFrom('event')
        .select('id')
        .where(inList(engine, 'event.id', ids))
        .compile(),
    )
    assert.equal(short?.sql, long?.sql)
    assert.equal(long?.parameters.length, 1)
  })

  test(`${engine}: a word is found anywhere in a text, whatever its length`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await withTexts(storage, ['jazz in the park', 'park', 'ein konzert', '日本語の本', ''])
    assert.deepEqual(await idsOf(storage, 'park'), [1, 2])
    assert.deepEqual(await idsOf(storage, 'azz in'), [1])
    assert.deepEqual(await idsOf(storage, 'in'), [1, 3])
    assert.deepEqual(await idsOf(storage, 'z'), [1, 3])
    assert.deepEqual(await idsOf(storage, '本'), [4])
    assert.deepEqual(await idsOf(storage, '日本語'), [4])
    assert.deepEqual(await idsOf(storage, 'parks'), [])
    assert.deepEqual(await idsOf(storage, ''), [1, 2, 3, 4, 5])
  })

  test(`${engine}: quotes, operators and wildcards in a word stand for themselves`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const bodies = [
      'a "quoted" b',
      'x or y',
      'not near(x)',
      'c* d',
      '100% sure',
      'under_score',
      "it's",
      'back\\slash',
      'a-b:c^d',
    ]
    await withTexts(storage, bodies)
    for (const word of [
      '"quoted"',
      ' or ',
      'not near(x)',
      'c* ',
      '100%',
      'r_s',
      "t's",
      'k\\s',
      '-b:c^',
      '"',
      '%',
      '_',
      '\\',
    ]) {
      const expected = bodies.flatMap((body, index) => (body.includes(word) ? [index + 1] : []))
      assert.deepEqual(await idsOf(storage, word), expected, word)
    }
    assert.deepEqual(await idsOf(storage, '" OR "'), [])
    assert.deepEqual(await idsOf(storage, 'xxx\0yyy'), [])
  })

  test(`${engine}: containing is what String.includes says, for any text and any part of it`, async (t) => {
    const storage = await openTestStorage(engine, t)
    // A small alphabet makes matches likely; fold() leaves no surrogate halves and no NUL.
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'ß', ' ', '"', '*', '-', '日', '𝄞', "'", '%'),
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), text, async (bodies, word) => {
        await withTexts(storage, bodies)
        const expected = bodies.flatMap((body, index) => (body.includes(word) ? [index + 1] : []))
        assert.deepEqual(await idsOf(storage, word), expected)
      }),
      { numRuns: draws(150), examples: [[['日日', ''], '日日']] },
    )
  })

  test(`${engine}: a changed, replaced or removed text is found by its new words only`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await withTexts(storage, ['first', 'second', 'third'])
    await storage.write(async (tx) => {
      await tx.run(tx.db.updateTable('entry_text').set({ body: 'changed' }).where('id', '=', 1))
      await tx.run(tx.db.deleteFrom('entry_text').where('id', '=', 2))
      const { db } = tx
      await tx.run(
        db
          .insertInto('entry_text')
          .values({ id: 3, body: 'upserted' })
          .onConflict((c) => c.column('id').doUpdateSet({ body: 'upserted' })),
      )
    })
    for (const gone of ['first', 'second', 'third']) assert.deepEqual(await idsOf(storage, gone), [], gone)
    assert.deepEqual(await idsOf(storage, 'changed'), [1])
    assert.deepEqual(await idsOf(storage, 'upserted'), [3])
  })
}

test('sqlite: REPLACE keeps the text index in step', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  await withTexts(storage, ['before'])
  await storage.write((tx) => tx.run(tx.db.replaceInto('entry_text').values({ id: 1, body: 'after' })))
  assert.deepEqual([await idsOf(storage, 'before'), await idsOf(storage, 'after')], [[], [1]])
  await storage.write((tx) =>
    tx.run({
      compile: () => ({
        sql: "insert into entry_text_fts (entry_text_fts) values ('integrity-check')",
        parameters: [],
      }),
    }),
  )
})

test('postgres: a list is one array and a word is a pattern in which it stands for itself', () => {
  const db = statementBuilder('postgres')
  const query = db
    .selectFrom('event')
    .select('id')
    .where(inList('postgres', 'event.id', [1, 2]))
    .where(containsText('postgres', 'event.id', '500%_\\'))
    .compile()
  assert.match(query.sql, /"event"\."id" = any\(\$1\)/)
  assert.match(query.sql, /like \$2/)
  assert.deepEqual(query.parameters, [[1, 2], '%500\\%\\_\\\\%'])
})
