import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Search } from '../text/search.ts'
import type { Compilable, Storage } from './engine.ts'
import { entriesWithText } from './entries-with-text.ts'
import { ENGINES, openTestStorage } from './testing.ts'

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

for (const engine of ENGINES) {
  test(`${engine}: entries have all words that an index knows and none of the excluded, as String.includes says`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const unit = fc.constantFrom('a', 'b', 'ß', ' ', '"', '*', '-', '日', '𝄞', "'", '%', '_', '\\')
    const word = fc.string({ unit, minLength: 3, maxLength: 5 })
    const searched = fc.record({
      bodies: fc.array(fc.string({ unit, maxLength: 14 }), { minLength: 1, maxLength: 6 }),
      words: fc.array(word, { minLength: 1, maxLength: 3 }),
      excluded: fc.array(word, { maxLength: 2 }),
      place: fc.nat({ max: 9 }),
      // With high ids an entry is one of many, so that everything in it is rare.
      before: fc.constantFrom(0, 5_000_000),
    })
    await fc.assert(
      fc.asyncProperty(searched, async ({ bodies, words, excluded, place, before }) => {
        await storage.write(async (tx) => {
          await tx.run(tx.db.deleteFrom('entry_text'))
          const rows = bodies.map((body, index) => ({ id: before + index + 1, body }))
          await tx.run(tx.db.insertInto('entry_text').values(rows))
        })
        const part = bodies[0]?.slice(place, place + 4) ?? ''
        for (const search of [
          { words, excluded },
          { words: [part], excluded },
        ]) {
          if ([...(search.words[0] ?? '')].length < 3 || /[\ud800-\udfff]$|^[\udc00-\udfff]/.test(part)) continue
          const expected = bodies.flatMap((body, index) => {
            const isMeant =
              search.words.every((one) => body.includes(one)) && !excluded.some((one) => body.includes(one))
            return isMeant ? [before + index + 1] : []
          })
          assert.deepEqual(await idsOf(storage, search), expected, JSON.stringify(search))
        }
      }),
      { numRuns: 60 },
    )
  })

  test(`${engine}: words under three characters are left to the query around, alone they lead nowhere`, async () => {
    assert.equal(entriesWithText(engine, { words: ['ab', '日本'], excluded: ['evening'] }), undefined)
    assert.equal(entriesWithText(engine, { words: ['xxx\0yyy'], excluded: [] }), undefined)
    const found = entriesWithText(engine, { words: ['ab', 'evening'], excluded: ['c', 'morning'] })
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
