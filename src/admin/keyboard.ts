import { html, type Markup } from '../pages/html.ts'
import type { PageRequest } from './page-request.ts'

/** The keys of a list, and a box that switches them off; shown by the script that listens to them. */
export function keyboardHelp({ t }: Pick<PageRequest, 't'>): Markup {
  const keys = [
    ['/', t('common.search')],
    ['j', t('admin.profile.nextRow')],
    ['k', t('admin.profile.previousRow')],
    ['e', t('admin.profile.openRow')],
    ['n', t('admin.newEvent')],
  ] as const
  const rows = keys.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${text}</dd>\n`)
  return html`<keyboard-help hidden><details><summary>${t('admin.profile.keyboardShortcuts')}</summary><dl>${rows}</dl><div class="check"><input type="checkbox" id="keys-on"><label for="keys-on">${t('admin.profile.useKeyboardShortcuts')}</label></div></details></keyboard-help>`
}
