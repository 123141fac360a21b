import type { PageResponse } from '../../http/html-page.ts'
import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { flag } from '../controls.ts'
import { adminPage, csrfField } from '../layout.ts'
import { type AdminPage, type PageRequest, redirect } from '../page-request.ts'
import { PROGRESS_SCRIPT, progressNote } from '../progress.ts'
import { type Refusals, unknownAction } from '../refusals.ts'
import { keyOf, trashedParameter } from '../trash/moved.ts'
import { bodyOfForm, controls, formOf, type SubscriptionForm, sentForm } from './form.ts'
import { syncHistory } from './history.ts'
import { syncNow } from './sync-now.ts'
import { API_PATH, momentOf, problemText, refusalsIn, SUBSCRIPTIONS_PATH, stateBadge } from './words.ts'

/** A subscription: its state, its form, its syncs, and the question before it is removed. */
export const ITEM_PAGES: readonly AdminPage[] = [
  { path: `${SUBSCRIPTIONS_PATH}/:id`, role: 'administrator', show: (request) => page(request, {}), submit: change },
  { path: `${SUBSCRIPTIONS_PATH}/:id/remove`, role: 'administrator', show: question, submit: remove },
]

/** What the form shows, if it differs from what is stored. */
interface Showing {
  readonly form?: SubscriptionForm
  readonly refused?: Refusals
}

function apiPath({ incoming }: PageRequest): string {
  return `${API_PATH}/${incoming.path['id']}`
}

function pagePath({ incoming }: PageRequest): string {
  return `${SUBSCRIPTIONS_PATH}/${incoming.path['id']}`
}

async function readItem(request: PageRequest): Promise<RawInput> {
  return (await request.deps.api(request.incoming, { path: apiPath(request) })).body as RawInput
}

async function change(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming, sent } = request
  const [back, action] = [pagePath(request), sent('action')]
  if (action === 'sync') return syncNow(request, { id: String(incoming.path['id']), back })
  if (action === 'save') return save(request)
  if (action !== 'pause' && action !== 'resume') return page(request, { refused: unknownAction(request) })
  try {
    await deps.api(incoming, { method: 'POST', path: apiPath(request), body: { paused: action === 'pause' } })
    return redirect(`${back}?done=saved`)
  } catch (error) {
    return page(request, { refused: refusalsIn(request, error) })
  }
}

async function save(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming } = request
  const form = sentForm(request)
  try {
    await deps.api(incoming, { method: 'POST', path: apiPath(request), body: bodyOfForm(form) })
    return redirect(`${pagePath(request)}?done=saved`)
  } catch (error) {
    return page(request, { form, refused: refusalsIn(request, error) })
  }
}

async function page(request: PageRequest, { form, refused }: Showing): Promise<PageResponse> {
  const { t, query } = request
  const subscription = await readItem(request)
  const path = pagePath(request)
  const settings = html`<form class="box" method="post" action="${path}">${csrfField(request)}<h2>${t('admin.settings')}</h2>${controls(request, form ?? formOf(subscription), refused?.fields ?? {})}<div class="buttons"><button name="action" value="save">${t('admin.save')}</button><a class="button bad" href="${path}/remove">${t('admin.subscriptions.unsubscribe')}</a></div></form>`
  const done = { synced: t('admin.synced'), saved: t('admin.saved') }
  const told = Object.entries(done).find(([one]) => one === query('done'))?.[1]
  return adminPage(request, {
    title: String(subscription['name']),
    under: SUBSCRIPTIONS_PATH,
    body: html`${state(request, subscription)}${await syncHistory(request, subscription)}${settings}`,
    refused: refused?.summary,
    scripts: [PROGRESS_SCRIPT],
    // Whoever followed a sync comes back to it, however it ended.
    ...(told !== undefined && refused === undefined && isSaid(subscription, query('done')) && { done: told }),
  })
}

/** A sync that continues or failed is not reported as done. */
function isSaid({ problem, visiting }: RawInput, done: string): boolean {
  return done !== 'synced' || (problem === '' && visiting === false)
}

function state(request: PageRequest, subscription: RawInput): Markup {
  const { t } = request
  const { problem, failures, visiting, paused, events, last_success: last, next_visit: next } = subscription
  const path = pagePath(request)
  const failed =
    problem === ''
      ? NOTHING
      : html`<p class="refused">${problemText(request, problem)}${Number(failures) > 1 ? html` (${t('admin.subscriptions.failedSyncs', { count: Number(failures) })})` : NOTHING}</p>`
  const under =
    visiting === true
      ? progressNote(request, {
          text: `${t('admin.subscriptions.syncingNote')} ${t('admin.import.countSoFar', { count: Number(events) })}`,
          report: `${path}?done=synced`,
        })
      : NOTHING
  const facts: readonly (readonly [string, string | Markup])[] = [
    [t('fields.status'), stateBadge(request, subscription)],
    [t('common.events'), String(events)],
    [t('admin.subscriptions.lastSync'), momentOf(request, last)],
    [t('admin.subscriptions.nextSync'), paused === true ? '–' : momentOf(request, next)],
  ]
  const rows = facts.map(([label, content]) => html`<dt>${label}</dt><dd>${content}</dd>\n`)
  const sync = html`<button name="action" value="sync">${t('admin.subscriptions.syncNow')}</button>`
  const pause =
    paused === true
      ? html`<button class="second" name="action" value="resume">${t('admin.subscriptions.resume')}</button>`
      : html`<button class="second" name="action" value="pause">${t('admin.subscriptions.pause')}</button>`
  return html`<form class="box" method="post" action="${path}">${csrfField(request)}${failed}${under}<dl>${rows}</dl><div class="buttons">${visiting === true ? NOTHING : sync}${pause}</div></form>`
}

async function question(request: PageRequest): Promise<PageResponse> {
  const { t } = request
  const { name, events } = await readItem(request)
  const path = pagePath(request)
  const options = [
    ['keep', t('admin.subscriptions.keepEvents')],
    ['trash', t('admin.subscriptions.trashEvents')],
  ] as const
  const choices = options.map(
    ([value, text]) =>
      html`<div class="check"><input id="f-${value}" type="radio" name="events" value="${value}"${flag('checked', value === 'keep')}><label for="f-${value}">${text}</label></div>`,
  )
  const choice = html`<fieldset><legend>${t('admin.subscriptions.itsEvents', { count: Number(events) })}</legend>${choices}</fieldset>`
  const body = html`<form class="box" method="post" action="${path}/remove">${csrfField(request)}${choice}<div class="buttons"><button class="bad">${t('admin.subscriptions.unsubscribe')}</button><a class="button second" href="${path}">${t('admin.confirm.cancel')}</a></div></form>`
  return adminPage(request, {
    title: t('admin.subscriptions.unsubscribeFrom', { name: String(name) }),
    under: SUBSCRIPTIONS_PATH,
    body,
  })
}

async function remove(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming, sent } = request
  const query = { events: sent('events') === 'trash' ? 'trash' : 'keep' }
  await deps.api(incoming, { method: 'DELETE', path: apiPath(request), query })
  const key = await keyOf(request, 'subscription', Number(incoming.path['id']))
  return redirect(`${SUBSCRIPTIONS_PATH}?done=trash&trashed=${trashedParameter([key])}`)
}
