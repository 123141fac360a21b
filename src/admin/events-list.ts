import { isEditor, mayPublish } from '../auth/rights.ts'
import { Failure } from '../errors.ts'
import type { PageResponse } from '../http/page.ts'
import type { RawInput } from '../http/request/body.ts'
import { decodeEntities } from '../text/entities.ts'
import { daysAfter, todayIn } from '../web/dates.ts'
import { html, type Markup, NOTHING } from '../web/html.ts'
import type { ApiCall } from './api.ts'
import { type AdminPage, type Asking, redirect } from './asking.ts'
import { confirmPage } from './confirm.ts'
import { lineControl, type Offer, selectControl } from './controls.ts'
import { objectsIn } from './form-values.ts'
import { keyboardHelp } from './keyboard.ts'
import { adminPage, csrfField } from './layout.ts'
import { startOf } from './moments.ts'
import { pager } from './pager.ts'
import { seriesOf } from './series.ts'
import { sortHeading, sortingOf } from './sort.ts'
import { statusBadge } from './status.ts'

const PATH = '/admin/events'

/** The list of events, with what can be done to several of them. */
export const EVENTS_PAGE: AdminPage = { path: PATH, role: 'contributor', show: (asking) => list(asking), submit }

/** What waits for review. */
export const QUEUE_PAGE: AdminPage = {
  path: '/admin/queue',
  role: 'editor',
  show: (asking) => list(asking, 'pending'),
  submit,
}

/** Days between which events lie: lists without any begin today. */
const ALWAYS = { start_date: '1000-01-01', end_date: '9999-12-31' }

const SORTED_BY = ['start', 'title', 'modified', 'published']

function asked({ query, incoming, parts }: Asking, status: string): RawInput {
  const when = query('when') || (status === '' ? 'upcoming' : 'all')
  const yesterday = daysAfter(todayIn(parts.site.zone, incoming.now), -1)
  const days = when === 'upcoming' ? {} : when === 'past' ? { ...ALWAYS, end_date: yesterday } : ALWAYS
  const search = query('search').trim()
  return {
    ...days,
    status: status || 'any',
    page: query('page') || '1',
    per_page: '20',
    ...(search !== '' && { search }),
    ...(/^\d{1,15}$/.test(query('series')) && { series: query('series') }),
  }
}

async function list(asking: Asking, fixed = ''): Promise<PageResponse> {
  const { t, parts, incoming } = asking
  const status = fixed || asking.query('status')
  const sorting = sortingOf(asking, SORTED_BY)
  const sent = { ...asked(asking, status), ...sorting }
  const found = await parts.api(incoming, { path: '/events', query: sent }).catch((error: unknown) => {
    if (error instanceof Failure && error.status < 500) return undefined
    throw error
  })
  const body = (found?.body ?? {}) as RawInput
  const events = objectsIn(body['events'])
  const isQueue = fixed !== ''
  const filters = isQueue ? NOTHING : filterForm(asking, status)
  const action = html`<a class="button" href="${PATH}/new">${t('New event')}</a>`
  return adminPage(asking, {
    title: isQueue ? t('Queue') : t('Events'),
    under: isQueue ? '/admin/queue' : PATH,
    actions: action,
    body: html`${undo(asking)}${filters}${events.length === 0 ? empty(asking, isQueue) : table(asking, events)}${pager(asking, Number(body['total_pages'] ?? 1))}${keyboardHelp(asking)}`,
    scripts: ['admin/keys.ts'],
  })
}

function filterForm(asking: Asking, status: string): Markup {
  const { t, query } = asking
  const states: readonly Offer[] = [
    ['', t('All but the trash')],
    ['publish', t('Public')],
    ['draft', t('Draft')],
    ['pending', t('Waiting for review')],
    ['future', t('Scheduled')],
    ['private', t('Private')],
    ['trash', t('In the trash')],
  ]
  const times: readonly Offer[] = [
    ['upcoming', t('Upcoming')],
    ['past', t('Past')],
    ['all', t('Any time')],
  ]
  const when = query('when') || (status === '' ? 'upcoming' : 'all')
  return html`<form class="filters" method="get" action="${PATH}" role="search">
${lineControl({ name: 'search', label: t('Search events'), value: query('search') }, { type: 'search' })}${selectControl({ name: 'status', label: t('Status'), value: status }, states)}${selectControl({ name: 'when', label: t('When'), value: when }, times)}<button class="second">${t('Filter')}</button>
</form>`
}

function empty({ t }: Asking, isQueue: boolean): Markup {
  if (isQueue) return html`<div class="box empty"><h2>${t('Nothing waits for review')}</h2></div>`
  return html`<div class="box empty"><h2>${t('No events here')}</h2><p>${t('Make one, or look for others with the filters.')}</p><p><a class="button" href="${PATH}/new">${t('New event')}</a></p></div>`
}

function table(asking: Asking, events: readonly RawInput[]): Markup {
  const { t, incoming } = asking
  const actions: readonly Offer[] = [
    ...(mayPublish(incoming.caller.role) ? [['publish', t('Publish')] as const] : []),
    ['draft', t('Make a draft')],
    ['trash', t('Move to trash')],
    ...(isEditor(incoming.caller.role) ? [['delete', t('Delete for good')] as const] : []),
  ]
  const sorting = sortingOf(asking, SORTED_BY)
  const heading = (column: string, text: string): Markup => sortHeading(asking, sorting, { column, text })
  return html`<form method="post" action="${PATH}">${csrfField(asking)}<div class="box wide"><table class="rows">
<thead><tr><td></td>${heading('title', t('Title'))}${heading('start', t('Starts'))}<th scope="col">${t('Venue')}</th><th scope="col">${t('Status')}</th></tr></thead>
<tbody>${events.map((event) => row(asking, event))}</tbody></table></div>
<div class="filters">${selectControl({ name: 'action', label: t('With the chosen ones') }, actions)}<button class="second">${t('Apply')}</button></div></form>`
}

function row(asking: Asking, event: RawInput): Markup {
  const title = decodeEntities(String(event['title'] ?? '')) || asking.t('Untitled event')
  const id = String(event['id'])
  const places = objectsIn(event['venue']).map((venue) => decodeEntities(String(venue['venue'] ?? '')))
  const series = seriesOf(event)
  const scope = series === undefined ? '' : ':this'
  const rule = series === undefined ? NOTHING : html`<p class="quiet-text">${series.text}</p>`
  return html`<tr><td><input type="checkbox" name="ids[]" value="${id}:${String(event['status'])}${scope}" aria-label="${asking.t('Choose {title}', { title })}"></td>
<th scope="row"><a class="title" href="${PATH}/${id}">${title}</a>${rule}</th><td>${startOf(asking, event)}</td><td>${places.join(', ')}</td><td>${statusBadge(asking, String(event['status']))}</td></tr>\n`
}

/** An item of a list: what it was, to take a change back. */
interface ChosenEvent {
  readonly id: string
  readonly status: string
  /** Which dates are meant; '' for an event that does not recur. */
  readonly scope: string
}

function namedIn(value: unknown): ChosenEvent[] {
  const texts = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return texts.flatMap((text) => {
    const [, id, status, scope = ''] = /^(\d{1,15}):([a-z]+)(?::(this|all))?$/.exec(text) ?? []
    return id === undefined || status === undefined ? [] : [{ id, status, scope }]
  })
}

function writtenChoice({ id, status, scope }: ChosenEvent): string {
  return [id, status, scope].filter((part) => part !== '').join(':')
}

/** The call of the API that does something to an item of the list. */
function callFor(action: string, { id, status, scope }: ChosenEvent): ApiCall {
  const path = `/events/${id}`
  const which = scope === '' ? {} : { scope }
  if (action === 'trash' || action === 'delete')
    return { method: 'DELETE', path, query: { ...which, ...(action === 'delete' && { force: 'true' }) } }
  if (action === 'restore') return { method: 'POST', path, body: { status, ...which } }
  // Publication is common to all dates of a series.
  const body = { status: action === 'publish' ? 'publish' : 'draft', ...(scope !== '' && { scope: 'all' }) }
  return { method: 'POST', path, body }
}

/** Most events that one form changes. */
const MOST = 100

async function submit(asking: Asking): Promise<PageResponse> {
  const { parts, incoming, sent } = asking
  const action = sent('action')
  const chosen = namedIn(action === 'restore' ? sent('undo') : incoming.body['ids']).slice(0, MOST)
  if (action === 'delete' && sent('confirmed') !== 'true') {
    const fields = chosen.map((one) => ['ids[]', writtenChoice(one)] as const)
    return confirmPage(asking, { question: asking.t('Delete the chosen ones for good?'), under: PATH, fields })
  }
  const changed: string[] = []
  for (const one of chosen) {
    const failed = await parts.api(incoming, callFor(action, one)).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Failure && error.status < 500) return true
        throw error
      },
    )
    if (!failed) changed.push(writtenChoice(one))
  }
  const undo = action === 'trash' && changed.length > 0 ? `&undo=${changed.join(',')}` : ''
  return redirect(
    `${PATH}?done=${action === 'trash' ? 'trash' : 'saved'}&count=${changed.length}&of=${chosen.length}${undo}`,
  )
}

/** What was done last, with a button that takes it back where that is possible. */
function undo(asking: Asking): Markup {
  const { t, query } = asking
  const done = query('done')
  if (done !== 'trash' && done !== 'saved') return NOTHING
  const [count, of] = [Number(query('count') || 1), Number(query('of') || 1)]
  const missed = of > count ? ` ${t('{count} could not be changed.', { count: of - count })}` : ''
  const back = query('undo')
  const button =
    back === ''
      ? NOTHING
      : html`<form method="post" action="${PATH}">${csrfField(asking)}<input type="hidden" name="undo" value="${back}"><button class="quiet" name="action" value="restore">${t('Undo')}</button></form>`
  return html`<div class="done" role="status">${done === 'trash' ? t('Moved to trash') : t('Saved')}${missed}${button}</div>\n`
}
