import { html, type Markup, NOTHING } from '../web/html.ts'
import { sameAddress } from './address.ts'
import type { Asking } from './asking.ts'

/** Links to the pages before and after; nothing where there is one page. */
export function pager(asking: Asking, pages: number): Markup {
  const { t, query } = asking
  const page = Math.max(1, Number(query('page')) || 1)
  if (!(pages > 1)) return NOTHING
  const to = (number: number): string => sameAddress(asking, { page: String(number) })
  const before = page > 1 ? html`<a rel="prev" href="${to(page - 1)}">${t('Previous page')}</a>` : NOTHING
  const after = page < pages ? html`<a rel="next" href="${to(page + 1)}">${t('Next page')}</a>` : NOTHING
  return html`<div class="pager">${before}<span>${t('Page {page} of {pages}', { page, pages })}</span>${after}</div>`
}
