import { ANONYMOUS } from '../../auth/caller.ts'
import type { EventQueries } from '../../events/index.ts'
import { feedAddress } from '../../feeds/index.ts'
import { PRIVATE_PAGE } from '../../http/page.ts'
import type { Incoming } from '../../http/route.ts'
import { queryText } from '../../http/urls.ts'
import type { Here } from '../here.ts'
import { html, type Markup, when } from '../html.ts'
import type { Sheet } from '../layout.ts'
import type { WebParts } from '../parts.ts'
import type { Scope } from '../scope.ts'
import { type Question, sentFilters } from './question.ts'

/** What every view is made with. */
export interface ViewParts {
  readonly parts: WebParts
  readonly queries: EventQueries
  readonly incoming: Incoming
  readonly here: Here
  readonly scope: Scope
}

/** Names of the views that stand beside each other. */
export type ViewName = 'list' | 'month' | 'week' | 'day' | 'map' | 'past'

/** The question of a view; its dates are those that the view sets. */
export function questionOf(
  { queries, incoming, scope, parts }: ViewParts,
  set: Readonly<Record<string, string>>,
  keepsDates = false,
): Question {
  return {
    queries,
    incoming,
    set: { ...scope.filter, ...set },
    keepsDates,
    perPageMax: parts.site.perPageMax,
    caller: scope.isPrivate ? incoming.caller : ANONYMOUS,
  }
}

/** Address of a view below its scope with the filters that were sent. */
export function viewAddress(
  { here, scope, incoming }: ViewParts,
  tail: string,
  more: readonly [string, string][] = [],
) {
  const parameters = [...sentFilters(incoming), ...more]
  const path = tail === '' ? scope.home : `${scope.base}${tail}`
  return here.link(withQuery(path, parameters))
}

/** A path with parameters behind those that it has. */
export function withQuery(path: string, parameters: readonly (readonly [string, string])[]): string {
  if (parameters.length === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}${queryText(parameters)}`
}

/** The navigation between the views of one scope. `day` is the day that the other views show. */
export function viewsNav(view: ViewParts, current: ViewName, day: string): Markup {
  const { say } = view.here
  const tabs = [
    ['list', say('List'), ''],
    ['month', say('Month'), `${day.slice(0, 7)}/`],
    ['week', say('Week'), `week/${day}/`],
    ['day', say('Day'), `${day}/`],
    ...((view.parts.site.map?.tiles ?? '') === '' ? [] : [['map', say('Map'), 'map/'] as const]),
  ] as const
  return html`<nav class="views" aria-label="${say('Views')}"><ul>
${tabs.map(
  ([name, label, tail]) =>
    html`<li><a href="${viewAddress(view, tail)}"${when(name === current, () => html` aria-current="page"`)}>${label}</a></li>\n`,
)}</ul></nav>`
}

/** Links to what lies before and behind, with the present between them. */
export function stepsNav(
  view: ViewParts,
  {
    previous,
    next,
    today,
  }: Readonly<Record<'previous' | 'next', readonly [tail: string, label: string] | undefined>> & {
    readonly today: string
  },
): Markup {
  const { say } = view.here
  const step = (to: readonly [string, string] | undefined, name: 'prev' | 'next'): Markup =>
    when(to !== undefined, () => {
      const [tail = '', label = ''] = to ?? []
      const title = name === 'prev' ? say('Previous') : say('Next')
      return html`<a class="step ${name}" rel="${name}" href="${viewAddress(view, tail)}"><span class="vh">${title}: </span><span class="label">${label}</span></a>`
    })
  return html`<div class="steps">${step(previous, 'prev')}<a class="step now" href="${viewAddress(view, today)}">${say('Today')}</a>${step(next, 'next')}</div>`
}

/** The heads that all views of a scope have in common. */
export function headOf(
  view: ViewParts,
  path: string,
): Pick<Sheet, 'parts' | 'here' | 'path' | 'alternates' | 'image' | 'isEmbedded'> & Pick<Sheet, 'headers'> {
  const { parts, here, scope } = view
  const { urls } = here
  const name = scope.name === '' ? parts.site.name : `${scope.name} – ${parts.site.name}`
  const calendar = feedAddress(urls, Object.entries(scope.filter))
  const alternates = scope.isPrivate
    ? []
    : [
        { type: 'text/calendar', title: name, href: calendar },
        { type: 'application/rss+xml', title: name, href: here.link(`${scope.base}feed/`) },
        { type: 'application/feed+json', title: name, href: here.link(`${scope.base}feed.json`) },
      ]
  return {
    parts,
    here,
    path,
    alternates,
    ...(scope.image !== undefined && { image: scope.image }),
    ...(view.incoming.query['embed'] === '1' && { isEmbedded: true }),
    ...(scope.isPrivate && { headers: PRIVATE_PAGE }),
  }
}

/** Where the events of a scope can be subscribed to. */
export function subscribeLinks({ here, scope }: ViewParts): Markup {
  if (scope.isPrivate) return html``
  const { say, urls } = here
  const calendar = feedAddress(urls, Object.entries(scope.filter))
  return html`<section class="subscribe"><h2>${say('Subscribe')}</h2><ul class="inline">
<li><a href="${calendar}">iCalendar</a></li>
<li><a href="${here.link(`${scope.base}feed/`)}">RSS</a></li>
<li><a href="${here.link(`${scope.base}feed.json`)}">JSON Feed</a></li>
</ul></section>`
}

/** The heading of a view: the scope above its name. */
export function viewHeading({ scope, here }: ViewParts, text: string): Markup {
  return html`<h1>${when(scope.name !== '', () => html`<a class="kind" href="${here.link(scope.home)}">${scope.name}</a> `)}${text}</h1>`
}
