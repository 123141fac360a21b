import { findEvent } from '../../calendar/events/index.ts'
import { ANONYMOUS, mayRead } from '../../http/auth/rights.ts'
import { callOf, dispatch } from '../../http/dispatch.ts'
import type { PageResponse } from '../../http/html-page.ts'
import type { Incoming } from '../../http/route.ts'
import { daysAfter, monthsAfter, startOfWeek } from '../dates.ts'
import type { PagesDeps } from '../deps.ts'
import { notFoundPage } from '../not-found.ts'
import { storedForm } from '../page-context.ts'
import { freshUntil, past, sentDates, sentFilters } from '../views/question.ts'
import { type ViewRequest, weekStart } from '../views/view.ts'

/** A view with an iCalendar file. */
interface ViewDates {
  readonly view: string
  readonly date?: string
}

/**
 * The events of a view as an iCalendar file, as its route answers it: everything to come or over, the dates that were
 * sent, or those of the view.
 */
export async function calendarPage(view: ViewRequest, dates: ViewDates): Promise<PageResponse> {
  const { incoming, scope, deps } = view
  const filters = { ...Object.fromEntries(sentFilters(incoming)), ...scope.filter }
  const file = (range: Readonly<Record<string, string>>) =>
    fileOf(deps, '/events.ics', { ...incoming, caller: ANONYMOUS, path: {}, query: { ...filters, ...range } })
  if (dates.view !== 'past') return file(rangeOf(view, dates))
  const { set, until } = past(deps.site.zone, incoming.now)
  const over = await file(set)
  return { ...over, freshness: freshUntil(over.freshness, [], until) }
}

/** The iCalendar file of one event; like its page it is missing for those who may not read it. */
export async function eventCalendarPage(deps: PagesDeps, incoming: Incoming): Promise<PageResponse> {
  const row = await findEvent(deps.reader, storedForm({ by: 'slug', slug: incoming.path['slug'] ?? '' }))
  if (row === undefined || !mayRead(incoming.caller, { authorId: row.author_id, status: row.status }))
    return notFoundPage(deps, incoming)
  return fileOf(deps, '/events/by-slug/:slug.ics', incoming)
}

function rangeOf(asked: ViewRequest, { view, date = '' }: ViewDates): Readonly<Record<string, string>> {
  if (view === 'month') return range(`${date}-01`, daysAfter(`${monthsAfter(date, 1)}-01`, -1))
  if (view === 'day') return range(date, date)
  if (view !== 'week') return Object.fromEntries(sentDates(asked.incoming))
  const first = startOfWeek(weekStart(asked), date)
  return range(first, daysAfter(first, 6))
}

/** Everything that takes place between two days, both included. */
function range(first: string, last: string): Readonly<Record<string, string>> {
  return { ends_after: daysAfter(first, -1), starts_before: last }
}

async function fileOf({ calendarFiles }: PagesDeps, path: string, incoming: Incoming): Promise<PageResponse> {
  const route = calendarFiles.find((one) => one.path === path)
  if (route === undefined) throw new Error(`there is no route ${path}`)
  const { status, text, chunks, type, headers = {}, freshness, secret } = await dispatch(route, callOf(route, incoming))
  const body = text === undefined ? '' : 'all' in text ? Buffer.concat(text.all) : text
  const own = headers['Content-Disposition']
  return {
    status,
    body,
    ...(chunks && { chunks }),
    ...(type !== undefined && { type }),
    freshness,
    headers: {
      ...(own !== undefined && { 'content-disposition': own }),
      ...(secret === true && { 'cache-control': 'private, no-store' }),
    },
  }
}
