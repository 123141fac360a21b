import type { PageResponse } from '../http/html-page.ts'
import { html } from '../pages/html.ts'
import { sameAddress } from './address.ts'
import { adminPage, csrfField } from './layout.ts'
import type { PageRequest } from './page-request.ts'

/** Something that nothing takes back, at least not all of it or not for long. */
export interface Irrevocable {
  /** Question as a heading. */
  readonly question: string
  /** Path of the list it is about, for the navigation. */
  readonly under: string
  /** Where those continue who think better of it; the list if absent. */
  readonly back?: string
  /** What the form sends again. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** What can be undone; nothing if absent. */
  readonly note?: string
  /** What the form does: name of the action and text of its button; to delete if absent. */
  readonly action?: readonly [name: string, text: string]
}

/** Asks before something is done; the same form is sent with `confirmed`. */
export function confirmPage(request: PageRequest, irrevocable: Irrevocable): PageResponse {
  const { t } = request
  const {
    question,
    under,
    back = under,
    fields,
    note = t('admin.confirm.noUndo'),
    action = ['delete', t('admin.deletePermanently')],
  } = irrevocable
  const [name, text] = action
  const hidden = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  const body = html`<form class="box" method="post" action="${sameAddress(request)}">${csrfField(request)}${hidden}<input type="hidden" name="confirmed" value="true">
<p>${note}</p><div class="buttons"><button class="bad" name="action" value="${name}">${text}</button><a class="button second" href="${back}">${t('admin.confirm.cancel')}</a></div></form>`
  return adminPage(request, { title: question, under, body })
}
