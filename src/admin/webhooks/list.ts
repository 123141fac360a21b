import type { PageResponse } from '../../http/page.ts'
import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import type { AdminPage, Asking } from '../asking.ts'
import { objectsIn } from '../form-values.ts'
import { adminPage, csrfField } from '../layout.ts'
import type { Refusals } from '../refusals.ts'
import { restoreButton } from '../trash/moved.ts'
import { bodyOfForm, NEW_WEBHOOK, sentForm, type WebhookForm, webhookControls } from './form.ts'
import { hookPage } from './page.ts'
import { hookBadge, hookRefusals, momentOf, problemText, WEBHOOKS_API, WEBHOOKS_PATH } from './words.ts'

/** The webhooks, and the form to add one. */
export const WEBHOOK_LIST: AdminPage = {
  path: WEBHOOKS_PATH,
  role: 'administrator',
  show: (asking) => list(asking, { form: NEW_WEBHOOK }),
  submit,
}

/** What the form shows. */
interface Showing {
  readonly form: WebhookForm
  readonly refused?: Refusals
}

/** The page of the new webhook follows at once, because its secret is not shown again. */
async function submit(asking: Asking): Promise<PageResponse> {
  const { parts, incoming } = asking
  const form = sentForm(asking)
  try {
    const reply = await parts.api(incoming, { method: 'POST', path: WEBHOOKS_API, body: bodyOfForm(form) })
    const { id, secret } = reply.body as RawInput
    return await hookPage(asking, { id: String(id), secret: String(secret) })
  } catch (error) {
    return list(asking, { form, refused: hookRefusals(asking, error) })
  }
}

async function list(asking: Asking, { form, refused }: Showing): Promise<PageResponse> {
  const { t, parts, incoming, query } = asking
  const reply = await parts.api(incoming, { path: WEBHOOKS_API })
  const hooks = objectsIn((reply.body as RawInput)['webhooks'])
  const box = html`<form class="box" method="post" action="${WEBHOOKS_PATH}">${csrfField(asking)}<h2>${t('admin.webhooks.add')}</h2>${webhookControls(asking, form, refused?.fields ?? {})}<div class="buttons"><button>${t('admin.webhooks.add')}</button></div></form>`
  const none = html`<div class="box empty"><h2>${t('admin.nothingHereYet')}</h2></div>`
  return adminPage(asking, {
    status: refused === undefined ? 200 : 400,
    title: t('admin.webhooks.title'),
    under: WEBHOOKS_PATH,
    body: html`<p class="quiet-text">${t('admin.webhooks.about')}</p>${hooks.length === 0 ? none : table(asking, hooks)}${box}`,
    ...(refused !== undefined && { refused: refused.summary }),
    ...(query('done') === 'trash' && { done: t('admin.movedToTrash') }),
    ...(query('done') === 'back' && { done: t('admin.restored') }),
    restore: await restoreButton(asking),
  })
}

function table(asking: Asking, hooks: readonly RawInput[]): Markup {
  const { t } = asking
  const head = [t('admin.url'), t('fields.description'), t('fields.status'), t('admin.webhooks.lastDelivery')]
  const rows = hooks.map((hook) => {
    const { id, url, description, last_success: last, problem } = hook
    const why = problem === '' ? NOTHING : html`<br><span class="quiet-text">${problemText(asking, problem)}</span>`
    return html`<tr><th scope="row" class="wrap"><a class="title" dir="ltr" href="${WEBHOOKS_PATH}/${String(id)}">${String(url)}</a></th><td><span dir="auto">${String(description)}</span></td><td>${hookBadge(asking, hook)}${why}</td><td><span class="narrow-only">${t('admin.webhooks.lastDelivery')}: </span>${momentOf(asking, last)}</td></tr>\n`
  })
  return html`<div class="box wide"><table class="rows"><thead><tr>${head.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
}
