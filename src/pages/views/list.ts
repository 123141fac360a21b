import { queryText } from '../../http/address.ts'
import type { Dependency } from '../../http/cache/versions.ts'
import type { PageResponse } from '../../http/html-page.ts'
import type { Paging } from '../../http/paging.ts'
import { timeline } from '../cards.ts'
import { dayEnd, daysAfter, todayIn, weekday } from '../dates.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import { listJsonLd } from '../json-ld.ts'
import { layOut } from '../layout.ts'
import { MAP_SCRIPTS } from '../place-map.ts'
import { filterForm } from './filter-form.ts'
import { type BesideList, monthBeside } from './mini-month.ts'
import {
  ask,
  type FoundEvents,
  freshUntil,
  hasDates,
  past,
  sentDates,
  sentFilters,
  sentSize,
  upcoming,
} from './question.ts'
import {
  headOf,
  narrowing,
  questionOf,
  subscribeLinks,
  type ViewRequest,
  viewAddress,
  viewHeading,
  viewsNav,
  withQuery,
} from './view.ts'

/** Which part of the calendar a list shows. */
export interface ListShown {
  readonly isPast: boolean
  /** Words that were searched for; '' for none. */
  readonly words: string
  /** What a page of its own says above the list in place of its heading. */
  readonly intro?: Markup
  /** Content between the filters and the list, with its dependencies; absent for none. */
  readonly above?: { readonly markup: Markup; readonly dependencies: readonly Dependency[] }
  readonly title?: string
  readonly path?: string
  readonly data?: string
}

/** The list of a scope: what is to come, or what is over, the latest first; each day under its heading. */
export async function listView(view: ViewRequest, shown: ListShown): Promise<PageResponse> {
  const { deps, incoming, context, scope } = view
  const { zone } = deps.site
  const { now } = incoming
  const today = todayIn(zone, now)
  const ahead = upcoming(zone, now)
  const { found, isPast } = await findFor(view, shown)
  const events = await found.events(found.ids)
  const scene = { context, site: deps.site, isAtVenue: scope.filter['venue'] !== undefined }
  const pages = pagesOf(view, found, shown)
  const beside = await monthBeside(view, { events, isPast, today, ...wayFrom(view, shown.words) })
  const isFallback = isPast && !shown.isPast
  const isNarrowed = shown.words !== '' || sentFilters(incoming).length > 0 || hasDates(incoming)
  const path = shown.path ?? (shown.isPast ? `${scope.base}past/` : scope.home)
  const size = sentSize(incoming, found.paging)
  const query = [...filtersBeside(view, shown.words), ...sentDates(incoming), ...size, ...placeOf(found.paging.page)]
  const title = shown.title ?? titleOf(view, shown)
  const body = html`${shown.intro ?? html`${scope.intro}${when(scope.intro.markup === '', () => viewHeading(view, title))}`}
${await narrowers(view, { today, words: shown.words, total: isFallback ? 0 : found.total })}
${shown.above?.markup ?? NOTHING}
${when(isFallback, () => fallbackNote(view, isNarrowed))}
${when(isFallback && events.length > 0, () => html`<h2 class="section">${context.say('pages.recentPastEvents')}</h2>`)}
<div class="beside"><div>
${when(events.length > 0, () => timeline(events, scene, isPast || hasDates(incoming) ? '' : today))}
${when(events.length === 0 && !isFallback, () => emptyState(view))}
${pages.markup}
</div>
${beside.markup}</div>
${subscribeLinks(view)}`
  const sheet = layOut({
    ...headOf(view, path, query),
    title,
    body,
    words: shown.words,
    scripts: scope.base.startsWith('/venue/') ? ['near.ts', ...MAP_SCRIPTS] : ['near.ts'],
    summary: scope.summary || context.say('pages.siteDescription', { name: scope.name || deps.site.name }),
    data: shown.data ?? context.urls.api(`/events/${filterQuery(view)}`),
    jsonLd: scope.jsonLd ?? (events.length === 0 ? undefined : listJsonLd(events, context)),
    isUnlisted: isNarrowed || size.length > 0,
    ...(pages.previous !== undefined && { previous: pages.previous }),
    ...(pages.next !== undefined && { next: pages.next }),
    freshness: freshUntil(
      found.freshness,
      [
        ...scope.dependencies,
        ...(shown.above?.dependencies ?? []),
        ...beside.dependencies,
        { of: 'category' },
        ...events.flatMap((event) => event.dependencies),
      ],
      Math.min(dayEnd(zone, now), ahead.until),
    ),
  })
  return events.length === 0 && found.paging.page > 1 ? { ...sheet, status: 404 } : sheet
}

interface Narrowed {
  readonly today: string
  readonly words: string
  /** Events that are left; 0 where their number says nothing. */
  readonly total: number
}

/** The other views, the ways to what is asked for most, the filters, and how many events they leave. */
async function narrowers(view: ViewRequest, { today, words, total }: Narrowed): Promise<Markup> {
  // The dates of a series differ in nothing that anyone would look for.
  const isSeries = view.scope.filter['series'] !== undefined
  return html`<div class="bar">${viewsNav(view, 'list', today)}${isSeries ? NOTHING : chips(view, today)}</div>
<div class="narrow">${isSeries ? NOTHING : await filterForm(view, words)}${when(total > 0, () => html`<p class="count">${view.context.say('pages.eventCount', { count: total })}</p>`)}</div>`
}

/** Says that nothing is to come, or nothing that the filters leave. */
function fallbackNote({ context, scope }: ViewRequest, isNarrowed: boolean): Markup {
  const { say, link } = context
  if (!isNarrowed) return html`<p class="note">${say('common.noUpcoming')}</p>`
  return html`<p class="note">${say('pages.noMatches')} <a href="${link(scope.home)}">${say('common.seeUpcoming')}</a></p>`
}

/** What a list shows: where nothing is to come, what is over. */
async function findFor(view: ViewRequest, { isPast, words: text }: ListShown) {
  const { incoming, deps } = view
  const words: Record<string, string> = text === '' ? {} : { search: text }
  if (isPast) return { found: await backwards(view, words), isPast }
  const isDated = hasDates(incoming)
  const set = isDated ? words : { ...upcoming(deps.site.zone, incoming.now).set, ...words }
  const found = await ask(questionOf(view, set, isDated))
  if (found.total > 0 || isDated) return { found, isPast }
  return { found: await backwards(view, words), isPast: true }
}

function filterQuery({ scope, incoming }: ViewRequest): string {
  const filter = scope.data ?? scope.filter
  const sent = [...narrowing(incoming), ...sentDates(incoming)].filter(([name]) => !Object.hasOwn(filter, name))
  const entries = [...Object.entries(filter), ...sent]
  return entries.length === 0 ? '' : `?${queryText(entries)}`
}

function titleOf({ context, scope, deps }: ViewRequest, { isPast, words }: ListShown): string {
  if (words !== '') return context.say('pages.resultsFor', { words })
  if (isPast) return context.say('pages.pastEvents')
  return scope.name || (scope.home === '/' ? deps.site.name : context.say('common.events'))
}

/** The latest first: a page of the list counted from its end. */
async function backwards(view: ViewRequest, words: Readonly<Record<string, string>>): Promise<FoundEvents> {
  const { set } = past(view.deps.site.zone, view.incoming.now)
  const asked = Number(view.incoming.query['page'] ?? 1)
  const page = Number.isInteger(asked) && asked > 0 && asked < 1e9 ? asked : 1
  let size = 0
  const found = await ask(questionOf(view, { ...set, ...words, page: '1' }), (total, perPage): Paging => {
    size = perPage
    const end = Math.max(0, total - (page - 1) * size)
    const offset = Math.max(0, end - size)
    return { page, perPage: end - offset, offset }
  })
  return { ...found, ids: found.ids.toReversed(), paging: { page, perPage: size, offset: (page - 1) * size } }
}

/** The filters that were sent; words that were searched for stand in the address of their page in another way. */
function filtersBeside({ incoming }: ViewRequest, words: string): [string, string][] {
  return narrowing(incoming).filter(([name]) => words === '' || name !== 'search')
}

/** The parameter of a page; the first one has none. */
function placeOf(page: number): [string, string][] {
  return page > 1 ? [['page', String(page)]] : []
}

/** The words that were searched for, and the way to the list from a day on that keeps them. */
function wayFrom(view: ViewRequest, words: string): Pick<BesideList, 'words' | 'listFrom'> {
  const listFrom = (day: string): string => {
    if (words === '') return viewAddress(view, '', [['start_date', day]])
    return view.context.link(`/search?${queryText([['q', words], ...filtersBeside(view, words), ['start_date', day]])}`)
  }
  return { words, listFrom }
}

/** Links to the pages beside this one; the page before the first is that of past events. */
function pagesOf(view: ViewRequest, { paging, total }: FoundEvents, { isPast, words }: ListShown) {
  const { context, incoming, scope } = view
  const { page, perPage } = paging
  const dates = sentDates(incoming)
  const at = (number: number): string => {
    const more = [...dates, ...sentSize(incoming, paging), ...placeOf(number)]
    if (words === '') return viewAddress(view, isPast ? 'past/' : '', more)
    return context.link(`/search?${queryText([['q', words], ...filtersBeside(view, words), ...more])}`)
  }
  const previous = page > 1 ? at(page - 1) : undefined
  const next = page * perPage < total ? at(page + 1) : undefined
  // Where nothing is to come, what is over was looked for: an empty list has nothing behind it either.
  const before = previous === undefined && !isPast && words === '' && dates.length === 0 && total > 0
  const markup = html`<nav class="pages" aria-label="${context.say('common.events')}">
${when(before, () => html`<a class="button" href="${viewAddress(view, 'past/')}">${context.say('pages.pastEvents')}</a>`)}
${when(previous !== undefined, () => html`<a class="button" rel="prev" href="${previous ?? ''}">${context.say('pages.previous')}</a>`)}
${when(next !== undefined, () => html`<a class="button" rel="next" href="${next ?? ''}">${context.say('pages.next')}</a>`)}
${when(isPast, () => html`<a class="button" href="${context.link(scope.home)}">${context.say('pages.upcomingEvents')}</a>`)}
</nav>`
  return { markup, previous, next }
}

/** Ways to what is asked for most. */
function chips(view: ViewRequest, today: string): Markup {
  const { say } = view.context
  const saturday = daysAfter(today, (6 - weekday(today) + 7) % 7)
  const start = weekday(today) === 0 ? today : saturday
  const sunday = weekday(today) === 0 ? today : daysAfter(saturday, 1)
  const range = (from: string, to: string): [string, string][] => [
    ['start_date', from],
    ['starts_before', to],
  ]
  const tomorrow = daysAfter(today, 1)
  return html`<ul class="chips">
<li><a class="chip" href="${viewAddress(view, `${today}/`)}">${say('pages.today')}</a></li>
<li><a class="chip" href="${viewAddress(view, `${tomorrow}/`)}">${say('pages.tomorrow')}</a></li>
<li><a class="chip" href="${viewAddress(view, '', range(start, sunday))}">${say('pages.thisWeekend')}</a></li>
<li><a class="chip" href="${viewAddress(view, '', range(today, daysAfter(today, 6)))}">${say('pages.next7Days')}</a></li>
${toggle(view, ['cost', 'free'], say('pages.free'))}${toggle(view, ['is_virtual', 'true'], say('pages.online'))}${nearMe(view)}</ul>`
}

/** A chip that adds a filter to those that were sent, or takes it away again. */
function toggle(
  { context, scope, incoming }: ViewRequest,
  [name, value]: readonly [string, string],
  label: string,
): Markup {
  const isOn = incoming.query[name] === value
  const others = [...sentFilters(incoming).filter(([other]) => other !== name), ...sentDates(incoming)]
  const address = context.link(withQuery(scope.home, isOn ? others : [...others, [name, value]]))
  return html`<li><a class="chip" href="${address}"${when(isOn, () => html` aria-current="true"`)}>${label}</a></li>\n`
}

/** A chip that only scripts show: they know where the visitor is. Without it, what was found near a place is a filter. */
function nearMe({ context, scope, incoming }: ViewRequest): Markup {
  const { say } = context
  const isNear = ({ 0: name }: readonly string[]): boolean => name?.startsWith('geoloc_') === true
  const sent = [...sentFilters(incoming), ...sentDates(incoming)]
  // A venue is where it is.
  if (scope.filter['venue'] !== undefined) return NOTHING
  const address = context.link(
    withQuery(
      scope.home,
      sent.filter((one) => !isNear(one)),
    ),
  )
  if (sent.some(isNear))
    return html`<li><a class="chip" href="${address}" aria-current="true">${say('pages.nearMe')}</a></li>\n`
  return html`<li><button class="chip" type="button" hidden data-near="${address}" data-failed="${say('pages.locationUnknown')}">${say('pages.nearMe')}</button> <span role="status" data-near-status></span></li>\n`
}

function emptyState({ context, scope }: ViewRequest): Markup {
  return html`<div class="empty"><p>${context.say('pages.noMatches')}</p>
<p><a class="button" href="${context.link(scope.home)}">${context.say('pages.clearFilters')}</a></p></div>`
}
