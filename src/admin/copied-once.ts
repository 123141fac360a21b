import { html, type Markup } from '../pages/html.ts'
import type { PageRequest } from './page-request.ts'

/** What is to be copied, with a button for that where scripts run; buttons may follow, and the end of their line has to. */
export function copiedOnce({ t }: PageRequest, text: string): Markup {
  return html`<p class="secret" id="secret" tabindex="-1">${text}</p><div class="buttons"><button type="button" class="second" data-copy="secret" data-copied="${t('admin.users.copied')}" hidden>${t('admin.users.copy')}</button>`
}
