import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Compilable, Storage } from './engine.ts'
import { entriesWithText } from './entries-with-text.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { openStorage } from './open.ts'
import { ENGINES, openTestStorage, testDatabase } from './testing.ts'

function text<Row>(statement: string): Compilable<Row> {
  return { compile: () => ({ sql: statement, parameters: [] }) }
}

async function found({ all, db, engine }: Storage, word: string): Promise<number[]> {
  const entries = sql<{ id: number }>`${entriesWithText(engine, { words: [word], excluded: [] })?.entries}`.as('found')
  const rows = await all(db.selectFrom(entries).select('found.id').orderBy('found.id'))
  return rows.map(({ id }) => id)
}

const put = ({ write }: Storage, bodies: Readonly<Record<number, string>>): Promise<unknown> =>
  write((tx) => {
    const rows = Object.entries(bodies).map(([id, body]) => ({ id: Number(id), body }))
    return tx.run(tx.db.insertInto('entry_text').values(rows))
  })

const LONG = 'x'.repeat(40_000)

for (const engine of ENGINES) {
  test(`${engine}: texts that were stored before there were words are found, and so is the end of a very long one`, async (t) => {
    const storage = await openStorage({ database: await testDatabase(engine, t), synchronous: 'NORMAL' })
    t.after(() => storage.close())
    await migrate(storage, { now: () => 0, migrations: MIGRATIONS.slice(0, 5) })
    await put(storage, { 1: 'a "concert"\nby the sea', 2: `${LONG}one seaside`, 3: `${LONG}two` })
    await migrate(storage, { now: () => 0 })
    await put(storage, { 4: `a \\new sea\\n`, 5: `${LONG}three sea` })
    const expected: readonly (readonly [string, number[]])[] = [
      ['concert', [1]],
      ['"concert"', [1]],
      ['sea', [1, 2, 4, 5]],
      ['\\new', [4]],
      ['sea\\n', [4]],
      ['xone', [2]],
      ['xtwo', [3]],
      ['xthree', [5]],
      ['concert by', []],
    ]
    for (const [word, ids] of expected) assert.deepEqual(await found(storage, word), ids, word)
  })
}

test('sqlite: a text that changes or goes is found by none of its words any more', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  await put(storage, { 1: 'concert in the hall', 2: 'the hall', 3: 'concert' })
  await storage.write(async (tx) => {
    await tx.run(text(`update entry_text set body = 'evening' || char(10) || 'hall' where id = 1`))
    await tx.run(text('delete from entry_text where id = 3'))
  })
  assert.deepEqual(await found(storage, 'concert'), [])
  assert.deepEqual(await found(storage, 'hall'), [1, 2])
  assert.deepEqual(await found(storage, 'evening'), [1])
  // Fails where the index is not that of the texts.
  for (const index of ['entry_word_fts', 'known_word_fts'])
    await storage.write((tx) => tx.run(text(`insert into ${index} (${index}, rank) values ('integrity-check', 1)`)))
  const known = await storage.all(text<{ word: string }>('select word from known_word order by word'))
  assert.deepEqual(
    known.map(({ word }) => word),
    ['concert', 'evening', 'hall', 'the'],
  )
})
