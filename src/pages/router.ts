import { isCalendarDate } from '../base/time/clock.ts'
import { queryText } from '../http/address.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { Incoming } from '../http/route.ts'
import { todayIn } from './dates.ts'
import type { PagesDeps } from './deps.ts'
import { calendarPage } from './feeds/calendar.ts'
import { jsonFeed } from './feeds/json.ts'
import { rssFeed } from './feeds/rss.ts'
import { linkedScope } from './linked-page.ts'
import { oldPath, redirectAddress } from './moved-addresses.ts'
import { notFoundPage } from './not-found.ts'
import { contextOf } from './page-context.ts'
import { redirectTo } from './redirects.ts'
import { ALL_EVENTS, type Scope } from './scope.ts'
import { termScope } from './term-scope.ts'
import { dayView, weekView } from './views/days.ts'
import { listView } from './views/list.ts'
import { mapView } from './views/map.ts'
import { monthView, presentMonth } from './views/month.ts'
import { ask, sentDates, upcoming } from './views/question.ts'
import { foundNames } from './views/search-results.ts'
import { questionOf, type ViewRequest, viewAddress } from './views/view.ts'

/** A view as the end of an address names it. */
type Named =
  | { readonly view: 'list' | 'past' | 'map' | 'feed' | 'json' | 'ical' }
  | { readonly view: 'month' | 'week' | 'day'; readonly date: string; readonly isPresent?: boolean }

/** The view that segments name; undefined when they name none. `today` is the day of the site. */
function namedView(segments: readonly string[], today: string): Named | undefined {
  const [first = 'list', second, ...rest] = segments
  if (rest.length > 0) return undefined
  if (first === 'week' && (second === undefined || isDay(second)))
    return { view: 'week', date: second ?? today, isPresent: second === undefined }
  if (first === 'feed' && second === 'json') return { view: 'json' }
  if (second !== undefined) return undefined
  if (first === 'month') return { view: 'month', date: today.slice(0, 7), isPresent: true }
  if (first === 'today' || first === 'day') return { view: 'day', date: today }
  if (first === 'feed.json') return { view: 'json' }
  if (/^\d{4}-\d\d$/.test(first) && isDay(`${first}-01`)) return { view: 'month', date: first }
  if (isDay(first)) return { view: 'day', date: first }
  return (['list', 'past', 'map', 'feed', 'ical'] as const).flatMap((view) => (view === first ? [{ view }] : []))[0]
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  // The weeks around the first and last year have days in years that no event has.
  return year > 1000 && year < 9999 && isCalendarDate({ year, month, day })
}

/** Whether segments name a view, also as sites called it that have moved here. */
function isView(rest: readonly string[], today: string): boolean {
  const old = oldPath(rest)
  const segments = old === undefined ? rest : old.tail.split('/').filter((part) => part !== '')
  return namedView(segments, today) !== undefined
}

/** Whether a request wants the events of a page as an iCalendar file. */
export function wantsCalendar({ query }: Pick<Incoming, 'query'>): boolean {
  return query['ical'] !== undefined || query['outlook-ical'] !== undefined
}

/** Most segments below a category or tag: `list/featured/page/2`. */
const MOST_BELOW = 4

/** Shows the view of a scope that the rest of an address names. */
export async function showView(
  deps: PagesDeps,
  incoming: Incoming,
  { scope, rest }: { readonly scope: Scope | undefined; readonly rest: readonly string[] },
): Promise<PageResponse> {
  const today = todayIn(deps.site.zone, incoming.now)
  if (scope === undefined || !isView(rest, today)) return notFoundPage(deps, incoming)
  const context = contextOf(incoming)
  const moved = redirectAddress(incoming, { scope, context, rest })
  if (moved !== undefined) return redirectTo(moved)
  const named = namedView(rest, today) ?? { view: 'list' }
  const view: ViewRequest = { deps, incoming, context, scope, queries: deps.queries(() => ({})) }
  if (wantsCalendar(incoming) || named.view === 'ical') return calendarPage(view, named)
  const day = dayWanted(incoming, { named, rest, today })
  if (day !== undefined) return redirectTo(viewAddress(view, day.tail, day.dates), 302)
  const opening = 'isPresent' in named && named.isPresent === true ? await presentDay(view) : undefined
  switch (named.view) {
    case 'month':
      return monthView(view, opening === today ? presentMonth(today) : { month: (opening ?? named.date).slice(0, 7) })
    case 'week':
      return weekView(view, opening ?? named.date, opening === today)
    case 'day':
      return dayView(view, named.date)
    case 'map':
      return mapView(view)
    case 'feed':
      return rssFeed(view)
    case 'json':
      return jsonFeed(view)
    default:
      return listView(view, { isPast: named.view === 'past', words: '' })
  }
}

/** The day at which a view of dates opens: today, and in a frame of another site that of the next event. */
async function presentDay(view: ViewRequest): Promise<string> {
  const { deps, incoming } = view
  const today = todayIn(deps.site.zone, incoming.now)
  if (incoming.query['embed'] !== '1') return today
  const { set } = upcoming(deps.site.zone, incoming.now)
  const found = await ask(questionOf(view, { ...set, per_page: '1' }))
  const [next] = await view.queries.moments(found.ids)
  const day = next?.start_local.slice(0, 10) ?? today
  return [day, today].toSorted()[1] ?? today
}

/** Filters by date that choose what a view of dates shows. */
const WANTED = ['start_date', 'starts_after', 'ends_after'] as const

/**
 * Where a view of dates leads that was asked for a day, with the dates if these are a period; undefined where it was asked for
 * none, for a period that starts today, or for one in an address that names its day.
 */
function dayWanted(
  incoming: Incoming,
  { named: { view }, rest, today }: { readonly named: Named; readonly rest: readonly string[]; readonly today: string },
): { readonly tail: string; readonly dates: [string, string][] } | undefined {
  const { query } = incoming
  const isSent = (name: string): boolean => typeof query[name] === 'string' && query[name] !== ''
  const sent = WANTED.map((name) => query[name]).find((value) => typeof value === 'string' && value !== '')
  const day = typeof sent === 'string' ? sent.slice(0, 10) : undefined
  if (typeof day !== 'string' || !isDay(day)) return undefined
  const isPeriod = isSent('starts_before') || isSent('end_date')
  // At the end of a week or month the view without a day shows more of a period than the one of its first day.
  if (isPeriod && (day === today || /\d/.test(rest.join()))) return undefined
  const tails: Readonly<Record<string, string>> = { month: `${day.slice(0, 7)}/`, week: `week/${day}/`, day: `${day}/` }
  const tail = tails[view]
  return tail === undefined ? undefined : { tail, dates: isPeriod ? sentDates(incoming) : [] }
}

/** Everything below `/events/`. */
export function eventsPage(deps: PagesDeps, incoming: Incoming): Promise<PageResponse> {
  return showView(deps, incoming, { scope: ALL_EVENTS, rest: segmentsOf(incoming) })
}

/** Everything below the address of a venue or organizer. */
export async function linkedPages(
  deps: PagesDeps,
  incoming: Incoming,
  key: 'venue' | 'organizer',
): Promise<PageResponse> {
  const scope = await linkedScope(deps, incoming, { key, by: 'slug', slug: incoming.path['slug'] ?? '' })
  return showView(deps, incoming, { scope, rest: segmentsOf(incoming) })
}

/** Everything below the address of a category or tag. */
export async function termPages(deps: PagesDeps, incoming: Incoming, key: 'category' | 'tag'): Promise<PageResponse> {
  const segments =
    incoming.path['slug'] === undefined ? segmentsOf(incoming) : [incoming.path['slug'], ...segmentsOf(incoming)]
  const found = await termView(deps, incoming, { key, segments })
  return found === undefined ? notFoundPage(deps, incoming) : showView(deps, incoming, found)
}

/** A view by its address: of which events, and the segments that name it. */
export interface AddressedView {
  readonly scope: Scope
  readonly rest: readonly string[]
}

/**
 * What segments below `/events/category/` or `/events/tag/` show. Those of categories name the whole way down: the longest
 * beginning whose last segment is a category counts, so that no category is hidden by the name of a view.
 */
export async function termView(
  deps: PagesDeps,
  incoming: Incoming,
  { key, segments }: { readonly key: 'category' | 'tag'; readonly segments: readonly string[] },
): Promise<AddressedView | undefined> {
  const today = todayIn(deps.site.zone, incoming.now)
  for (let taken = segments.length; taken > 0 && taken >= segments.length - MOST_BELOW; taken -= 1) {
    const rest = segments.slice(taken)
    if (!isView(rest, today)) continue
    const scope = await termScope(deps, incoming, { key, slug: segments[taken - 1] ?? '' })
    if (scope !== undefined) return { scope, rest }
  }
  return undefined
}

function segmentsOf({ path }: Incoming): string[] {
  return (path['*'] ?? '').split('/').filter((part) => part !== '')
}

/** Results of a search among everything that is to come, or what is over where nothing is. */
export async function searchPage(deps: PagesDeps, incoming: Incoming): Promise<PageResponse> {
  const { q, s } = incoming.query
  const words = [q, s].find((one): one is string => typeof one === 'string')?.trim() ?? ''
  const context = contextOf(incoming)
  // For the other views of the page, its filters and its feeds they are the filter that they are for lists.
  const { q: _q, s: _s, ...rest } = incoming.query
  const asked = { ...incoming, query: words === '' ? rest : { ...rest, about: words } }
  const view: ViewRequest = { deps, incoming: asked, context, scope: ALL_EVENTS, queries: deps.queries(() => ({})) }
  if (wantsCalendar(incoming)) return calendarPage(view, { view: 'list' })
  const path = words === '' ? '/search' : `/search?${queryText([['q', words]])}`
  const above = words === '' ? undefined : await foundNames(view, words)
  return listView(view, { isPast: false, words, path, ...(above && { above }) })
}
