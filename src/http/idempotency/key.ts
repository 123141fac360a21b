import { fail } from '../../base/errors.ts'

/** Name of the header. */
export const KEY_HEADER = 'idempotency-key'

/** A string of RFC 8941 section 3.3.3, as the IETF draft has it. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

const VISIBLE = /^[\x21-\x7e]{1,255}$/

/**
 * The key in an Idempotency-Key header: a string in quotes, or the same characters without.
 * @throws rest_invalid_header unless it has 1 to 255 visible characters
 */
export function readKey(header: string): string {
  const text = header.trim()
  const key = text.startsWith('"') ? QUOTED.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') : text
  if (key === undefined || !VISIBLE.test(key)) throw fail('rest_invalid_header', { header: 'Idempotency-Key' })
  return key
}
