import { localeOf } from '../../base/i18n/translate.ts'
import { firstWeekday } from '../../base/i18n/week.ts'
import type { EventQueries } from '../../calendar/events/index.ts'
import { feedAddress } from '../../exchange/index.ts'
import { queryText } from '../../http/address.ts'
import { ANONYMOUS } from '../../http/auth/rights.ts'
import { PRIVATE_PAGE } from '../../http/html-page.ts'
import type { Incoming } from '../../http/route.ts'
import type { PagesDeps } from '../deps.ts'
import { html, icon, type Markup, when } from '../html.ts'
import type { Sheet } from '../layout.ts'
import type { PageContext } from '../page-context.ts'
import type { Scope } from '../scope.ts'
import { type Question, sentFilters } from './question.ts'

/** Dependencies of every view. */
export interface ViewRequest {
  readonly deps: PagesDeps
  readonly queries: EventQueries
  readonly incoming: Incoming
  readonly context: PageContext
  readonly scope: Scope
}

/** Names of the views that stand beside each other. */
export type ViewName = 'list' | 'month' | 'week' | 'day' | 'map' | 'past'

const WEEKDAYS = { monday: 1, saturday: 6, sunday: 0 } as const

/** On which day weeks start for a visitor: the setting, else as in the region, else as readers of the language count. */
export function weekStart({ deps, incoming, context }: ViewRequest): number {
  const { weekStart: setting = 'region' } = deps.site
  if (setting !== 'region') return WEEKDAYS[setting]
  return incoming.weekday ?? firstWeekday(localeOf(context.language))
}

/** The question of a view; its dates are those that the view sets. */
export function questionOf(
  { queries, incoming, scope, deps }: ViewRequest,
  set: Readonly<Record<string, string>>,
  keepsDates = false,
): Question {
  return {
    queries,
    incoming,
    set: { ...scope.filter, ...set },
    keepsDates,
    perPageMax: deps.site.perPageMax,
    caller: scope.isPrivate ? incoming.caller : ANONYMOUS,
  }
}

/** Address of a view below its scope with the filters that were sent. */
export function viewAddress(
  { context, scope, incoming }: ViewRequest,
  tail: string,
  more: readonly [string, string][] = [],
) {
  const parameters = [...sentFilters(incoming), ...more]
  const path = tail === '' ? scope.home : `${scope.base}${tail}`
  return context.link(withQuery(path, parameters))
}

/** A path with parameters behind those that it has. */
export function withQuery(path: string, parameters: readonly (readonly [string, string])[]): string {
  if (parameters.length === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}${queryText(parameters)}`
}

/** Links to what lies before and behind, with the present between them. */
export function stepsNav(
  view: ViewRequest,
  {
    previous,
    next,
    today,
  }: Readonly<Record<'previous' | 'next', readonly [tail: string, label: string] | undefined>> & {
    readonly today: string
  },
): Markup {
  const { say } = view.context
  const step = (to: readonly [string, string] | undefined, name: 'prev' | 'next'): Markup =>
    when(to !== undefined, () => {
      const [tail = '', label = ''] = to ?? []
      const title = name === 'prev' ? say('pages.previous') : say('pages.next')
      return html`<a class="step ${name}" rel="${name}" href="${viewAddress(view, tail)}"><span class="vh">${title}: ${label}</span></a>`
    })
  return html`<div class="steps">${step(previous, 'prev')}<a class="step now" href="${viewAddress(view, today)}">${say('pages.today')}</a>${step(next, 'next')}</div>${dateForm(view, today)}`
}

/**
 * A form that leads a view of dates to any other, in its frame where it has one: `today` is the end of the address that the
 * view has without a date.
 */
function dateForm({ context, scope, incoming }: ViewRequest, today: string): Markup {
  const label = context.say('pages.goToDate')
  return html`<details class="menu jump"><summary class="step">${icon('calendar')}<span class="vh">${label}</span></summary>
<form action="${context.link(`${scope.base}${today}`)}" target="_self">
<input type="date" name="start_date" aria-label="${label}" min="1001-01-01" max="9998-12-31" required>
${sentFilters(incoming).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button>${context.say('pages.showEvents')}</button>
</form></details>`
}

/** The heads that all views of a scope have in common: `sent` is what goes with the path into other languages. */
export function headOf(
  view: ViewRequest,
  path: string,
  sent: readonly (readonly [string, string])[] = narrowing(view.incoming),
): Pick<Sheet, 'deps' | 'context' | 'path' | 'alternates' | 'image' | 'isEmbedded'> & Pick<Sheet, 'headers'> {
  const { deps, context, scope } = view
  const name = scope.name === '' ? deps.site.name : `${scope.name} – ${deps.site.name}`
  const { calendar, rss, json } = feedsOf(view)
  const alternates = scope.isPrivate
    ? []
    : [
        { type: 'text/calendar', title: name, href: calendar },
        { type: 'application/rss+xml', title: name, href: rss },
        { type: 'application/feed+json', title: name, href: json },
      ]
  return {
    deps,
    context,
    path: withQuery(path, sent),
    alternates,
    ...(scope.image !== undefined && { image: scope.image }),
    ...(view.incoming.query['embed'] === '1' && { isEmbedded: true }),
    ...(scope.isPrivate && { headers: PRIVATE_PAGE }),
  }
}

/** Where what a view lists can be subscribed to: the events of its scope that the filters leave. */
export function feedsOf({ context, scope, incoming }: Pick<ViewRequest, 'context' | 'scope' | 'incoming'>) {
  const filters = narrowing(incoming)
  const others = filters.filter(([name]) => !Object.hasOwn(scope.filter, name))
  return {
    calendar: feedAddress(context.urls, [...Object.entries(scope.filter), ...others]),
    rss: context.absolute(context.link(withQuery(`${scope.base}feed/`, filters))),
    json: context.absolute(context.link(withQuery(`${scope.base}feed.json`, filters))),
    /** The page with the same events. */
    home: context.absolute(context.link(withQuery(scope.home, filters))),
  }
}

/** The filters that were sent; that a page is shown in a frame is none. */
export function narrowing(incoming: Incoming): [string, string][] {
  return sentFilters(incoming).filter(([name]) => name !== 'embed')
}

/** The files and feeds of the events of a view, and the code by which a page elsewhere shows it. */
export function subscribeLinks(view: ViewRequest, current: ViewName = 'list'): Markup {
  const { context, scope, incoming } = view
  if (scope.isPrivate) return html``
  const { calendar, rss, json } = feedsOf(view)
  const embedding: [string, string][] = [
    ...(scope.base === '/events/' ? [] : [['of', scope.base] as [string, string]]),
    ...(current === 'month' || current === 'week' ? [['view', current] as [string, string]] : []),
    ...narrowing(incoming),
  ]
  return html`<ul class="inline feeds">
<li><a href="${context.local(calendar)}">iCalendar</a></li>
<li><a href="${context.local(rss)}">RSS</a></li>
<li><a href="${context.local(json)}">JSON Feed</a></li>
<li><a href="${context.link(withQuery('/embed/', embedding))}">${context.say('pages.embed')}</a></li>
</ul>`
}

/** The heading of a view: the scope above its name. */
export function viewHeading({ scope, context }: ViewRequest, text: string): Markup {
  return html`<h1>${when(scope.name !== '', () => html`<a class="kind" href="${context.link(scope.home)}">${scope.name}</a> `)}${text}</h1>`
}
