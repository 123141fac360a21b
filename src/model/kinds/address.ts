import { isHttpUrl, URL_LIMIT } from '../../base/text/http-url.ts'
import { type Kind, mistyped, refuse } from './kind.ts'
import { textOf } from './text.ts'

/** A host name with a top-level domain, perhaps with a port, and what may follow it. */
const BARE_ADDRESS = /^(?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+(?::\d{1,5})?(?:[/?#].*)?)$/u

/**
 * An address of the web as programs can use it: a missing scheme is added (`www.example.org`), as imported addresses may
 * lack it. Undefined for text that is no such address.
 */
export function webAddress(text: string): string | undefined {
  const trimmed = text.slice(0, URL_LIMIT + 1).trim()
  if (isHttpUrl(trimmed)) return trimmed
  const [, bare] = BARE_ADDRESS.exec(trimmed) ?? []
  const repaired = `https://${bare}`
  return bare !== undefined && isHttpUrl(repaired) ? repaired : undefined
}

/** An http or https address as sent; '' when empty (also 0 and false). */
export const website: Kind<string> = {
  control: 'line',
  declared: { type: 'string' },
  schema: { type: 'string' },
  parse(value) {
    if (value === 0 || value === false) return { ok: true, value: '' }
    if (typeof value !== 'string') return refuse('bad_url')
    const text = value.trim()
    return text === '' || text === '0' || isHttpUrl(text)
      ? { ok: true, value: text === '0' ? '' : text }
      : refuse('bad_url')
  },
}

/** The address of a calendar as sent: as a website, or `webcal:` or `webcals:`, as programs link calendars. */
export const calendarUrl: Kind<string> = {
  ...website,
  parse(value, context) {
    const isCalendar = typeof value === 'string' && /^\s*webcals?:/i.test(value)
    if (!isCalendar) return website.parse(value, context)
    const text = value.trim()
    return isHttpUrl(text.replace(/^webcals?:/i, 'https:')) ? { ok: true, value: text } : refuse('bad_url')
  },
}

/** An email address as sent; '' when empty. */
export const email: Kind<string> = {
  control: 'line',
  declared: { type: 'string' },
  schema: { type: 'string' },
  parse(value) {
    const text = textOf(value)?.trim()
    if (text === undefined) return mistyped('not_text')
    return text === '' || isEmail(text) ? { ok: true, value: text } : refuse('bad_email')
  },
}

/** Whether the text is an email address of the usual form (RFC 5321 lengths, no quoted local part). */
function isEmail(text: string): boolean {
  if (text.length > 254) return false
  return /^[^\s@<>(),:;"\\[\]]{1,64}@[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u.test(
    text,
  )
}
