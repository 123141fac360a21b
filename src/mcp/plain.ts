import { decodeEntities } from '../base/text/entities.ts'
import { singleSpaced, tidyCharacters } from '../base/text/fold.ts'
import { isVoid } from '../base/text/html-vocabulary.ts'
import { linesOfTokens } from '../base/text/lines.ts'
import { type Attributes, htmlTokens, type Token } from '../base/text/tokens.ts'

/** Longest description, in UTF-16 units. */
export const DESCRIPTION_LIMIT = 4_000

/** Longest other text. */
const TEXT_LIMIT = 500

/** Characters of HTML that are read: a description may have a million. */
const READ_LIMIT = 200_000

/** Control characters but white space, and characters that nobody sees and that may hide or reorder text. */
const REMOVED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what this expression is for
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** Joiners and direction marks, which scripts need one at a time. */
const JOINERS = /([\u200c-\u200f])[\u200c-\u200f]+/g

/** The text without characters that programs read and people do not see. */
function withoutUnseen(text: string): string {
  return text.replace(REMOVED, '').replace(JOINERS, '$1')
}

/** A title, name or other line of a response as plain text; '' for whatever is no text. */
export function plainLine(sent: unknown, limit: number = TEXT_LIMIT): string {
  if (typeof sent !== 'string') return ''
  const text = withoutUnseen(tidyCharacters(decodeEntities(sent)).replaceAll('\n', ' '))
  return cutText(singleSpaced(text), limit)
}

/** A plain text, and whether it was longer. */
export interface CutText {
  readonly text: string
  readonly isCut: boolean
}

/** HTML of a response as the lines that people see; comments, hidden elements and the addresses of mail links are dropped. */
export function plainLines(sent: unknown, limit: number = TEXT_LIMIT): CutText {
  if (typeof sent !== 'string') return { text: '', isCut: false }
  const html = sent.length <= READ_LIMIT ? sent : sent.slice(0, READ_LIMIT).replace(/<[^<>]*$/, '')
  const text = withoutUnseen(linesOfTokens(seenTokens(htmlTokens(html)))).trim()
  return { text: cutText(text, limit), isCut: text.length > limit || html.length < sent.length }
}

/** The beginning of a text, without half a character at its end. */
function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  return text
    .slice(0, limit)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
}

function seenTokens(tokens: readonly Token[]): Token[] {
  const seen: Token[] = []
  let hidden: { readonly name: string; depth: number } | undefined
  for (const token of tokens) {
    if (hidden === undefined) {
      const isHiding = token.kind === 'open' && isHidden(token.attributes)
      if (isHiding && !isVoid(token.name)) hidden = { name: token.name, depth: 1 }
      else if (!isHiding) seen.push(seenToken(token))
    } else if (token.kind !== 'text' && token.name === hidden.name) {
      hidden.depth += token.kind === 'open' ? 1 : -1
      if (hidden.depth === 0) hidden = undefined
    }
  }
  return seen
}

/** A mark of byte order is white space to programs: it goes before words are told apart. */
function seenToken(token: Token): Token {
  if (token.kind === 'text') return { ...token, text: withoutUnseen(token.text) }
  const isLink = token.kind === 'open' && /^\s*(mailto|tel):/i.test(token.attributes.get('href') ?? '')
  return isLink ? { ...token, attributes: new Map() } : token
}

/** Zero, with or without a unit. */
const ZERO = '[+-]?(?:0+(?:\\.0*)?|\\.0+)(?:[a-z]+|%)?'

/** Declarations, of those that the sanitizer lets through, that hide an element or its text; in lower case, without spaces. */
const HIDING = [
  new RegExp(`^(?:(?:max-)?width|height):${ZERO}$`),
  new RegExp(
    `^color:(?:transparent|#[0-9a-f]{3}0|#[0-9a-f]{6}00|(?:rgb|hsl)a?\\((?:[^,)]*,){3}${ZERO}\\)|[a-z]+\\([^,)]*/${ZERO}\\))$`,
  ),
]

/** Classes of our own style sheets that hide what has them, from some readers or all. */
const HIDING_CLASS = /(?:^|\s)(?:vh|unseen|trap|mini|skip)(?:\s|$)/

/** Whether an attribute, a class or the style of an element hides it. */
function isHidden(attributes: Attributes): boolean {
  if (attributes.has('hidden') || attributes.get('aria-hidden') === 'true') return true
  if (HIDING_CLASS.test(attributes.get('class') ?? '')) return true
  const style = attributes.get('style')
  if (style === undefined) return false
  const declarations = style
    .toLowerCase()
    .replace(/\s+|!important/g, '')
    .split(';')
  if (declarations.some((one) => HIDING.some((pattern) => pattern.test(one)))) return true
  const declared = (name: RegExp): string | undefined => declarations.find((one) => name.test(one))?.replace(name, '')
  const color = declared(/^color:/)
  return color !== undefined && color === declared(/^background(?:-color)?:/)
}
