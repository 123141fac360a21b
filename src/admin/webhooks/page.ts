import type { PageResponse } from '../../http/html-page.ts'
import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { confirmPage } from '../confirm.ts'
import { objectsIn } from '../form-values.ts'
import { adminPage, csrfField } from '../layout.ts'
import { type AdminPage, type PageRequest, redirect } from '../page-request.ts'
import { type Refusals, unknownAction } from '../refusals.ts'
import { keyOf, trashedParameter } from '../trash/moved.ts'
import { bodyOfForm, formOf, sentForm, type WebhookForm, webhookControls } from './form.ts'
import {
  DELIVERIES_API,
  deliveryBadge,
  hookBadge,
  hookRefusals,
  momentOf,
  problemText,
  WEBHOOKS_API,
  WEBHOOKS_PATH,
} from './words.ts'

/** A webhook: how it is, its form, and its last messages. */
export const WEBHOOK_PAGE: AdminPage = {
  path: `${WEBHOOKS_PATH}/:id`,
  role: 'administrator',
  show: (request) => hookPage(request, { id: String(request.incoming.path['id']) }),
  submit: change,
}

/** What the page shows, if it differs from what is stored. */
interface Showing {
  readonly id: string
  /** A secret that was created for this response. */
  readonly secret?: string
  readonly form?: WebhookForm
  readonly refused?: Refusals
}

async function change(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming, sent } = request
  const id = String(incoming.path['id'])
  const [path, api] = [`${WEBHOOKS_PATH}/${id}`, `${WEBHOOKS_API}/${id}`]
  const post = (to: string, body: RawInput = {}) => deps.api(incoming, { method: 'POST', path: to, body })
  const action = sent('action')
  if (action === 'delete') return remove(request, api)
  if (action === 'save') return save(request, id)
  try {
    if (/^\d{1,15}$/.test(sent('again'))) {
      await post(`${DELIVERIES_API}/${sent('again')}/replay`)
      return redirect(`${path}?done=again`)
    }
    if (action === 'secret') {
      if (sent('confirmed') !== 'true') return await secretQuestion(request, id)
      const { secret } = (await post(`${api}/secret`)).body as RawInput
      return await hookPage(request, { id, secret: String(secret) })
    }
    if (action === 'test') {
      await post(`${api}/test`)
      return redirect(path)
    }
    if (action !== 'on' && action !== 'off') return await hookPage(request, { id, refused: unknownAction(request) })
    await post(api, { active: action === 'on' })
    return redirect(`${path}?done=saved`)
  } catch (error) {
    return hookPage(request, { id, refused: hookRefusals(request, error) })
  }
}

async function save(request: PageRequest, id: string): Promise<PageResponse> {
  const { deps, incoming } = request
  const form = sentForm(request)
  try {
    await deps.api(incoming, { method: 'POST', path: `${WEBHOOKS_API}/${id}`, body: bodyOfForm(form) })
    return redirect(`${WEBHOOKS_PATH}/${id}?done=saved`)
  } catch (error) {
    return hookPage(request, { id, form, refused: hookRefusals(request, error) })
  }
}

async function storedHook({ deps, incoming }: PageRequest, id: string): Promise<RawInput> {
  return (await deps.api(incoming, { path: `${WEBHOOKS_API}/${id}` })).body as RawInput
}

function titleOf(hook: RawInput): string {
  return String(hook['description'] || hook['url'])
}

async function remove(request: PageRequest, api: string): Promise<PageResponse> {
  const { deps, incoming } = request
  await deps.api(incoming, { method: 'DELETE', path: api })
  const key = await keyOf(request, 'webhook', Number(incoming.path['id']))
  return redirect(`${WEBHOOKS_PATH}?done=trash&trashed=${trashedParameter([key])}`)
}

/** Asks before the secret that the receiver knows is replaced. */
async function secretQuestion(request: PageRequest, id: string): Promise<PageResponse> {
  const { t } = request
  await storedHook(request, id)
  return confirmPage(request, {
    question: t('admin.webhooks.replaceSecret'),
    note: t('admin.webhooks.newSecretNote'),
    under: WEBHOOKS_PATH,
    back: `${WEBHOOKS_PATH}/${id}`,
    fields: [],
    action: ['secret', t('admin.webhooks.newSecret')],
  })
}

/** The page of a webhook. @throws webhook-not-found */
export async function hookPage(request: PageRequest, { id, secret, form, refused }: Showing): Promise<PageResponse> {
  const { t, query } = request
  const hook = await storedHook(request, id)
  const path = `${WEBHOOKS_PATH}/${id}`
  const shown =
    secret === undefined
      ? NOTHING
      : html`<div class="box"><p>${t('admin.webhooks.copySecret')}</p><p><code dir="ltr">${secret}</code></p></div>`
  const settings = html`<form class="box" method="post" action="${path}">${csrfField(request)}<h2>${t('admin.settings')}</h2>${webhookControls(request, form ?? formOf(hook), refused?.fields ?? {})}<div class="buttons"><button name="action" value="save">${t('admin.save')}</button><button class="bad" name="action" value="delete">${t('admin.moveToTrash')}</button></div></form>`
  const done = { saved: t('admin.saved'), again: t('admin.webhooks.resendNote') }
  const told = Object.entries(done).find(([one]) => one === query('done'))?.[1]
  return adminPage(request, {
    title: titleOf(hook),
    under: WEBHOOKS_PATH,
    body: html`${shown}${state(request, hook)}${await messages(request, hook)}${settings}`,
    refused: refused?.summary,
    ...(told !== undefined && refused === undefined && { done: told }),
  })
}

function state(request: PageRequest, hook: RawInput): Markup {
  const { t } = request
  const { id, url, problem, active, last_success: last } = hook
  const failed = problem === '' ? NOTHING : html`<p class="refused">${problemText(request, problem)}</p>`
  const facts: readonly (readonly [string, string | Markup])[] = [
    [t('admin.url'), html`<span dir="ltr">${String(url)}</span>`],
    [t('fields.status'), hookBadge(request, hook)],
    [t('admin.webhooks.lastDelivery'), momentOf(request, last)],
  ]
  const rows = facts.map(([label, content]) => html`<dt>${label}</dt><dd>${content}</dd>\n`)
  const button = (action: string, text: string): Markup =>
    html`<button class="second" name="action" value="${action}">${text}</button>`
  const turn = active === true ? button('off', t('admin.webhooks.turnOff')) : button('on', t('admin.webhooks.turnOn'))
  return html`<form class="box" method="post" action="${WEBHOOKS_PATH}/${String(id)}">${csrfField(request)}${failed}<dl>${rows}</dl><div class="buttons">${button('test', t('admin.webhooks.sendTest'))}${turn}${button('secret', t('admin.webhooks.newSecret'))}</div></form>`
}

async function messages(request: PageRequest, { id }: RawInput): Promise<Markup> {
  const { t, deps, incoming } = request
  const reply = await deps.api(incoming, { path: `${WEBHOOKS_API}/${String(id)}/deliveries` })
  const deliveries = objectsIn((reply.body as RawInput)['deliveries'])
  if (deliveries.length === 0)
    return html`<div class="box"><p class="quiet-text">${t('admin.webhooks.noDeliveries')}</p></div>`
  const head = [t('admin.when'), t('admin.what'), t('fields.status'), t('admin.webhooks.attempts')]
  const rows = deliveries.map((one) => {
    const { id: delivery, event, item_id: item, queued_at: at, state: became, attempts, problem } = one
    const why = problem === '' ? NOTHING : html`<br><span class="quiet-text">${problemText(request, problem)}</span>`
    const again =
      became === 'pending'
        ? NOTHING
        : html`<button class="second" name="again" value="${String(delivery)}" aria-label="${t('admin.webhooks.resend')}: ${String(event)} ${String(item)}">${t('admin.webhooks.resend')}</button>`
    return html`<tr><th scope="row">${momentOf(request, at)}</th><td><span dir="ltr">${String(event)} ${item === 0 ? '' : String(item)}</span></td><td>${deliveryBadge(request, one)}${why}</td><td><span class="narrow-only">${t('admin.webhooks.attempts')}: </span>${String(attempts)}</td><td>${again}</td></tr>\n`
  })
  return html`<form class="box wide" method="post" action="${WEBHOOKS_PATH}/${String(id)}">${csrfField(request)}<h2>${t('admin.webhooks.deliveries')}</h2><table class="rows"><thead><tr>${head.map((one) => html`<th scope="col">${one}</th>`)}<td></td></tr></thead><tbody>${rows}</tbody></table></form>`
}
