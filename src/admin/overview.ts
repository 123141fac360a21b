import { localeOf, type MessageId } from '../base/i18n/translate.ts'
import { isAtLeast, isEditor } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { RawInput } from '../http/request/body.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { objectsIn } from './form-values.ts'
import { adminPage } from './layout.ts'
import { startOf } from './moments.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'
import { eventLink } from './series.ts'
import { canceledBadge, statusBadge } from './status.ts'
import { warnings } from './warnings.ts'

const ALWAYS = { start_date: '1000-01-01', end_date: '9999-12-31' }

/** What comes next, and what waits for someone. */
export const OVERVIEW_PAGE: AdminPage = {
  path: '/admin',
  role: 'subscriber',
  show: (request) =>
    isAtLeast(request.incoming.caller.role, 'contributor') ? overview(request) : redirect('/admin/profile'),
}

async function overview(request: PageRequest): Promise<PageResponse> {
  const { t, incoming } = request
  const upcoming = await events(request, { per_page: '6' })
  const drafts = await events(request, { ...ALWAYS, status: 'draft', per_page: '1' })
  const pending = isEditor(incoming.caller.role)
    ? await events(request, { ...ALWAYS, status: 'pending', per_page: '1' })
    : undefined
  const figure = (count: number, text: MessageId, address: string): Markup =>
    html`<li><a href="${address}"><strong>${count}</strong>${t(text, { count })}</a></li>\n`
  const figures = [
    figure(upcoming.total, 'admin.overview.upcoming', '/admin/events'),
    figure(drafts.total, 'admin.overview.drafts', '/admin/events?status=draft'),
    ...(pending === undefined ? [] : [figure(pending.total, 'admin.overview.pending', '/admin/queue')]),
  ]
  const rows = upcoming.items.map((event) => {
    const status = String(event['status'] ?? 'publish')
    // Visitors do not see this one yet.
    const badge = status === 'publish' ? NOTHING : html` ${statusBadge(request, status)}`
    return html`<li>${startOf(request, event)}${eventLink(request, event)}${badge}${canceledBadge(request, event)}</li>\n`
  })
  const next =
    rows.length === 0 ? html`<p class="quiet-text">${t('common.noUpcoming')}</p>` : html`<ul class="next">${rows}</ul>`
  const months = await plot(request)
  return adminPage(request, {
    title: t('admin.overview'),
    under: '/admin',
    actions: html`<a class="button" href="/admin/events/new">${t('admin.newEvent')}</a>`,
    body: html`${await warnings(request)}<ul class="figures">${figures}</ul><section class="box"><h2>${t('common.nextEvents')}</h2>${next}</section>${months}`,
  })
}

async function events(
  { deps, incoming }: PageRequest,
  query: RawInput,
): Promise<{ readonly items: readonly RawInput[]; readonly total: number }> {
  const reply = await deps.api(incoming, { path: '/events', query }).catch(() => undefined)
  const body = (reply?.body ?? {}) as RawInput
  return { items: objectsIn(body['events']), total: Number(body['total'] ?? 0) }
}

/** How many events each of the next twelve months has: a plot, and the same as a table. */
async function plot(request: PageRequest): Promise<Markup> {
  const { t, incoming } = request
  const now = new Date(incoming.now)
  const months = Array.from(
    { length: 12 },
    (_, index) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index, 1)),
  )
  const counts: (readonly [label: string, count: number])[] = []
  for (const month of months) {
    const last = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0))
    const query = {
      start_date: month.toISOString().slice(0, 10),
      end_date: last.toISOString().slice(0, 10),
      per_page: '1',
    }
    const label = month.toLocaleDateString(localeOf(incoming.language), { month: 'short', timeZone: 'UTC' })
    counts.push([label, (await events(request, query)).total])
  }
  const most = Math.max(1, ...counts.map(([, count]) => count))
  const bars = counts.map(([label, count], index) => {
    const height = Math.round((count / most) * 90)
    return html`<rect x="${index * 50 + 8}" y="${100 - height}" width="34" height="${height}" rx="4"></rect><text x="${index * 50 + 25}" y="118" text-anchor="middle">${label}</text>`
  })
  const cells = counts.map(([label, count]) => html`<tr><th scope="row">${label}</th><td>${count}</td></tr>`)
  return html`<section class="box"><h2>${t('admin.overview.eventsByMonth')}</h2><svg class="plot" viewBox="0 0 600 124" aria-hidden="true" direction="ltr">${bars}</svg>
<details><summary>${t('admin.overview.showAsTable')}</summary><table><thead><tr><th scope="col">${t('common.month')}</th><th scope="col">${t('common.events')}</th></tr></thead><tbody>${cells}</tbody></table></details></section>`
}
