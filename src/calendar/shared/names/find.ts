import { isOneErrorApart } from '../../../base/text/one-error.ts'
import type { Caller } from '../../../http/auth/rights.ts'
import type { TermKey } from '../../../model/resource.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { LinkedKey } from '../linked/row.ts'
import { isWritten, linkedWith, lookedFor, type NamedRow, termsWith, wordsLike } from './store.ts'

/** What has a name that events are found by. */
export const NAMED_KINDS = ['venue', 'organizer', 'category', 'tag'] as const satisfies readonly (LinkedKey | TermKey)[]

/** One of them. */
export type NamedKind = (typeof NAMED_KINDS)[number]

/** What was found by its name, by kind. */
export type FoundNames = Readonly<Record<NamedKind, readonly NamedRow[]>>

/** What the search of names needs. */
export interface NameSearch {
  readonly reader: Reader
  readonly caller: Caller
  /** Of the IDs of terms, those of terms that a caller may see. */
  readonly seenBy: (key: TermKey, ids: readonly number[]) => Promise<ReadonlySet<number>>
}

/** Letters from which on a typing error is corrected. */
const LONG = 5

/** Longest word that is corrected, in letters. */
const LONGEST = 30

/** Words, and the names that have one of them. */
export interface ReadWords {
  /** The words of a search in their order, those without a match corrected where that is possible. */
  readonly words: readonly string[]
  readonly names: FoundNames
  /** Whether a word was corrected. */
  readonly isCorrected: boolean
}

/** Published venues and organizers, and terms that the caller may see, with one of the words (folded) in name or address. */
async function namesWith(search: NameSearch, words: readonly string[]): Promise<FoundNames> {
  const { reader } = search
  const asked = lookedFor(words)
  const [venue, organizer, category, tag] = await Promise.all([
    linkedWith(reader, 'venue', asked),
    linkedWith(reader, 'organizer', asked),
    seenTerms(search, 'category', asked),
    seenTerms(search, 'tag', asked),
  ])
  const having = (rows: readonly NamedRow[]) =>
    rows.filter(({ searched }) => asked.some((word) => searched.includes(word)))
  return { venue: having(venue), organizer: having(organizer), category, tag }
}

async function seenTerms({ reader, seenBy }: NameSearch, key: TermKey, words: readonly string[]): Promise<NamedRow[]> {
  const rows = await termsWith(reader, key, words)
  const seen =
    rows.length === 0
      ? new Set<number>()
      : await seenBy(
          key,
          rows.map(({ id }) => id),
        )
  return rows.filter(({ id }) => seen.has(id))
}

/** The names that words lead to; a word of five letters or more that nothing has is read as the one that is an error apart. */
export async function readWords(search: NameSearch, words: readonly string[]): Promise<ReadWords> {
  const names = await namesWith(search, words)
  const all = Object.values(names).flat()
  const read = await Promise.all(
    words.map(async (word) => {
      if (!isCorrectable(word) || all.some(({ searched }) => searched.includes(word))) return word
      if (await isWritten(search.reader, word)) return word
      return (await wordsLike(search.reader, word)).find((known) => isOneErrorApart(word, known)) ?? word
    }),
  )
  const isCorrected = read.some((word, index) => word !== words[index])
  return isCorrected
    ? { words: read, names: await namesWith(search, read), isCorrected }
    : { words, names, isCorrected }
}

function isCorrectable(word: string): boolean {
  const { length } = [...word]
  return length >= LONG && length <= LONGEST && /^[\p{L}\p{M}\p{N}]+$/u.test(word)
}
