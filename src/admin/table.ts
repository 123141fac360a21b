import { html, type Markup } from '../pages/html.ts'
import { momentText } from './moments.ts'
import type { PageRequest } from './page-request.ts'

/** A table that scrolls where it is too wide; a column of buttons has the head ''. */
export function rowsTable(heads: readonly (string | Markup)[], rows: readonly Markup[]): Markup {
  const cells = heads.map((head) => (head === '' ? html`<td></td>` : html`<th scope="col">${head}</th>`))
  return html`<div class="wide"><table class="rows"><thead><tr>${cells}</tr></thead><tbody>${rows}</tbody></table></div>`
}

/** A cell that names its column where the table is narrow. */
export function namedCell(head: string, content: Markup | string): Markup {
  return html`<td><span class="narrow-only">${head}: </span>${content}</td>`
}

/** The same with a moment, UTC text. */
export function momentCell(request: PageRequest, head: string, at: string | null): Markup {
  return namedCell(head, at === null ? '–' : momentText(request, at))
}
