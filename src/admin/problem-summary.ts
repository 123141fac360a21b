import type { Say } from '../base/i18n/translate.ts'
import { html, type Markup, NOTHING, trusted } from '../pages/html.ts'

/** What controls say below themselves, see `below` in `controls.ts`. */
const WRONG = /<p class="wrong" id="([\w-]+)-wrong">([^<]*)</g

/**
 * What is wrong with a form, above it: a link to each control that was refused, or the message about the whole form. It has
 * the focus, without scripts as well. Nothing where nothing was refused.
 */
export function problemSummary(t: Say, body: Markup, refused: string | undefined): Markup {
  const links = [...body.markup.matchAll(WRONG)].map(([, id = '', text = '']) => {
    const label = labelOf(body, id)
    const isWhole = label === '' || text === t('admin.form.endBeforeStart')
    return html`<li><a href="#${id}">${trusted(isWhole ? text : `${label}: ${text}`)}</a></li>\n`
  })
  if (links.length === 0 && refused === undefined) return NOTHING
  const told = links.length === 0 ? html`<p>${refused ?? ''}</p>` : html`<ul>${links}</ul>`
  return html`<div class="problem" role="alert" aria-labelledby="problem" tabindex="-1" autofocus><h2 id="problem">${t('admin.form.problem')}</h2>${told}</div>\n`
}

function labelOf({ markup }: Markup, id: string): string {
  return new RegExp(`<label for="${id}">([^<]*)<`).exec(markup)?.[1] ?? ''
}
