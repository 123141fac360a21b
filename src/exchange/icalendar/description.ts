import { linesOfHtml } from '../../base/text/lines.ts'
import type { EventTable } from '../../storage/schema.ts'
import { line, textLine, textValue } from './lines.ts'

/**
 * Whether HTML, as it is stored, says no more than the text that readers see in it: it has paragraphs and new lines only.
 */
export function isPlainHtml(html: string): boolean {
  return !/<(?!\/?p>|br \/>)/.test(html)
}

/** Whether a text that should be plain is HTML all the same: some programs write it so. */
export function isHtmlInText(text: string): boolean {
  return /<(?:br|p|a|b|i|ul|ol|div|span|strong|em|h[1-6])[\s/>]/i.test(text)
}

/**
 * What an event is described by, as plain text; '' for nothing. An event that came with a file also has its HTML
 * (RFC 9073 section 6.5) where the text would not come back as it is stored. `spoken` is the parameter of its language.
 */
export function descriptionLines(
  { description, excerpt }: Pick<EventTable, 'description' | 'excerpt'>,
  { spoken, isImported }: { readonly spoken: string; readonly isImported: boolean },
): string {
  const text = linesOfHtml(description || excerpt)
  const plain = textLine(`DESCRIPTION${spoken}`, text)
  const isStyled = isImported && description !== '' && !(isPlainHtml(description) && !isHtmlInText(text))
  if (!isStyled) return plain
  return plain + line(`STYLED-DESCRIPTION;VALUE=TEXT;FMTTYPE=text/html${spoken}`, textValue(description))
}
