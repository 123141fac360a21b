import { isOneErrorApart } from '../../../base/text/one-error.ts'
import type { Caller } from '../../../http/auth/rights.ts'
import type { TermKey } from '../../../model/resource.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { LinkedKey } from '../linked/row.ts'
import { isPublished, linkedWith, lookedFor, type NamedRow, termsWith, wordsLike } from './store.ts'

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
  readonly lookups: Readonly<Record<TermKey, TermSight>>
}

/** Of the IDs of terms, those of terms that a caller may see. */
interface TermSight {
  seenBy(reader: Reader, ids: readonly number[], caller: Caller): Promise<ReadonlySet<number>>
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
    eachOnce(asked, (word) => linkedWith(reader, 'venue', word)),
    eachOnce(asked, (word) => linkedWith(reader, 'organizer', word)),
    eachOnce(asked, (word) => seenTerms(search, 'category', word)),
    eachOnce(asked, (word) => seenTerms(search, 'tag', word)),
  ])
  const having = (rows: readonly NamedRow[]) =>
    rows.filter(({ searched }) => asked.some((word) => searched.includes(word)))
  return { venue: having(venue), organizer: having(organizer), category, tag }
}

async function eachOnce(
  words: readonly string[],
  find: (word: string) => Promise<readonly NamedRow[]>,
): Promise<readonly NamedRow[]> {
  const rows = (await Promise.all(words.map(find))).flat()
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

async function seenTerms({ reader, caller, lookups }: NameSearch, key: TermKey, word: string): Promise<NamedRow[]> {
  const rows = await termsWith(reader, key, word)
  const ids = rows.map(({ id }) => id)
  const seen = ids.length === 0 ? new Set<number>() : await lookups[key].seenBy(reader, ids, caller)
  return rows.filter(({ id }) => seen.has(id))
}

/** Words of a search that are corrected at most, and words that each of them may have been meant to be. */
const CORRECTED = 2
const MEANT = 8

/**
 * The names that words lead to; a word of five letters or more that nothing has is read as the one that is an error apart,
 * as far as anyone may read that.
 */
export async function readWords(search: NameSearch, words: readonly string[]): Promise<ReadWords> {
  const names = await namesWith(search, words)
  const all = Object.values(names).flat()
  const read: string[] = []
  let corrected = 0
  for (const word of words) {
    const isKnown =
      corrected === CORRECTED || !isCorrectable(word) || all.some(({ searched }) => searched.includes(word))
    const meant = isKnown || (await isPublished(search.reader, word)) ? undefined : await meantBy(search, word)
    if (meant !== undefined) corrected += 1
    read.push(meant ?? word)
  }
  const isCorrected = corrected > 0
  return isCorrected
    ? { words: read, names: await namesWith(search, read), isCorrected }
    : { words, names, isCorrected }
}

async function meantBy(search: NameSearch, word: string): Promise<string | undefined> {
  const known = (await wordsLike(search.reader, word)).filter((one) => isOneErrorApart(word, one)).sort()
  for (const one of known.slice(0, MEANT)) {
    if (await isPublished(search.reader, one)) return one
    const terms = [await seenTerms(search, 'category', one), await seenTerms(search, 'tag', one)]
    if (terms.flat().length > 0) return one
  }
  return undefined
}

function isCorrectable(word: string): boolean {
  const { length } = [...word]
  return length >= LONG && length <= LONGEST && /^[\p{L}\p{M}\p{N}]+$/u.test(word)
}
