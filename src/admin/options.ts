import { optionText } from '../base/config/option.ts'
import { maskSecrets, OPTION_LIST } from '../base/config.ts'
import { html, type Markup } from '../pages/html.ts'
import { SETTING_NAMES } from './deps.ts'
import type { PageRequest } from './page-request.ts'
import { rowsTable } from './table.ts'

/** The options with which the server was started, but for those of the settings page; of secrets only that they are set. */
export function optionsBox({ t, deps }: Pick<PageRequest, 't' | 'deps'>): Markup {
  const shown = maskSecrets(deps.config)
  const settings: readonly string[] = SETTING_NAMES
  const rows = OPTION_LIST.filter(([name]) => !settings.includes(name)).map(
    ([name, { flag, env }]) =>
      html`<tr><th scope="row"><code dir="ltr">${flag ?? env}</code></th><td><bdi dir="ltr">${optionText(shown[name]) || '–'}</bdi></td></tr>\n`,
  )
  const table = rowsTable([t('admin.system.option'), t('admin.system.value')], rows)
  return html`<section class="box"><h2>${t('admin.system.serverOptions')}</h2><p class="quiet-text">${t('admin.system.optionsNote')}</p><details><summary>${t('admin.system.showOptions')}</summary>${table}</details></section>`
}
