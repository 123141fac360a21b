import type { RawInput } from '../http/request/body.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
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

/** The badge of an event that does not take place; nothing for others. */
export function canceledBadge({ t }: Pick<PageRequest, 't'>, event: RawInput): Markup {
  return event['event_status'] === 'canceled'
    ? html` <span class="badge canceled">${t('common.canceled')}</span>`
    : NOTHING
}

/** The status of an item as a badge. */
export function statusBadge(request: Pick<PageRequest, 't'>, status: string): Markup {
  return html`<span class="badge ${status}">${statusText(request, status)}</span>`
}
