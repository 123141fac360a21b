import type { PageResponse } from '../../http/html-page.ts'
import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { objectsIn } from '../form-values.ts'
import { adminPage, csrfField } from '../layout.ts'
import type { AdminPage, PageRequest } from '../page-request.ts'
import { PROGRESS_SCRIPT, progressNote } from '../progress.ts'
import type { Refusals } from '../refusals.ts'
import { restoreButton } from '../trash/moved.ts'
import { bodyOfForm, controls, NEW_SUBSCRIPTION, type SubscriptionForm, sentForm } from './form.ts'
import { syncNow } from './sync-now.ts'
import { API_PATH, momentOf, problemText, refusalsIn, SUBSCRIPTIONS_PATH, stateBadge } from './words.ts'

/** The calendars of other sites that are followed, and the form to follow another one. */
export const LIST_PAGE: AdminPage = {
  path: SUBSCRIPTIONS_PATH,
  role: 'administrator',
  show: (request) => list(request, { form: NEW_SUBSCRIPTION }),
  submit,
}

/** What the form shows. */
interface Showing {
  readonly form: SubscriptionForm
  readonly refused?: Refusals
}

/** All subscriptions. */
export async function subscriptionsOf({ deps, incoming }: PageRequest): Promise<readonly RawInput[]> {
  const reply = await deps.api(incoming, { path: API_PATH })
  return objectsIn((reply.body as RawInput)['sources'])
}

async function submit(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming, sent } = request
  if (/^\d{1,9}$/.test(sent('sync'))) return syncNow(request, { id: sent('sync'), back: SUBSCRIPTIONS_PATH })
  const form = sentForm(request)
  try {
    const reply = await deps.api(incoming, { method: 'POST', path: API_PATH, body: bodyOfForm(form) })
    const id = String((reply.body as RawInput)['id'])
    return await syncNow(request, { id, back: `${SUBSCRIPTIONS_PATH}/${id}` })
  } catch (error) {
    return list(request, { form, refused: refusalsIn(request, error) })
  }
}

async function list(request: PageRequest, { form, refused }: Showing): Promise<PageResponse> {
  const { t, query } = request
  const subscriptions = await subscriptionsOf(request)
  const box = html`<form class="box" method="post" action="${SUBSCRIPTIONS_PATH}">${csrfField(request)}<h2>${t('admin.subscriptions.subscribeTo')}</h2>${controls(request, form, refused?.fields ?? {})}<div class="buttons"><button>${t('admin.subscriptions.subscribe')}</button></div></form>`
  const done = { synced: t('admin.synced'), trash: t('admin.movedToTrash'), back: t('admin.restored') }
  const told = Object.entries(done).find(([one]) => one === query('done'))?.[1]
  const none = html`<div class="box empty"><h2>${t('admin.nothingHereYet')}</h2></div>`
  return adminPage(request, {
    title: t('admin.subscriptions.title'),
    under: SUBSCRIPTIONS_PATH,
    body: html`<p class="quiet-text">${t('admin.subscriptions.about')}</p>${underWay(request, subscriptions)}${subscriptions.length === 0 ? none : table(request, subscriptions)}${box}`,
    scripts: [PROGRESS_SCRIPT],
    refused: refused?.summary,
    done: told,
    restore: await restoreButton(request),
  })
}

/** Which subscriptions are being synced; nothing where none is. */
function underWay(request: PageRequest, subscriptions: readonly RawInput[]): Markup {
  const { t, incoming } = request
  const names = subscriptions.filter(({ visiting }) => visiting === true).map(({ name }) => String(name))
  if (names.length === 0) return NOTHING
  const list = new Intl.ListFormat(incoming.language, { type: 'unit' }).format(names)
  const text = `${list}: ${t('admin.subscriptions.syncingNote')}`
  return progressNote(request, { text, report: SUBSCRIPTIONS_PATH })
}

function table(request: PageRequest, subscriptions: readonly RawInput[]): Markup {
  const { t } = request
  const head = [
    t('fields.name'),
    t('fields.status'),
    t('common.events'),
    t('admin.subscriptions.lastSync'),
    t('admin.subscriptions.nextSync'),
  ]
  const rows = subscriptions.map((subscription) => {
    const { id, name, events, last_success: last, next_visit: next, paused, problem } = subscription
    const why = problem === '' ? NOTHING : html`<br><span class="quiet-text">${problemText(request, problem)}</span>`
    const cell = (label: string, content: string): Markup =>
      html`<td><span class="narrow-only">${label}: </span>${content}</td>`
    return html`<tr><th scope="row"><a class="title" dir="auto" href="${SUBSCRIPTIONS_PATH}/${String(id)}">${String(name)}</a></th><td>${stateBadge(request, subscription)}${why}</td>${cell(t('common.events'), String(events))}${cell(t('admin.subscriptions.lastSync'), momentOf(request, last))}${cell(t('admin.subscriptions.nextSync'), paused === true ? '–' : momentOf(request, next))}<td><button class="second" name="sync" value="${String(id)}" aria-label="${t('admin.subscriptions.syncNow')}: ${String(name)}">${t('admin.subscriptions.syncNow')}</button></td></tr>\n`
  })
  return html`<form class="box wide" method="post" action="${SUBSCRIPTIONS_PATH}">${csrfField(request)}<table class="rows"><thead><tr>${head.map((one) => html`<th scope="col">${one}</th>`)}<td></td></tr></thead><tbody>${rows}</tbody></table></form>`
}
