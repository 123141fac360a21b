/**
 * Scripts written without spaces between words, and Hangul, whose syllables are letters enough: two of their characters in
 * a row are a word that an index finds (decisions: search). First and last code point of each range.
 */
const RANGES: readonly (readonly [number, number])[] = [
  // Thai and Lao, Tibetan, Myanmar, Khmer.
  [0x0e01, 0x0eff],
  [0x0f00, 0x0fff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0xa9e0, 0xa9ff],
  [0xaa60, 0xaa7f],
  // Japanese, Bopomofo, Han, Hangul; folded text has no half-width or compatibility forms.
  [0x3005, 0x3007],
  [0x3041, 0x30fa],
  [0x30fc, 0x312f],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0x20000, 0x3ffff],
]

/** A class of one such character. */
const UNSPACED_CLASS = `[${RANGES.map((range) => range.map((code) => String.fromCodePoint(code)).join('-')).join('')}]`

const PAIR = new RegExp(`^${UNSPACED_CLASS}{2}$`, 'u')

const LETTERS = new RegExp(`(?=\\p{Alphabetic}{2})${UNSPACED_CLASS}{2}`, 'u')

/** Most characters of a word that the index of words has whole. */
const PIECE_LENGTH = 64

/** Characters after which the next piece of a longer word starts. */
const PIECE_STEP = 32

/** Most characters of a part of a word that surely lies in one piece of it. */
export const WHOLE_LENGTH = PIECE_LENGTH - PIECE_STEP + 1

const ONE = new RegExp(UNSPACED_CLASS, 'u')
// Words are measured from where they start: from each of their letters takes four times as long.
const UNUSUAL = new RegExp(`(?:^|[ \\n])[^ \\n]{${PIECE_LENGTH + 1}}|${UNSPACED_CLASS}{2}`, 'u')

/** Whether a text is two characters of scripts without spaces, and nothing else. */
export function isUnspacedPair(text: string): boolean {
  return PAIR.test(text)
}

/** Whether two letters of scripts without spaces follow each other in a text. */
export function hasUnspacedLetters(text: string): boolean {
  return LETTERS.test(text)
}

/**
 * What the index of words has of a folded text, separated by spaces: words, overlapping pieces of those with more than 64
 * characters, and each two characters in a row of scripts without spaces. Null where that is the text itself.
 */
export function indexTerms(body: string): string | null {
  if (!UNUSUAL.test(body)) return null
  const terms = new Set<string>()
  for (const word of body.split(/[ \n]/)) {
    const characters = Array.from(word)
    addPieces(terms, characters)
    addPairs(terms, characters)
  }
  return Array.from(terms).join(' ')
}

function addPieces(terms: Set<string>, characters: readonly string[]): void {
  for (let start = 0; ; start += PIECE_STEP) {
    terms.add(characters.slice(start, start + PIECE_LENGTH).join(''))
    if (start + PIECE_LENGTH >= characters.length) return
  }
}

function addPairs(terms: Set<string>, characters: readonly string[]): void {
  let before = ''
  for (const one of characters) {
    const here = ONE.test(one) ? one : ''
    if (before !== '' && here !== '') terms.add(before + here)
    before = here
  }
}
