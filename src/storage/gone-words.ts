import { sql } from 'kysely'
import type { Compilable, Reader, Storage, Transaction } from './engine.ts'

/** Characters of noted words that one step looks at, and words that it forgets: some ten milliseconds each. */
const STEP = { characters: 16_384, notes: 64, words: 200 } as const

/** Milliseconds from a write until what went with it is looked at, and between two steps. */
const PAUSE = { first: 500, next: 20, afterFailure: 5_000 } as const

/** Forgets words in the background, in steps that hold nobody up. */
export interface WordKeeper {
  /** Begins with what was noted before. */
  begin(): void
  pause(): void
  /** There may be something to forget: called after every write. */
  reconsider(): void
  /** Ends it; resolves when no step is running any more. */
  stop(): Promise<void>
}

/**
 * Forgets the words that went with texts and that no other text has, so that a deleted text leaves no trace in the index of
 * words. Which they may be is noted by the writes (migration 8). PostgreSQL knows no words: there it does nothing.
 */
export function openWordKeeper(storage: Storage, failed: (error: unknown) => void): WordKeeper {
  let isActive = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const wakeAfter = (milliseconds: number): void => {
    if (!isActive || timer !== undefined || storage.engine !== 'sqlite') return
    timer = setTimeout(wake, milliseconds).unref()
  }
  const wake = (): void => {
    running = forgetGoneWords(storage)
      .then((isMore) => (isMore ? PAUSE.next : undefined))
      .catch((error: unknown) => {
        if (isActive) failed(error)
        return PAUSE.afterFailure
      })
      .then((pause) => {
        timer = undefined
        if (pause !== undefined) wakeAfter(pause)
      })
  }
  const pause = (): void => {
    isActive = false
    clearTimeout(timer)
    timer = undefined
  }
  return {
    begin: () => {
      isActive = true
      wakeAfter(PAUSE.first)
    },
    pause,
    reconsider: () => wakeAfter(PAUSE.first),
    stop: async () => {
      pause()
      await running
    },
  }
}

/** One step; whether there may be more to do. */
export async function forgetGoneWords(storage: Storage): Promise<boolean> {
  const noted = await storage.all<{ id: number }>(compiled(storage, NOTED))
  const last = noted.at(-1)?.id
  if (last === undefined) return false
  const words = await storage.all<{ word: string }>(compiled(storage, goneUpTo(last)), 'offloaded')
  const isMore = words.length > STEP.words
  const list = JSON.stringify(words.slice(0, STEP.words).map(({ word }) => word))
  await storage.write(async (tx) => {
    // Another write may have brought one of them back.
    await run(
      tx,
      sql`delete from known_word where word in (select value from json_each(${list})) and ${isGone('known_word.word')}`,
    )
    if (!isMore) await run(tx, sql`delete from known_word_gone where id <= ${last}`)
  })
  return true
}

/** The first notes: at least one, and no more than a step looks at. */
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

async function run(tx: Transaction, statement: ReturnType<typeof isGone>): Promise<void> {
  await tx.run(compiled(tx, statement))
}

function compiled<Row>(reader: Reader, query: { compile(executor: Reader['db']): unknown }): Compilable<Row> {
  return { compile: () => query.compile(reader.db) as ReturnType<Compilable<Row>['compile']> }
}
