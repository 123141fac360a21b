import { fold } from '../../../../base/text/fold.ts'
import words from './words.json' with { type: 'json' }

/** A meaning of words in tables. */
export type Meaning = keyof typeof words

/** Words and headings by their letters and digits alone, without case and accents. */
export function wordKey(text: string): string {
  return fold(text.slice(0, 200)).replace(/[^\p{L}\p{N}]+/gu, '')
}

function wordsOf(meaning: Meaning): ReadonlySet<string> {
  return new Set(Object.values(words[meaning]).flatMap((list) => list.split(', ').map(wordKey)))
}

const WORDS = new Map((Object.keys(words) as Meaning[]).map((meaning) => [meaning, wordsOf(meaning)]))

/** The vocabulary of schema.org puts a word before its statuses. */
const SCHEMA = /^(?:https?schemaorg)?event(?=.)/

/** The first of some meanings that a cell has; undefined where it means nothing of the kind. */
export function meaningOf<M extends Meaning>(text: string, meanings: readonly M[]): M | undefined {
  const key = wordKey(text).replace(SCHEMA, '')
  return meanings.find((meaning) => WORDS.get(meaning)?.has(key))
}

/** Yes or no in a cell, in any of the languages; undefined for another word. */
export function flagIn(text: string): boolean | undefined {
  if (/^[✓✔☑]\uFE0F?$/u.test(text)) return true
  const meaning = meaningOf(text, ['yes', 'no'])
  return meaning && meaning === 'yes'
}
