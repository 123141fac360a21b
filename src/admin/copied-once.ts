import { html, type Markup } from '../pages/html.ts'
import type { PageRequest } from './page-request.ts'

/** What is to be copied, with a button for that where scripts run; buttons may follow, and the end of their line has to. */
export function copiedOnce({ t }: PageRequest, text: string, id = 'secret'): Markup {
  return html`<p class="secret" id="${id}" tabindex="-1">${text}</p><div class="buttons"><button type="button" class="second" data-copy="${id}" data-copied="${t('admin.users.copied')}" hidden>${t('admin.users.copy')}</button>`
}

/** A link that writes a mail in the program of the reader. */
export function mailtoLink(
  { t }: PageRequest,
  email: string,
  mail: { readonly subject: string; readonly body: string },
): Markup {
  // Programs for mail show a plus as it is.
  const query = String(new URLSearchParams(mail)).replaceAll('+', '%20')
  const address = `mailto:${encodeURIComponent(email).replace('%40', '@')}?${query}`
  return html`<a class="button second" href="${address}">${t('admin.users.writeMail')}</a>`
}
