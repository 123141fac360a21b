import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import { parse as parseQuery } from 'qs'
import { fail } from '../../base/errors.ts'

/** The media type of a request's body; '' where it is missing or malformed. */
export function contentTypeOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const type = headers['content-type']
  return type !== undefined && /^[\w.+-]+\/[\w.+-]+\s*(;|$)/.test(type) ? type : ''
}

/**
 * Reads a request body by its content type; a body of another type is ignored.
 * @throws rest_invalid_json, rest_bad_request; rest_too_many_params before it is parsed
 */
export async function readBody(body: Buffer | undefined, contentType: string, method: string): Promise<RawInput> {
  if (body === undefined || body.length === 0) return NOTHING
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) return readJson(body)
  if (type === 'application/x-www-form-urlencoded') {
    boundForm(body)
    return readForm(body.toString('utf8'))
  }
  if (type === 'multipart/form-data' && method === 'POST') return (await readMultipart(body, contentType)).sent
  return NOTHING
}

function readJson(body: Buffer): RawInput {
  boundJson(body)
  const text = decodeUtf8(body)
  if (text.trim() === '') return NOTHING
  const value = parseJson(text)
  // Arrays and scalars carry no names (wire: events 0.2).
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawInput) : NOTHING
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw fail('rest_invalid_json', {}, { json_error_code: 4, json_error_message: 'Syntax error' })
  }
}

function decodeUtf8(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw fail('rest_invalid_json', {}, { json_error_code: 5, json_error_message: 'Malformed UTF-8 characters' })
  }
}

/** The parts of a multipart form: its texts are parameters, its files are not. @throws rest_bad_request, rest_too_many_params */
export async function readMultipart(
  given: Buffer,
  contentType: string,
): Promise<{ readonly sent: RawInput; readonly files: readonly File[] }> {
  const { body, boundary } = withLongBoundary(given, boundaryOf(contentType))
  boundMultipart(body, boundary)
  const parts: string[] = []
  const files: File[] = []
  for (const [name, value] of await multipart(body, boundary)) {
    if (typeof value === 'string') parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    else files.push(value)
  }
  const form = parts.join('&')
  boundIndexes(form)
  return { sent: readForm(form), files }
}

/** What separates the parts of a multipart form. @throws rest_bad_request */
function boundaryOf(contentType: string): string {
  try {
    const boundary = new MIMEType(contentType).params.get('boundary') ?? ''
    if (boundary !== '') return boundary
  } catch {
    // Without a media type there is no boundary.
  }
  throw fail('rest_bad_request')
}

/** Shorter boundaries may occur in texts by chance. */
const LONG_BOUNDARY = 16

/**
 * A form with a boundary that occurs in none of its texts: it only counts at the start of a line that has nothing else (RFC
 * 2046 section 5.1.1), but the parser finds it anywhere.
 */
function withLongBoundary(body: Buffer, boundary: string): { readonly body: Buffer; readonly boundary: string } {
  if (boundary.length >= LONG_BOUNDARY) return { body, boundary }
  const long = `form-${randomUUID()}`
  const delimiter = new RegExp(`(^|\\n)--${boundary.replace(/\W/g, '\\$&')}(?=(?:--)?[ \\t]*(?:\\r\\n|$))`, 'g')
  return { body: Buffer.from(body.toString('latin1').replace(delimiter, `$1--${long}`), 'latin1'), boundary: long }
}

/** Uses the boundary by which parts were counted, whatever else the header says. */
async function multipart(body: Buffer, boundary: string): Promise<FormData> {
  const type = new MIMEType('multipart/form-data')
  type.params.set('boundary', boundary)
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': String(type) } }).formData()
  } catch {
    throw fail('rest_bad_request')
  }
}

/** Named values that a client sent: in a JSON object, a form or a query string. */
export type RawInput = Readonly<Record<string, unknown>>

/** Nothing was sent. */
export const NOTHING: RawInput = Object.freeze({})

/** Most parameters that one query string or form may carry, and parts of a multipart form. */
export const PARAMETER_LIMIT = 2000

/** Most that the numbers in brackets of a form may add up to: lists of a thousand numbered values do not reach it. */
const INDEX_LIMIT = 500_000

/** Shorter texts cannot be expensive. */
const SHORT = 2000

/**
 * Reads a query string or form with bracket notation: `a[]=1`, `a[0]=1`, `venue[venue]=X`; a repeated plain name keeps
 * its last value (wire: events 0.2).
 */
export function readForm(text: string): RawInput {
  if (text === '') return NOTHING
  const numbered = numberItems(text)
  return parseQuery(numbered, {
    duplicates: 'last',
    depth: 6,
    // An address is refused when it has been read: until then its lists are none.
    arrayLimit: hasCostlyIndexes(numbered) ? 0 : PARAMETER_LIMIT,
    parameterLimit: PARAMETER_LIMIT,
    strictDepth: false,
    allowEmptyArrays: false,
  })
}

/** `a[][b]=1&a[][b]=2` names two items of `a`: empty brackets with more behind them are numbered. */
function numberItems(text: string): string {
  const counts = new Map<string, number>()
  return text.replace(/(^|&)([^=&]*?)(?:\[|%5B)(?:\]|%5D)(?=\[|%5B)/gi, (_whole, start: string, name: string) => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return `${start}${name}[${count}]`
  })
}

/**
 * Whether the numbers in brackets of a query string or form with numbered items, such as `a[1999][1999]=1`, add up to
 * more than the limit: each makes the parser create and walk a list of that length.
 */
function hasCostlyIndexes(numbered: string): boolean {
  if (numbered.length <= SHORT) return false
  let sum = 0
  for (const pair of numbered.replace(/%5B/gi, '[').replace(/%5D/gi, ']').split('&')) {
    // Where the parser sees the end of the name.
    const end = pair.indexOf(']=')
    const name = end < 0 ? (pair.split('=', 1)[0] ?? '') : pair.slice(0, end + 1)
    for (const [, digits] of name.matchAll(/\[(\d{1,4})\]/g)) sum += Number(digits)
    if (sum > INDEX_LIMIT) return true
  }
  return false
}

/** Most values that a JSON body may have at all depths, objects and lists included. */
const VALUE_LIMIT = 10_000

/** Deepest nesting of a JSON body: what reads values may then recurse. */
const DEPTH_LIMIT = 64

/** Longest header of a part of a multipart form, in bytes. */
const PART_HEADER_LIMIT = 8 * 1024

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const AMPERSAND = 0x26

/**
 * Scans the bytes of a JSON text before it is parsed: 180,000 small values would block the server for a third of a
 * second. The text may be broken.
 * @throws rest_too_many_params, rest_invalid_json when it is too deep
 */
export function boundJson(bytes: Uint8Array): void {
  let values = 1
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at + 1)
    else if (byte === COMMA) values += 1
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1
      depth += 1
      if (depth > DEPTH_LIMIT) throw tooDeep()
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
    if (values > VALUE_LIMIT) throw fail('rest_too_many_params', { limit: VALUE_LIMIT })
  }
}

function tooDeep(): Error {
  return fail('rest_invalid_json', {}, { json_error_code: 1, json_error_message: 'Maximum depth exceeded' })
}

/** Where a text in quotes ends that starts at `start`: at its quote, or behind the last byte. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/** Counts the parameters of a form in its bytes, and the places of its lists. @throws rest_too_many_params */
function boundForm(bytes: Buffer): void {
  let count = 1
  for (let at = bytes.indexOf(AMPERSAND); at >= 0; at = bytes.indexOf(AMPERSAND, at + 1)) {
    count += 1
    if (count > PARAMETER_LIMIT) throw tooMany()
  }
  boundIndexes(bytes.toString('latin1'))
}

/** Adds up the numbers in brackets of a form. @throws rest_too_many_params */
function boundIndexes(form: string): void {
  if (hasCostlyIndexes(numberItems(form))) throw fail('rest_too_many_params', { limit: INDEX_LIMIT })
}

/** Counts the parameters of an address. @throws rest_too_many_params */
export function boundQuery(url: string): void {
  // Each has a character at least, and numbers in brackets have some more.
  if (url.length > PARAMETER_LIMIT) boundForm(Buffer.from(url.slice(url.indexOf('?') + 1)))
}

/**
 * Counts the parts of a multipart form and checks the length of their headers.
 * @throws rest_too_many_params, rest_bad_request
 */
function boundMultipart(bytes: Buffer, separator: string): void {
  const boundary = Buffer.from(`--${separator}`, 'latin1')
  let count = 0
  for (let at = bytes.indexOf(boundary); at >= 0; at = bytes.indexOf(boundary, at + boundary.length)) {
    if (at > 0 && bytes[at - 1] !== 0x0a) continue
    count += 1
    // The last one only ends the form.
    if (count > PARAMETER_LIMIT + 1) throw tooMany()
    const header = bytes.subarray(at, at + boundary.length + PART_HEADER_LIMIT)
    const isCut = header.length < boundary.length + PART_HEADER_LIMIT
    if (!isCut && !header.includes('\r\n\r\n')) throw fail('rest_bad_request')
  }
}

function tooMany(): Error {
  return fail('rest_too_many_params', { limit: PARAMETER_LIMIT })
}
