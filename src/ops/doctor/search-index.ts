import type { Reader, Storage } from '../../storage/engine.ts'
import { written } from '../../storage/statement-builder.ts'
import { type Finding, finding, namesFrom } from './finding.ts'

/** Most things that are named: an index that is empty lacks everything. */
const MOST = 1000

/** The words that a row of texts is found by, as an argument of `json_each`. */
const WORDS = `'[' || replace(json_quote(replace(coalesce(terms, body), char(10), ' ')), ' ', '","') || ']'`

/** What the index of words has: of long texts only those that are not words between spaces, and none of them is known. */
const ARE_LONG = 'entry_text.id >= 2147483648'
const HAS_WORDS = `(terms is not null or not ${ARE_LONG})`

/** What FTS5 looks for, as a phrase. */
function phrase(words: string): string {
  return `'"' || replace(${words}, '"', '""') || '"'`
}

/** The first three characters of a text or a word: enough to miss a row in an index. */
const firstThree = (column: string): string => `substr(${column}, 1, 3)`

/** Rows that an index does not find, and words of texts that no index knows. */
const LACKING = [
  // Of a text whose words are not those between its spaces each has to be there.
  `select distinct 'words of ' || entry_text.id as name from entry_text, json_each(${WORDS}) as word
    where word.value <> '' and ${HAS_WORDS} and (word.key < 3 or terms is not null) and not exists (
      select 1 from entry_word_fts where entry_word_fts match ${phrase('word.value')} and entry_word_fts.rowid = entry_text.id)`,
  `select 'text of ' || id as name from entry_text where length(body) >= 3 and not exists (
    select 1 from entry_text_fts where entry_text_fts match ${phrase(firstThree('entry_text.body'))}
      and entry_text_fts.rowid = entry_text.id)`,
  `select distinct 'word ' || value as name from entry_text, json_each(${WORDS})
    where length(value) >= 3 and not ${ARE_LONG} and not exists (select 1 from known_word where word = value)`,
  `select 'parts of ' || known_word.word as name from known_word where not exists (
    select 1 from known_word_fts where known_word_fts match ${phrase(firstThree('known_word.word'))}
      and known_word_fts.rowid = known_word.id)`,
]

/** Result code of SQLite for an index of texts that makes no sense (https://www.sqlite.org/rescode.html): CORRUPT_VTAB. */
const DAMAGED_INDEX = 267

/** Whether searches find every text; PostgreSQL keeps its index itself. */
export async function examineSearchIndex(reader: Reader): Promise<Finding[]> {
  if (reader.engine === 'postgres') return []
  const lacking: string[] = []
  try {
    for (const statement of LACKING) lacking.push(...(await namesFrom(reader, `${statement} limit ${MOST}`)))
  } catch (error) {
    // It is derived from existing texts: nothing is lost with it.
    if ((error as { readonly errcode?: number }).errcode !== DAMAGED_INDEX) throw error
    lacking.push('the index is damaged in itself')
  }
  return [finding('search index', lacking, true)]
}

/** Makes the index of searches again from the texts. The words are not those of the column that FTS5 would take them from. */
const REFILL = [
  `insert into entry_word_fts (entry_word_fts) values ('delete-all')`,
  `insert into entry_word_fts (rowid, body) select id, coalesce(terms, body) from entry_text where ${HAS_WORDS}`,
  `insert into known_word (word) select distinct value from entry_text, json_each(${WORDS})
    where length(value) >= 3 and not ${ARE_LONG} and not exists (select 1 from known_word where word = value)`,
  `insert into known_word_fts (known_word_fts) values ('rebuild')`,
  `insert into entry_text_fts (entry_text_fts) values ('rebuild')`,
]

/** Makes the index of searches again where it lacks something or is damaged in itself. */
export async function repairSearchIndex(storage: Storage): Promise<void> {
  const [found] = await examineSearchIndex(storage)
  if (found === undefined || (found.problems === 0 && (await isSound(storage)))) return
  await storage.write(async (tx) => {
    for (const statement of REFILL) await tx.run(written(statement))
  }, 'long')
}

/** Whether each index agrees with itself. */
async function isSound(storage: Storage): Promise<boolean> {
  for (const name of ['entry_word_fts', 'known_word_fts', 'entry_text_fts']) {
    const check = written(`insert into ${name} (${name}) values ('integrity-check')`)
    const isWhole = await storage
      .write((tx) => tx.run(check), 'long')
      .then(
        () => true,
        () => false,
      )
    if (!isWhole) return false
  }
  return true
}
