import { isPlainAscii, plainLatin } from './fold.ts'
import { plainText } from './html.ts'

/** Longest slug, in bytes of its percent-encoded form (wire: events 4.1). */
export const SLUG_LIMIT = 200
/** A slug is made from this many characters at most. */
const TEXT_LIMIT = 10_000

/**
 * The slug of a text (wire: events 4.1, rest 3.9): lower case, Latin accents folded, tags removed; spaces, dashes, `/`
 * and `.` become `-`, other punctuation goes, letters of other scripts are percent-encoded in lower-case hexadecimal
 * (`cafe-%e6%97%a5`); runs of `-` are one, none at the ends; at most 200 bytes, no character cut. `''` when nothing
 * remains. The slug of a slug is itself.
 */
export function slugify(text: string, limit: number = SLUG_LIMIT): string {
  if (text === '') return ''
  const words = letters(plainText(decoded(text.slice(0, TEXT_LIMIT))))
    .replace(/[\s\p{Pd}/.]+/gu, '-')
    .replace(/-+/g, '-')
  return trimHyphens(cut(trimHyphens(words), limit))
}

/**
 * A slug with an ending such as `-2` behind it. Where both are too long together the slug loses whole characters: half
 * of a percent-encoded one, or two hyphens in a row, would make a slug that no path can name.
 */
export function withEnding(slug: string, ending: string): string {
  if (slug.length + ending.length <= SLUG_LIMIT) return slug + ending
  return trimHyphens(cut(decoded(slug), SLUG_LIMIT - ending.length)) + ending
}

/** A whole text with percent-encoded UTF-8 decoded once; unchanged where any `%` in it encodes nothing. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The letters, digits and hyphens of a text in lower case, Latin ones without accents. */
function letters(text: string): string {
  if (isPlainAscii(text)) return text.replace(/[^\w\s/.-]+/g, '').toLowerCase()
  const kept = text.normalize('NFKD').replace(/[^\p{L}\p{M}\p{N}\p{Pd}\s_/.]+/gu, '')
  const latin = plainLatin(kept.replace(/(\p{Script=Latin})\p{M}+/gu, '$1').toLowerCase())
  return latin.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFC')
}

/** The text with percent-encoded UTF-8 decoded once; a `%` that encodes nothing stays (and is dropped later). */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, percentDecoded)
}

/** The percent-encoded text up to a length. */
function cut(text: string, limit: number): string {
  let slug = ''
  for (const character of text) {
    const encoded = character < '\u0080' ? character : encodeURIComponent(character).toLowerCase()
    if (slug.length + encoded.length > limit) break
    slug += encoded
  }
  return slug
}

function trimHyphens(text: string): string {
  return text.replace(/^-/, '').replace(/-$/, '')
}
