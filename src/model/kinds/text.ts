import { cleanHtml, plainText } from '../../base/text/html.ts'
import { inlineHtml } from '../../base/text/inline.ts'
import { LONGEST_TERM, parseSearch, type Search } from '../../base/text/search.ts'
import { percentDecoded, SLUG_LIMIT, slugify } from '../../base/text/slug.ts'
import { type Kind, mistyped, type ParseResult, refuse } from './kind.ts'

/** Longest name or title, in characters. */
const NAME_LIMIT = 1000
/** Longest single line such as an address, in characters. */
const LINE_LIMIT = 2000
/** How much longer than the limit text may be before its tags and entities are taken out. */
const MARKUP_FACTOR = 10
/** Longest HTML, in characters; cleaning takes about half a second for hostile input of this length. */
const HTML_LIMIT = 1_000_000
/** Longest description of a term, in characters. */
const INLINE_LIMIT = 100_000
/** Longest search text, in characters (decisions: search). */
export const SEARCH_LIMIT = 256
/** Most words of a search, phrases and exclusions included (decisions: search). */
export const SEARCH_WORDS = 8

/** Text of a scalar: strings, and numbers and booleans that read unambiguously (decisions: Scalars). */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'boolean' ? String(value) : undefined
}

/** Text of what names something: strings, and numbers, which read unambiguously; a yes or no does not (decisions: Scalars). */
export function namingText(value: unknown): string | undefined {
  return typeof value === 'boolean' ? undefined : textOf(value)
}

function within(text: string, limit: number): ParseResult<string> {
  return isTooLong(text, limit) ? refuse('too_long') : { ok: true, value: text }
}

/** Limits count characters, as `maxLength` of JSON Schema does (RFC 8259 section 1): an emoji is one. */
function isTooLong(text: string, limit: number): boolean {
  return text.length > limit && Array.from(text).length > limit
}

/** A title or name: plain text that is neither blank nor `0`. Tags are removed and entities decoded once. */
export function name(limit: number = NAME_LIMIT): Kind<string> {
  return {
    control: 'line',
    declared: { type: 'string' },
    schema: { type: 'string', minLength: 1 },
    parse(value) {
      const given = namingText(value)
      if (given === undefined) return mistyped('not_text')
      if (given === '0') return refuse('empty')
      if (given.length > limit * MARKUP_FACTOR) return refuse('too_long')
      const text = plainText(given)
      return text === '' ? refuse('empty') : within(text, limit)
    },
  }
}

/** One line of plain text; '' when empty. */
export const line: Kind<string> = {
  control: 'line',
  declared: { type: 'string' },
  schema: { type: 'string' },
  parse(value) {
    const text = textOf(value)
    if (text === undefined) return mistyped('not_text')
    return text.length > LINE_LIMIT * MARKUP_FACTOR ? refuse('too_long') : within(plainText(text), LINE_LIMIT)
  },
}

/** HTML that is sanitized and given paragraphs once, here; '' when empty. */
export const html: Kind<string> = {
  control: 'html',
  declared: { type: 'string' },
  schema: { type: 'string', maxLength: HTML_LIMIT },
  parse(value, { iframeHosts, checkOnly = false }) {
    const text = textOf(value)
    if (text === undefined) return mistyped('not_text')
    if (text.length > HTML_LIMIT) return refuse('too_long')
    if (checkOnly) return { ok: true, value: '' }
    return { ok: true, value: cleanHtml(text, iframeHosts === undefined ? {} : { iframeHosts }) }
  },
}

/** Simple inline HTML, as term descriptions hold it; '' when empty. */
export const inline: Kind<string> = {
  control: 'text',
  declared: { type: 'string' },
  schema: { type: 'string', maxLength: INLINE_LIMIT },
  parse(value, { checkOnly = false }) {
    const text = textOf(value)
    if (text === undefined) return mistyped('not_text')
    if (text.length > INLINE_LIMIT) return refuse('too_long')
    return { ok: true, value: checkOnly ? '' : inlineHtml(text) }
  },
}

/** A slug to be stored: slugified; refused when nothing remains. */
export const slug: Kind<string> = {
  control: 'line',
  declared: { type: 'string' },
  schema: { type: 'string' },
  parse(value) {
    const given = namingText(value)
    if (given === undefined) return mistyped('not_text')
    const made = slugify(given)
    return made === '' ? refuse('empty') : { ok: true, value: made }
  },
}

/** Room for the ending of a trashed slug, in bytes (wire: events 5.4). */
const ENDING = 20

/** A slug that names something that exists: raw, percent-encoded or in any case; '' when it can name nothing. */
export const slugParam: Kind<string> = {
  declared: { type: 'string' },
  schema: { type: 'string' },
  parse(value) {
    if (typeof value !== 'string') return mistyped('not_text')
    const text = percentDecoded(value).toWellFormed()
    const long = slugify(text, SLUG_LIMIT + ENDING)
    return { ok: true, value: /__trashed(-\d+)?$/.test(long) ? long : slugify(text) }
  },
}

/** What to search for, parsed: a text that is not empty, at most 256 characters and 8 different words, phrases and exclusions. */
export const search: Kind<Search> = {
  declared: { type: 'string' },
  schema: { type: 'string', minLength: 1, maxLength: SEARCH_LIMIT },
  parse(value) {
    if (typeof value !== 'string') return refuse('not_text')
    if (value === '') return refuse('empty')
    const text = value.toWellFormed()
    if (isTooLong(text, SEARCH_LIMIT)) return refuse('too_long')
    const parsed = parseSearch(text)
    const { words, excluded } = parsed
    if (words.length + excluded.length > SEARCH_WORDS) return refuse('too_many_words')
    // There are letters that are folded to eighteen.
    return [...words, ...excluded].some((term) => term.length > LONGEST_TERM)
      ? refuse('too_long')
      : { ok: true, value: parsed }
  },
}

/** A password to try: text as it is, and not empty (decisions: Password). */
export const credential: Kind<string> = {
  declared: { type: 'string' },
  schema: { type: 'string', format: 'password', minLength: 1, maxLength: NAME_LIMIT },
  parse(value, context) {
    return value === '' ? refuse('empty') : secretText.parse(value, context)
  },
}

/** A password to set: text as it is; '' for none. */
export const secretText: Kind<string> = {
  control: 'secret',
  declared: { type: 'string' },
  schema: { type: 'string', format: 'password', maxLength: NAME_LIMIT, writeOnly: true },
  parse(value) {
    const text = textOf(value)
    return text === undefined ? mistyped('not_text') : within(text, NAME_LIMIT)
  },
}
