import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { draws } from '../../test/support/draws.ts'
import { ENGINES, openTestStorage } from '../../test/support/test-storage.ts'
import { fold } from '../base/text/fold.ts'
import type { Search } from '../base/text/search.ts'
import type { Compilable, Storage, Transaction } from './engine.ts'
import { entriesWithText } from './entries-with-text.ts'
import { deleteSearchText, setSearchText } from './entry-texts.ts'
import { containsText, isIndexed } from './expressions.ts'

function text(statement: string): Compilable<never> {
  return { compile: () => ({ sql: statement, parameters: [] }) }
}

async function idsOf({ all, db, engine }: Storage, search: Search): Promise<number[] | undefined> {
  const found = entriesWithText(engine, search)
  if (found === undefined) return undefined
  const entries = sql<{ id: number }>`${found.entries}`.as('found')
  const rows = await all(db.selectFrom(entries).select('found.id').orderBy('found.id'))
  return rows.map(({ id }) => id)
}

/** Texts as the program stores them, in place of all that there are. */
async function replaceTexts(storage: Storage, texts: readonly { readonly id: number; readonly body: string }[]) {
  await storage.write((tx) => tx.run(tx.db.deleteFrom('entry_text')))
  await Promise.all(texts.map((one) => storage.write((tx) => setSearchText(tx, one))))
}

function expectedOf(texts: readonly { readonly id: number; readonly body: string }[], search: Search): number[] {
  const { words, excluded } = search
  const found = texts.filter(
    ({ body }) => words.every((one) => body.includes(one)) && !excluded.some((one) => body.includes(one)),
  )
  return found.map(({ id }) => id)
}

const LETTERS = ['a', 'b', 'ß', '"', '*', '-', 'ก', 'ิ', '日', '本', 'ー', '한', '𝄞', '𠮷', "'", '%', '_', '\\']

for (const engine of ENGINES) {
  test(`${engine}: entries have all words that an index knows and none of the excluded, as String.includes says`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const unit = fc.constantFrom(...LETTERS, ' ')
    const few = fc.constantFrom('a', 'b', '日', '本')
    const body = fc.oneof(
      fc.string({ unit, maxLength: 14 }),
      // One word of several pieces.
      fc.string({ unit: fc.constantFrom('a', 'b', '日'), minLength: 60, maxLength: 160 }),
      // A text of several rows.
      fc
        .tuple(fc.string({ unit, maxLength: 12 }), fc.constantFrom('x', 'xyz '), fc.string({ unit, maxLength: 12 }))
        .map(([first, filling, last]) => `${first}${filling.repeat(12_000 / filling.length)}${last}`),
    )
    const word = fc.oneof(
      fc.string({ unit, minLength: 3, maxLength: 5 }),
      fc.string({ unit: few, minLength: 2, maxLength: 2 }),
    )
    const searched = fc.record({
      bodies: fc.array(body, { minLength: 1, maxLength: 6 }),
      words: fc.array(word, { minLength: 1, maxLength: 3 }),
      excluded: fc.array(word, { maxLength: 2 }),
      part: fc.record({ place: fc.nat({ max: 100 }), length: fc.constantFrom(2, 4, 33, 34, 70) }),
      // With high IDs an entry is one of many, so that everything in it is rare; below zero are hidden texts.
      before: fc.constantFrom(0, 5_000_000, -50),
    })
    await fc.assert(
      fc.asyncProperty(searched, async ({ bodies, words, excluded, part, before }) => {
        const texts = bodies.map((one, index) => ({ id: before + index + 1, body: fold(one) }))
        await replaceTexts(storage, texts)
        const piece = [...(texts[0]?.body ?? '')].slice(part.place, part.place + part.length).join('')
        const searches = [
          { words, excluded },
          { words: [piece], excluded },
          { words: [piece, ...words.slice(0, 1)], excluded: [] },
        ]
        for (const search of searches) {
          const known = { words: search.words.filter(isIndexed), excluded: search.excluded.filter(isIndexed) }
          if (known.words.length === 0) continue
          assert.deepEqual(await idsOf(storage, search), expectedOf(texts, known), JSON.stringify(search))
        }
      }),
      { numRuns: draws(60) },
    )
  })

  test(`${engine}: a long text is found by words that stand far apart, and whatever lies where it was cut`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const number = (index: number): string => `n${String(index).padStart(6, '0')}`
    const body = Array.from({ length: 5_000 }, (_none, index) => number(index)).join(' ')
    const texts = [
      { id: 7, body },
      { id: 8, body: `${number(1)} ${number(4_999)}` },
      { id: -7, body: `${body} hidden` },
    ]
    await replaceTexts(storage, texts)
    const rows = await storage.all(storage.db.selectFrom('entry_text').select('id'))
    assert.ok(rows.length > 8)
    const sought: Search[] = [
      { words: [number(1), number(4_999)], excluded: [] },
      { words: [number(1)], excluded: ['hidden'] },
      { words: [number(1)], excluded: [number(2_500)] },
      { words: [`${number(1)} ${number(2)}`, 'hidden'], excluded: [] },
      { words: ['n00'], excluded: [] },
    ]
    for (let index = 900; index < 1_300; index += 7)
      sought.push({ words: [`${number(index)} ${number(index + 1)}`, number(index)], excluded: [] })
    for (const search of sought) {
      const expected = expectedOf(texts, search).toSorted((one, other) => one - other)
      assert.deepEqual(await idsOf(storage, search), expected, JSON.stringify(search))
      const [word = ''] = search.words
      const contains = storage.db
        .selectFrom('entry')
        .select('id')
        .where(containsText(engine, 'entry.id', word))
      await storage.write((tx) => tx.run(tx.db.deleteFrom('entry')))
      await storage.write((tx) => tx.run(tx.db.insertInto('entry').values([7, 8].map((id) => ({ id, kind: 'event' })))))
      const positive = expectedOf(texts, { words: [word], excluded: [] }).filter((id) => id > 0)
      assert.deepEqual(
        (await storage.all(contains.orderBy('id'))).map(({ id }) => id),
        positive,
      )
    }
    // Short again, and gone: nothing of the long one stays.
    await storage.write((tx) => setSearchText(tx, { id: 7, body: 'short' }))
    await storage.write((tx) => deleteSearchText(tx, -7))
    const left = await storage.all(storage.db.selectFrom('entry_text').select(['id', 'body']).orderBy('id'))
    assert.deepEqual(left, [
      { id: 7, body: 'short' },
      { id: 8, body: `${number(1)} ${number(4_999)}` },
    ])
    assert.deepEqual(await idsOf(storage, { words: [number(4_999)], excluded: [] }), [8])
  })

  test(`${engine}: words under three characters are left to the query around, alone they lead nowhere`, async () => {
    assert.equal(entriesWithText(engine, { words: ['ab', '日', 'é本'], excluded: ['evening'] }), undefined)
    assert.equal(entriesWithText(engine, { words: ['xxx\0yyy'], excluded: [] }), undefined)
    const found = entriesWithText(engine, { words: ['ab', 'evening', '日本'], excluded: ['c', 'morning'] })
    assert.deepEqual(found?.rest, { words: ['ab'], excluded: ['c'] })
    assert.equal(entriesWithText(engine, { words: ['evening'], excluded: ['morning'] })?.rest, undefined)
  })
}

test('sqlite: words are found by words; triples of phrases and of parts of many words in the texts where they are rare', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const run = (statement: string): Promise<unknown> => storage.write((tx) => tx.run(text(statement)))
  await run(`insert into entry_text (id, body)
    with recursive number (n) as (select 1 union all select n + 1 from number where n < 2400)
    select n, 'concerts' || case when n > 2100 then ' in the hall.' else '' end || ' number' || (n % 200) ||
      case when n = 7 then ' with a concertina by xylander' else '' end from number`)
  const count = async (words: string[], excluded: string[] = []): Promise<number | undefined> =>
    (await idsOf(storage, { words, excluded }))?.length
  const cases: readonly (readonly [string[], string[], number, number])[] = [
    [['concert'], [], 2400, 2400],
    [['con'], ['hall'], 2100, 2100],
    [['concert', 'hall'], ['xylander'], 300, 300],
    [['concertina'], [], 1, 1],
    [['concert', 'xylander'], ['hall'], 1, 1],
    [['concertina'], ['concert'], 0, 0],
    [['concertina'], ['xyz'], 1, 1],
    [['concert', 'xyz'], [], 0, 0],
    [['number19', 'hall'], [], 21, 21],
    // Part of too many words.
    [['numbe'], [], 2400, 2400],
    [['hall', 'numbe'], ['xylander'], 300, 300],
    [['hall'], ['numbe'], 0, 0],
    // From here on something among the triples is rare.
    [['concertina', 'numbe'], [], 1, 0],
    [['with a concert'], [], 1, 0],
    [['concert', 'by xylander'], ['hall'], 1, 0],
    [['xylander'], ['in the hall'], 1, 0],
  ]
  for (const [words, excluded, total] of cases) assert.equal(await count(words, excluded), total, words.join())
  // Texts of which the indexes do not hear: who looks into them finds nothing any more.
  for (const index of ['text', 'word']) await run(`drop trigger entry_${index}_changed`)
  await run(`update entry_text set body = ''`)
  for (const [words, excluded, , left] of cases) assert.equal(await count(words, excluded), left, words.join())
})

// On SQLite each row is a step of its own, so that others are answered in between.
for (const engine of ENGINES.filter((one) => one === 'postgres')) {
  test(`${engine}: a text of a megabyte is stored and removed in a few statements`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const body = Array.from({ length: 100_000 }, (_none, index) => `word${index}`).join(' ')
    const statements = async (step: (tx: Transaction) => Promise<void>): Promise<number> => {
      let count = 0
      await storage.write((tx) => {
        const { run } = tx
        return step(Object.assign(tx, { run: (query: Compilable<unknown>) => run(query).finally(() => (count += 1)) }))
      })
      return count
    }
    const stored = await statements((tx) => setSearchText(tx, { id: 7, body }))
    const rows = (await storage.all(storage.db.selectFrom('entry_text').select('id'))).length
    assert.ok(rows > 100 && stored < rows / 10, `${rows} rows, ${stored} statements`)
    assert.deepEqual(await idsOf(storage, { words: ['word3', 'word99999'], excluded: [] }), [7])
    assert.ok((await statements((tx) => deleteSearchText(tx, 7))) < rows / 10)
    assert.deepEqual(await storage.all(storage.db.selectFrom('entry_text').select('id')), [])
  })
}
