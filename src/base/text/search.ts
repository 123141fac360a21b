import { fold } from './fold.ts'

/** What a search asks for, folded: each word must occur, no excluded one may. Both `[]` when nothing remains. */
export interface Search {
  readonly words: readonly string[]
  readonly excluded: readonly string[]
}

/** Longest word, phrase or exclusion that can be searched for, folded, in UTF-16 units. */
export const LONGEST_TERM = 1_000

/** A phrase in straight, curly or low quotes (the rest of the text when the quote never ends), or a word. */
const TERM = /(?<minus>-?)(?:["“”„](?<phrase>[^"“”„]*)["“”„]?|(?<word>[^\s"“”„]+))/gu

/**
 * Reads a search text (decisions: search): words separated by white space, `"quoted phrases"`, `-word` and
 * `-"phrase"` to exclude. Everything is folded; `%`, `_` and other punctuation are taken literally, a lone `-` is
 * ignored, a word counts once.
 */
export function parseSearch(text: string): Search {
  const words = new Set<string>()
  const excluded = new Set<string>()
  for (const { groups } of text.matchAll(TERM)) {
    const term = fold(groups?.['phrase'] ?? groups?.['word'] ?? '')
    if (term === '' || term === '-') continue
    if (groups?.['minus'] === '-') excluded.add(term)
    else words.add(term)
  }
  return { words: Array.from(words), excluded: Array.from(excluded) }
}
