import { html, type Markup } from '../pages/html.ts'
import type { Asking } from './asking.ts'

/** The status of an item in words; its own word where it has none. */
function statusText({ t }: Pick<Asking, 't'>, status: string): string {
  const texts: Readonly<Record<string, string>> = {
    publish: t('Public'),
    draft: t('Draft'),
    pending: t('Waiting for review'),
    future: t('Scheduled'),
    private: t('Private'),
    trash: t('In the trash'),
  }
  return texts[status] ?? status
}

/** The status of an item as a badge. */
export function statusBadge(asking: Pick<Asking, 't'>, status: string): Markup {
  return html`<span class="badge ${status}">${statusText(asking, status)}</span>`
}
