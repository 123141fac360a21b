import type { EventWithRelations } from '../../calendar/events/index.ts'
import type { Dependency } from '../../http/cache/versions.ts'
import { eventCard, type Timeline, timeline } from '../event-cards.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import { categoryPills } from './categories.ts'
import { distancesFrom } from './distance.ts'
import { emptyList } from './empty.ts'
import { type Filtered, filterChips, periodInFull, radiusChips, resultBar } from './filters.ts'
import type { Listed } from './listing.ts'
import type { DayRange } from './period.ts'
import { hasDates } from './question.ts'
import { type ViewRequest, viewAddress, viewHeading } from './view.ts'
import { viewHead } from './views-nav.ts'

/** Which part of the calendar a list shows. */
export interface ListShown {
  readonly isPast: boolean
  /** Words that were searched for; '' for none. */
  readonly words: string
  /** Content between the filters and the list, with its dependencies; absent for none. */
  readonly above?: { readonly markup: Markup; readonly dependencies: readonly Dependency[] }
  readonly title?: string
  readonly path?: string
  readonly data?: string
}

/** A list with what was asked for. */
export interface ShownList extends ListShown {
  readonly listed: Listed
  /** Whether it shows what is over, because nothing is to come or because that was asked for. */
  readonly isOver: boolean
  readonly isNarrowed: boolean
  readonly period: DayRange | undefined
  readonly today: string
  readonly filtered: Filtered
  readonly title: string
  /** Addresses of the pages beside this one. */
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** Whether a request asks for another order than that of time: the nearest first, by title. */
export function isOrdered({ incoming: { query } }: ViewRequest): boolean {
  const order = query['orderby'] ?? ((query['geoloc_lat'] ?? '') === '' ? '' : 'distance')
  return order !== '' && order !== 'start'
}

/** The name of the list, the other views, the ways to what is asked for most, and the filters that apply. */
export async function listHead(view: ViewRequest, shown: ShownList): Promise<Markup> {
  const { scope, context } = view
  const { listed, isOver, period, today, filtered, above } = shown
  const heading = shown.words === '' && !shown.isPast ? context.say('pages.whatsOn') : shown.title
  const title = when(scope.intro.markup === '', () => viewHeading(view, heading))
  const head = html`${scope.intro}${await viewHead(view, { current: 'list', day: period?.from ?? today, title })}`
  // The dates of a series differ in nothing that anyone would look for.
  if (scope.filter['series'] !== undefined) return head
  const count = isOver && !shown.isPast ? 0 : listed.total
  const days = when(
    period !== undefined,
    () => html` <span class="mute">${period === undefined ? '' : periodInFull(context, period)}</span>`,
  )
  const number = html`<p class="count"><b>${context.say('pages.eventCount', { count })}</b>${days}</p>`
  return html`${head}<div class="tools">
${filterChips(filtered)}${await categoryPills(filtered, [...listed.begun, ...listed.stillOn])}</div>
${above?.markup ?? NOTHING}${await resultBar(
  filtered,
  when(count > 0, () => number),
)}${radiusChips(filtered)}`
}

/** The events under their days, the way to more of them, and what is still on. */
export async function listBody(view: ViewRequest, shown: ShownList): Promise<Markup> {
  const { say } = view.context
  const { listed, isOver, isNarrowed, period, filtered } = shown
  const { begun, dated, stillOn } = listed
  const isEmpty = begun.length + dated.length + stillOn.length === 0
  const isFallback = isOver && !shown.isPast
  const scene = sceneOf(view, shown)
  const list = isOrdered(view) ? flatList(dated, scene) : timeline([...begun, ...dated], scene)
  return html`${isEmpty || (isFallback && isNarrowed) ? await emptyList(filtered, { period, isNarrowed }) : NOTHING}
${when(isFallback && !isNarrowed && !isEmpty, () => html`<p class="note">${say('common.noUpcoming')}</p>`)}
${when(isFallback && !isEmpty, () => html`<h2 class="section">${say('pages.recentPastEvents')}</h2>`)}
<div class="timeline">
${list}</div>
${pagesNav(view, shown)}
${when(stillOn.length > 0, () => stillOnGroup(stillOn, scene))}`
}

function sceneOf(view: ViewRequest, { isOver, period, today }: ShownList): Timeline {
  const { context, deps, scope, incoming } = view
  const distance = distancesFrom(view)
  const isExact = hasDates(incoming) && period === undefined
  return {
    ...{ context, site: deps.site, today, isAtVenue: scope.filter['venue'] !== undefined },
    ...(distance !== undefined && { distance }),
    ...(!isOver && !isExact && { from: period?.from ?? today }),
    isOnce: !isOver && scope.filter['series'] === undefined,
    dayAddress: (day) => viewAddress(view, `${day}/`),
  }
}

/** Cards in another order than that of their days. */
function flatList(events: readonly EventWithRelations[], scene: Timeline): Markup {
  return html`<h2 class="vh">${scene.context.say('common.events')}</h2>
<ul class="cards alone">${events.map((event) => eventCard(event, { ...scene, day: '' }))}</ul>`
}

/** What runs longer than the days of the list, with its days. */
function stillOnGroup(events: readonly EventWithRelations[], scene: Timeline): Markup {
  const { context } = scene
  return html`<section class="day still"><h2>${context.say('pages.stillOn')}</h2>
<ul class="cards">${events.map((event) => eventCard(event, { ...scene, day: scene.from ?? scene.today }))}</ul></section>`
}

/** Links to the pages beside this one; the page before the first is that of past events. */
function pagesNav(view: ViewRequest, { listed, isPast, words, period, previous, next }: ShownList): Markup {
  const { context, scope } = view
  const { say } = context
  // Where nothing is to come, what is over was looked for: an empty list has nothing behind it either.
  const isFirst = previous === undefined && !isPast && words === '' && !hasDates(view.incoming)
  const before = isFirst && period === undefined && listed.total > 0
  const links = [
    when(
      next !== undefined,
      () => html`<a class="button more" rel="next" href="${next ?? ''}">${say('pages.loadMore')}</a>\n`,
    ),
    when(
      previous !== undefined,
      () => html`<a class="button" rel="prev" href="${previous ?? ''}">${say('pages.previous')}</a>\n`,
    ),
    when(before, () => html`<a class="button" href="${viewAddress(view, 'past/')}">${say('pages.pastEvents')}</a>\n`),
    when(isPast, () => html`<a class="button" href="${context.link(scope.home)}">${say('pages.upcomingEvents')}</a>\n`),
  ]
  return when(
    links.some(({ markup }) => markup !== ''),
    () => html`<nav class="pages" aria-label="${say('common.events')}">
${links}</nav>`,
  )
}
