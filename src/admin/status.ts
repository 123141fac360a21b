import { html, type Markup } from '../pages/html.ts'
import type { Asking } from './asking.ts'

/** The status of an item in words; its own word where it has none. */
function statusText({ t }: Pick<Asking, 't'>, status: string): string {
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
export function statusBadge(asking: Pick<Asking, 't'>, status: string): Markup {
  return html`<span class="badge ${status}">${statusText(asking, status)}</span>`
}
