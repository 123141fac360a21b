import { parse as parseQuery } from 'qs'

/** Named values that a client sent: in a JSON object, a form or a query string. */
export type RawInput = Readonly<Record<string, unknown>>

/** Nothing was sent. */
export const NOTHING: RawInput = Object.freeze({})

/** Most parameters that one query string or form may carry, and parts of a multipart form. */
export const PARAMETER_LIMIT = 2000

/** Most that the numbers in brackets of a form may add up to: lists of a thousand numbered values do not reach it. */
export const INDEX_LIMIT = 500_000

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
export function numberItems(text: string): string {
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
export function hasCostlyIndexes(numbered: string): boolean {
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
