import { escapeHtml } from '../../../base/text/entities.ts'
import { cleanHtml, plainText } from '../../../base/text/html.ts'
import type { Column } from '../../../model/column.ts'
import { webAddress } from '../../../model/kinds/address.ts'
import { booleanOf } from '../../../model/kinds/boolean.ts'
import { language } from '../../../model/kinds/language.ts'

/** Characters of HTML, and of a text of one line, in a file; what is longer is cut. */
export const LONGEST_HTML = 500_000
export const LONGEST_LINE = 1_000

/** What a plain column stores of a text in a file; its blank value where the text says nothing that it can store. */
export function storedValue({ kind, limit = 0, blank }: Column, text: string): unknown {
  switch (kind) {
    case 'flag':
    case 'mark':
      return booleanOf(text.trim().toLowerCase()) === true ? 1 : 0
    case 'number': {
      const number = text.trim() === '' ? Number.NaN : Number(text.replace(',', '.'))
      return Math.abs(number) <= limit ? number : blank
    }
    case 'html':
      return cleanHtml(text.slice(0, LONGEST_HTML))
    case 'link':
      return webAddress(text.trim()) ?? ''
    case 'email':
      return emailsIn(text)[0] ?? ''
    case 'language':
      return languageTag(text)
    default:
      return lineIn(text)
  }
}

/** A text of one line. */
export function lineIn(text: string): string {
  return plainText(escapeHtml(text.replace(/\s+/g, ' '))).slice(0, LONGEST_LINE)
}

/** A language tag; '' for anything else. */
export function languageTag(text: string): string {
  const read = language.parse(text, { now: 0, siteZone: 'UTC' })
  return read.ok ? read.value : ''
}

/** An email address; '' for anything else. */
export function emailIn(text: string): string {
  const email = text.trim()
  return email.length <= 254 && /^[^@\s<>]+@[^@\s<>]+$/.test(email) ? email : ''
}

/** Email addresses in a cell in their order; '' for anything else. */
export function emailsIn(text: string): string[] {
  return text.split(/[,;|]/).map(emailIn)
}
