import { queryText } from '../../http/address.ts'
import type { Dependency } from '../../http/cache/versions.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { dayEnd, todayIn } from '../dates.ts'
import { html, type Markup, NOTHING } from '../html.ts'
import { listJsonLd } from '../json-ld.ts'
import { layOut } from '../layout.ts'
import { MAP_SCRIPTS } from '../place-map.ts'
import { type Filtered, filteredAt } from './filters.ts'
import { isOrdered, type ListShown, listBody, listHead, type ShownList } from './list-body.ts'
import { type Listed, listBackwards, listEvents, listOrdered } from './listing.ts'
import { monthBeside } from './mini-month.ts'
import { type DayRange, overlapQuery, periodOf } from './period.ts'
import { freshUntil, hasDates, sentDates, sentFilters, sentSize, upcoming } from './question.ts'
import { setAside } from './search-results.ts'
import { headOf, narrowing, subscribeLinks, type ViewRequest } from './view.ts'

/** The list of a scope: what is to come, or what is over, the latest first; each day under its heading. */
export async function listView(view: ViewRequest, asked: ListShown): Promise<PageResponse> {
  const { deps, incoming, context, scope } = view
  const today = todayIn(deps.site.zone, incoming.now)
  const period = asked.isPast ? undefined : periodOf(incoming, today)
  const { listed, isOver } = await findFor(view, asked, period)
  const events = [...listed.begun, ...listed.dated, ...listed.stillOn]
  const path = asked.path ?? (asked.isPast ? `${scope.base}past/` : scope.home)
  const filtered = filteredAt(
    view,
    asked.words !== '' ? '/search' : path.startsWith('/?') || path === '/' ? scope.home : path,
  )
  const isNarrowed = asked.words !== '' || sentFilters(incoming).length > 0 || hasDates(incoming)
  const { page } = listed.paging
  const { previous, next } = pagesBeside(filtered, listed)
  const title = asked.title ?? titleOf(view, asked)
  const listFrom = (day: string): string => filtered.at([...sentFilters(incoming), ['start_date', day]])
  const beside = await monthBeside(view, { events: listed.dated, isPast: isOver, today, words: asked.words, listFrom })
  const shown: ShownList = { ...asked, listed, isOver, isNarrowed, period, today, filtered, previous, next, title }
  const size = sentSize(incoming, listed.paging)
  const query = [...filtersBeside(view, asked.words), ...sentDates(incoming), ...size, ...placeOf(page)]
  const sheet = layOut({
    ...headOf(view, path, query),
    title,
    body: html`${await listHead(view, shown)}
<div class="beside"><div>
${await listBody(view, shown)}${await behind(view, shown)}</div>
${beside.markup}</div>
${subscribeLinks(view)}`,
    words: asked.words,
    scripts: ['near.ts', 'more.ts', ...(scope.base.startsWith('/venue/') ? MAP_SCRIPTS : [])],
    summary: scope.summary || context.say('pages.siteDescription', { name: scope.name || deps.site.name }),
    data: asked.data ?? context.urls.api(`/events/${filterQuery(view, period)}`),
    jsonLd: scope.jsonLd ?? (events.length === 0 ? undefined : listJsonLd(events, context)),
    isUnlisted: isNarrowed || size.length > 0,
    ...(previous !== undefined && { previous }),
    ...(next !== undefined && { next }),
    freshness: freshnessOf(view, asked, { listed, also: beside.dependencies }),
  })
  return events.length === 0 && page > 1 ? { ...sheet, status: 404 } : sheet
}

/** Addresses of the pages before and behind. */
function pagesBeside({ view: { incoming }, at }: Filtered, { paging, hasMore }: Listed) {
  const sent = [...sentFilters(incoming), ...sentDates(incoming), ...sentSize(incoming, paging)]
  const pageAt = (number: number): string => at([...sent, ...placeOf(number)])
  return {
    previous: paging.page > 1 ? pageAt(paging.page - 1) : undefined,
    next: hasMore ? pageAt(paging.page + 1) : undefined,
  }
}

/** How long the page lasts: pills and the small month count every event. */
function freshnessOf(
  { deps, incoming, scope }: ViewRequest,
  { above }: ListShown,
  { listed, also }: { readonly listed: Listed; readonly also: readonly Dependency[] },
) {
  const { zone } = deps.site
  const events = [...listed.begun, ...listed.dated, ...listed.stillOn]
  return freshUntil(
    listed.freshness,
    [
      ...[...scope.dependencies, ...(above?.dependencies ?? []), ...also],
      ...[{ of: 'category' } as const, { of: 'event' } as const],
      ...events.flatMap((event) => event.dependencies),
    ],
    Math.min(dayEnd(zone, incoming.now), upcoming(zone, incoming.now).until),
  )
}

/** What a list shows: where nothing is to come, what is over. */
async function findFor(view: ViewRequest, { isPast, words }: ListShown, period: DayRange | undefined) {
  if (isPast) return { listed: await listBackwards(view, words), isOver: true }
  const isExact = hasDates(view.incoming) && period === undefined
  const question = { words, ...(period !== undefined && { period }) }
  const listed = await (isExact || isOrdered(view) ? listOrdered(view, question, isExact) : listEvents(view, question))
  if (listed.total > 0 || isExact || period !== undefined) return { listed, isOver: false }
  return { listed: await listBackwards(view, words), isOver: true }
}

/** What the API is asked for the same events. */
function filterQuery({ scope, incoming }: ViewRequest, period: DayRange | undefined): string {
  const filter = scope.data ?? scope.filter
  const dates = period === undefined ? sentDates(incoming) : overlapQuery(period)
  const sent = [...narrowing(incoming), ...dates].filter(([name]) => !Object.hasOwn(filter, name))
  const entries = [...Object.entries(filter), ...sent]
  return entries.length === 0 ? '' : `?${queryText(entries)}`
}

function titleOf({ context, scope }: ViewRequest, { isPast, words }: ListShown): string {
  if (words !== '') return context.say('pages.resultsFor', { words })
  if (isPast) return context.say('pages.pastEvents')
  return scope.name || context.say('pages.whatsOn')
}

/** The filters that were sent; words that were searched for stand in the address of their page in another way. */
function filtersBeside({ incoming }: ViewRequest, words: string): [string, string][] {
  return narrowing(incoming).filter(([name]) => words === '' || name !== 'about')
}

/** What a search found beside the events of its last page. */
async function behind(view: ViewRequest, { words, isOver, next }: ShownList): Promise<Markup> {
  return words === '' || next !== undefined ? NOTHING : setAside(view, { words, isOver })
}

/** The parameter of a page; the first one has none. */
function placeOf(page: number): [string, string][] {
  return page > 1 ? [['page', String(page)]] : []
}
