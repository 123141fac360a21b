import { decodeEntities } from '../base/text/entities.ts'
import { isAtLeast, isEditor, mayPublish } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/page.ts'
import type { RawInput } from '../http/request/body.ts'
import { daysAfter, todayIn } from '../pages/dates.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import type { AdminPage, Asking } from './asking.ts'
import { bulkForm, bulkNote, choiceCell, submitBulk } from './bulk.ts'
import { BULK_ACTIONS, type BulkList, type ChosenItem } from './bulk-call.ts'
import { lineControl, type Offer, selectControl } from './controls.ts'
import { objectsIn } from './form-values.ts'
import { keyboardHelp } from './keyboard.ts'
import { adminPage } from './layout.ts'
import { startOf } from './moments.ts'
import { pageAsked, pager } from './pager.ts'
import { passOver } from './refusals.ts'
import { seriesOf } from './series.ts'
import { sortHeading, sortingOf } from './sort.ts'
import { statusBadge } from './status.ts'
import { acceptSubmission, submitterLine, submitterLines } from './submissions/queue.ts'

const PATH = '/admin/events'

/** The list of events as forms for several of them name it. */
export const EVENT_BULK: BulkList = {
  ...{ collection: 'events', resource: 'event', actions: BULK_ACTIONS },
  path: PATH,
  matching: (asking) => asked(asking, asking.query('status')),
  choiceOf,
  published: acceptSubmission,
}
/** Whoever reviews comes back to what is left to review. */
const QUEUE: BulkList = { ...EVENT_BULK, path: '/admin/queue', matching: (asking) => asked(asking, 'pending') }

/** The list of events, with what can be done to several of them. */
export const EVENTS_PAGE: AdminPage = {
  path: PATH,
  role: 'contributor',
  show: (asking) => list(asking),
  submit: (asking) => submitBulk(asking, EVENT_BULK),
}

/** What waits for review. */
export const QUEUE_PAGE: AdminPage = {
  path: QUEUE.path,
  role: 'editor',
  show: (asking) => list(asking, 'pending'),
  submit: (asking) => submitBulk(asking, QUEUE),
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
  const body = await pageAsked(asking, async (page) => {
    const call = { path: '/events', query: { ...sent, page: String(page) } }
    return (await parts.api(incoming, call).catch(passOver))?.body as RawInput | undefined
  })
  const events = objectsIn(body['events'])
  const isQueue = fixed !== ''
  const bulk = isQueue ? QUEUE : EVENT_BULK
  const lines = isQueue ? await submitterLines(asking, events) : new Map<number, Markup>()
  const filters = isQueue ? NOTHING : filterForm(asking, status)
  const action = html`<a class="button" href="${PATH}/new">${t('admin.newEvent')}</a>`
  return adminPage(asking, {
    title: isQueue ? t('admin.reviewQueue') : t('common.events'),
    under: bulk.path,
    actions: isQueue ? action : html`${action}${importLink(asking)}`,
    body: html`${await bulkNote(asking)}${filters}${events.length === 0 ? empty(asking, isQueue) : table(asking, { events, lines, total: Number(body['total'] ?? 0), isTrash: status === 'trash' })}${pager(asking, Number(body['total_pages'] ?? 1))}${keyboardHelp(asking)}`,
    scripts: ['admin/keys.ts'],
  })
}

function importLink({ t, incoming }: Asking): Markup {
  const mayImport = isAtLeast(incoming.caller.role, 'administrator')
  return mayImport ? html`<a class="button second" href="/admin/import">${t('admin.events.import')}</a>` : NOTHING
}

function filterForm(asking: Asking, status: string): Markup {
  const { t, query } = asking
  const states: readonly Offer[] = [
    ['', t('admin.allButTrash')],
    ['publish', t('admin.public')],
    ['draft', t('admin.draft')],
    ['pending', t('admin.pending')],
    ['future', t('common.scheduled')],
    ['private', t('admin.private')],
    ['trash', t('admin.inTrash')],
  ]
  const times: readonly Offer[] = [
    ['upcoming', t('admin.events.upcoming')],
    ['past', t('admin.events.past')],
    ['all', t('admin.events.anyTime')],
  ]
  const when = query('when') || (status === '' ? 'upcoming' : 'all')
  return html`<form class="filters" method="get" action="${PATH}" role="search">
${lineControl({ name: 'search', label: t('common.searchEvents'), value: query('search') }, { type: 'search' })}${selectControl({ name: 'status', label: t('fields.status'), value: status }, states)}${selectControl({ name: 'when', label: t('admin.when'), value: when }, times)}<button class="second">${t('common.filter')}</button>
</form>`
}

function empty({ t }: Asking, isQueue: boolean): Markup {
  if (isQueue) return html`<div class="box empty"><h2>${t('admin.events.nothingToReview')}</h2></div>`
  return html`<div class="box empty"><h2>${t('admin.events.noEventsFound')}</h2><p>${t('admin.events.noneHint')}</p><p><a class="button" href="${PATH}/new">${t('admin.newEvent')}</a></p></div>`
}

/** Events of a page, with who sent them, and how many there are on all pages. */
interface Listed {
  readonly events: readonly RawInput[]
  readonly lines: ReadonlyMap<number, Markup>
  readonly total: number
  readonly isTrash: boolean
}

function table(asking: Asking, { events, lines, total, isTrash }: Listed): Markup {
  const { t, incoming } = asking
  const actions: readonly Offer[] = [
    ...(mayPublish(incoming.caller.role) ? [['publish', t('admin.publish')] as const] : []),
    ['draft', t('admin.changeToDraft')],
    ...(isTrash ? [] : [['trash', t('admin.moveToTrash')] as const]),
    // Only what is in the trash already can be deleted permanently.
    ...(isTrash && isEditor(incoming.caller.role) ? [['delete', t('admin.deletePermanently')] as const] : []),
  ]
  const sorting = sortingOf(asking, SORTED_BY)
  const heading = (column: string, text: string): Markup => sortHeading(asking, sorting, { column, text })
  const whole = html`<table class="rows">
<thead><tr><td></td>${heading('title', t('fields.title'))}${heading('start', t('fields.starts'))}<th scope="col">${t('fields.venue')}</th><th scope="col">${t('fields.status')}</th></tr></thead>
<tbody>${events.map((event) => row(asking, event, submitterLine(lines, event['id'])))}</tbody></table>`
  return bulkForm(asking, { table: whole, actions, shown: events.length, total })
}

function choiceOf(event: RawInput): ChosenItem {
  const scope = seriesOf(event) === undefined ? '' : 'this'
  return { id: String(event['id']), status: String(event['status']), scope }
}

/** A row of the table; `below` stands under the title. */
function row(asking: Asking, event: RawInput, below: Markup): Markup {
  const title = decodeEntities(String(event['title'] ?? '')) || asking.t('common.untitledEvent')
  const id = String(event['id'])
  const places = objectsIn(event['venue']).map((venue) => decodeEntities(String(venue['venue'] ?? '')))
  const series = seriesOf(event)
  const rule = series === undefined ? NOTHING : html`<p class="quiet-text">${series.text}</p>`
  return html`<tr>${choiceCell(asking, choiceOf(event), title)}
<th scope="row"><a class="title" href="${PATH}/${id}">${title}</a>${rule}${below}</th><td>${startOf(asking, event)}</td><td>${places.join(', ')}</td><td>${statusBadge(asking, String(event['status']))}</td></tr>\n`
}
