import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES, openTestStorage } from '../../test/support/test-storage.ts'
import type { Compilable, Storage } from './engine.ts'
import { entriesWithText } from './entries-with-text.ts'
import { deleteSearchText, setSearchText } from './entry-texts.ts'

function text<Row>(statement: string): Compilable<Row> {
  return { compile: () => ({ sql: statement, parameters: [] }) }
}

async function found({ all, db, engine }: Storage, word: string): Promise<number[]> {
  const entries = sql<{ id: number }>`${entriesWithText(engine, { words: [word], excluded: [] })?.entries}`.as('found')
  const rows = await all(db.selectFrom(entries).select('found.id').orderBy('found.id'))
  return rows.map(({ id }) => id)
}

const put = ({ write }: Storage, bodies: Readonly<Record<number, string>>): Promise<unknown> =>
  write(async (tx) => {
    for (const [id, body] of Object.entries(bodies)) await setSearchText(tx, { id: Number(id), body })
  })

const KNOWN = text<{ word: string }>('select word from known_word order by word')

async function knownWords(storage: Storage): Promise<string[]> {
  return (await storage.all(KNOWN)).map(({ word }) => word)
}

const LONG = 'x'.repeat(40_000)

for (const engine of ENGINES) {
  test(`${engine}: texts are found by their words, and so is the end of a very long one`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await put(storage, { 1: 'a "concert"\nby the sea', 2: `${LONG}one seaside`, 3: `${LONG}two` })
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
  assert.deepEqual(await knownWords(storage), ['concert', 'evening', 'hall', 'the'])
})

for (const engine of ENGINES) {
  test(`${engine}: long texts have short keys, pairs of characters and rows of their own`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const one = Array.from({ length: 20_000 }, (_none, index) => index.toString(36)).join('')
    await put(storage, {
      1: 'plain words',
      2: one,
      3: `${'日本語の文章'.repeat(20)}です`,
      4: '大阪 音楽祭',
      5: `${'many words '.repeat(2_000)}to the end`,
      6: 'deleted soon',
    })
    await storage.write((tx) => deleteSearchText(tx, 6))
    const expected: readonly (readonly [string, number[]])[] = [
      ['words', [1, 5]],
      ['to the end', [5]],
      [one.slice(500, 530), [2]],
      [one.slice(40_000, 40_200), [2]],
      [one.slice(8_180, 8_210), [2]],
      ['日本', [3]],
      ['です', [3]],
      ['阪', []],
      ['大阪', [4]],
      ['楽祭', [4]],
      ['deleted', []],
    ]
    for (const [word, ids] of expected)
      assert.deepEqual([...word].length > 1 ? await found(storage, word) : [], ids, word)
    if (engine === 'sqlite') {
      const rows = await storage.all(text<{ body: string }>('select body from entry_text'))
      assert.ok(rows.every(({ body }) => body.length <= 8_192))
      const known = await knownWords(storage)
      assert.ok(known.every((word) => [...word].length <= 64))
    }
  })
}

test('sqlite: the words of a long text are found, and none of them is kept', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const distinct = Array.from({ length: 3_000 }, (_none, index) => `word${index}`).join(' ')
  await put(storage, { 1: 'a concert', 2: `${distinct} concert at the end 日本語` })
  assert.deepEqual(await knownWords(storage), ['concert'])
  const expected: readonly (readonly [string, number[]])[] = [
    ['concert', [1, 2]],
    ['word', [2]],
    ['word2999', [2]],
    ['ord1234', [2]],
    ['日本', [2]],
    ['word3000', []],
  ]
  for (const [word, ids] of expected) assert.deepEqual(await found(storage, word), ids, word)
  await put(storage, { 2: 'short now' })
  for (const [word] of expected.slice(1)) assert.deepEqual(await found(storage, word), [], word)
})

for (const engine of ENGINES) {
  test(`${engine}: a pair of characters is found where something is excluded that is part of many words`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const many = Array.from({ length: 200 }, (_none, index) => `the${index}`).join(' ')
    await put(storage, { 1: '大阪 concert', 2: `大阪 ${many}`, 3: 'concert' })
    const entries = entriesWithText(engine, { words: ['大阪'], excluded: ['the'] })?.entries
    const rows = await storage.all(
      storage.db.selectFrom(sql<{ id: number }>`${entries}`.as('found')).select('found.id'),
    )
    assert.deepEqual(rows, [{ id: 1 }])
  })
}
