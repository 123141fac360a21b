import { fail } from '../../base/errors.ts'
import { hasCostlyIndexes, INDEX_LIMIT, numberItems, PARAMETER_LIMIT } from './form.ts'

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

/** Where a text in quotes ends that begins at `start`: at its quote, or behind the last byte. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/** Counts the parameters of a form in its bytes, and the places of its lists. @throws rest_too_many_params */
export function boundForm(bytes: Buffer): void {
  let count = 1
  for (let at = bytes.indexOf(AMPERSAND); at >= 0; at = bytes.indexOf(AMPERSAND, at + 1)) {
    count += 1
    if (count > PARAMETER_LIMIT) throw tooMany()
  }
  boundIndexes(bytes.toString('latin1'))
}

/** Adds up the numbers in brackets of a form. @throws rest_too_many_params */
export function boundIndexes(form: string): void {
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
export function boundMultipart(bytes: Buffer, separator: string): void {
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
