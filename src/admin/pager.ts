import type { RawInput } from '../http/request/body.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { sameAddress } from './address.ts'
import type { PageRequest } from './page-request.ts'

/** Number of a page in an address; 1 for anything else. */
function numberIn(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1
}

/**
 * The page of a list that is asked for, or its last one where it has become shorter meanwhile. `read` gives undefined for
 * what cannot be shown; `{}` where that is so of all pages.
 */
export async function pageAsked(
  { query }: Pick<PageRequest, 'query'>,
  read: (page: number) => Promise<RawInput | undefined>,
): Promise<RawInput> {
  const page = numberIn(query('page'))
  const found = await read(page)
  if (found !== undefined || page === 1) return found ?? {}
  const first = await read(1)
  const last = Number(first?.['total_pages'] ?? 1)
  return (last > 1 ? await read(last) : first) ?? {}
}

/** Links to the pages before and after; nothing where there is one page. */
export function pager(request: PageRequest, pages: number): Markup {
  const { t, query } = request
  const page = Math.min(numberIn(query('page')), pages)
  if (!(pages > 1)) return NOTHING
  const to = (number: number): string => sameAddress(request, { page: String(number) })
  const before = page > 1 ? html`<a rel="prev" href="${to(page - 1)}">${t('admin.pager.previous')}</a>` : NOTHING
  const after = page < pages ? html`<a rel="next" href="${to(page + 1)}">${t('admin.pager.next')}</a>` : NOTHING
  return html`<div class="pager">${before}<span>${t('admin.pager.position', { page, pages })}</span>${after}</div>`
}
