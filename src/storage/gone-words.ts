import { sql } from 'kysely'
import { type BackgroundWork, backgroundWork, rest } from '../base/background.ts'
import type { Storage } from './engine.ts'
import { asStatement } from './statement-builder.ts'

/** Characters of noted words that one step checks, and words that it removes: some ten milliseconds each. */
const STEP = { characters: 16_384, notes: 64, words: 200 } as const

/** Milliseconds from a write until what went with it is looked at, between two steps, and until it is looked again anyway. */
const PAUSE = { first: 500, next: 20, round: 60_000 } as const

/**
 * Removes words that no text has any more in the background, in steps that block nothing, so that a deleted text leaves
 * no trace in the index of words. Writes note candidates (`known_word_gone`) and then wake it. PostgreSQL stores no words:
 * there it does nothing.
 */
export function openWordKeeper(storage: Storage, failed: (error: unknown) => void): BackgroundWork {
  const round = async (signal: AbortSignal): Promise<void> => {
    if (storage.engine !== 'sqlite') return
    await rest(PAUSE.first, signal)
    while (!signal.aborted && (await pruneGoneWords(storage))) await rest(PAUSE.next, signal)
  }
  return backgroundWork({ round, every: PAUSE.round, failed })
}

/** One step; whether there may be more to do. */
export async function pruneGoneWords(storage: Storage): Promise<boolean> {
  const noted = await storage.all<{ id: number }>(asStatement(storage, NOTED))
  const last = noted.at(-1)?.id
  if (last === undefined) return false
  const words = await storage.all<{ word: string }>(asStatement(storage, goneUpTo(last)), 'offloaded')
  const isMore = words.length > STEP.words
  const list = JSON.stringify(words.slice(0, STEP.words).map(({ word }) => word))
  await storage.write(async (tx) => {
    // Another write may have brought one of them back.
    const words = sql`word in (select value from json_each(${list}))`
    await tx.run(asStatement(tx, sql`delete from known_word where ${words} and ${isGone('known_word.word')}`))
    if (!isMore) await tx.run(asStatement(tx, sql`delete from known_word_gone where id <= ${last}`))
  })
  return true
}

/** The first notes: at least one, and no more than one step checks. */
const NOTED = sql<{ id: number }>`select id from (
    select id, sum(length(terms)) over (order by id) as total, row_number() over (order by id) as place
    from (select id, terms from known_word_gone order by id limit ${sql.lit(STEP.notes)}))
  where place = 1 or total <= ${sql.lit(STEP.characters)} order by id`

function goneUpTo(last: number) {
  const list = sql`'[' || replace(json_quote(replace(noted.terms, char(10), ' ')), ' ', '","') || ']'`
  return sql<{ word: string }>`select distinct part.value as word
    from known_word_gone as noted cross join json_each(${list}) as part cross join known_word
    where noted.id <= ${last} and known_word.word = part.value and ${isGone('part.value')}
    limit ${sql.lit(STEP.words + 1)}`
}

function isGone(word: string) {
  return sql`not exists (select 1 from entry_word_fts
    where entry_word_fts match '"' || replace(${sql.ref(word)}, '"', '""') || '"')`
}
