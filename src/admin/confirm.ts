import type { PageResponse } from '../http/page.ts'
import { html } from '../web/html.ts'
import { sameAddress } from './address.ts'
import type { Asking } from './asking.ts'
import { adminPage, csrfField } from './layout.ts'

/** Something that nothing takes back. */
export interface Irrevocable {
  /** Question as a heading. */
  readonly question: string
  /** Path of the list it is about, for the navigation. */
  readonly under: string
  /** Where those go on who think better of it; the list when absent. */
  readonly back?: string
  /** What the form sends again. */
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** Asks before something is done that nothing takes back; the same form is sent with `confirmed`. */
export function confirmPage(asking: Asking, { question, under, back = under, fields }: Irrevocable): PageResponse {
  const { t } = asking
  const hidden = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  const body = html`<form class="box" method="post" action="${sameAddress(asking)}">${csrfField(asking)}${hidden}<input type="hidden" name="confirmed" value="true">
<p>${t('Nothing brings it back.')}</p><div class="buttons"><button class="bad" name="action" value="delete">${t('Delete for good')}</button><a class="button second" href="${back}">${t('Keep')}</a></div></form>`
  return adminPage(asking, { title: question, under, body })
}
