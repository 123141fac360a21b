import { parseSearch } from '../../base/text/search.ts'
import type { Caller } from '../../http/auth/rights.ts'
import { SEARCH_LIMIT, SEARCH_WORDS } from '../../model/kinds/text.ts'
import type { Reader } from '../../storage/engine.ts'
import { type FoundNames, readWords } from '../shared/names/find.ts'
import type { NamedRow } from '../shared/names/store.ts'
import type { Lookups } from './show/load.ts'

/** Items of each kind that a search names. */
const SHOWN = 10

/** What a search text leads to beside events. */
export interface SearchedNames {
  /** The text as it was read: as it was sent, or its words with a typing error corrected. */
  readonly text: string
  readonly isCorrected: boolean
  /** The best ten of each kind, each with all words in its name or address. */
  readonly names: FoundNames
}

/** The venues, organizers, categories and tags that a caller may mean by a search text. */
export async function searchedNames(
  { reader, lookups }: { readonly reader: Reader; readonly lookups: Lookups },
  { caller, text }: { readonly caller: Caller; readonly text: string },
): Promise<SearchedNames> {
  const { words, names, isCorrected } = await readWords(
    { reader, caller, lookups },
    parseSearch(text.slice(0, SEARCH_LIMIT)).words.slice(0, SEARCH_WORDS),
  )
  return {
    text: isCorrected ? words.join(' ') : text,
    isCorrected,
    names: {
      venue: best(names.venue, words),
      organizer: best(names.organizer, words),
      category: best(names.category, words),
      tag: best(names.tag, words),
    },
  }
}

/** Names with all words, those that begin like the search first. */
function best(rows: readonly NamedRow[], words: readonly string[]): readonly NamedRow[] {
  const all = rows.filter(({ searched }) => words.every((one) => searched.includes(one)))
  const begins = ({ searched }: NamedRow): number => (searched.startsWith(words[0] ?? '') ? 0 : 1)
  return all.toSorted((one, other) => begins(one) - begins(other)).slice(0, SHOWN)
}
