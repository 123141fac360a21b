import { optionText } from '../base/config/option.ts'
import { maskSecrets, OPTION_LIST } from '../base/config.ts'
import { html, type Markup } from '../pages/html.ts'
import type { Asking } from './asking.ts'
import { SETTING_NAMES } from './parts.ts'

/** The options with which the server was started, but for those of the settings page; of secrets only that they are set. */
export function optionsBox({ t, parts }: Pick<Asking, 't' | 'parts'>): Markup {
  const shown = maskSecrets(parts.config)
  const settings: readonly string[] = SETTING_NAMES
  const rows = OPTION_LIST.filter(([name]) => !settings.includes(name)).map(
    ([name, { flag, env }]) =>
      html`<tr><th scope="row"><code dir="ltr">${flag ?? env}</code></th><td><bdi dir="ltr">${optionText(shown[name]) || '–'}</bdi></td></tr>\n`,
  )
  const table = html`<div class="wide"><table class="rows"><thead><tr><th scope="col">${t('Option')}</th><th scope="col">${t('Value')}</th></tr></thead><tbody>${rows}</tbody></table></div>`
  return html`<section class="box"><h2>${t('Options of the server')}</h2><p class="quiet-text">${t('They are given when the server starts. What can be changed while it runs is under Settings.')}</p><details><summary>${t('Show the options')}</summary>${table}</details></section>`
}
