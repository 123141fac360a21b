import type { PageResponse } from '../http/html-page.ts'
import type { Incoming } from '../http/route.ts'
import { booleanOf } from '../model/kinds/boolean.ts'
import { type EntryKey, RESOURCES } from '../model/resource.ts'
import { todayIn } from './dates.ts'
import type { PagesDeps } from './deps.ts'
import { eventPoster } from './event-cards.ts'
import { numberedPage } from './event-page.ts'
import { html, when } from './html.ts'
import { linkedScope } from './linked-page.ts'
import { redirectAddress } from './moved-addresses.ts'
import { notFoundPage } from './not-found.ts'
import { contextOf } from './page-context.ts'
import { redirectTo } from './redirects.ts'
import { eventsPage, searchPage, showView, wantsCalendar } from './router.ts'
import { ALL_EVENTS } from './scope.ts'
import { listView } from './views/list.ts'
import { monthView, presentMonth } from './views/month.ts'
import { ask, hasDates, sentFilters, upcoming } from './views/question.ts'
import { questionOf, type ViewRequest } from './views/view.ts'

/**
 * The start page; `?post_type=…&p=…` names an event, venue or organizer by its ID (wire: events 1.1, row 10), and
 * `?post_type=tribe_events` the list of events.
 */
export async function homePage(deps: PagesDeps, incoming: Incoming): Promise<PageResponse> {
  const { p, s, post_type } = incoming.query
  if (p === undefined) {
    const context = contextOf(incoming)
    const moved = redirectAddress(incoming, { scope: ALL_EVENTS, context, rest: [] })
    if (moved !== undefined) return redirectTo(moved)
    if (wantsCalendar(incoming)) return eventsPage(deps, incoming)
    if (typeof s === 'string' && s !== '') return searchPage(deps, incoming)
    if (post_type === RESOURCES.event.wireType) return redirectTo(context.link('/events/'), 302)
    return startPage(deps, incoming)
  }
  const named = itemByNumber(incoming)
  if (named === undefined) return notFoundPage(deps, incoming)
  if (named.key === 'event') return numberedPage(deps, incoming, named)
  const scope = await linkedScope(deps, incoming, { ...named, key: named.key })
  return showView(deps, { ...incoming, query: {} }, { scope, rest: [] })
}

/** What comes next (`?featured=1`: what is featured). */
async function startPage(deps: PagesDeps, incoming: Incoming): Promise<PageResponse> {
  const context = contextOf(incoming)
  const isFeatured = booleanOf(incoming.query['featured']) === true
  const scope = { ...ALL_EVENTS, filter: isFeatured ? { featured: 'true' } : {} }
  const view = { deps, incoming, context, scope, queries: deps.queries(() => ({})) }
  const isFirst = !isFeatured && !hasDates(incoming) && incoming.query['page'] === undefined
  const isPlain = isFirst && sentFilters(incoming).length === 0
  if (isPlain && deps.site.frontPage === 'month')
    return monthView(view, { ...presentMonth(todayIn(deps.site.zone, incoming.now)), path: '/' })
  const above = isPlain ? await featuredNext(view) : undefined
  return listView(view, {
    ...(above !== undefined && { above }),
    isPast: false,
    words: '',
    title: deps.site.name,
    path: isFeatured ? '/?featured=1' : '/',
    data: isFeatured ? `${context.urls.api('/events/')}?featured=1` : context.urls.api('/'),
  })
}

/** Posters of a row. */
const POSTERS = 3

/** The next featured events as posters, with their dependencies. */
async function featuredNext(view: ViewRequest) {
  const { deps, incoming, context } = view
  const { set } = upcoming(deps.site.zone, incoming.now)
  const found = await ask(questionOf(view, { ...set, featured: 'true', per_page: String(POSTERS) }))
  const events = await found.events(found.ids)
  const posters = events.map((event) => eventPoster(event, { context, site: deps.site }))
  const markup = when(
    posters.length > 0,
    () => html`<section class="posters" aria-labelledby="featured"><h2 class="vh" id="featured">${context.say('fields.featured')}</h2>
<ul>
${posters}</ul></section>`,
  )
  // Without a freshness of its own, every event counts.
  const dependencies = found.freshness?.dependencies ?? [{ of: 'event' as const }]
  return { markup, dependencies: [...dependencies, ...events.flatMap((event) => event.dependencies)] }
}

type Named = { readonly key: EntryKey; readonly by: 'id'; readonly id: number }

/** The item that the query names; undefined when its type or number cannot be one. */
function itemByNumber({ query }: Incoming): Named | undefined {
  const { p, post_type } = query
  const key = (['event', 'venue', 'organizer'] as const).find((one) => RESOURCES[one].wireType === post_type)
  return key !== undefined && typeof p === 'string' && /^\d{1,15}$/.test(p)
    ? { key, by: 'id', id: Number(p) }
    : undefined
}
