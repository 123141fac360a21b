import { singleSpaced, tidyCharacters } from './fold.ts'

/**
 * A name as it is compared when two of them may be the same: without case, each run of white space as one space, trimmed,
 * NFC. Unlike `fold` it keeps accents: `Café` and `Cafe` are two names.
 */
export function nameKey(name: string): string {
  const plain = tidyCharacters(name).normalize('NFC')
  // Lower case of upper case is full case folding, except for the dotless i, which is no i.
  const folded = plain.replace(/[^ı]+/g, (part) => part.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ'))
  return singleSpaced(folded).normalize('NFC')
}
