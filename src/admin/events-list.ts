import { decodeEntities } from '../base/text/entities.ts'
import { isAtLeast, isEditor, mayPublish } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { RawInput } from '../http/request/body.ts'
import { daysAfter, todayIn } from '../pages/dates.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { headSeq } from '../storage/journal/read.ts'
import { bulkForm, bulkNote, choiceCell, submitBulk } from './bulk.ts'
import { type BulkList, type ChosenItem, STATUS_ACTIONS } from './bulk-call.ts'
import { FIELD_ACTIONS } from './bulk-change.ts'
import { fieldInputs, fieldOffers } from './bulk-inputs.ts'
import { lineControl, type Offer, selectControl } from './controls.ts'
import { objectsIn } from './form-values.ts'
import { keyboardHelp } from './keyboard.ts'
import { adminPage } from './layout.ts'
import { startOf } from './moments.ts'
import type { AdminPage, PageRequest } from './page-request.ts'
import { pageAsked, pager } from './pager.ts'
import { passOver } from './refusals.ts'
import { eventLink, eventName, seriesOf } from './series.ts'
import { sortHeading, sortingOf } from './sort.ts'
import { canceledBadge, statusBadge } from './status.ts'
import { acceptSubmission, submitterLine, submitterLines } from './submissions/queue.ts'

const PATH = '/admin/events'

/** The list of events as forms for several of them name it. */
export const EVENT_BULK: BulkList = {
  ...{ collection: 'events', resource: 'event', actions: [...STATUS_ACTIONS, ...FIELD_ACTIONS] },
  path: PATH,
  matching: (request) => asked(request, request.query('status')),
  choiceOf,
  published: acceptSubmission,
}
/** Reviewers return to the remaining items. */
const QUEUE: BulkList = { ...EVENT_BULK, path: '/admin/queue', matching: (request) => asked(request, 'pending') }

/** The list of events, with what can be done to several of them. */
export const EVENTS_PAGE: AdminPage = {
  path: PATH,
  role: 'contributor',
  show: (request) => list(request),
  submit: (request) => submitBulk(request, EVENT_BULK),
}

/** What waits for review. */
export const QUEUE_PAGE: AdminPage = {
  path: QUEUE.path,
  role: 'editor',
  show: (request) => list(request, 'pending'),
  submit: (request) => submitBulk(request, QUEUE),
}

/** Days between which events lie: lists without any start today. */
const ALWAYS = { start_date: '1000-01-01', end_date: '9999-12-31' }

const SORTED_BY = ['start', 'title', 'modified', 'published']

function asked({ query, incoming, deps }: PageRequest, status: string): RawInput {
  const when = query('when') || (status === '' ? 'upcoming' : 'all')
  const yesterday = daysAfter(todayIn(deps.site.zone, incoming.now), -1)
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

async function list(request: PageRequest, fixed = ''): Promise<PageResponse> {
  const { t, deps, incoming } = request
  const status = fixed || request.query('status')
  const sorting = sortingOf(request, SORTED_BY)
  const sent = { ...asked(request, status), ...sorting }
  const isQueue = fixed !== ''
  // Asked first: what changes while they are read counts as unseen.
  const seen = isQueue ? await headSeq(deps.storage) : undefined
  const body = await pageAsked(request, async (page) => {
    const call = { path: '/events', query: { ...sent, page: String(page) } }
    return (await deps.api(incoming, call).catch(passOver))?.body as RawInput | undefined
  })
  const events = objectsIn(body['events'])
  const marks = isQueue ? await marksOf(request, events) : new Map<unknown, string>()
  const bulk = isQueue ? QUEUE : EVENT_BULK
  const lines = isQueue ? await submitterLines(request, events) : new Map<number, Markup>()
  const filters = isQueue ? NOTHING : filterForm(request, status)
  const action = html`<a class="button" href="${PATH}/new">${t('admin.newEvent')}</a>`
  return adminPage(request, {
    title: isQueue ? t('admin.reviewQueue') : t('common.events'),
    under: bulk.path,
    actions: isQueue ? action : html`${action}${importLink(request)}`,
    body: html`${await bulkNote(request)}${filters}${events.length === 0 ? empty(request, isQueue) : table(request, { events, lines, marks, seen, total: Number(body['total'] ?? 0), isTrash: status === 'trash' })}${pager(request, Number(body['total_pages'] ?? 1))}${keyboardHelp(request)}`,
    scripts: ['admin/keys.ts', 'admin/bulk.ts', 'admin/picker.ts'],
  })
}

/** The versions of events that reviewers see: whoever submitted one may change it meanwhile. Dates of a series have none of their own. */
async function marksOf({ deps, incoming }: PageRequest, events: readonly RawInput[]): Promise<Listed['marks']> {
  const marks = new Map<unknown, string>()
  for (const event of events.filter((one) => seriesOf(one) === undefined)) {
    const reply = await deps.api(incoming, { path: `/events/${String(event['id'])}` }).catch(passOver)
    if (reply?.version !== undefined) marks.set(event['id'], reply.version.mark)
  }
  return marks
}

function importLink({ t, incoming }: PageRequest): Markup {
  const mayImport = isAtLeast(incoming.caller.role, 'administrator')
  return mayImport ? html`<a class="button second" href="/admin/import">${t('admin.events.import')}</a>` : NOTHING
}

function filterForm(request: PageRequest, status: string): Markup {
  const { t, query } = request
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

function empty({ t }: PageRequest, isQueue: boolean): Markup {
  if (isQueue) return html`<div class="box empty"><h2>${t('admin.events.nothingToReview')}</h2></div>`
  return html`<div class="box empty"><h2>${t('admin.events.noEventsFound')}</h2><p>${t('admin.events.noneHint')}</p><p><a class="button" href="${PATH}/new">${t('admin.newEvent')}</a></p></div>`
}

/** Events of a page, with who sent them, and how many there are on all pages. */
interface Listed {
  readonly events: readonly RawInput[]
  readonly lines: ReadonlyMap<number, Markup>
  /** The marks of their versions, by ID. */
  readonly marks: ReadonlyMap<unknown, string>
  /** See `BulkAbout`. */
  readonly seen: number | undefined
  readonly total: number
  readonly isTrash: boolean
}

function table(request: PageRequest, { events, lines, marks, seen, total, isTrash }: Listed): Markup {
  const { t, incoming } = request
  const actions: readonly Offer[] = [
    ...(mayPublish(incoming.caller.role) ? [['publish', t('admin.publish')] as const] : []),
    ['draft', t('admin.changeToDraft')],
    ...(isTrash ? [] : fieldOffers(request)),
    ...(isTrash ? [] : [['trash', t('admin.moveToTrash')] as const]),
    // Only items already in the trash can be deleted permanently.
    ...(isTrash && isEditor(incoming.caller.role) ? [['delete', t('admin.deletePermanently')] as const] : []),
  ]
  const sorting = sortingOf(request, SORTED_BY)
  const heading = (column: string, text: string): Markup => sortHeading(request, sorting, { column, text })
  const whole = html`<table class="rows">
<thead><tr><td></td>${heading('title', t('fields.title'))}${heading('start', t('fields.starts'))}<th scope="col">${t('fields.venue')}</th><th scope="col">${t('fields.status')}</th></tr></thead>
<tbody>${events.map((event) => row(request, event, { below: submitterLine(lines, event['id']), mark: marks.get(event['id']) }))}</tbody></table>`
  return bulkForm(request, { table: whole, actions, values: fieldInputs(request), shown: events.length, total, seen })
}

function choiceOf(event: RawInput): ChosenItem {
  const scope = seriesOf(event) === undefined ? '' : 'this'
  return { id: String(event['id']), status: String(event['status']), scope }
}

/** A row of the table; `below` stands under the title. */
function row(
  request: PageRequest,
  event: RawInput,
  { below, mark }: { readonly below: Markup; readonly mark: string | undefined },
): Markup {
  const title = eventName(request, event)
  const places = objectsIn(event['venue']).map((venue) => decodeEntities(String(venue['venue'] ?? '')))
  const series = seriesOf(event)
  const rule = series === undefined ? NOTHING : html`<p class="quiet-text">${series.text}</p>`
  return html`<tr>${choiceCell(request, { ...choiceOf(event), ...(mark !== undefined && { mark }) }, title)}
<th scope="row">${eventLink(request, event)}${rule}${below}</th><td>${startOf(request, event)}</td><td>${places.join(', ')}</td><td>${statusBadge(request, String(event['status']))}${canceledBadge(request, event)}</td></tr>\n`
}
