import type { PageResponse } from '../../http/html-page.ts'
import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { objectsIn } from '../form-values.ts'
import { adminPage, csrfField } from '../layout.ts'
import type { AdminPage, PageRequest } from '../page-request.ts'
import type { Refusals } from '../refusals.ts'
import { restoreButton } from '../trash/moved.ts'
import { bodyOfForm, NEW_WEBHOOK, sentForm, type WebhookForm, webhookControls } from './form.ts'
import { hookPage } from './page.ts'
import { hookBadge, hookRefusals, momentOf, problemText, WEBHOOKS_API, WEBHOOKS_PATH } from './words.ts'

/** The webhooks, and the form to add one. */
export const WEBHOOK_LIST: AdminPage = {
  path: WEBHOOKS_PATH,
  role: 'administrator',
  show: (request) => list(request, { form: NEW_WEBHOOK }),
  submit,
}

/** What the form shows. */
interface Showing {
  readonly form: WebhookForm
  readonly refused?: Refusals
}

/** The page of the new webhook follows at once, because its secret is not shown again. */
async function submit(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming } = request
  const form = sentForm(request)
  try {
    const reply = await deps.api(incoming, { method: 'POST', path: WEBHOOKS_API, body: bodyOfForm(form) })
    const { id, secret } = reply.body as RawInput
    return await hookPage(request, { id: String(id), secret: String(secret) })
  } catch (error) {
    return list(request, { form, refused: hookRefusals(request, error) })
  }
}

async function list(request: PageRequest, { form, refused }: Showing): Promise<PageResponse> {
  const { t, deps, incoming, query } = request
  const reply = await deps.api(incoming, { path: WEBHOOKS_API })
  const hooks = objectsIn((reply.body as RawInput)['webhooks'])
  const box = html`<form class="box" method="post" action="${WEBHOOKS_PATH}">${csrfField(request)}<h2>${t('admin.webhooks.add')}</h2>${webhookControls(request, form, refused?.fields ?? {})}<div class="buttons"><button>${t('admin.webhooks.add')}</button></div></form>`
  const none = html`<div class="box empty"><h2>${t('admin.nothingHereYet')}</h2></div>`
  return adminPage(request, {
    title: t('admin.webhooks.title'),
    under: WEBHOOKS_PATH,
    body: html`<p class="quiet-text">${t('admin.webhooks.about')}</p>${hooks.length === 0 ? none : table(request, hooks)}${box}`,
    refused: refused?.summary,
    ...(query('done') === 'trash' && { done: t('admin.movedToTrash') }),
    ...(query('done') === 'back' && { done: t('admin.restored') }),
    restore: await restoreButton(request),
  })
}

function table(request: PageRequest, hooks: readonly RawInput[]): Markup {
  const { t } = request
  const head = [t('admin.url'), t('fields.description'), t('fields.status'), t('admin.webhooks.lastDelivery')]
  const rows = hooks.map((hook) => {
    const { id, url, description, last_success: last, problem } = hook
    const why = problem === '' ? NOTHING : html`<br><span class="quiet-text">${problemText(request, problem)}</span>`
    return html`<tr><th scope="row" class="wrap"><a class="title" dir="ltr" href="${WEBHOOKS_PATH}/${String(id)}">${String(url)}</a></th><td><span dir="auto">${String(description)}</span></td><td>${hookBadge(request, hook)}${why}</td><td><span class="narrow-only">${t('admin.webhooks.lastDelivery')}: </span>${momentOf(request, last)}</td></tr>\n`
  })
  return html`<div class="box wide"><table class="rows"><thead><tr>${head.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
}
