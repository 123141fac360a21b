import { decodeEntities } from './entities.ts'
import { tidyCharacters } from './fold.ts'

/** Attributes of a start tag: names in lower case, values decoded, `''` for an attribute without value. */
export type Attributes = ReadonlyMap<string, string>

/** One piece of HTML. Text is decoded; neighboring texts are separate tokens where markup between them was dropped. */
export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Attributes }
  | { readonly kind: 'close'; readonly name: string }

/** Elements whose content is no text for readers; without an end tag only `script` and `style` reach to the end. */
const HIDDEN: Readonly<Record<string, RegExp>> = {
  script: /<\/script(?=[\s/>])/gi,
  style: /<\/style(?=[\s/>])/gi,
  iframe: /<\/iframe(?=[\s/>])/gi,
}

const MARKUP = /<[a-z/!?]/gi
const SPACES = /[ \t\n/]+/y
const TAG_NAME = /[a-z][^ \t\n/>]*/iy
const ATTRIBUTE_NAME = /[^ \t\n/>][^ \t\n/>=]*/y
const EQUALS = /[ \t\n]*=[ \t\n]*/y
const BARE_VALUE = /[^ \t\n>]*/y

interface Scan {
  readonly input: string
  readonly tokens: Token[]
  /** Where the next piece starts. */
  at: number
  /** Ends that were searched for and do not occur again, so that nobody searches the rest a second time. */
  readonly absent: Set<string>
}

/**
 * The tokens of HTML as people send it, in linear time. Comments, declarations and the content of `script`, `style` and
 * closed `iframe` elements are dropped; whatever is no complete tag (`5 < 6`, `<a href="` without an end) is text.
 */
export function htmlTokens(html: string): Token[] {
  const scan: Scan = { input: tidyCharacters(html), tokens: [], at: 0, absent: new Set() }
  while (scan.at < scan.input.length) {
    MARKUP.lastIndex = scan.at
    const start = MARKUP.exec(scan.input)?.index
    if (start === undefined) {
      pushText(scan, scan.input.length)
      break
    }
    pushText(scan, start)
    readMarkup(scan)
  }
  return scan.tokens
}

/** Decoded text of the input, which is tidy already: only references can contain untidy characters again. */
function decoded(text: string): string {
  return text.includes('&') ? tidyCharacters(decodeEntities(text)) : text
}

/** Makes everything up to `end` a text token. */
function pushText(scan: Scan, end: number): void {
  if (end > scan.at) {
    scan.tokens.push({ kind: 'text', text: decoded(scan.input.slice(scan.at, end)) })
  }
  scan.at = end
}

/** Reads what starts with the `<` at the current place. */
function readMarkup(scan: Scan): void {
  const { input, at } = scan
  if (input.startsWith('<!--', at) && skipPast(scan, '-->', at + 2)) return
  if (input.startsWith('<![CDATA[', at) && has(scan, ']]>', at)) {
    const end = input.indexOf(']]>', at)
    scan.tokens.push({ kind: 'text', text: input.slice(at + 9, end) })
    scan.at = end + 3
    return
  }
  if (/[a-z?[]/i.test(input.charAt(at + 2)) && input.charAt(at + 1) === '!' && skipPast(scan, '>', at)) return
  if (input.charAt(at + 1) === '?' && skipPast(scan, '>', at)) return
  if (!readTag(scan)) pushText(scan, at + 1)
}

function has(scan: Scan, end: string, from: number): boolean {
  if (scan.absent.has(end)) return false
  if (scan.input.includes(end, from)) return true
  scan.absent.add(end)
  return false
}

/** Moves behind the next `end`; false if there is none. */
function skipPast(scan: Scan, end: string, from: number): boolean {
  if (!has(scan, end, from)) return false
  scan.at = scan.input.indexOf(end, from) + end.length
  return true
}

/** The text that a sticky expression finds at `at`, `''` when it finds none. */
function take(scan: Scan, expression: RegExp, at: number): string {
  expression.lastIndex = at
  return expression.exec(scan.input)?.[0] ?? ''
}

/** Reads a start or end tag; false when there is no tag here. */
function readTag(scan: Scan): boolean {
  const closing = scan.input.charAt(scan.at + 1) === '/'
  const nameAt = scan.at + (closing ? 2 : 1)
  const name = take(scan, TAG_NAME, nameAt)
  if (name === '') return false
  const attributes = new Map<string, string>()
  const end = readAttributes(scan, nameAt + name.length, attributes)
  if (end < 0) {
    // The tag never ends, so there is no tag in the whole rest; looking again at each `<` would take quadratic time.
    pushText(scan, scan.input.length)
    return true
  }
  scan.at = end + 1
  const lower = name.toLowerCase()
  scan.tokens.push(closing ? { kind: 'close', name: lower } : { kind: 'open', name: lower, attributes })
  if (!closing) skipHidden(scan, lower)
  return true
}

/** Fills `attributes` and returns the place of the closing `>`, -1 when the input ends before it. */
function readAttributes(scan: Scan, from: number, attributes: Map<string, string>): number {
  let at = from
  while (at < scan.input.length) {
    at += take(scan, SPACES, at).length
    if (scan.input.charAt(at) === '>') return at
    const name = take(scan, ATTRIBUTE_NAME, at)
    at += name.length
    const equals = take(scan, EQUALS, at)
    at += equals.length
    let value = ''
    if (equals !== '') {
      const quote = scan.input.charAt(at)
      const end = quote === '"' || quote === "'" ? scan.input.indexOf(quote, at + 1) : undefined
      if (end !== undefined && end < 0) return -1
      value = end === undefined ? take(scan, BARE_VALUE, at) : scan.input.slice(at + 1, end)
      at = end === undefined ? at + value.length : end + 1
    }
    const key = name.toLowerCase()
    if (key !== '' && !attributes.has(key)) attributes.set(key, decoded(value))
  }
  return -1
}

/** Moves over the content of an element that holds no text for readers; its end tag is read as usual. */
function skipHidden(scan: Scan, name: string): void {
  const end = Object.hasOwn(HIDDEN, name) ? HIDDEN[name] : undefined
  if (end === undefined || scan.absent.has(name)) return
  end.lastIndex = scan.at
  const found = end.exec(scan.input)
  if (found !== null) {
    scan.at = found.index
    return
  }
  scan.absent.add(name)
  if (name !== 'iframe') scan.at = scan.input.length
}
