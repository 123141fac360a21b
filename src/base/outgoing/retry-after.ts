import type { IncomingHttpHeaders } from 'node:http'

/**
 * Milliseconds that the Retry-After of a response asks to wait, in seconds or as a date (RFC 9110 section 10.2.3), 0 for a
 * date that is past; undefined where it does not. Dates are on the server's own clock, if it sends that.
 */
export function retryAfter(
  { 'retry-after': header, date }: Pick<IncomingHttpHeaders, 'retry-after' | 'date'>,
  now: number,
): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  // A date starts with the day of the week: numbers alone would be read as years.
  const at = /^[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return undefined
  const theirs = Date.parse(date ?? '')
  return Math.max(0, at - (Number.isNaN(theirs) ? now : theirs))
}
