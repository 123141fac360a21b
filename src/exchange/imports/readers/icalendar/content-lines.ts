/** A property as it stands in a file (RFC 5545 section 3.1). */
export interface Property {
  /** In capitals. */
  readonly name: string
  /** Values by name in capitals, without quotes and with RFC 6868 undone; the last one where a name is given twice. */
  readonly parameters: ReadonlyMap<string, string>
  /** As it was written: text is still escaped. */
  readonly value: string
  /** Number of the line on which it starts, from 1. */
  readonly line: number
}

/** A line that was put together again, with the number of the line on which it starts. */
export interface UnfoldedLine {
  readonly text: string
  readonly line: number
}

/** Most bytes of a property; a longer one is left out. */
const LONGEST_LINE = 1_048_576

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const WESTERN = new TextDecoder('windows-1252')

/**
 * The lines of a file, unfolded as bytes, because a line may be broken within a character (RFC 5545 section 3.1). Lines
 * end with CRLF, LF or CR, empty ones are left out. A line that is not UTF-8 is read as Windows-1252. `text` is undefined
 * for one that is too long.
 */
export function* unfoldedLines(bytes: Buffer): Generator<{ readonly text: string | undefined; readonly line: number }> {
  // One character for each byte: splitting is safe, and a character that was broken apart comes together again.
  const text = withoutMark(bytes).toString('latin1')
  let [pieces, begin, size]: [string[], number, number] = [[], 0, 0]
  let number = 0
  // CR CR LF, which some programs write, is one break as well.
  for (const [, piece = ''] of text.matchAll(/([^\r\n]*)(?:\r?\r\n|\n|\r|$)/g)) {
    number += 1
    const isSoft = endsSoft(pieces)
    const isContinued = isSoft || ((piece.startsWith(' ') || piece.startsWith('\t')) && pieces.length > 0)
    if (isSoft) pieces.push(pieces.pop()?.slice(0, -1) ?? '')
    if (!isContinued) {
      if (size > 0) yield { text: decoded(pieces, size), line: begin }
      ;[pieces, begin, size] = [[], number, 0]
    }
    const own = isContinued && !isSoft ? piece.slice(1) : piece
    size += own.length
    if (size <= LONGEST_LINE) pieces.push(own)
  }
  if (size > 0) yield { text: decoded(pieces, size), line: begin }
}

/** Whether a line continues on the next one as quoted-printable text does. */
function endsSoft(pieces: readonly string[]): boolean {
  return pieces.at(-1)?.endsWith('=') === true && /^[^:]*;(?:ENCODING=)?"?QUOTED-PRINTABLE\b/i.test(pieces[0] ?? '')
}

/** The bytes of a text in UTF-8; one in UTF-16, which starts with a mark, is written again. */
function withoutMark(bytes: Buffer): Buffer {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return Buffer.from(new TextDecoder('utf-16le').decode(bytes))
  if (first === 0xfe && second === 0xff) return Buffer.from(new TextDecoder('utf-16be').decode(bytes))
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function decoded(pieces: readonly string[], size: number): string | undefined {
  if (size > LONGEST_LINE) return undefined
  const text = pieces.join('')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text
  const bytes = Buffer.from(text, 'latin1')
  try {
    return STRICT.decode(bytes)
  } catch {
    return WESTERN.decode(bytes)
  }
}

/** Most parameters of a property. */
const MOST_PARAMETERS = 100

/** What many properties of a file have in common, by their text before the value: one name and one map of parameters for all. */
export type SharedHeads = Map<string, Pick<Property, 'name' | 'parameters'>>

/** Texts that are shared. */
const MOST_SHARED = 2_000

/** A value that starts with a parameter. */
const MISPLACED = /^(?:ALTREP="|TZID=|LANGUAGE=[\w-]+[:;]|VALUE=(?:DATE|TEXT|URI)\b)/i

/** Reads a property; undefined for a line that is none. */
export function readProperty({ text, line }: UnfoldedLine, common: SharedHeads): Property | undefined {
  const [head = ''] = /^[^:;"]*/.exec(text) ?? []
  const name = head.trim().toUpperCase()
  if (!/^[A-Z0-9_.-]{1,100}$/.test(name)) return undefined
  const parameters = new Map<string, string>()
  let at = head.length
  while (text[at] === ';') {
    const parameter = readParameter(text, at + 1)
    if (parameter === undefined || parameters.size === MOST_PARAMETERS) return undefined
    parameters.set(parameter.name, parameter.value)
    at = parameter.end
  }
  if (text[at] !== ':') return undefined
  // Some programs write parameters after the colon.
  if (MISPLACED.test(text.slice(at + 1, at + 20)))
    return readProperty({ text: `${text.slice(0, at)};${text.slice(at + 1)}`, line }, common)
  const value = decodedValue(name, text.slice(at + 1), parameters)
  const key = text.slice(0, at)
  const shared = common.get(key) ?? { name, parameters }
  if (common.size < MOST_SHARED) common.set(key, shared)
  return { ...shared, value, line }
}

/** Properties whose text may be in Base64. */
const TEXTS = /^(?:SUMMARY|DESCRIPTION|LOCATION|COMMENT|CONTACT|CATEGORIES)$/

/** A value without the encoding of vCalendar 1.0; the parameters of it are taken out. */
function decodedValue(name: string, value: string, parameters: Map<string, string>): string {
  const encoding = parameters.get('ENCODING')?.toUpperCase()
  const isQuoted = encoding === 'QUOTED-PRINTABLE'
  if (!isQuoted && !(TEXTS.test(name) && (encoding === 'BASE64' || encoding === 'B'))) return value
  const bytes = isQuoted ? bytesOfHex(value, /=([\dA-F]{2})/gi) : Buffer.from(value, 'base64')
  const charset = parameters.get('CHARSET') ?? 'utf-8'
  for (const part of ['ENCODING', 'CHARSET']) parameters.delete(part)
  return textOfBytes(bytes, charset).replace(/\r?\n|\r/g, '\\n')
}

/** The bytes of a text in which some are written as two digits behind a sign; `pattern` finds both. */
export function bytesOfHex(text: string, pattern: RegExp): Buffer {
  const decode = (_code: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 16))
  return Buffer.from(Buffer.from(text).toString('latin1').replace(pattern, decode), 'latin1')
}

function textOfBytes(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return WESTERN.decode(bytes)
  }
}

/** A parameter with where it ends: at `;` or `:`. Several values are one text with commas. */
function readParameter(text: string, from: number): { name: string; value: string; end: number } | undefined {
  // vCalendar 1.0 names an encoding without saying what it is.
  const [bare] = /^(?:QUOTED-PRINTABLE|BASE64|8BIT)(?=[;:])/i.exec(text.slice(from, from + 20)) ?? []
  if (bare !== undefined) return { name: 'ENCODING', value: bare, end: from + bare.length }
  const equals = text.indexOf('=', from)
  if (equals < 0 || equals - from > 100) return undefined
  const name = text.slice(from, equals).trim().toUpperCase()
  let value = ''
  let at = equals + 1
  for (;;) {
    const char = text[at]
    if (char === undefined) return undefined
    const isEnd = char === ';' || (char === ':' && !(name === 'TZID' && isWithinLabel(text, at)))
    if (isEnd) return { name, value: withoutCarets(value), end: at }
    const close = char === '"' ? text.indexOf('"', at + 1) : -1
    if (close < 0) {
      value += char
      at += 1
    } else {
      value += text.slice(at + 1, close)
      at = close + 1
    }
  }
}

/** Whether a colon belongs to a label of a zone that lacks its quotes: what follows is no date, and another colon comes. */
function isWithinLabel(text: string, colon: number): boolean {
  return !/^\s*\d{4}/.test(text.slice(colon + 1, colon + 20)) && text.includes(':', colon + 1)
}

/** Undoes RFC 6868. */
function withoutCarets(value: string): string {
  if (!value.includes('^')) return value
  return value.replace(/\^[n^']/g, (pair) => (pair === '^n' ? '\n' : pair === '^^' ? '^' : '"'))
}
