import { escapeHtml } from '../../../../base/text/entities.ts'
import { cleanHtml } from '../../../../base/text/html.ts'
import { linesOfHtml } from '../../../../base/text/lines.ts'
import { isHtmlInText, isPlainHtml } from '../../../icalendar/description.ts'
import { LONGEST_HTML } from '../stored-value.ts'
import type { Component } from './components.ts'
import { bytesOfHex } from './content-lines.ts'
import { plainValue, propertiesOf, propertyOf } from './values.ts'

/**
 * The HTML that programs send beside the plain text, else the text; some write HTML as the text itself. What says no more
 * than a text is kept as its lines, so that it comes back from a file as it was.
 */
export function descriptionOf(event: Component): string {
  const styled = propertiesOf(event, 'STYLED-DESCRIPTION').find((one) =>
    /html/i.test(one.parameters.get('FMTTYPE') ?? ''),
  )
  const html =
    styled ?? propertiesOf(event, 'X-ALT-DESC').find((one) => /html/i.test(one.parameters.get('FMTTYPE') ?? ''))
  const description = propertyOf(event, 'DESCRIPTION')
  const formatted =
    html === undefined ? htmlInData(description?.parameters.get('ALTREP') ?? '') : plainValue(html.value)
  const text = (formatted ?? plainValue(description?.value ?? '')).slice(0, LONGEST_HTML)
  const clean = cleanHtml(formatted !== undefined || isHtmlInText(text) ? text : escapeHtml(text))
  if (!isPlainHtml(clean)) return clean
  const lines = linesOfHtml(clean)
  return lines === text ? clean : cleanHtml(escapeHtml(lines))
}

/** The HTML of a `data:` address (RFC 5545 section 3.2.1, RFC 2397); undefined for any other address, and one that is broken. */
function htmlInData(address: string): string | undefined {
  const [, options = '', data = ''] = /^\s*data:text\/html((?:;[^,;]*)*),(.*)$/is.exec(address) ?? []
  const isBase64 = /;\s*base64\s*$/i.test(options)
  const bytes = isBase64 ? Buffer.from(data, 'base64') : bytesOfHex(data, /%([\dA-F]{2})/gi)
  const [, charset = 'utf-8'] = /;\s*charset="?([\w.:-]+)/i.exec(options) ?? []
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes)
    return text.trim() === '' ? undefined : text
  } catch {
    return undefined
  }
}
