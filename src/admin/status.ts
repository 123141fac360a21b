import { html, type Markup } from '../pages/html.ts'
import type { PageRequest } from './page-request.ts'

/** The status of an item in words; its own word where it has none. */
function statusText({ t }: Pick<PageRequest, 't'>, status: string): string {
  const texts: Readonly<Record<string, string>> = {
    publish: t('admin.public'),
    draft: t('admin.draft'),
    pending: t('admin.pending'),
    future: t('common.scheduled'),
    private: t('admin.private'),
    trash: t('admin.inTrash'),
  }
  return texts[status] ?? status
}

/** The status of an item as a badge. */
export function statusBadge(request: Pick<PageRequest, 't'>, status: string): Markup {
  return html`<span class="badge ${status}">${statusText(request, status)}</span>`
}
